// SPDX-License-Identifier: Apache-2.0
// Reads an ROWS x COLUMNS matrix of halves into UB by tiles of TILE_ROWS x TILE_COLUMNS, one DataCopyPad each, and
// nothing else (rows dcub_s1 to dcub_s8 of tests/timing/timing_fit.csv). PASSES: each quarter of the columns is read so
// often. SHARED: every core reads all of it, beginning at the tile of its number.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void copy_ub(GM_ADDR x) {
    InitSocState();
    GlobalTensor<half> from;
    from.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(x), uint64_t(ROWS) * COLUMNS);
    LocalTensor<half> local(TPosition::VECIN, 0, 96 * 1024);
    const uint32_t blocks = GetBlockNum(), id = GetBlockIdx();
    constexpr uint32_t kSlots = 196608 / (TILE_ROWS * ((TILE_COLUMNS * 2 + 31) / 32 * 32)) < 2 ? 1 : 2;
    uint32_t slot = 0;
    const auto copy = [&](uint32_t row, uint32_t column, uint32_t columns) {
        const uint16_t rows = TILE_ROWS;
        const uint32_t width = columns - column < TILE_COLUMNS ? columns - column : TILE_COLUMNS;
        DataCopyPad(
            local[slot * (TILE_ROWS * TILE_COLUMNS)], from[uint64_t(row) * COLUMNS + column],
            DataCopyExtParams{rows, uint32_t(width * sizeof(half)), uint32_t((COLUMNS - width) * sizeof(half)), 0, 0},
            DataCopyPadExtParams<half>{false, 0, 0, 0});
        slot = (slot + 1) % kSlots;
    };
#ifdef SHARED
    from.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
    constexpr uint32_t kTiles = (ROWS / TILE_ROWS) * (COLUMNS / TILE_COLUMNS);
    for (uint32_t i = 0; i < kTiles; ++i) {
        const uint32_t tile = (i + id) % kTiles;
        copy(tile / (COLUMNS / TILE_COLUMNS) * TILE_ROWS, tile % (COLUMNS / TILE_COLUMNS) * TILE_COLUMNS, COLUMNS);
    }
#else
    const uint32_t share = ROWS / blocks;
    constexpr uint32_t kParts = PASSES > 1 ? 4 : 1;
    for (uint32_t part = 0; part < kParts; ++part) {
        const uint32_t begin = COLUMNS / kParts * part,
                       end = part + 1 == kParts ? COLUMNS : COLUMNS / kParts * (part + 1);
        for (uint32_t pass = 0; pass < PASSES; ++pass) {
            for (uint32_t row = 0; row < share; row += TILE_ROWS) {
                for (uint32_t column = begin; column < end; column += TILE_COLUMNS) copy(id * share + row, column, end);
            }
        }
    }
#endif
}
