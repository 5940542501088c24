// SPDX-License-Identifier: Apache-2.0
// Options of a launch as Python spells them.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "sfumato/launch_option.h"

namespace sfumato::python {

// Sets the option to a value of Python; returns false where no route of `routes` has it. Throws Error for a value that
// is not legal. None changes nothing, nor does an option without a text but `time`: its caller sets it.
bool SetOption(LaunchOptions& options, uint16_t routes, const std::string& name, nanobind::handle value);
// Throws Error for a value that is not legal; names that no row has are others'. where: "options".
void CheckOptions(const nanobind::dict& given, const std::string& where);
// The options of these routes, with commas between.
std::string OptionNames(uint16_t routes);
// The exit codes by name: "USAGE": 2.
nanobind::dict ExitCodes();
// A tuple for each row: name, kind, legal words, what is legal as a text, default, routes, sentence.
nanobind::list OptionTable();
// Which last bits a launch with these options has, by the names of the options.
nanobind::dict NumericsOfWords(const nanobind::dict& words);
// What the text of a command line means, as a value of Python. Throws Error: "--fill 'x' is not legal; legal: 0 to
// 255".
nanobind::object OptionOfText(const std::string& name, const std::string& text, const std::string& flag);
// The options of a dictionary that Python has checked. The caller adds chip, kernel, tiling key, log and print.
LaunchOptions LaunchOptionsOf(Route route, const nanobind::dict& options);
// Throws what a judge's launch with these options would throw on the chip.
void CheckLaunchOptions(const std::string& chip, const nanobind::dict& options);

}  // namespace sfumato::python
