// SPDX-License-Identifier: Apache-2.0
// Operator projects: op_host is compiled and run for real, op_kernel compiled for what it chose (docs/operators.md,
// docs/spec/clients.md 6).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sfumato/launch.h"
#include "sfumato/report.h"

namespace sfumato::op {

enum class ParamType : uint8_t { kRequired, kOptional, kDynamic };
enum class AttrType : uint8_t { kBool, kInt, kFloat, kString, kListBool, kListInt, kListFloat, kListListInt };

// One alternative for each AttrType, in its order.
using AttrValue = std::variant<bool, int64_t, float, std::string, std::vector<bool>, std::vector<int64_t>,
                               std::vector<float>, std::vector<std::vector<int64_t>>>;

// A declared input or output. types and formats have a value for each column of the definition.
struct Param {
    std::string name;
    ParamType type = ParamType::kRequired;
    std::vector<int> types;                                   // numbers of ge::DataType
    std::vector<int> formats;                                 // numbers of ge::Format
    bool value_depend = false;                                // host code may read its values
    bool value_required = false;                              // and cannot do without
    bool auto_contiguous = false, ignore_contiguous = false;  // what to do with gaps (clients.md 5)
    bool scalar = false, scalar_list = false;                 // an aclScalar, an aclScalarList to callers of aclnn
    std::optional<double> initial;                            // outputs: every element starts as this
    std::string follow;                                       // outputs: the input whose type, or shape, they have
    bool follow_shape = false, follow_type = false;
    uint32_t version = 0;  // inputs: of the aclnn functions that have it (clients.md 5)
};

struct Attr {
    std::string name;
    AttrType type = AttrType::kInt;
    bool required = true;
    AttrValue value;  // the default
    uint32_t version = 0;
};

// What OpDef says, with the configuration of one chip applied.
struct Definition {
    std::string name;  // "AddCustom"
    std::vector<Param> inputs, outputs;
    std::vector<Attr> attrs;
    std::vector<std::string> chips;   // of AddConfig: "ascend910b"
    std::vector<std::string> groups;  // attributes that name groups of ranks: MC2().HcclGroup
    size_t columns = 0;               // combinations of types and formats
    std::string file, kernel;         // opFile.value, opInterface.value; empty: from the name
    uint32_t version = 0;             // the highest of inputs and attributes
    std::string source;               // of OP_ADD
    uint32_t line = 0;
};

// Dimensions in memory, outermost first; numbers of ge::DataType and ge::Format. origin: those of the matrix that lies
// in FRACTAL_NZ; empty: of whole fractals, and of another format the shape.
struct Spec {
    std::vector<int64_t> shape;
    int type = 0;
    int format = 2;
    std::vector<int64_t> origin = {};
};

// Words for the numbers: as NumPy writes a type where NumPy has it ("float16", "bfloat16", "complex32"), "ND",
// "FRACTAL_NZ". The numbers of words; NZ is FRACTAL_NZ; -1 for no such word.
SFUMATO_API std::string TypeName(int type);
SFUMATO_API std::string FormatName(int format);
SFUMATO_API int TypeNumber(std::string_view name);
SFUMATO_API int FormatNumber(std::string_view name);
// Bits of an element; 0: not known.
SFUMATO_API uint32_t TypeBits(int type);
// Bytes of a tensor; elements smaller than a byte are packed.
SFUMATO_API uint64_t BytesOf(const Spec& spec);
// "float16[8, 2048]", with the format where it is not ND.
SFUMATO_API std::string Describe(const Spec& spec);
// "int", "list of float" ...
SFUMATO_API const char* AttrTypeName(AttrType type);
// As Python writes it: "True", "2.5", "'sum'", "[1, 2]".
SFUMATO_API std::string Describe(const AttrValue& value);
// What AddConfig calls a chip: "ascend910b" for Ascend910B1. Throws Error for a chip that there is not.
SFUMATO_API std::string ConfigWord(const std::string& chip);
// "Conv2DCustom" -> "conv2_d_custom" (clients.md 6.6).
SFUMATO_API std::string SnakeName(std::string_view name);

// A tensor of a call. values: its bytes on the host, null where they are not known; only value-dependent inputs need
// them.
struct Tensor {
    Spec spec;
    const void* values = nullptr;
};

// A call as host functions see it: for each declared input and output its tensors, none of an absent optional one.
struct Call {
    std::string chip;  // product
    std::vector<std::vector<Tensor>> inputs, outputs;
    std::vector<AttrValue> attrs;  // of every attribute
    size_t column = 0;             // of the definition
    bool strict = false;           // warnings are faults, and tiling data start as a pattern
    bool deterministic = false;
    std::string log;               // of the inference functions
    std::vector<Report> findings;  // of theirs: warnings and notes
};

// What the tiling function chose.
struct Tiling {
    uint32_t blocks = 0;
    uint64_t key = 0;
    std::string data;                  // bytes
    std::vector<uint64_t> workspaces;  // bytes each; none: not asked for
    uint32_t schedule_mode = 0;        // 1: all blocks at once
    bool atomic = false;               // SetNeedAtomic
    std::string log;                   // what the host code logged, inference first
    std::vector<Report> findings;      // of the host code: warnings and notes; those of a run begin with them
};

struct LoadOptions {
    std::string folder;  // of the project, or below it
    std::string chip;    // family or product
    std::string op;      // name of OP_ADD; optional where there is one
    std::vector<std::pair<std::string, std::string>> defines;
    std::vector<std::string> include_dirs, flags;  // for the host code and the kernel
    std::string cache_dir;
    bool strict = true;  // false: a product of A3 takes the configuration of A2
};

// What happened when the pieces were compiled.
struct Origin {
    bool host_from_cache = false;
    std::vector<std::string> sources;  // of the host
    std::string kernel_source;
    std::vector<std::string> warnings;
    bool key_decides = false;  // what is compiled depends on the tiling key
};

// One operator for one chip. Its functions may be called by several threads.
class SFUMATO_API Operator {
public:
    // Finds the project, compiles its host code (or takes it from the cache) and reads the definition. Throws
    // KernelError (op-project, op-definition, op-chip, opdev-unsupported, comm-unsupported), CompileError, Error.
    static std::shared_ptr<Operator> Load(const LoadOptions& options);
    ~Operator();
    Operator& operator=(Operator&&) = delete;

    const Definition& definition() const;
    const Origin& origin() const;
    const std::string& chip() const;

    // A call, checked against the definition: inputs in their order (missing ones at the end are absent), attributes by
    // name. The outputs are those given, else as inferred. Throws KernelError (op-input, op-combination, op-attr,
    // op-infer, op-output-shape).
    Call Prepare(std::vector<std::vector<Tensor>> inputs, std::vector<std::pair<std::string, AttrValue>> attrs,
                 std::vector<std::vector<Tensor>> outputs = {}, bool strict = false) const;
    // Throws KernelError (op-tiling, op-tiling-data, op-blocks, op-workspace, op-index ...).
    Tiling Tile(const Call& call) const;
    // Bytes of the workspace to pass to Run; the system's part included.
    uint64_t WorkspaceBytes(const Tiling& tiling) const;

    // Names of the groups that a launch of the call is in, one for each of definition().groups: Run sets
    // LaunchOptions::groups to them. Who submits a launch to a world names their domains.
    std::vector<std::string> GroupsOf(const Call& call) const;

    // Memory of a run in `memory`: one address for each tensor of the call; workspace may be null when WorkspaceBytes
    // is 0.
    struct Places {
        std::vector<std::vector<uint8_t*>> inputs, outputs;
        uint8_t* workspace = nullptr;
    };
    // Compiles the kernel for the call, so that Run does not. Throws CompileError, Error, KernelError (op-kernel).
    void CompileKernel(const Call& call, const Tiling& tiling) const;
    // A launch of a call for who launches it himself, as a world of ranks does; it keeps what it takes of `memory`
    // besides the places.
    struct Ready {
        LaunchOptions options;
        uint32_t blocks = 0;
        std::function<void()> kernel;
    };
    // Compiles the kernel for the call (or takes it from the cache). `launch`: chip, kernel, tiling_key and groups are
    // set here. Throws CompileError, Error, KernelError (op-kernel).
    Ready MakeReady(const Call& call, const Tiling& tiling, const Places& places, GlobalMemory& memory,
                    LaunchOptions launch) const;
    // What a launch has found, in the words of those who write tiling functions.
    static void SayOfTiling(std::vector<Report>* findings);
    // Makes the launch ready and runs it. Faults are in the result, behind what the tiling function found.
    LaunchResult Run(const Call& call, const Tiling& tiling, const Places& places, GlobalMemory& memory,
                     LaunchOptions launch) const;

    struct Impl;
    explicit Operator(std::unique_ptr<Impl> impl);

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace sfumato::op
