// SPDX-License-Identifier: Apache-2.0
// C = A x B + bias: A, B half, bias and C float, all row-major. Each block has the rows that the tiling gives it: the
// one core of 310B has all, the eight of an Ascend310P3 share them. N is a multiple of 8: rows of C take 32 bytes.
//
//   sfumato run examples/boards/matmul.cpp --chip Ascend310B4 --blocks 1 --
//       a.npy b.npy bias.npy 'out:float32[100,72]=c.npy'
//       'tiling-of:matmul(m=100, n=72, k=80, a=half, b=half, c=float, bias=float, cores=1)'
#include "multiply.h"

extern "C" __global__ __aicore__ void matmul_custom(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR tiling_gm) {
    GET_TILING_DATA_WITH_STRUCT(TCubeTiling, tiling, tiling_gm);
    const int32_t first = AscendC::GetBlockIdx() * tiling.singleCoreM;
    if (first >= tiling.M) return;
    const int32_t left = tiling.M - first;
    AscendC::TPipe pipe;
    boards::Multiply multiply(pipe, tiling);
    multiply.Rows(boards::Global<half>(a, first * tiling.Ka), boards::Global<half>(b), boards::Global<float>(bias),
                  boards::Global<float>(c, first * tiling.N), left < tiling.singleCoreM ? left : tiling.singleCoreM);
}
