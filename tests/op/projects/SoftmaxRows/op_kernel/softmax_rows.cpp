// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
#include "lib/activation/softmax.h"
using namespace AscendC;

class KernelSoftmaxRows {
public:
    __aicore__ inline KernelSoftmaxRows() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rowLen, uint32_t rowLenAlign, uint32_t rowsTotal,
                                uint32_t rowsPerLoop, uint32_t tmpBytes, const SoftMaxTiling& softmaxTiling) {
        this->rowLen = rowLen;
        this->rowLenAlign = rowLenAlign;
        this->rowsTotal = rowsTotal;
        this->rowsPerLoop = rowsPerLoop;
        this->softmaxTiling = softmaxTiling;
        xGm.SetGlobalBuffer((__gm__ float*)x);
        yGm.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 2, rowsPerLoop * rowLenAlign * sizeof(float));
        pipe.InitBuffer(outQueue, 2, rowsPerLoop * rowLenAlign * sizeof(float));
        pipe.InitBuffer(sumBuf, rowsPerLoop * 32);
        pipe.InitBuffer(maxBuf, rowsPerLoop * 32);
        pipe.InitBuffer(tmpBuf, tmpBytes);
    }
    __aicore__ inline void Process() {
        uint32_t loops = (rowsTotal + rowsPerLoop - 1) / rowsPerLoop;
        for (uint32_t i = GetBlockIdx(); i < loops; i += GetBlockNum()) {
            uint32_t rows = i == loops - 1 ? rowsTotal - i * rowsPerLoop : rowsPerLoop;
            CopyIn(i, rows);
            Compute(rows);
            CopyOut(i, rows);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t i, uint32_t rows) {
        LocalTensor<float> in = inQueue.AllocTensor<float>();
        GlobalTensor<float> from = xGm[static_cast<uint64_t>(i) * rowsPerLoop * rowLen];
#if __CCE_AICORE__ == 220
        DataCopyExtParams params{static_cast<uint16_t>(rows), static_cast<uint32_t>(rowLen * sizeof(float)), 0, 0, 0};
        DataCopyPadExtParams<float> pad{true, 0, static_cast<uint8_t>(rowLenAlign - rowLen), 0.0f};
        DataCopyPad(in, from, params, pad);
#else
        DataCopy(in, from, rows * rowLen);
#endif
        inQueue.EnQue(in);
    }
    __aicore__ inline void Compute(uint32_t rows) {
        LocalTensor<float> in = inQueue.DeQue<float>();
        LocalTensor<float> out = outQueue.AllocTensor<float>();
        LocalTensor<float> sum = sumBuf.Get<float>();
        LocalTensor<float> max = maxBuf.Get<float>();
        LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
        SoftMaxShapeInfo info = {rows, rowLenAlign, rows, rowLen};
        SoftMax<float>(out, sum, max, in, tmp, softmaxTiling, info);
        outQueue.EnQue(out);
        inQueue.FreeTensor(in);
    }
    __aicore__ inline void CopyOut(uint32_t i, uint32_t rows) {
        LocalTensor<float> out = outQueue.DeQue<float>();
        GlobalTensor<float> to = yGm[static_cast<uint64_t>(i) * rowsPerLoop * rowLen];
#if __CCE_AICORE__ == 220
        DataCopyExtParams params{static_cast<uint16_t>(rows), static_cast<uint32_t>(rowLen * sizeof(float)), 0, 0, 0};
        DataCopyPad(to, out, params);
#else
        DataCopy(to, out, rows * rowLen);
#endif
        outQueue.FreeTensor(out);
    }

    TPipe pipe;
    TQue<QuePosition::VECIN, 2> inQueue;
    TQue<QuePosition::VECOUT, 2> outQueue;
    TBuf<QuePosition::VECCALC> sumBuf, maxBuf, tmpBuf;
    GlobalTensor<float> xGm, yGm;
    SoftMaxTiling softmaxTiling;
    uint32_t rowLen, rowLenAlign, rowsTotal, rowsPerLoop;
};

extern "C" __global__ __aicore__ void softmax_rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(t, tiling);
    KernelSoftmaxRows op;
    op.Init(x, y, t.rowLen, t.rowLenAlign, t.rowsTotal, t.rowsPerLoop, t.tmpBytes, t.softmaxTiling);
    op.Process();
}
