// SPDX-License-Identifier: Apache-2.0
// C = gelu(A x B + bias): each vector core has its rows of the product come to UB, block by block, by the high-level
// Matmul. A, B half, bias and C float, all row-major; baseN divides N.
//
//   sfumato run examples/high_level/matmul_gelu.cpp --chip Ascend910B1 --blocks 2 --
//       a.npy b.npy bias.npy 'out:float32[300,192]=c.npy'
//       'tiling-of:matmul(m=300, n=192, k=160, a=half, b=half, c=float, bias=float, cores=4, single_n=192, base_n=64)'
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

template <class T>
__aicore__ inline GlobalTensor<T> Global(GM_ADDR address, uint64_t first = 0) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(address) + first);
    return tensor;
}

extern "C" __global__ __aicore__ void matmul_gelu(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR tiling_gm) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GET_TILING_DATA_WITH_STRUCT(TCubeTiling, tiling, tiling_gm);
    using In = MatmulType<TPosition::GM, CubeFormat::ND, half>;
    using Bias = MatmulType<TPosition::GM, CubeFormat::ND, float>;
    using Out = MatmulType<TPosition::VECIN, CubeFormat::ND, float>;
    TPipe pipe;
    Matmul<In, In, Out, Bias> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    const int32_t first = GetBlockIdx() * tiling.singleCoreM;
    if (first >= tiling.M) return;
    const int32_t rows = tiling.M - first < tiling.singleCoreM ? tiling.M - first : tiling.singleCoreM;

    TQue<TPosition::VECOUT, 2> blocks;
    pipe.InitBuffer(blocks, 2, tiling.baseM * tiling.baseN * sizeof(float));
    auto result = Global<float>(c, first * tiling.N);
    mm.SetTail(rows);
    mm.SetTensorA(Global<half>(a, first * tiling.Ka));
    mm.SetTensorB(Global<half>(b));
    mm.SetBias(Global<float>(bias));
    const int32_t down = (rows + tiling.baseM - 1) / tiling.baseM;  // blocks below each other, which come first
    for (int32_t i = 0; mm.Iterate(); ++i) {
        const int32_t row = i % down * tiling.baseM, column = i / down * tiling.baseN;
        const int32_t height = rows - row < tiling.baseM ? rows - row : tiling.baseM;
        auto block = blocks.AllocTensor<float>();
        mm.GetTensorC(block, 0, true);
        Gelu(block, block, height * tiling.baseN);
        blocks.EnQue(block);
        block = blocks.DeQue<float>();
        DataCopyParams out;
        out.blockCount = height;
        out.blockLen = tiling.baseN / 8;
        out.dstStride = (tiling.N - tiling.baseN) / 8;
        DataCopy(result[row * tiling.N + column], block, out);
        blocks.FreeTensor(block);
    }
    mm.End();
}
