// SPDX-License-Identifier: Apache-2.0
// C = A x B + bias with the high-level Matmul on Ascend910B: the vector cores share the rows of C, the cube cores
// multiply. `tiling` is a TCubeTiling (50 int32); A, B half, bias and C float, all row-major.
//
//   sfumato run examples/matmul/high_level.cpp --chip Ascend910B1 --blocks 2 --
//       a.npy b.npy bias.npy 'out:float32[300,200]=c.npy' tiling.npy
#include "lib/matmul_intf.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void high_level(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR tiling_gm) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GET_TILING_DATA_WITH_STRUCT(TCubeTiling, tiling, tiling_gm);
    using In = MatmulType<TPosition::GM, CubeFormat::ND, half>;
    using Out = MatmulType<TPosition::GM, CubeFormat::ND, float>;
    TPipe pipe;
    Matmul<In, In, Out, Out, CFG_MDL> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    if (GetBlockIdx() >= tiling.usedCoreNum) return;
    const int32_t first = static_cast<int32_t>(GetBlockIdx()) * tiling.singleCoreM;
    GlobalTensor<half> left, right;
    GlobalTensor<float> row, result;
    left.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a) + first * tiling.Ka);
    right.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b), tiling.Kb * tiling.N);
    row.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(bias), tiling.N);
    result.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c) + first * tiling.N);
    if (tiling.M - first < tiling.singleCoreM) mm.SetTail(tiling.M - first);
    mm.SetTensorA(left);
    mm.SetTensorB(right);
    mm.SetBias(row);
    mm.IterateAll(result);
    mm.End();
}
