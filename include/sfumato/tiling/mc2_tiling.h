// SPDX-License-Identifier: Apache-2.0
// The parts of a tiling that servers of collective communication read, for hosts and kernels: their sizes alone are
// known.
#pragma once

#include <cstdint>

struct alignas(8) Mc2InitTiling {
    uint8_t reserved[64];
};
struct alignas(8) Mc2CcTiling {
    uint8_t reserved[280];
};
