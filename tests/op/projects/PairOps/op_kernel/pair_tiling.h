// SPDX-License-Identifier: Apache-2.0
#ifndef PAIR_TILING_H
#define PAIR_TILING_H
#include <cstdint>

struct PairTilingData {
    uint64_t length;
    uint32_t tile;
};
#endif
