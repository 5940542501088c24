// SPDX-License-Identifier: Apache-2.0
// bfloat16 and float matmul on the cube cores of Ascend910B; float also with operands rounded to HF32. Every argument
// is row-major, and `tiling` holds the seven words of MatmulTiling (uint32).
//
//   sfumato run examples/matmul/matmul_float.cpp --chip Ascend910B1 --kernel matmul_float --blocks 8 --
//       a.npy b.npy 'out:float32[300,200]=c.npy' tiling.npy
#include "fixpipe_out.h"

namespace {

template <class T, class C, QuantMode_t mode, bool trans_a = false>
__aicore__ inline void Run(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling_gm) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    GET_TILING_DATA_WITH_STRUCT(MatmulTiling, tiling, tiling_gm);
    AscendC::TPipe pipe;
    using Out = matmul::FixpipeOut<float, C, mode>;
    Out out(tiling, c);
    matmul::TiledMatmul<T, float, Out, trans_a> op(pipe, tiling, out);
    op.Process(a, b);
}

}  // namespace

extern "C" __global__ __aicore__ void matmul_bfloat16(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) {
    Run<bfloat16_t, bfloat16_t, F322BF16>(a, b, c, tiling);
}
extern "C" __global__ __aicore__ void matmul_float(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) {
    Run<float, float, NoQuant>(a, b, c, tiling);
}
// A is k rows of m.
extern "C" __global__ __aicore__ void matmul_float_at(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) {
    Run<float, float, NoQuant, true>(a, b, c, tiling);
}
// away: ties of the rounding to HF32 go away from zero, not to even.
extern "C" __global__ __aicore__ void matmul_hf32(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling, uint32_t away) {
    AscendC::SetHF32Mode(true);
    AscendC::SetHF32TransMode(away != 0);
    Run<float, float, NoQuant>(a, b, c, tiling);
    AscendC::SetHF32Mode(false);
}
