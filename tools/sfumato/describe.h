// SPDX-License-Identifier: Apache-2.0
// The command line as data, from the declarations that read it: for the man page, completion and docs/command.md.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace sfumato::command {

// What asks for it, as the only word; no user needs it.
constexpr const char* kDescribe = "--describe";

// JSON: verbs with their options, and the chips. Verbs that the Python package reads come with its module alone.
std::string Describe(const CLI::App& app);

}  // namespace sfumato::command
