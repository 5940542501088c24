// SPDX-License-Identifier: Apache-2.0
// The parts of a tiling that servers of collective communication read, for hosts and kernels: their sizes alone are
// known.
#pragma once

#include <cstdint>

struct Mc2InitTiling {
    alignas(8) uint8_t reserved[64];
};
struct Mc2CcTiling {
    alignas(8) uint8_t reserved[280];
};
