// SPDX-License-Identifier: Apache-2.0
// Runs a program without a shell and captures what it says.
#pragma once

#include <string>
#include <vector>

namespace sfumato::jit {

struct ProcessResult {
    int exit_code = 0;   // 128 + signal when one ended it; 127 when it could not be started
    std::string output;  // standard output and standard error, interleaved
};

// argv[0] is a path or a name looked up on PATH. `input` becomes the standard input.
ProcessResult RunProcess(const std::vector<std::string>& argv, const std::string& input,
                         const std::string& temporary = {});

// The path of a program as a shell would find it, empty when there is none.
std::string FindProgram(const std::string& name);

}  // namespace sfumato::jit
