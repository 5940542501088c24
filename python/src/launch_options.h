// SPDX-License-Identifier: Apache-2.0
// Options of a launch as Python spells them.
#pragma once

#include <nanobind/nanobind.h>

#include "sfumato/launch.h"

namespace sfumato::python {

// Everything but chip, kernel, tiling key, log and print. Throws Error for a word that is not legal.
// The option `time`: None and False, True, or a dictionary of l2, launch, scalar_cycles, gains and skip_data.
void SetTime(LaunchOptions& options, nanobind::handle words);
LaunchOptions LaunchOptionsOf(Route route, const nanobind::dict& options);
// Throws what a launch with these options would throw on the chip.
void CheckLaunchOptions(const std::string& chip, const nanobind::dict& options);

}  // namespace sfumato::python
