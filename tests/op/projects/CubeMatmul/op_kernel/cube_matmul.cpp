// SPDX-License-Identifier: Apache-2.0
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

#include "cube_matmul_tiling.h"

using AscendC::GlobalTensor;
using AscendC::TPosition;

extern "C" __global__ __aicore__ void cube_matmul(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    REGISTER_TILING_DEFAULT(CubeMatmulTilingData);
    GET_TILING_DATA_WITH_STRUCT(CubeMatmulTilingData, data, tiling);
    const TCubeTiling& t = data.mm;
    if (t.usedCoreNum == 0 || AscendC::GetBlockIdx() >= t.usedCoreNum) return;
    using A = matmul::MatmulType<TPosition::GM, CubeFormat::ND, half>;
    using B = matmul::MatmulType<TPosition::GM, CubeFormat::ND, half, true>;
    using C = matmul::MatmulType<TPosition::GM, CubeFormat::ND, DTYPE_C>;
    AscendC::TPipe pipe;
    matmul::MatmulImpl<A, B, C, C, AscendC::CFG_MDL> mm;
    mm.SetSubBlockIdx(0);
    mm.Init(&data.mm, &pipe);
    const int32_t down = (t.M + t.singleCoreM - 1) / t.singleCoreM;
    const int32_t row = AscendC::GetBlockIdx() % down * t.singleCoreM,
                  col = AscendC::GetBlockIdx() / down * t.singleCoreN;
    const int32_t rows = t.M - row < t.singleCoreM ? t.M - row : t.singleCoreM;
    const int32_t cols = t.N - col < t.singleCoreN ? t.N - col : t.singleCoreN;
    if (rows <= 0 || cols <= 0) return;
    for (uint32_t i = 0; i < data.batch; ++i) {
        GlobalTensor<half> left, right;
        GlobalTensor<DTYPE_C> result;
        left.SetGlobalBuffer((__gm__ half*)a + (uint64_t)i * t.M * t.Ka, t.M * t.Ka);
        right.SetGlobalBuffer((__gm__ half*)b + (uint64_t)i * t.N * t.Kb, t.N * t.Kb);
        result.SetGlobalBuffer((__gm__ DTYPE_C*)c + (uint64_t)i * t.M * t.N, t.M * t.N);
        mm.SetTensorA(left[row * t.Ka]);
        mm.SetTensorB(right[col * t.Kb], true);
        mm.SetTail(rows, cols);
        mm.IterateAll(result[row * t.N + col]);
    }
    mm.End();
}
