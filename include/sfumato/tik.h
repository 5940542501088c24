// SPDX-License-Identifier: Apache-2.0
// TIK programs in C++: the calls by which a surface (sfumato.tik in Python) records a program, and running it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sfumato/launch.h"
#include "sfumato/report.h"

namespace sfumato::tik {

// Numbers of a program's parts; -1 is none. Each kind is a type of its own, so that they cannot be confused.
template <class Tag>
struct Id {
    int32_t value = -1;
    explicit operator bool() const { return value >= 0; }
    bool operator==(const Id&) const = default;
};
using ExprId = Id<struct ExprTag>;
using ScalarId = Id<struct ScalarTag>;  // Scalar, ScalarArray, InputScalar, loop variable
using TensorId = Id<struct TensorTag>;
using RefId = Id<struct RefTag>;  // the start of a slice, as an instruction takes it

// A number as Python writes it: typed by what it meets (tik.md 3.10).
using Number = std::variant<int64_t, uint64_t, double>;

// A parameter of a call. Absent (None) is the monostate; a list holds numbers, expressions or slices. A scalar that a
// call writes is given as the expression that reads it.
struct Value;
using ValueList = std::vector<Value>;
struct Value : std::variant<std::monostate, ExprId, RefId, int64_t, uint64_t, double, std::string, ValueList> {
    using variant::variant;
};
using Params = std::vector<std::pair<std::string, Value>>;

// A mistake in the script, found while it is built: the report has its line.
class SFUMATO_API TikError : public Error {
public:
    explicit TikError(Report report);
    const Report& report() const { return report_; }

private:
    Report report_;
};

struct TensorOptions {
    bool is_workspace = false;
    bool is_atomic_add = false;
    bool is_global_tensor = false;
    int64_t max_mem_size = -1;  // bytes; -1 = the shape's
    int64_t start_addr = -1;    // byte address in its memory; -1 = chosen
    bool has_init = false;      // GM only
    std::vector<uint8_t> init;  // bytes of all elements
    double init_fill = 0;       // is_atomic_add with a number as init_value
    bool has_init_fill = false;
};

// What BuildCCE's JSON file says, and what a surface needs to feed a program.
struct Parameter {
    std::string name;
    std::string kind;  // "input", "output", "workspace", "scalar"
    DataType type = DataType::kInt64;
    std::vector<int64_t> shape;
    uint64_t bytes = 0;
};
struct ProgramInfo {
    std::string kernel;
    int64_t block_dim = 1;  // 0: known at run time
    std::string core_type;  // "AiCore", "VectorCore", "CubeCore"
    std::vector<Parameter> parameters;
    std::vector<uint64_t> workspaces;  // bytes
    uint64_t statements = 0;
};

// What one run gets and gives. Tensors fed the same bytes (one address, one length) share one allocation.
struct Feed {
    std::string name;
    const uint8_t* data = nullptr;  // of a tensor
    uint64_t bytes = 0;
    uint64_t start = 0, more = 0;  // of a part of a longer array: where it begins there, and bytes that follow
    bool is_number = false;
    Number number;  // of an InputScalar
};
struct Output {
    std::string name;
    DataType type = DataType::kFloat;
    std::vector<int64_t> shape;
    std::span<uint8_t> bytes;
    std::shared_ptr<void> owner;  // keeps the bytes
};
struct RunOptions {
    LaunchOptions launch;                                // chip and kernel are the program's
    std::map<std::string, std::vector<int64_t>> shapes;  // of tensors whose script says only "large" (2^31 - 1)
};
struct RunResult {
    LaunchResult launch;
    std::vector<Output> outputs;  // empty after a fault, and when a debugger ended the run
    bool quit = false;            // a debugger ended the run
};

// A debugged run that stands. The values are those after everything issued so far, whatever the schedule. Valid until
// Debugger::Stopped returns.
class SFUMATO_API DebugStop {
public:
    enum class BlockState : uint8_t { kWaits, kRuns, kAtBarrier, kEnded };
    struct Loop {
        std::string name;
        int64_t value, end;
        Where where;
    };
    virtual ~DebugStop() = default;

    uint64_t statement = 0;  // the next one; after a fault the one that has it
    Where where;
    uint32_t block = 0;
    std::string core;
    uint64_t issued = 0;             // instructions of this core
    const Report* fault = nullptr;   // nullptr: before a statement
    std::vector<Loop> loops;         // around the statement, the outermost first
    std::vector<BlockState> blocks;  // of all blocks, by their number

    // Throw Error for what has no value here: its scope is not open, or an index lies outside.
    virtual Number Value(ExprId expr) const = 0;
    virtual std::vector<Number> Values(ScalarId array) const = 0;  // of a Scalar, one
    virtual Output Contents(TensorId tensor) const = 0;            // a copy
};

// Steers Program::Debug. Its functions are called on the thread that called Debug; what they throw ends the run and is
// thrown by Debug.
class SFUMATO_API Debugger {
public:
    enum class Action : uint8_t { kNext, kContinue, kQuit };
    virtual ~Debugger() = default;
    virtual Action Stopped(const DebugStop& stop) = 0;
    // Asked now and then while the kernel runs; true: stop before the next statement.
    virtual bool Interrupted() { return false; }

    std::set<uint64_t> breakpoints;  // statements; may be changed inside Stopped
};

// Records a program call by call, in the order of the script, freezes it with Build, and runs it any number of times.
//
// `where` is the script's line, for reports; its text may be temporary. Types are spelled as in NumPy ("float16"),
// scopes as in tik.md 3.8 ("global", "local.UB"). What the script does wrong throws TikError, at that line; an id must
// be of this program.
class SFUMATO_API Program {
public:
    // A family or product of chips/*.toml. Throws UnsupportedError for one without TIK.
    explicit Program(std::string_view chip);
    ~Program();
    Program& operator=(Program&&) = delete;

    // Expressions, typed and folded as tik.md 3.10 says. One is evaluated where a statement uses it.
    ExprId Immediate(Number value, Where where);  // takes the type of what it meets
    ExprId Immediate(Number value, std::string_view type, Where where);
    ExprId Variable(ScalarId scalar, Where where);
    ExprId Element(ScalarId array, ExprId index, Where where);
    ExprId Unary(std::string_view op, ExprId a, Where where);             // "neg", "~", "not"
    ExprId Binary(std::string_view op, ExprId a, ExprId b, Where where);  // Python's, and "and", "or", "min", "max"
    ExprId Convert(ExprId a, std::string_view type, Where where);
    ExprId Reinterpret(ExprId a, std::string_view type, Where where);  // the same bits; types of one width
    ExprId Load(RefId ref, Where where);                               // the element a slice starts at
    std::string TypeOf(ExprId expr) const;                             // "int32" ..., "bool" for conditions
    bool Constant(ExprId expr, Number* value) const;                   // false, and no value: only the run knows it

    // Declarations. What is made inside a scope ends with it; GM tensors and InputScalars are made outside all of them.
    ScalarId Scalar(std::string_view type, std::string_view name, Where where);
    ScalarId ScalarArray(std::string_view type, int64_t length, std::string_view name, Where where);
    ScalarId InputScalar(std::string_view type, std::string_view name, Where where);
    TensorId Tensor(std::string_view type, const std::vector<int64_t>& shape, std::string_view scope,
                    std::string_view name, const TensorOptions& options, Where where);
    RefId Ref(TensorId tensor, ExprId offset, std::string_view type, Where where);  // offset: elements of `type`

    // Statements. Each Begin opens a scope, which End closes; BeginElif and BeginElse follow the End of their
    // condition. BeginFor returns the loop's variable: begin, begin + 1 .. end - 1. thread_num 2 doubles the tensors
    // made inside; block_num other than 1 gives each trip a core.
    void SetScalar(ScalarId scalar, ExprId value, Where where);
    void SetElement(ScalarId array, ExprId index, ExprId value, Where where);
    void Store(RefId ref, ExprId value, Where where);
    ScalarId BeginFor(ExprId begin, ExprId end, std::string_view name, std::string_view type, int64_t thread_num,
                      ExprId block_num, Where where);
    void BeginIf(ExprId condition, Where where);
    void BeginElif(ExprId condition, Where where);
    void BeginElse(Where where);
    void BeginScope(bool disable_sync, Where where);
    void End(Where where);
    void Break(Where where);
    void Continue(Where where);
    void Return(Where where);
    void BlockBarrier(RefId workspace, Where where);
    // refs: the tensor arguments in the order of the signature, but those that `params` has by name.
    void Call(std::string_view name, const std::vector<RefId>& refs, const Params& params, Where where);
    void Printf(std::string_view format, const std::vector<ExprId>& values, Where where);
    // Does nothing: a place for a debugger to stop, and where the call that is made of the statements behind it begins.
    void Mark(Where where, std::string call = {});
    uint64_t Statements() const;  // recorded so far

    uint64_t Available(std::string_view scope) const;  // bytes of an on-chip scope that are left at this point
    static bool Knows(std::string_view call);          // whether Call takes the name

    // Verifies and freezes the program. flowtable: further inputs, which hold a dynamic kernel's tiling.
    using Argument = std::variant<TensorId, ScalarId>;
    void Build(std::string_view kernel, const std::vector<Argument>& inputs, const std::vector<TensorId>& outputs,
               const std::vector<Argument>& flowtable, Where where);
    ProgramInfo Info() const;

    // Runs the frozen program. Throws Error for a wrong feed; faults are in the result.
    RunResult Run(const std::vector<Feed>& feed, const RunOptions& options) const;
    // The same, block after block, under a debugger: it is stopped before the first statement that runs, or, when
    // `stop_first` is false, at the first breakpoint.
    RunResult Debug(const std::vector<Feed>& feed, const RunOptions& options, Debugger& debugger,
                    bool stop_first = true) const;

    struct Impl;

private:
    std::unique_ptr<Impl> impl_;
};

// What a chip family has of an instruction, in the words of TIK's type table: "float16", "f322s32r". nullopt: no call
// here has the name.
SFUMATO_API std::optional<std::vector<std::string>> SupportOf(std::string_view family, std::string_view intrinsic);

}  // namespace sfumato::tik
