// SPDX-License-Identifier: Apache-2.0
// Kernels whose name something else has already: a function of the C library, a macro of a header, a namespace. Such a
// kernel is compiled under a name of its own, so that nothing but its own library can be meant by it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "jit/compiler.h"
#include "jit/kernel_finder.h"

namespace sfumato::jit {

// The last components of the names of kernels that get another.
using TakenNames = std::set<std::string>;

// What the kernel is called in the code that is compiled.
std::string CodeName(const TakenNames& taken, const std::string& name);
std::string CodeName(const TakenNames& taken, const FoundKernel& kernel);  // qualified

// Throws CompileError for a kernel that is called as a word of C++: the compiler's own errors would not name it.
void RefuseKeywords(const std::vector<FoundKernel>& kernels, const std::string& source);

// Those that a library of this process exports, which a kernel would be called in place of, and main.
TakenNames TakenByLibraries(const std::vector<FoundKernel>& kernels);

// Those that are macros in the source, or declared at global scope by a header of the system or of Sfumato. Runs the
// preprocessor on the source.
TakenNames TakenByHeaders(const std::vector<FoundKernel>& kernels, const std::string& source,
                          const std::vector<std::string>& flags, const Compiler& compiler);

// Code behind a source that does not compile where a kernel's name is a macro: nobody would say that the kernel has
// become something else.
std::string RefuseMacros(const TakenNames& taken, const std::vector<FoundKernel>& kernels);

// A text of the compiler with the names that people gave.
std::string WithKernelNames(std::string text);

}  // namespace sfumato::jit
