// SPDX-License-Identifier: Apache-2.0
// int8 and int4 matmul on the cube cores of Ascend910B. The int8 results are scaled column by column on their way out:
// to half (VDEQF16) or back to int8 (VREQ8). `words` are the 64-bit parameter words of Fixpipe, as many as n rounded up
// to 16; `tiling` holds the seven words of MatmulTiling (uint32); matrices are row-major.
//
//   sfumato run examples/matmul/matmul_int8.cpp --chip Ascend910B1 --kernel matmul_int8_half --blocks 8 --
//       a.npy b.npy words.npy 'out:float16[300,200]=c.npy' tiling.npy
#include "fixpipe_out.h"

namespace {

using matmul::FixpipeByColumn;
using matmul::FixpipeOut;

template <class T, class Out, bool trans_b, class... Words>
__aicore__ inline void Run(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling_gm, Words... words) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    GET_TILING_DATA_WITH_STRUCT(MatmulTiling, tiling, tiling_gm);
    AscendC::TPipe pipe;
    if constexpr (sizeof...(Words) == 0) {
        Out out(tiling, c);
        matmul::TiledMatmul<T, int32_t, Out, false, trans_b> op(pipe, tiling, out);
        op.Process(a, b);
    } else {
        Out out(pipe, tiling, c, words...);
        matmul::TiledMatmul<T, int32_t, Out, false, trans_b> op(pipe, tiling, out);
        op.Process(a, b);
    }
}

}  // namespace

extern "C" __global__ __aicore__ void matmul_int8_half(GM_ADDR a, GM_ADDR b, GM_ADDR words, GM_ADDR c, GM_ADDR tiling) {
    Run<int8_t, FixpipeByColumn<int32_t, half, VDEQF16>, false>(a, b, c, tiling, words);
}
extern "C" __global__ __aicore__ void matmul_int8_int8(GM_ADDR a, GM_ADDR b, GM_ADDR words, GM_ADDR c, GM_ADDR tiling) {
    Run<int8_t, FixpipeByColumn<int32_t, int8_t, VREQ8>, false>(a, b, c, tiling, words);
}
extern "C" __global__ __aicore__ void matmul_int8(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) {
    Run<int8_t, FixpipeOut<int32_t, int32_t>, false>(a, b, c, tiling);
}
// B is n rows of k, the even element of a pair in the low half of its byte; k is even.
extern "C" __global__ __aicore__ void matmul_int4_bt(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) {
    Run<int4b_t, FixpipeOut<int32_t, int32_t>, true>(a, b, c, tiling);
}
