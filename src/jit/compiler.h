// SPDX-License-Identifier: Apache-2.0
// Finds the system's C++ compiler, Sfumato's headers and library, and forms the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sfumato/jit.h"
#include "soc/chip.h"

namespace sfumato::jit {

// A variable; empty where it is not set.
std::string Environment(const char* name);
// The parts of a list, such as PATH is, that are not empty.
std::vector<std::string> Parts(std::string_view list, char between);

struct Compiler {
    std::vector<std::string> command;  // path, then words of $SFUMATO_CXX or $CXX ("ccache g++", "g++ -m64")
    bool is_clang = false;             // by the name of the program
    bool is_gcc9 = false;              // by the name of the file that the program is in the end
};

// Of kernels and of what launches them (docs/packages.md). Older ones are tried and say what they do not take.
constexpr int kOldestGcc = 9, kOldestClang = 13;

// $SFUMATO_CXX, $CXX, c++, g++, clang++: the first that exists. A set $SFUMATO_CXX that does not exist is an error.
// Throws CompileError that says what was tried.
Compiler FindCompiler();

// "c++ is g++ 8 ..., which is too old", where it is older than kernels need; else "".
std::string TooOld(const Compiler& compiler);

// The file the running library was loaded from; `shared` is false when it is linked into the program.
struct RunningLibrary {
    std::string path;
    bool shared = false;
};
RunningLibrary LocateLibrary();

// Macros of the chip (compat.md, "Compile-time macros"), and those with the ones of CPU mode.
std::vector<std::string> ArchitectureMacros(const soc::Chip& chip);
std::vector<std::string> ChipMacros(const soc::Chip& chip);

// Symbols are removed. Linkers refuse to keep relocations (--emit-relocs) then.
bool Strips(const std::vector<std::string>& flags);

// Of the linker: a shared object calls its own functions, where another library has some of the same name.
constexpr const char* kOwnFunctions = "-Wl,-Bsymbolic-functions";

// A C++ runtime that is linked in (-static-libstdc++) stays its library's own: what libsfumato throws would come to it.
constexpr const char* kOwnRuntime = "-Wl,--exclude-libs,libstdc++.a:libgcc_eh.a:libgcc.a";

// Memory of the host: the calls that memory_calls.cpp takes.
constexpr const char* kMemoryCalls =
    "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=posix_memalign,--wrap=mmap,"
    "--wrap=mmap64,--wrap=_ZnwmRKSt9nothrow_t,--wrap=_ZnamRKSt9nothrow_t";

// Of the linker: kernels call ours in place of what copies or replaces a process, or starts one.
std::vector<std::string> WrapFlags();

// C++20, by the name that g++ 9 has for it, too.
std::vector<std::string> LanguageFlags(const Compiler& compiler);

// As deep as the board's compiler instantiates templates.
constexpr const char* kTemplateDepth = "-ftemplate-depth=2048";
// #pragma unroll is for the board's compiler.
const char* NoUnrollWarning(const Compiler& compiler);

// What --check raw adds: callbacks (sfumato/raw_callbacks.h), and lines for all that stands in the source. `link`: the
// command links, too.
std::vector<std::string> RawFlags(const Compiler& compiler, bool link);

// Flags that include headers of ours before all that a source includes, as exit and abort become reports by
// sfumato/process.h; of the folders that have that one.
void IncludeFirst(const std::vector<std::string>& own, std::initializer_list<const char*> headers,
                  std::vector<std::string>* flags);
// Everything after the compiler's name that decides the object, without the names of outputs.
std::vector<std::string> CompileFlags(const CompileOptions& options, const soc::Chip& chip, const Compiler& compiler);
// Those of a command that links nothing.
std::vector<std::string> WithoutLinking(std::vector<std::string> flags);

}  // namespace sfumato::jit
