// SPDX-License-Identifier: Apache-2.0
// Options of the toolkit's compiler that no other compiler knows (framework.md 5.5). They reach us in the command line
// of bisheng, among the options of CMake targets and in op_kernel/CMakeLists.txt.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sfumato::jit {

struct ToolkitOption {
    size_t words = 0;    // it has, counted from where it begins; 0: it is none of the toolkit's
    std::string launch;  // an option of launches; empty: it means nothing here
};

// What begins at words[at]. Throws BuildError for an option that exists with another value. Chips are not among them.
ToolkitOption ReadToolkitOption(const std::vector<std::string>& words, size_t at);

// The words that are left for the system's compiler; what launches take is a define among them.
std::vector<std::string> WithoutToolkitOptions(const std::vector<std::string>& words);

}  // namespace sfumato::jit
