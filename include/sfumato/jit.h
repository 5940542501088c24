// SPDX-License-Identifier: Apache-2.0
// Compiles kernel sources with the system's C++ compiler, lists their kernels and binds typed arguments to them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sfumato/data_type.h"
#include "sfumato/launch.h"
#include "sfumato/report.h"

namespace sfumato {

// As a cache_dir: nothing is read from a cache and nothing is kept.
inline constexpr const char* kNoCache = "none";

struct CompileOptions {
    std::string source;                                        // path, as reports and compiler messages shall show it
    std::string chip;                                          // family or product; decides the chip macros
    std::vector<std::pair<std::string, std::string>> defines;  // name, value; an empty value is -DNAME=
    std::vector<std::string> include_dirs;
    std::vector<std::string> flags;           // after the default ones, so they win
    std::vector<std::string> instantiations;  // kernels to export besides those found: "name<3, true>", macro-made ones
    // What an operator project's build knows (framework.md 4.5 to 4.8).
    std::optional<uint64_t> tiling_key;       // the source is compiled for this key alone
    std::string tiling_struct;                // of GET_TILING_DATA; wins over what the source registers
    std::string tiling_operator;              // whose REGISTER_TILING_DATA_CLASS is meant, of those included
    std::vector<std::string> tiling_headers;  // included before the source: BEGIN_TILING_DATA_DEF
    std::vector<std::pair<std::string, std::string>> template_values;  // "MODE", "3": the instance of ASCENDC_TPL_*
    std::vector<std::pair<std::string, std::string>> dtypes;           // "x", "half": DTYPE_X and ORIG_DTYPE_X
    std::vector<std::pair<std::string, std::string>> formats;  // "x", "NZ": FORMAT_X; of those with a dtype else ND
    std::string check;      // as LaunchOptions::check: with raw the code tells what its pointers and arrays do
    bool coverage = false;  // counts which lines and branches run, without optimisation; nothing is cached
    std::string cache_dir;  // empty: $SFUMATO_CACHE, $XDG_CACHE_HOME/sfumato, ~/.cache/sfumato; kNoCache
};

enum class ParamKind : uint8_t { kPointer, kInteger, kFloating, kStruct };

constexpr const char* Name(ParamKind k) {
    constexpr const char* kNames[] = {"pointer", "integer", "floating", "struct"};
    return kNames[static_cast<int>(k)];
}

struct KernelParam {
    std::string name;  // as in the source; empty for an unnamed parameter
    std::string type;  // as in the source, e.g. "GM_ADDR"
    ParamKind kind = ParamKind::kPointer;
    bool is_signed = false;  // integers
    bool is_bool = false;
    std::optional<DataType> data_type;  // of the value, or of what the pointer points to; none for structs and void*
    uint64_t size = 0;                  // bytes of the parameter itself
};

struct KernelInfo {
    using Thunk = void (*)(void* const* arguments);  // arguments[i] points to the value of parameter i

    std::string name;       // qualified, e.g. "ops::cast_kernel" or "name<3, true>"
    std::string code_name;  // as debuggers know it: another where the C library, say, has the name
    std::vector<KernelParam> params;
    std::string file;  // as the user gave it
    uint32_t line = 0;
    Thunk thunk = nullptr;  // valid while its CompiledKernels lives
    // Compiled once for each kind of core: thunk is the code of cube cores, vector_thunk that of vector cores. One of
    // them is null when the source has the kernel for the other kind alone.
    bool by_kind = false;
    Thunk vector_thunk = nullptr;
    std::string qualifier;             // "__vector__", "__cube__", "__mix__(1, 2)"; empty without
    std::vector<Report> findings;      // of its code: each launch has them, too
    std::optional<CodeUse> use;        // on chips with separate cores: what its code needs
    std::vector<Report> use_findings;  // of launches whose cores `use` chooses

    // "cast_kernel(GM_ADDR src, uint32_t n)", for messages.
    SFUMATO_API std::string Signature() const;
};

// The compiler refused the source. what() is a summary plus messages(); messages() is the compiler's text alone.
class SFUMATO_API CompileError : public Error {
public:
    CompileError(const std::string& summary, std::string messages);
    const std::string& messages() const { return messages_; }

private:
    std::string messages_;
};

// The kernels of one compiled source. Unloads the code when the last copy of the pointer goes.
class SFUMATO_API CompiledKernels {
public:
    ~CompiledKernels();
    CompiledKernels& operator=(CompiledKernels&&) = delete;

    const std::vector<KernelInfo>& kernels() const;
    // By qualified or, where unique, unqualified name; an empty name means the only kernel. Throws Error that lists the
    // names.
    const KernelInfo& Find(const std::string& name) const;
    const std::string& chip() const;         // as asked for
    bool from_cache() const;                 // no compiler ran
    const std::string& object_path() const;  // the shared object
    // The key of the launch: CompileOptions::tiling_key, or that of the template's instance.
    std::optional<uint64_t> tiling_key() const;
    // Bytes for LaunchOptions::system_workspace: 0 unless the source mentions GetSysWorkSpacePtr or
    // REGIST_MATMUL_OBJ.
    uint64_t system_workspace() const;
    const std::vector<std::string>& warnings() const;  // "the cache ... is not writable", and the compiler's warnings
    const std::vector<std::string>& compiler() const;  // the words of its command
    // Compiled with coverage: writes what was counted since the last time to .gcda files, adding to those that are
    // there; returns the .gcno files beside them, for gcov. They go with this object.
    std::vector<std::string> WriteCounts() const;

    struct Impl;
    explicit CompiledKernels(std::unique_ptr<Impl> impl);

private:
    friend SFUMATO_API std::shared_ptr<CompiledKernels> ForChecks(const std::shared_ptr<CompiledKernels>&,
                                                                  const std::string&);
    std::unique_ptr<Impl> impl_;
};

// Compiles what kernels of the chip include first, kernel_operator.h, into a folder ("": the cache's), so that Compile
// of sources that begin with it takes a third of the time. Compile looks in its cache and in $SFUMATO_PREFIX, and has
// it made in the background where it finds none; where $SFUMATO_PRECOMPILE is 1, it calls this itself, and where that
// is 0, it does neither. Of `options` the chip and flags count. False: flags change what is included, or
// the folder cannot be written. Throws as Compile does.
SFUMATO_API bool Precompile(const CompileOptions& options, const std::string& folder);

// Compiles (or takes from the cache) and loads. Throws CompileError when the compiler refuses the source,
// UnsupportedError for a chip without Ascend C, Error for everything else: no such file, no __global__ function. No
// compiler is a CompileError.
SFUMATO_API std::shared_ptr<CompiledKernels> Compile(const CompileOptions& options);

// The command that compiles the source as Compile does, but as a file by itself and without linking: for tools that
// read C++. The compiler first. Throws as Compile does for a missing compiler or an unknown chip.
SFUMATO_API std::vector<std::string> CompileCommand(const CompileOptions& options);

// The kernels, compiled so that the checks of a launch (LaunchOptions::check) see what they must: themselves, or with
// raw a second compilation of the same source, which is kept. Throws as Compile does.
SFUMATO_API std::shared_ptr<CompiledKernels> ForChecks(const std::shared_ptr<CompiledKernels>& kernels,
                                                       const std::string& check);

// Adds to options.dtypes, for each DTYPE_X the source mentions and nobody gave, the element type of the argument that
// the kernel calls x; a null type is that of an argument without one. Throws nothing: what stays open, Compile reports.
SFUMATO_API void DeriveTypes(CompileOptions& options, const std::string& kernel,
                             const std::vector<std::optional<DataType>>& argument_types);

// One argument of a call. A stated type (the "uint32" of "uint32:512", the dtype of an array) is checked.
struct Argument {
    enum class Kind : uint8_t { kPointer, kInteger, kFloating, kBytes };

    Kind kind = Kind::kPointer;
    void* pointer = nullptr;       // kPointer: GM address; kBytes: GM copy for a pointer parameter, may be null
    bool negative = false;         // kInteger: the value is -magnitude
    uint64_t magnitude = 0;        // kInteger
    bool beyond = false;           // kInteger: it needs more than 64 bits; `text` is the value
    double floating = 0;           // kFloating
    std::string bytes;             // kBytes: the value of a struct parameter
    std::optional<DataType> type;  // stated
    std::string text;              // as the user wrote it, for messages; may be empty

    static Argument Pointer(void* p, std::optional<DataType> t = std::nullopt) {
        Argument a;
        a.pointer = p;
        a.type = t;
        return a;
    }
    static Argument Integer(int64_t v, std::optional<DataType> t = std::nullopt) {
        Argument a;
        a.kind = Kind::kInteger;
        a.negative = v < 0;
        a.magnitude = v < 0 ? 0 - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
        a.type = t;
        return a;
    }
    static Argument Unsigned(uint64_t v, std::optional<DataType> t = std::nullopt) {
        Argument a;
        a.kind = Kind::kInteger;
        a.magnitude = v;
        a.type = t;
        return a;
    }
    // An integer that needs more than 64 bits: only a floating-point parameter can hold it.
    static Argument Beyond(std::string digits) {
        Argument a;
        a.kind = Kind::kInteger;
        a.beyond = true;
        a.text = std::move(digits);
        return a;
    }
    static Argument Floating(double v, std::optional<DataType> t = std::nullopt) {
        Argument a;
        a.kind = Kind::kFloating;
        a.floating = v;
        a.type = t;
        return a;
    }
    static Argument Bytes(std::string b) {
        Argument a;
        a.kind = Kind::kBytes;
        a.bytes = std::move(b);
        return a;
    }
};

// Checks count, kinds, stated types and ranges of `arguments` against the kernel and returns the call, ready for
// Launch. Throws Error that names the signature and the argument's position. `owner` keeps the code loaded as long as
// the call lives.
SFUMATO_API std::function<void()> BindArguments(std::shared_ptr<const CompiledKernels> owner, const KernelInfo& kernel,
                                                const std::vector<Argument>& arguments);

// What `sfumato doctor` tells about compiling.
struct ToolchainInfo {
    std::string compiler;          // path; empty when none is found
    std::string compiler_version;  // first line of --version
    std::string compiler_problem;  // why none is usable; empty otherwise
    std::string include_problem;
    std::vector<std::string> include_dirs;  // of Sfumato's headers; empty when not found
    std::string library;                    // path of the running libsfumato
    std::string cache_dir;
    uint64_t cache_bytes = 0;
    bool cache_writable = false;
    std::string prefix_problem;  // why kernel_operator.h is not compiled once for all kernels; empty: it is, or will be
    size_t prefixes = 0;         // compiled, for so many sets of options
    uint64_t prefix_bytes = 0, prefix_limit = 0;
};
SFUMATO_API ToolchainInfo DescribeToolchain(const std::string& cache_dir = {});

// Where compiled kernels are kept: $SFUMATO_CACHE, $XDG_CACHE_HOME/sfumato or ~/.cache/sfumato; it need not exist.
SFUMATO_API std::string CacheDir();

// Directories with kernel_operator.h and sfumato/: $SFUMATO_INCLUDE, the build tree, or beside libsfumato's install
// folder.
SFUMATO_API std::vector<std::string> LocateIncludeDirs();

// Whether a name is a word of C++20, which no function can have.
SFUMATO_API bool IsCppWord(const std::string& name);

}  // namespace sfumato
