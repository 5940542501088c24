// SPDX-License-Identifier: Apache-2.0
// Options of a launch as Python spells them.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "sfumato/launch_option.h"

namespace sfumato::python {

// Sets one option as Python gives it; false where the route has none of this name. Throws Error for a value that is not
// legal. None sets nothing, and so do options that have no text: functions, the tiling key.
bool SetOption(LaunchOptions& options, uint16_t route, const std::string& name, nanobind::handle value);
// The names that a route has, with commas between.
std::string OptionNames(uint16_t route);
// The exit codes by name: "USAGE": 2.
nanobind::dict ExitCodes();
// A tuple for each row: name, kind, legal words, what is legal as a text, default, routes, sentence.
nanobind::list OptionTable();
// The value of a text of a command line, as Python spells it. Throws Error: "--fill 'x' is not legal; legal: 0 to 255".
nanobind::object OptionOfText(const std::string& name, const std::string& text, const std::string& flag);
// Everything but chip, kernel, tiling key, log and print.
LaunchOptions LaunchOptionsOf(Route route, const nanobind::dict& options);
// Throws what a launch with these options would throw on the chip.
void CheckLaunchOptions(const std::string& chip, const nanobind::dict& options);

}  // namespace sfumato::python
