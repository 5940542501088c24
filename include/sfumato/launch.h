// SPDX-License-Identifier: Apache-2.0
// The host side in C++: global memory, options, launch, findings.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sfumato/data_type.h"
#include "sfumato/estimate.h"
#include "sfumato/flag_identity.h"
#include "sfumato/report.h"
#include "sfumato/route.h"

namespace sfumato {

// One tensor of a list: where it lies in GM, and its dimensions.
struct ListedTensor {
    uint8_t* data = nullptr;
    std::vector<uint64_t> shape;
};

// Global memory of a launch: named allocations with guard bytes between them, filled with a pattern.
class SFUMATO_API GlobalMemory {
public:
    struct Options {
        uint8_t fill = 0xFE;       // every byte nobody wrote
        uint32_t alignment = 512;  // of every allocation, a power of two
    };
    GlobalMemory();
    explicit GlobalMemory(Options options);
    ~GlobalMemory();
    GlobalMemory& operator=(GlobalMemory&&) = delete;

    // A new allocation; never null. bytes may be 0. name appears in reports ("src", "arg0"). It starts as a copy of
    // `content`, or filled with the pattern when that is nullptr. Throws Error with name and size when it is too large.
    uint8_t* Allocate(uint64_t bytes, std::string name, const void* content = nullptr);
    // As Allocate with `content`, for arrays of any size at little cost: a large one is not copied, instructions read
    // it where it is until they store to it. It is never written to, and must stay, unchanged, as long as the
    // allocation.
    uint8_t* Borrow(const void* host, uint64_t bytes, std::string name);
    // The parts of a borrowed allocation that launches may have changed, in order.
    struct Changed {
        uint64_t at;  // of the first byte, in the array
        std::span<const uint8_t> bytes;
    };
    std::vector<Changed> ChangesOf(const void* p) const;
    // What an allocation is for; kUnknown until it is said. Checks judge by it: an output must be written, and what a
    // workspace or an output holds before the launch is nothing a kernel may rely on.
    enum class Role : uint8_t { kUnknown, kInput, kOutput, kInOut, kWorkspace };
    // type: of its elements, where the host knows it.
    void SetRole(const void* p, Role role, std::optional<DataType> type = {});
    // A new allocation with what ListTensorDesc reads: shapes and pointers of the tensors (framework.md 1.12).
    uint8_t* AllocateList(const std::vector<ListedTensor>& tensors, std::string name);
    // Frees one allocation. Throws sfumato::Error when p is not the start of a live one (double free included).
    void Free(void* p);
    // True when some allocation starts at p.
    bool Owns(const void* p) const;
    // Bytes of the allocation that starts at p; throws when there is none.
    uint64_t SizeOf(const void* p) const;

    struct Impl;
    Impl* impl() const { return impl_.get(); }

private:
    std::unique_ptr<Impl> impl_;
};

// What the vendor's libraries need of the workspace; its size is not published (framework.md 1.13, decided).
constexpr uint64_t kSystemWorkspaceBytes = uint64_t{16} << 20;

// Cores of a chip that has separate cube and vector cores; a KERNEL_TASK_TYPE or a qualifier of the kernel wins.
// kDefault: those its code needs where KernelCall::use says so, else kVector.
// kMix is one cube core with two vector cores, kMixOneToOne with one.
enum class CoreChoice : uint8_t { kDefault, kVector, kCube, kMix, kMixOneToOne };

// What Rsqrt and Reciprocal give (docs/last-bits.md).
enum class Estimate : uint8_t { kBoard, kExact };

// When a record is logged: when the kernel issues it, or when the schedule has executed it.
enum class LogOrder : uint8_t { kIssued, kExecuted };

// How far a launch is: cores that have ended, of all, and instructions issued so far. More is not known: nobody tells
// how many instructions a core will issue.
struct LaunchProgress {
    uint64_t cores_ended = 0, cores = 0, records = 0;
};

struct LaunchOptions {
    std::string chip;    // family or product; empty is an error that lists the chips
    std::string kernel;  // name for reports
    CoreChoice core = CoreChoice::kDefault;
    Route route = Route::kLaunch;
    std::optional<Overflow> overflow;  // none: nobody asks, as the route has it
    std::string schedule = "eager";    // "eager", "late", "ahead", "seed:N"
    bool auto_sync = true;
    // What is looked for beyond the rules of every run (docs/checks.md): "races", "init", "outputs", "sync", "numbers",
    // "raw", "last-bit", "mmad-order", with commas between; "all" but the last two; "none"; "" and "default": what is
    // certain and costs little.
    std::string check;
    Severity numbers = Severity::kWarning;  // of what the check "numbers" finds; a fault ends the launch at its line
    bool strict = false;                    // warnings are faults
    bool collect = false;  // collect faults (refused instructions write nothing) instead of stopping at the first
    bool cast_round_ties = false;  // Ascend910 Cast: CAST_ROUND is nearest, ties away (--cast-round ties)
    // "board:SOC": the three below, where they are not set, are what a record of this board says, and functions of half
    // with a table in it give its bits. "": no record.
    std::string numerics;
    std::optional<Estimate> estimate;           // none: kBoard
    std::string div;                            // quotients of float: "nearest" or "", "away", "toward", "seed:N"
    std::string mmad_order;                     // a way of docs/last-bits.md, "half=WAY,float=WAY"; "": sequential
    FlagIdentity flags = FlagIdentity::kEvent;  // --flags
    bool rests_on = false;                      // LaunchResult::rests_on is filled
    bool cost = false;                          // LaunchResult::cost is filled
    // LaunchResult::estimate is filled. Only under the schedule eager, for chips with published figures.
    std::optional<TimeOptions> time;
    // Instructions move and compute nothing; a kernel whose scalar code reads what they would have written is refused
    // (rule `skipped-data`). For estimates of large kernels.
    bool skip_data = false;
    uint64_t tiling_key = 0;
    uint64_t system_workspace = 0;  // bytes in GM that GetSysWorkSpacePtr finds; 0: none but what SetSysWorkspace gives
    // Of a launch of a rank: names of the groups whose contexts GetHcclContext<0>() and <1>() give it. A launch that is
    // alone in its process is one rank, whatever they say.
    std::vector<std::string> groups;
    uint8_t fill = 0xFE;                        // on-chip memory nobody wrote
    bool dirty_state = false;                   // cores begin with what a kernel before left: --state dirty
    uint32_t workers = 0;                       // threads that run the cores; 0: one for each CPU core
    std::function<void(std::string_view)> log;  // --log: one line per record; calls are serialised
    LogOrder log_order = LogOrder::kIssued;     // of the lines of one core
    // A file for the timeline of the launch (docs/timeline.md): .html, .json or .json.gz. The order of the run, without
    // times; cores run on one thread, so that the same launch gives the same file. Not with the schedule all.
    std::string trace;
    std::function<void(std::string_view)> print;  // AscendC::printf, DumpTensor; default: stdout
    // Seconds, above 0: a launch that takes longer ends at the next instruction or wait of each core (rule `timeout`).
    std::optional<double> timeout;
    // As soon as it is true the launch ends likewise (rule `interrupted`). A handler of signals or any thread sets it.
    const std::atomic<bool>* interrupt = nullptr;
    // Called once, on the launching thread, with the report, when cores still run a second later: they are in code
    // without instructions, which cannot be stopped. May end the process.
    std::function<void(const Report&)> stuck;
    // Called on the launching thread while cores run, at most ten times a second.
    std::function<void(const LaunchProgress&)> progress;
};

// Which last bits a launch with these options has: `estimate`, `div` and `mmad_order` as texts, and `numerics`, "" or
// what it says. Throws Error for a record that is not there or is broken.
struct Numerics {
    std::string numerics, estimate, div, mmad_order;
};
SFUMATO_API Numerics NumericsOf(const LaunchOptions& options);
// Where records of boards are kept (docs/last-bits.md).
SFUMATO_API std::string RecordsDir();

// What a launch did, in numbers that the program and its arguments alone decide: all cores, whatever the schedule.
struct LaunchCost {
    uint64_t bytes_gm_read = 0, bytes_gm_written = 0;  // by instructions and by accesses of the scalar unit
    uint64_t vector_elements = 0;  // of the widest operand of each vector instruction, masked ones left out
    uint64_t mac = 0;              // multiplications with an addition of the cube unit
};

struct LaunchResult {
    std::vector<Report> findings;  // sorted by core, then index; faults included
    uint64_t records = 0;          // issued, all cores
    std::string task_type;         // which cores a block had: "KERNEL_TYPE_MIX_AIC_1_2"
    std::string task_type_from;  // who said so: "declared by KERNEL_TASK_TYPE", "derived from its code"; empty for TIK
    // With LaunchOptions::rests_on: what it rests on beyond the pages, sorted by call; empty: documented throughout.
    std::vector<Reading> rests_on;
    LaunchCost cost;                               // with LaunchOptions::cost
    std::shared_ptr<const TimeEstimate> estimate;  // with LaunchOptions::time, of a launch without a fault
    // With LaunchOptions::trace: the file as it is called in the end (a large .json is compressed and becomes
    // .json.gz), or why not all of it could be written.
    std::string trace, trace_error;
    SFUMATO_API bool ok() const;  // no fault
};

// Which kinds of core the code of a kernel needs, and whether cores of one kind speak with each other.
struct CodeUse {
    bool cube = false, vector = false, cross_core = false;
    bool operator==(const CodeUse&) const = default;
};

// A function with its arguments, as Launch(f, ...) and BindArguments make it. A launch that gets one in its
// std::function knows which core type the function declares, and starts its thread_local variables fresh on every core.
struct KernelCall {
    std::function<void()> run;
    const void* function = nullptr;  // its code, or other code of the same shared object
    std::string name;                // qualified; empty: known by its address
    // Set for a function of a compiled source: the kernels of that source, this one among them.
    std::vector<std::string> kernels;
    const void* vector_function = nullptr;  // the same, where vector cores have code of their own
    std::string qualifier = {};             // "__vector__", "__cube__", "__mix__(1, 2)": as the function is declared
    std::optional<CodeUse> use = {};        // none: not known
    std::vector<Report> findings = {};      // of its code; the launch adds them to its own
    std::string source = {};                // as the user gave its path: reports show paths likewise
    std::vector<Report> use_findings = {};  // the launch adds them where `use` chooses its cores
    void operator()() const { run(); }
};

// Runs `kernel` once per core of every block. Cores take turns on a few worker threads, which carry the name of the
// core they run; between its waits a core may change the thread. Returns when all have ended. A fault on one core
// cancels the others and is in the result; nothing is thrown for kernel faults. Throws Error for bad options.
SFUMATO_API LaunchResult Launch(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory,
                                const std::function<void()>& kernel);

// Launches f(args...), e.g. Launch(options, 8, memory, my_kernel, src, dst). Prefer this in programs.
template <class... Params, class... Args>
LaunchResult Launch(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory, void (*f)(Params...),
                    Args... args) {
    return Launch(options, blocks, memory,
                  std::function<void()>(
                      KernelCall{[=] { f(static_cast<Params>(args)...); }, reinterpret_cast<const void*>(f), {}, {}}));
}

// Where a host address lies, for people: "'src'+0x40", "UB+0x40 of core aiv0", "8 bytes past the end of 'dst' (1024
// bytes)".
SFUMATO_API std::string DescribeAddress(const void* p, const GlobalMemory* memory);

// For handlers of signals: the core the calling thread runs ("aiv0"), "" outside a launch; and whether its scalar code
// overflowed its stack by touching p. Cores run on stacks of their own, with an alternate signal stack for handlers.
SFUMATO_API std::string RunningCore();
SFUMATO_API bool IsStackOverflow(const void* p);

// What stands in the source where an instruction of kernel code came from; line 0: not known. `source`: of the kernel,
// as the user gave its path.
struct CodePlace {
    std::string function, file;
    uint32_t line = 0;
};
SFUMATO_API CodePlace FindCode(const void* instruction, const std::string& source);

// Bytes of the stack on which the scalar code of a core runs.
constexpr uint64_t kCoreStackBytes = uint64_t{8} << 20;

// Converts n elements of any pair the chip has; the arrays hold int4 unpacked, one a byte (conversions.md).
struct CastOptions {
    std::string chip;
    std::string round_mode;            // "CAST_CEIL", "ceil", "" ...: the spelling chooses the page
    std::optional<Overflow> overflow;  // none: as Route::kCast has it
    bool cast_round_ties = false;
    int deq_kind = 0;  // 0 none, 1 half scale (deq_scale), 2 one word, 3 sixteen words
    double deq_scale = 0;
    uint64_t deq_words[16] = {};
};
// Throws UnsupportedError naming what the chip has. Uses a small buffer besides dst. True when the policy `saturate`
// changed a result.
SFUMATO_API bool CastArray(const CastOptions& options, DataType src_type, const void* src, DataType dst_type, void* dst,
                           uint64_t n);

// The ways in which Mmad may add the products of two half, bfloat16 or float (docs/last-bits.md).
SFUMATO_API std::vector<std::string> WaysToAdd(DataType type);

// C += A B, m x k by k x n in rows, as Mmad with this way to add does it.
struct ProductOfArrays {
    std::string way;  // as LaunchOptions::mmad_order has for one type
    DataType type;    // what the floats of A and B hold: half, bfloat16 or float; 32 bytes of it are a block
    uint64_t m, n, k;
    uint64_t k_of_call;  // how many k one Mmad takes; 0: all
    const float *a, *b;
    float* c;       // in: what the sums start from
    bool saturate;  // as the overflow policy
};
// Throws Error for a way that is none. Slow: each product takes tens of nanoseconds.
SFUMATO_API void MultiplyArrays(const ProductOfArrays& product);

}  // namespace sfumato
