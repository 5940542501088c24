// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

struct ScaleShiftTiling {
    uint32_t total;
    uint32_t tile;
    float scale;
    float shift;
};
