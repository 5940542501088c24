// SPDX-License-Identifier: Apache-2.0
// half matmul on Ascend310P, results in half or float. A and B are row-major; a row of C is n rounded up to 16
// elements. `tiling` holds the seven words of MatmulTiling (uint32).
//
//   sfumato run examples/matmul/matmul_half_310p.cpp --chip Ascend310P3 --kernel matmul_half --blocks 8 --
//       a.npy b.npy 'out:float16[300,208]=c.npy' tiling.npy
#include "ub_out.h"

namespace {

template <class C>
__aicore__ inline void Run(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling_gm) {
    GET_TILING_DATA_WITH_STRUCT(MatmulTiling, tiling, tiling_gm);
    AscendC::TPipe pipe;
    using Out = matmul::UbOut<float, C>;
    Out out(pipe, tiling, c);
    matmul::TiledMatmul<half, float, Out> op(pipe, tiling, out);
    op.Process(a, b);
}

}  // namespace

extern "C" __global__ __aicore__ void matmul_half(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) {
    Run<half>(a, b, c, tiling);
}
extern "C" __global__ __aicore__ void matmul_half_float(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) {
    Run<float>(a, b, c, tiling);
}
