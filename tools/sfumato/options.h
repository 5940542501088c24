// SPDX-License-Identifier: Apache-2.0
// Exit codes and the options of `sfumato run`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "argument_spec.h"
#include "sfumato/jit.h"
#include "sfumato/launch.h"

namespace sfumato::command {

// kUnwritten: all well, but what was to be printed or reported could not be written. 5 is left to `sfumato tik`.
enum ExitCode : int { kOk = 0, kUsage = 2, kCompile = 3, kFault = 4, kUnwritten = 6 };

struct RunOptions {
    CompileOptions compile;
    LaunchOptions launch;
    std::string kernel;
    uint32_t kernel_line = 0;  // in the source; known when it is compiled
    uint32_t blocks = 1;
    std::vector<ArgumentSpec> arguments;
    std::optional<std::string> json;  // a file, "-" for standard output
    std::optional<std::string> log;   // a file, "-" for standard error
};

int Run(const RunOptions& options);
int ShowChips(bool json);
int Doctor(const std::string& cache_dir, bool json);
// `sfumato tik`: becomes the Python package's command. Returns only when there is no Python.
int RunTik(int count, char** arguments);

}  // namespace sfumato::command
