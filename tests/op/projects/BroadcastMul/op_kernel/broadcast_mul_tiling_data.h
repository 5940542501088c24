// SPDX-License-Identifier: Apache-2.0
#ifndef BROADCAST_MUL_TILING_DATA_H
#define BROADCAST_MUL_TILING_DATA_H
#include <cstdint>

struct BroadcastMulTilingData {
    int64_t rows;  // of x, as tiles see it
    int64_t cols;
    int64_t tileCols;
};
#endif
