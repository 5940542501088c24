// SPDX-License-Identifier: Apache-2.0
// Matrix products on cube cores (rows mmh, mmb, pto_gemm, qw, g_ and tp_ of tests/timing/timing_fit.csv): a grid of
// cores, sizes by Cut.
#include "cube.h"

template <class In, class Out>
__aicore__ inline void Multiply(GM_ADDR a, GM_ADDR b, GM_ADDR c, const Cut& cut) {
    GlobalTensor<Out> to;
    to.SetGlobalBuffer(reinterpret_cast<__gm__ Out*>(c), uint64_t(cut.m) * cut.n);
    const Walk walk(cut, GetBlockIdx());
    Product<In, float> product(cut, a, b, uint64_t(cut.k) * cut.n);
    product.Run(walk.Count(cut), walk, [&](const Tile& tile, const LocalTensor<float>& part, uint8_t unit_flag) {
        Store<Out>(to[uint64_t(tile.row) * cut.n + tile.column], part, tile, cut.n, unit_flag);
    });
    product.Finish();
}

#define MATMUL(name, In, Out)                                                                    \
    extern "C" __global__ __aicore__ void name(GM_ADDR a, GM_ADDR b, GM_ADDR c, const Cut cut) { \
        TPipe pipe;                                                                              \
        KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);                                          \
        Multiply<In, Out>(a, b, c, cut);                                                         \
    }
MATMUL(half_to_half, half, half)
MATMUL(half_to_float, half, float)
MATMUL(bfloat16_to_float, bfloat16_t, float)
MATMUL(float_to_float, float, float)
