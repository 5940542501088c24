// SPDX-License-Identifier: Apache-2.0
// Reads an ROWS x COLUMNS matrix of halves into L1 by tiles of TILE_ROWS x TILE_COLUMNS, one ND2NZ DataCopy each, and
// nothing else (rows dcl1_s1 to dcl1_s6 of tests/timing/timing_fit.csv). PASSES and SHARED as in copy_ub.cpp, but with
// one order for all cores.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void copy_l1(GM_ADDR x) {
    InitSocState();
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    GlobalTensor<half> from;
    from.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(x), uint64_t(ROWS) * COLUMNS);
    LocalTensor<half> local(TPosition::A1, 0, 256 * 1024);
    const uint32_t blocks = GetBlockNum(), id = GetBlockIdx();
    uint32_t slot = 0;
    const auto copy = [&](uint32_t row, uint32_t column) {
        DataCopy(local[slot * (TILE_ROWS * TILE_COLUMNS)], from[uint64_t(row) * COLUMNS + column],
                 Nd2NzParams{1, TILE_ROWS, TILE_COLUMNS, 0, COLUMNS, TILE_ROWS, 1, 0});
        slot = (slot + 1) % 2;
    };
#ifdef SHARED
    from.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
    for (uint32_t row = 0; row < ROWS; row += TILE_ROWS) {
        for (uint32_t column = 0; column < COLUMNS; column += TILE_COLUMNS) copy(row, column);
    }
#else
    const uint32_t share = ROWS / blocks;
    constexpr uint32_t kParts = PASSES > 1 ? 4 : 1;
    for (uint32_t part = 0; part < kParts; ++part) {
        for (uint32_t pass = 0; pass < PASSES; ++pass) {
            for (uint32_t row = 0; row < share; row += TILE_ROWS) {
                for (uint32_t column = COLUMNS / kParts * part; column < COLUMNS / kParts * (part + 1);
                     column += TILE_COLUMNS)
                    copy(id * share + row, column);
            }
        }
    }
#endif
}
