// SPDX-License-Identifier: Apache-2.0
// 8192 x 8192 halves from rows to fractals through UB (row nd2nz_s1 of tests/timing/timing_fit.csv): 57 row tiles of
// 144 rows, 64 column tiles of 128, on 6 x 8 cores; a tile is loaded, copied once with blocks of a row STRIDE apart,
// and stored; two buffers.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kRows = 8192, kTile = 144, kColumns = 128, kBlock = 16;

extern "C" __global__ __aicore__ void nd_to_nz(GM_ADDR x, GM_ADDR z) {
    InitSocState();
    GlobalTensor<half> from, to;
    from.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(x), uint64_t(kRows) * kRows);
    to.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(z), uint64_t(kRows) * kRows);
    const uint32_t id = GetBlockIdx(), core_row = id / 8, core_column = id % 8;
    for (int32_t b = 0; b < 2; ++b) {
        SetFlag<HardEvent::V_MTE2>(b);
        SetFlag<HardEvent::MTE3_V>(b);
    }
    int32_t b = 0;
    // 57 row tiles over 6 rows of cores: 10, 10, 10, 9, 9, 9.
    const uint32_t tiles = 57, first = core_row * (tiles / 6) + (core_row < tiles % 6 ? core_row : tiles % 6);
    const uint32_t count = tiles / 6 + (core_row < tiles % 6 ? 1 : 0);
    for (uint32_t t = first; t < first + count; ++t) {
        const uint32_t row = t * kTile;
        const uint16_t rows = kRows - row < kTile ? kRows - row : kTile;
        for (uint32_t c = core_column * 8; c < core_column * 8 + 8; ++c) {
            // Sources and destinations of a copy lie in different banks.
            LocalTensor<half> in(TPosition::VECIN, b == 0 ? 0 : 131072, kTile * kColumns),
                out(TPosition::VECOUT, b == 0 ? 73728 : 36864, STRIDE * kColumns);
            WaitFlag<HardEvent::V_MTE2>(b);
            DataCopy(in, from[uint64_t(row) * kRows + c * kColumns],
                     DataCopyParams{rows, kColumns / kBlock, (kRows - kColumns) / kBlock, 0});
            SetFlag<HardEvent::MTE2_V>(b);
            WaitFlag<HardEvent::MTE2_V>(b);
            WaitFlag<HardEvent::MTE3_V>(b);
            Copy(out, in, uint64_t(kColumns), uint8_t(rows), CopyRepeatParams{STRIDE, 1, 1, 8});
            SetFlag<HardEvent::V_MTE3>(b);
            SetFlag<HardEvent::V_MTE2>(b);
            WaitFlag<HardEvent::V_MTE3>(b);
            DataCopy(to[uint64_t(c) * (kColumns / kBlock) * kRows * kBlock + row * kBlock], out,
                     DataCopyParams{kColumns / kBlock, rows, uint16_t(STRIDE - rows), uint16_t(kRows - rows)});
            SetFlag<HardEvent::MTE3_V>(b);
            b = 1 - b;
        }
    }
    for (b = 0; b < 2; ++b) {
        WaitFlag<HardEvent::V_MTE2>(b);
        WaitFlag<HardEvent::MTE3_V>(b);
    }
}
