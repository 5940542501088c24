// SPDX-License-Identifier: Apache-2.0
// The table of launch options on a command line.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <string>

#include "sfumato/launch_option.h"

namespace sfumato::command {

// What the command line says of each option, by its name; CLI11 fills them.
struct LaunchWords {
    std::map<std::string, std::string> texts;
    std::map<std::string, bool> switches;
};

// Adds the options that a route has; `words` outlives the parsing.
void AddLaunchOptions(CLI::App& app, int route, LaunchWords& words);
// Sets those that were given. Throws Error for a value that is not legal.
void SetLaunchOptions(LaunchOptions& options, const CLI::App& app, const LaunchWords& words);

}  // namespace sfumato::command
