// SPDX-License-Identifier: Apache-2.0
// What the CMake files of an operator project call. They are read, not run: conditions, and functions of the project's
// own, do not count.
#pragma once

#include <string>
#include <vector>

namespace sfumato::op {

struct CMakeCommand {
    std::string name;
    std::vector<std::string> words;
};

// The calls of a CMake file, without comments; quotes are dropped.
std::vector<CMakeCommand> ReadCMake(const std::string& text);

// The folders that op_host/CMakeLists.txt, and what it includes, gives to the host code: those of include_directories()
// and target_include_directories() that stand in the project's own files. file: a CMake file; none without it.
std::vector<std::string> HostIncludeDirs(const std::string& file);

}  // namespace sfumato::op
