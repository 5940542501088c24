// SPDX-License-Identifier: Apache-2.0
// Keys: 0 nothing to pad, copy flat; 10 and 11 pad rows, a whole row at once or in tiles.
#ifndef PAD_ROWS_TILING_H
#define PAD_ROWS_TILING_H
#include <cstdint>

struct PadRowsCopyTiling {
    uint64_t total;
    uint32_t tile;
};

struct PadRowsPadTiling {
    int64_t rows;
    int32_t width;
    int32_t before;
    int32_t after;
    int32_t tile;
    float value;
};

struct PadRowsNoTiling {
    int32_t unused;
};
#endif
