// SPDX-License-Identifier: Apache-2.0
// The command line of `sfumato run`, `check`, `gdb`, `lldb` and `time`.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "options.h"

namespace sfumato::command {

extern const char* const kExamples;

// What is said of each launch option, by its name in the table.
struct LaunchWords {
    std::map<std::string, std::string> texts;
    std::map<std::string, bool> switches;
};

// Texts of options that are converted after parsing.
struct RunWords {
    std::vector<std::string> defines, arguments, templates, dtypes, formats;
    std::vector<std::string> groups;
    std::string fail_on = "fault", json, sarif, junit, log, tiling_key;
    std::vector<std::string> breaks;  // of `sfumato gdb` and `lldb`
    LaunchWords launch;
};

// Declares the words of a verb; CLI11 fills options and words, which outlive the parsing.
void AddRunOptions(CLI::App& verb, RunOptions& options, RunWords& words);
// Converts what decides where an error is told. Throws Error.
void FinishFiles(RunOptions& options, const RunWords& words, const CLI::App& verb);
// Converts the rest. Throws Error.
void Finish(RunOptions& options, const RunWords& words, const CLI::App& verb);

}  // namespace sfumato::command
