// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace matmul;

template <typename aType, typename bType, typename cType, typename biasType>
class MatmulLeakyKernel {
public:
    __aicore__ inline MatmulLeakyKernel(){};
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, const TCubeTiling& tiling, float alpha,
                                AscendC::TPipe* pipe);
    __aicore__ inline void Process();

    Matmul<MatmulType<AscendC::TPosition::GM, CubeFormat::ND, aType>,
           MatmulType<AscendC::TPosition::GM, CubeFormat::ND, bType>,
           MatmulType<AscendC::TPosition::VECIN, CubeFormat::ND, cType>,
           MatmulType<AscendC::TPosition::GM, CubeFormat::ND, biasType>>
        matmulObj;

private:
    __aicore__ inline void CopyOut(uint32_t count);

    AscendC::GlobalTensor<aType> aGlobal;
    AscendC::GlobalTensor<bType> bGlobal;
    AscendC::GlobalTensor<cType> cGlobal;
    AscendC::GlobalTensor<biasType> biasGlobal;
    TCubeTiling tiling;
    float alpha;
    int32_t firstRow, rows;
    AscendC::LocalTensor<cType> reluOutLocal;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> reluOutQueue_;
};

template <typename aType, typename bType, typename cType, typename biasType>
__aicore__ inline void MatmulLeakyKernel<aType, bType, cType, biasType>::Init(GM_ADDR a, GM_ADDR b, GM_ADDR bias,
                                                                              GM_ADDR c, const TCubeTiling& tiling,
                                                                              float alpha, AscendC::TPipe* pipe) {
    this->tiling = tiling;
    this->alpha = alpha;
    firstRow = AscendC::GetBlockIdx() * tiling.singleCoreM;
    rows = tiling.M - firstRow < tiling.singleCoreM ? tiling.M - firstRow : tiling.singleCoreM;
    aGlobal.SetGlobalBuffer(reinterpret_cast<__gm__ aType*>(a), tiling.M * tiling.Ka);
    bGlobal.SetGlobalBuffer(reinterpret_cast<__gm__ bType*>(b), tiling.Kb * tiling.N);
    cGlobal.SetGlobalBuffer(reinterpret_cast<__gm__ cType*>(c), tiling.M * tiling.N);
    biasGlobal.SetGlobalBuffer(reinterpret_cast<__gm__ biasType*>(bias), tiling.N);
    pipe->InitBuffer(reluOutQueue_, 1, tiling.baseM * tiling.baseN * sizeof(cType));
}

template <typename aType, typename bType, typename cType, typename biasType>
__aicore__ inline void MatmulLeakyKernel<aType, bType, cType, biasType>::Process() {
    if (rows <= 0) {
        return;
    }
    matmulObj.SetTail(rows, tiling.N);
    matmulObj.SetTensorA(aGlobal[firstRow * tiling.Ka]);
    matmulObj.SetTensorB(bGlobal);
    matmulObj.SetBias(biasGlobal);
    uint32_t computeRound = 0;
    while (matmulObj.template Iterate<true>()) {
        reluOutLocal = reluOutQueue_.AllocTensor<cType>();
        matmulObj.template GetTensorC<true>(reluOutLocal, false, true);
        AscendC::LeakyRelu(reluOutLocal, reluOutLocal, (cType)alpha, tiling.baseM * tiling.baseN);
        reluOutQueue_.EnQue(reluOutLocal);
        CopyOut(computeRound);
        computeRound++;
    }
    matmulObj.End();
}

template <typename aType, typename bType, typename cType, typename biasType>
__aicore__ inline void MatmulLeakyKernel<aType, bType, cType, biasType>::CopyOut(uint32_t count) {
    reluOutQueue_.DeQue<cType>();
    const uint32_t roundM = (rows + tiling.baseM - 1) / tiling.baseM;
    const int32_t row = count % roundM * tiling.baseM, col = count / roundM * tiling.baseN;
    const int32_t height = rows - row < tiling.baseM ? rows - row : tiling.baseM;
    const int32_t width = tiling.N - col < tiling.baseN ? tiling.N - col : tiling.baseN;
    const uint32_t gapInUb = tiling.baseN / 8 - (width + 7) / 8;
    AscendC::DataCopyExtParams copyParam = {(uint16_t)height, (uint32_t)(width * sizeof(cType)), gapInUb,
                                            (uint32_t)((tiling.N - width) * sizeof(cType)), 0};
    AscendC::DataCopyPad(cGlobal[(firstRow + row) * tiling.N + col], reluOutLocal, copyParam);
    reluOutQueue_.FreeTensor(reluOutLocal);
}

extern "C" __global__ __aicore__ void matmul_leaky(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR workspace,
                                                   GM_ADDR tiling) {
    GET_TILING_DATA(tilingData, tiling);
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    MatmulLeakyKernel<half, half, float, float> matmulLeakyKernel;
    AscendC::TPipe pipe;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), matmulLeakyKernel.matmulObj, &tilingData.cubeTilingData);
    matmulLeakyKernel.Init(a, b, bias, c, tilingData.cubeTilingData, tilingData.alpha, &pipe);
    if (TILING_KEY_IS(1)) {
        matmulLeakyKernel.Process();
    }
}
