// SPDX-License-Identifier: Apache-2.0
// Two tiling structs.
#pragma once

#include "kernel_operator.h"

using namespace AscendC;

struct Small {
    int32_t count;
};
struct Large {
    int32_t counts[8];
};
