// SPDX-License-Identifier: Apache-2.0
// Matrix products by the high-level Matmul on cube cores alone: the grid of matmul.cpp, which is their twin by the
// basic API. What a core has of C comes from Cut, base blocks and buffers from the tiling.
#define ASCENDC_CUBE_ONLY
#include "cube.h"
#include "lib/matmul_intf.h"

template <class T, bool transposed = false>
using InGm = matmul::MatmulType<TPosition::GM, CubeFormat::ND, T, transposed>;

template <class Out, bool transposed_b, const auto& config>
__aicore__ inline void Multiply(GM_ADDR a, GM_ADDR b, GM_ADDR c, const TCubeTiling& tiling, const Cut& cut) {
    GlobalTensor<half> from_a, from_b;
    GlobalTensor<Out> to;
    from_a.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a), uint64_t(cut.m) * cut.k);
    from_b.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b), uint64_t(cut.k) * cut.n);
    to.SetGlobalBuffer(reinterpret_cast<__gm__ Out*>(c), uint64_t(cut.m) * cut.n);
    TPipe pipe;
    matmul::Matmul<InGm<half>, InGm<half, transposed_b>, InGm<Out>, InGm<float>, config> mm;
    mm.SetSubBlockIdx(0);
    mm.Init(&tiling, &pipe);
    const Walk walk(cut, GetBlockIdx());
    for (uint32_t pass = 0; pass < cut.passes && walk.rows > 0 && walk.columns > 0; ++pass) {
        const uint64_t row = walk.row0 + pass * walk.stride, column = walk.column0;
        mm.SetTail(walk.rows, walk.columns);
        mm.SetTensorA(from_a[row * cut.k]);
        mm.SetTensorB(from_b[transposed_b ? column * cut.k : column], transposed_b);
        mm.IterateAll(to[row * cut.n + column]);
    }
    mm.End();
}

#define MATMUL(name, Out, transposed_b, config)                                                           \
    extern "C" __global__ __aicore__ void name(GM_ADDR a, GM_ADDR b, GM_ADDR c, const TCubeTiling tiling, \
                                               const Cut cut) {                                           \
        KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);                                                   \
        Multiply<Out, transposed_b, config>(a, b, c, tiling, cut);                                        \
    }
MATMUL(norm_to_half, half, true, CFG_NORM)
MATMUL(norm_to_float, float, false, CFG_NORM)
MATMUL(mdl_to_half, half, true, CFG_MDL)
MATMUL(mdl_to_float, float, false, CFG_MDL)
