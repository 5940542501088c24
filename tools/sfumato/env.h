// SPDX-License-Identifier: Apache-2.0
// Options of `sfumato env`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "sfumato/toolkit.h"

namespace sfumato::command {

struct EnvOptions {
    toolkit::EnvironmentOptions environment;
    std::string shell = "sh";
    bool check = false;
};

void AddEnvOptions(CLI::App& env, EnvOptions& options);
// `command`: its words up to a null; none: the settings are printed. Throws Error.
int RunEnv(EnvOptions options, char** command);

}  // namespace sfumato::command
