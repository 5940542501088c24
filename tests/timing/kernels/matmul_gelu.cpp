// SPDX-License-Identifier: Apache-2.0
// gelu(A x B) in one kernel (row mmg_mix of tests/timing/timing_fit.csv): a cube core stores base blocks of the product
// to global memory, each with one flag; its two vector cores take the upper and the lower half of each.
#include "cube.h"
#include "gelu.h"

enum Flag : uint16_t { kProduct = 0, kTaken = 1 };
// A counter of flags holds 15: the cube core is at most so many blocks ahead, which it never is on its own.
constexpr uint32_t kAhead = 8;

extern "C" __global__ __aicore__ void matmul_gelu(GM_ADDR a, GM_ADDR b, GM_ADDR c, const Cut cut) {
    TPipe pipe;
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GlobalTensor<float> to;
    to.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c), uint64_t(cut.m) * cut.n);
    const uint32_t block = GetBlockIdx() / (g_coreType == AIV ? GetSubBlockNum() : 1);
    const Walk walk(cut, block);
    const uint32_t count = walk.Count(cut);
    if ASCEND_IS_AIC {
        Product<half, float> product(cut, a, b, uint64_t(cut.k) * cut.n);
        uint32_t stored = 0;
        product.Run(count, walk, [&](const Tile& tile, const LocalTensor<float>& part, uint8_t unit_flag) {
            if (stored >= kAhead) CrossCoreWaitFlag(kTaken);
            Store<float>(to[uint64_t(tile.row) * cut.n + tile.column], part, tile, cut.n, unit_flag);
            CrossCoreSetFlag<2, PIPE_FIX>(kProduct);
            ++stored;
        });
        product.Finish();
        for (uint32_t i = 0; i < Least(count, kAhead); ++i) CrossCoreWaitFlag(kTaken);
    }
    if ASCEND_IS_AIV {
        const uint32_t most = cut.base_m / 2 * cut.base_n;
        LocalTensor<float> work(TPosition::VECCALC, 2 * most * sizeof(float), most);
        for (int32_t i = 0; i < 2; ++i) SetFlag<HardEvent::MTE3_MTE2>(i);
        for (uint32_t i = 0; i < count; ++i) {
            const int32_t half = i % 2;
            const Tile tile = walk(i);
            const uint32_t rows = tile.rows / 2, gap = (cut.n - tile.columns) / 8;
            const uint16_t height = rows, width = tile.columns / 8;
            const auto part = to[uint64_t(tile.row + GetSubBlockIdx() * rows) * cut.n + tile.column];
            LocalTensor<float> x(TPosition::VECIN, half * most * sizeof(float), most);
            CrossCoreWaitFlag(kProduct);
            WaitFlag<HardEvent::MTE3_MTE2>(half);
            DataCopy(x, part, DataCopyParams{height, width, uint16_t(gap), 0});
            CrossCoreSetFlag<2, PIPE_MTE2>(kTaken);
            SetFlag<HardEvent::MTE2_V>(half);
            WaitFlag<HardEvent::MTE2_V>(half);
            GeluOf(x, x, work, rows * tile.columns);
            SetFlag<HardEvent::V_MTE3>(half);
            WaitFlag<HardEvent::V_MTE3>(half);
            DataCopy(part, x, DataCopyParams{height, width, 0, uint16_t(gap)});
            SetFlag<HardEvent::MTE3_MTE2>(half);
        }
        for (int32_t i = 0; i < 2; ++i) WaitFlag<HardEvent::MTE3_MTE2>(i);
    }
}
