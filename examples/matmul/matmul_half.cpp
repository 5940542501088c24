// SPDX-License-Identifier: Apache-2.0
// half matmul on the cube cores of Ascend910B, results in half or float; A and B may be stored transposed. One row of A
// is a GEMV: see PitchOfA. Every argument is row-major, and `tiling` holds the seven words of MatmulTiling (uint32).
//
//   sfumato run examples/matmul/matmul_half.cpp --chip Ascend910B1 --kernel matmul_half --blocks 8 --
//       a.npy b.npy 'out:float16[300,200]=c.npy' tiling.npy
#include "fixpipe_out.h"

namespace {

template <class C, QuantMode_t mode, bool trans_a = false, bool trans_b = false, class Bias = void>
__aicore__ inline void Run(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling_gm, GM_ADDR bias = nullptr) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    GET_TILING_DATA_WITH_STRUCT(MatmulTiling, tiling, tiling_gm);
    AscendC::TPipe pipe;
    using Out = matmul::FixpipeOut<float, C, mode>;
    Out out(tiling, c);
    matmul::TiledMatmul<half, float, Out, trans_a, trans_b, Bias> op(pipe, tiling, out);
    op.Process(a, b, bias);
}

}  // namespace

extern "C" __global__ __aicore__ void matmul_half(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) {
    Run<half, F322F16>(a, b, c, tiling);
}
extern "C" __global__ __aicore__ void matmul_half_float(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) {
    Run<float, NoQuant>(a, b, c, tiling);
}
// A is k rows of m.
extern "C" __global__ __aicore__ void matmul_half_at(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) {
    Run<half, F322F16, true>(a, b, c, tiling);
}
// B is n rows of k.
extern "C" __global__ __aicore__ void matmul_half_bt(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) {
    Run<half, F322F16, false, true>(a, b, c, tiling);
}
// A linear layer: B is n rows of k, and a bias of n elements, rounded up to 16, is added to every row.
extern "C" __global__ __aicore__ void linear_half(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR tiling) {
    Run<half, F322F16, false, true, half>(a, b, c, tiling, bias);
}
