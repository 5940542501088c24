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

// Has a shell run a script that outlives this process: in a session of its own, so that no Ctrl-C reaches it, without
// input and output, and as nobody's zombie. `held`: a descriptor that is open until the script has ended. False where
// it cannot be started.
bool RunDetached(const std::string& script, int held);
// A word of a script that the shell takes as it is.
std::string ShellWord(const std::string& word);

// The path of a program as a shell would find it, empty when there is none.
std::string FindProgram(const std::string& name);

}  // namespace sfumato::jit
