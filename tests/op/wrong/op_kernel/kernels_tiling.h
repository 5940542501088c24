// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

struct KernelsTiling {
    uint32_t length;
    uint32_t tile;  // set by nobody
};
struct LargerTiling {
    uint32_t length, tile, more[6];
};
