// SPDX-License-Identifier: Apache-2.0
// From addresses of code to lines of source, by the debug information of its module: addr2line of the binutils, or
// LLVM's, which are there where a compiler is, reads it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sfumato::runtime {

struct CodeFrame {
    std::string function, file;
    uint32_t line = 0;
};

// The function an instruction stands in, and those it was inlined into; innermost first. Empty where the module has no
// debug information, or no addr2line is found. An address is asked about once; calls may come from several threads.
std::vector<CodeFrame> FramesAt(const void* instruction);

// Ends the programs that FramesAt keeps for further questions.
void ForgetModules();

// Of the frames, the first that stands neither in a header of the system nor, where `own` folders are given (with
// colons between), in one of them: then *in_own says so and the result is empty. `source`: the kernel's, as the user
// gave it; where that path is relative, so is the result's.
CodeFrame UserFrame(const std::vector<CodeFrame>& frames, const std::string& source, const char* own = "",
                    bool* in_own = nullptr);

// A name of the linker's as C++ writes it; as it is where it is none.
std::string Demangled(const char* name);

}  // namespace sfumato::runtime
