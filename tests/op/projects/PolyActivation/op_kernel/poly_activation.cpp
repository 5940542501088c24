// SPDX-License-Identifier: Apache-2.0
#include "copy_any.h"
#include "kernel_operator.h"
using namespace AscendC;
constexpr int32_t BUFFER_NUM = 2;

template <typename T>
class KernelPolyActivation {
public:
    __aicore__ inline KernelPolyActivation() {}
    template <typename Tiling>
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const Tiling& tiling) {
        uint32_t offset = GetBlockIdx() * tiling.coreLength;
        this->length = offset >= tiling.totalLength ? 0 : tiling.totalLength - offset;
        if (this->length > tiling.coreLength) this->length = tiling.coreLength;
        this->tileLength = tiling.tileLength;
        this->coeffNum = tiling.coeffNum;
        for (uint32_t i = 0; i < tiling.coeffNum; i++) this->coeffs[i] = static_cast<T>(tiling.coeffs[i]);
        this->repeat = tiling.repeat;
        this->slope = static_cast<T>(tiling.slope);
        this->clip = tiling.clip;
        this->activation = tiling.activation;
        xGm.SetGlobalBuffer((__gm__ T*)x + offset, this->length);
        yGm.SetGlobalBuffer((__gm__ T*)y + offset, this->length);
        pipe.InitBuffer(inQueueX, BUFFER_NUM, this->tileLength * sizeof(T));
        pipe.InitBuffer(outQueueY, BUFFER_NUM, this->tileLength * sizeof(T));
        pipe.InitBuffer(tmpBuf, this->tileLength * sizeof(T));
    }
    __aicore__ inline void Process() {
        for (uint32_t done = 0; done < this->length; done += this->tileLength) {
            uint32_t count = this->length - done < this->tileLength ? this->length - done : this->tileLength;
            CopyIn(done, count);
            Compute(count);
            CopyOut(done, count);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t offset, uint32_t count) {
        LocalTensor<T> xLocal = inQueueX.AllocTensor<T>();
        CopyInAny(xLocal, xGm[offset], count);
        inQueueX.EnQue(xLocal);
    }
    __aicore__ inline void Compute(uint32_t count) {
        LocalTensor<T> xLocal = inQueueX.DeQue<T>();
        LocalTensor<T> yLocal = outQueueY.AllocTensor<T>();
        LocalTensor<T> tmp = tmpBuf.Get<T>();
        for (int32_t round = 0; round < this->repeat; round++) {
            Duplicate(tmp, this->coeffs[this->coeffNum - 1], count);
            for (int32_t k = this->coeffNum - 2; k >= 0; k--) {
                Mul(tmp, tmp, xLocal, count);
                Adds(tmp, tmp, this->coeffs[k], count);
            }
            Adds(xLocal, tmp, T(0), count);
        }
        if (this->clip) {
            Maxs(xLocal, xLocal, T(-1), count);
            Mins(xLocal, xLocal, T(1), count);
        }
        if (this->activation == 1) {
            Relu(yLocal, xLocal, count);
        } else if (this->activation == 2) {
            LeakyRelu(yLocal, xLocal, this->slope, count);
        } else {
            Adds(yLocal, xLocal, T(0), count);
        }
        outQueueY.EnQue<T>(yLocal);
        inQueueX.FreeTensor(xLocal);
    }
    __aicore__ inline void CopyOut(uint32_t offset, uint32_t count) {
        LocalTensor<T> yLocal = outQueueY.DeQue<T>();
        CopyOutAny(yGm[offset], yLocal, count);
        outQueueY.FreeTensor(yLocal);
    }

    TPipe pipe;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueueX;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outQueueY;
    TBuf<QuePosition::VECCALC> tmpBuf;
    GlobalTensor<T> xGm, yGm;
    T coeffs[8];
    T slope;
    uint32_t length, tileLength, coeffNum;
    int32_t repeat;
    uint8_t clip, activation;
};

extern "C" __global__ __aicore__ void poly_activation(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(tilingData, tiling);
    KernelPolyActivation<DTYPE_X> op;
    op.Init(x, y, tilingData);
    op.Process();
}
