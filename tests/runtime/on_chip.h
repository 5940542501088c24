// SPDX-License-Identifier: Apache-2.0
// What tests of launches begin with: the options of one on a chip.
#pragma once
#include "kernel_operator.h"
#include "sfumato/launch.h"

namespace sfumato {

inline LaunchOptions On(const char* chip) {
    LaunchOptions options;
    options.chip = chip;
    options.kernel = "kernel";
    return options;
}

}  // namespace sfumato
