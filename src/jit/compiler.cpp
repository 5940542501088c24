// SPDX-License-Identifier: Apache-2.0
// Where the compiler, the headers and the library are, and the flags kernels are compiled with.
#include "jit/compiler.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "jit/cache.h"
#include "jit/messages.h"
#include "jit/prefix_folder.h"
#include "jit/process.h"
#include "sanitize/checks.h"
#include "soc/chip.h"

namespace sfumato {
namespace fs = std::filesystem;

namespace jit {
namespace {

std::vector<std::string> Words(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string w; stream >> w;) words.push_back(w);
    return words;
}

}  // namespace

std::string Environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::vector<std::string> Parts(std::string_view list, char between) {
    std::vector<std::string> parts;
    for (const std::string_view part : Split(list, between)) {
        if (!part.empty()) parts.emplace_back(part);
    }
    return parts;
}

Compiler FindCompiler() {
    std::string tried;
    const auto resolve = [&](const std::string& text, const char* from) -> Compiler {
        Compiler compiler{Words(text), false};
        if (compiler.command.empty()) return {};
        const std::string path = FindProgram(compiler.command[0]);
        tried += fmt::format("{}{}{}", tried.empty() ? "" : ", ", from, text);
        if (path.empty()) return {};
        compiler.command[0] = path;
        for (const std::string& word : compiler.command) {
            std::error_code ignored;
            compiler.is_clang |= fs::path(word).filename().string().find("clang") != std::string::npos;
            compiler.is_gcc9 |= fs::canonical(FindProgram(word), ignored).filename().string().ends_with("g++-9");
        }
        return compiler;
    };
    if (const std::string own = Environment("SFUMATO_CXX"); !own.empty()) {
        Compiler compiler = resolve(own, "");
        if (!compiler.command.empty()) return compiler;
        throw CompileError(fmt::format("SFUMATO_CXX is set to '{}', which is not a program: set it to a C++20 compiler "
                                       "(g++ {} or clang++ {}, or newer), or unset it",
                                       own, kOldestGcc, kOldestClang),
                           "");
    }
    // Builds name bisheng there, which is Sfumato and asks here for the compiler behind it.
    const std::vector<std::string> words = Words(Environment("CXX"));
    const std::string program = words.empty() ? "" : fs::path(words[0]).filename().string();
    if (program != "bisheng" && program != "ccec") {
        if (Compiler c = resolve(Environment("CXX"), "$CXX="); !c.command.empty()) return c;
    }
    for (const char* name : {"c++", "g++", "clang++"}) {
        if (Compiler c = resolve(name, ""); !c.command.empty()) return c;
    }
    throw CompileError(fmt::format("no C++ compiler found (tried {}): install g++ {} or clang++ {}, or newer, or set "
                                   "SFUMATO_CXX to one",
                                   tried, kOldestGcc, kOldestClang),
                       "");
}

std::string TooOld(const Compiler& compiler) {
    std::vector<std::string> command = compiler.command;
    command.push_back("-dumpversion");
    const ProcessResult said = RunProcess(command, "");
    const int version = said.exit_code == 0 ? std::atoi(said.output.c_str()) : 0;
    if (version == 0 || version >= (compiler.is_clang ? kOldestClang : kOldestGcc)) return "";
    return fmt::format(
        "{} is version {}, which is too old: kernels need g++ {} or clang++ {}, or newer; name one in SFUMATO_CXX",
        fmt::join(compiler.command, " "), version, kOldestGcc, kOldestClang);
}

RunningLibrary LocateLibrary() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&LocateLibrary), &info) == 0 || info.dli_fname == nullptr) return {};
    std::error_code error;
    const fs::path path = fs::canonical(info.dli_fname, error);
    if (error) return {};
    return {path.string(), path.filename().string().find(".so") != std::string::npos};
}

std::vector<std::string> ArchitectureMacros(const soc::Chip& chip) {
    std::vector<std::string> macros = {fmt::format("__NPU_ARCH__={}", chip.npu_arch),
                                       fmt::format("__CCE_AICORE__={}", chip.cce_aicore)};
    if (!chip.dav_macro.empty()) macros.push_back(chip.dav_macro + "=1");
    return macros;
}

std::vector<std::string> ChipMacros(const soc::Chip& chip) {
    std::vector<std::string> macros = ArchitectureMacros(chip);
    macros.insert(macros.begin(), {"ASCENDC_CPU_DEBUG=1", "__CCE_KT_TEST__=1"});
    return macros;
}

bool Strips(const std::vector<std::string>& flags) {
    return std::ranges::any_of(flags, [](const std::string& f) {
        return f == "-s" || (f.starts_with("-Wl,") &&
                             (f.find(",-s,") != f.npos || f.ends_with(",-s") || f.find("--strip-") != f.npos));
    });
}

std::vector<std::string> LanguageFlags(const Compiler& compiler) {
    if (compiler.is_gcc9) return {"-std=c++2a", "-fconcepts"};
    return {"-std=c++2a"};
}

const char* NoUnrollWarning(const Compiler& compiler) {
    return compiler.is_clang ? "-Wno-pass-failed" : "-Wno-unknown-pragmas";
}

std::vector<std::string> WrapFlags() {
    return {
#define SFUMATO_PROCESS_CALL(name) "-Wl,--wrap=" #name,
#include "runtime/code/process_calls.inc"
#undef SFUMATO_PROCESS_CALL
        // Of other parameters, in process_calls.cpp alone.
        "-Wl,--wrap=execl,--wrap=execlp,--wrap=execle,--wrap=vfork"};
}

std::vector<std::string> RawFlags(const Compiler& compiler, bool link) {
    // Tail calls would hide who calls.
    std::vector<std::string> flags = {
        "-fsanitize=kernel-address", "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero",
        // clang's bounds has a part that traps.
        compiler.is_clang ? "-fsanitize=array-bounds" : "-fsanitize=bounds", "-fno-optimize-sibling-calls"};
    for (const char* value : {"asan-instrumentation-with-call-threshold=0", "asan-globals=0", "asan-stack=0"}) {
        if (compiler.is_clang) {
            flags.insert(flags.end(), {"-mllvm", std::string("-") + value});
        } else {
            flags.insert(flags.end(), {"--param", value});
        }
    }
    // The callbacks are in the object: of the runtime that g++ links nothing is needed.
    if (link && !compiler.is_clang) flags.push_back("-static-libubsan");
    const std::vector<std::string> own = LocateIncludeDirs();
    flags.push_back(fmt::format("-DSFUMATO_OWN_HEADERS=\"{}\"", fmt::join(own, ":")));
    for (const std::string& dir : own) {
        std::error_code ignored;
        const std::string header = dir + "/sfumato/raw_callbacks.h";
        if (fs::exists(header, ignored)) flags.insert(flags.end(), {"-include", header});
    }
    return flags;
}

namespace {

// Of the source and its own headers alone. Blocks count at the same time, and -O1 would merge lines.
std::vector<std::string> CoverageFlags(const std::vector<std::string>& own) {
    std::string others = "^/usr/";
    for (const std::string& dir : own) {
        others += ";^";
        for (const char c : dir)
            others += std::string_view(".+*?()[]{}|^$\\").find(c) != std::string_view::npos ? std::string("\\") + c
                                                                                            : std::string(1, c);
        others += '/';
    }
    return {"-O0", "--coverage", "-fprofile-update=atomic", "-fprofile-exclude-files=" + others};
}

}  // namespace

std::vector<std::string> WithoutLinking(std::vector<std::string> flags) {
    std::erase_if(flags, [](const std::string& f) { return f == "-shared" || f == "-pipe" || f.starts_with("-Wl,"); });
    return flags;
}

void IncludeFirst(const std::vector<std::string>& own, std::initializer_list<const char*> headers,
                  std::vector<std::string>* flags) {
    for (const std::string& dir : own) {
        std::error_code ignored;
        if (!fs::exists(fs::path(dir) / "sfumato/process.h", ignored)) continue;
        for (const char* header : headers) flags->insert(flags->end(), {"-include", dir + "/" + header});
        flags->insert(flags->end(), {"-isystem", dir + "/sfumato/libc"});
    }
}

std::vector<std::string> CompileFlags(const CompileOptions& options, const soc::Chip& chip, const Compiler& compiler) {
    // -O1: the scalar code of a kernel runs several times faster than with -O0 and compiles in about the same time.
    // -ffp-contract=off keeps a*b+c in scalar code two roundings. -g1: line tables, enough for gdb's backtraces; in
    // DWARF 4, because binutils takes the first file of a DWARF 5 table for the wrapper and names it in the linker's
    // errors. -fstack-clash-protection: large frames touch every page, and no one steps over the guard of the stack.
    // kOwnFunctions: a kernel is found in its object, whatever is called so elsewhere.
    // --emit-relocs, with -ffunction-sections below, keeps every call for runtime::CodeGraph.
    // kTemplateDepth: layouts of public kernels recurse further than g++'s 900.
    std::vector<std::string> flags = LanguageFlags(compiler);
    flags.insert(flags.end(), {"-O1", "-g1", "-gdwarf-4", "-fPIC", "-shared", "-pipe", "-fvisibility=hidden",
                               "-pthread", "-ffp-contract=off", "-Wl,-z,now", kOwnFunctions});
    if (!Strips(options.flags)) flags.push_back("-Wl,--emit-relocs");
    const std::vector<std::string> wraps = WrapFlags();
    flags.insert(flags.end(), wraps.begin(), wraps.end());
    flags.push_back(kMemoryCalls);
#if !defined(__x86_64__)
    if (!compiler.is_clang)  // clang 13 to 16 know it for x86-64 alone
#endif
        flags.push_back("-fstack-clash-protection");
    if (compiler.is_clang) flags.push_back("-fmacro-prefix-map=./=");
    flags.insert(flags.end(), {NoUnrollWarning(compiler), kTemplateDepth});
    for (const std::string& m : ChipMacros(chip)) flags.push_back("-D" + m);
    for (const auto& [name, value] : options.defines) flags.push_back(fmt::format("-D{}={}", name, value));
    for (const std::string& dir : options.include_dirs) flags.insert(flags.end(), {"-I", dir});
    const std::vector<std::string> own = LocateIncludeDirs();
    if (own.empty()) {
        throw Error(
            "cannot find Sfumato's headers (kernel_operator.h, sfumato/kernel_entry.h) beside the library: set "
            "SFUMATO_INCLUDE to the directory that holds them");
    }
    IncludeFirst(own, {"sfumato/process.h"}, &flags);
    if (sanitize::Checks::Parse(options.check).Has(sanitize::Check::kRaw)) {
        const std::vector<std::string> raw = RawFlags(compiler, true);
        flags.insert(flags.end(), raw.begin(), raw.end());
    }
    if (options.coverage) {
        const std::vector<std::string> counting = CoverageFlags(own);
        flags.insert(flags.end(), counting.begin(), counting.end());
    }
    for (const std::string& dir : own) flags.insert(flags.end(), {"-isystem", dir});
    flags.insert(flags.end(), options.flags.begin(), options.flags.end());
    flags.push_back("-ffunction-sections");  // last: calls within a section leave no trace
    return flags;
}

}  // namespace jit

std::vector<std::string> LocateIncludeDirs() {
    const auto holds = [](const fs::path& dir) {
        std::error_code ignored;
        return fs::exists(dir / "sfumato/kernel_entry.h", ignored);
    };
    if (const std::string own = jit::Environment("SFUMATO_INCLUDE"); !own.empty()) {
        std::vector<std::string> dirs;
        std::istringstream stream(own);
        bool found = false;
        for (std::string dir; std::getline(stream, dir, ':');) {
            if (dir.empty()) continue;
            found |= holds(dir);
            dirs.push_back(dir);
        }
        if (!found) {
            throw Error(
                fmt::format("SFUMATO_INCLUDE is '{}', but no directory of it holds sfumato/kernel_entry.h: correct "
                            "or unset it",
                            own));
        }
        return dirs;
    }
    std::vector<fs::path> candidates;
    const fs::path library = jit::LocateLibrary().path;
    if (!library.empty()) {
        const fs::path dir = library.parent_path();
        candidates = {dir / "../include/sfumato",     // prefix/lib and prefix/include/sfumato
                      dir / "../../include/sfumato",  // prefix/lib/<architecture>
                      dir / "include/sfumato", dir / "include", dir / "../include"};  // a Python package
    }
    for (const fs::path& c : candidates) {
        if (holds(c)) {
            std::error_code ignored;
            return {fs::canonical(c, ignored).string()};
        }
    }
    if (holds(SFUMATO_SOURCE_INCLUDE)) return {SFUMATO_SOURCE_INCLUDE, SFUMATO_GENERATED_INCLUDE};  // the build tree
    return {};
}

CompileError::CompileError(const std::string& summary, std::string messages)
    : Error(messages.empty() ? summary : summary + "\n" + messages), messages_(std::move(messages)) {}

std::vector<std::string> CompileCommand(const CompileOptions& options) {
    const jit::Compiler compiler = jit::FindCompiler();
    std::vector<std::string> command = compiler.command;
    const std::vector<std::string> flags =
        jit::WithoutLinking(jit::CompileFlags(options, soc::FindChip(options.chip), compiler));
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), {"-c", options.source});
    return command;
}

ToolchainInfo DescribeToolchain(const std::string& cache_dir) {
    ToolchainInfo info;
    try {
        const jit::Compiler compiler = jit::FindCompiler();
        info.compiler = fmt::format("{}", fmt::join(compiler.command, " "));
        std::vector<std::string> command = compiler.command;
        command.push_back("--version");
        const jit::ProcessResult result = jit::RunProcess(command, "");
        info.compiler_version = result.output.substr(0, result.output.find('\n'));
        if (result.exit_code != 0)
            info.compiler_problem = fmt::format("{} --version ended with {}", info.compiler, result.exit_code);
        else
            info.compiler_problem = jit::TooOld(compiler);
    } catch (const Error& e) {
        info.compiler_problem = e.what();
    }
    try {
        info.include_dirs = LocateIncludeDirs();
    } catch (const Error& e) {
        info.include_problem = e.what();
    }
    info.library = jit::LocateLibrary().path;
    info.cache_dir = cache_dir.empty() ? jit::Cache::DefaultDir() : cache_dir;
    info.cache_writable = jit::Cache::IsWritable(info.cache_dir);
    info.cache_bytes = jit::Cache::SizeOf(info.cache_dir);
    const jit::Prefixes prefixes = jit::PrefixesIn(info.cache_dir);
    info.prefixes = prefixes.count;
    info.prefix_bytes = prefixes.bytes;
    info.prefix_limit = jit::PrefixLimit();
    if (jit::PrecompilingAsked() == jit::Precompiling::kNever) info.prefix_problem = "SFUMATO_PRECOMPILE is 0";
    if (!info.cache_writable) info.prefix_problem = "the cache cannot be written";
    return info;
}

}  // namespace sfumato
