// SPDX-License-Identifier: Apache-2.0
// Options of a launch as Python spells them.
#pragma once

#include <nanobind/nanobind.h>

#include "sfumato/launch.h"

namespace sfumato::python {

// Everything but chip, kernel, tiling key, log and print. Throws Error for a word that is not legal.
LaunchOptions LaunchOptionsOf(const nanobind::dict& options);

}  // namespace sfumato::python
