// SPDX-License-Identifier: Apache-2.0
#include "inplace_axpy_tiling.h"
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void inplace_axpy(GM_ADDR acc, GM_ADDR x, GM_ADDR acc_ref, GM_ADDR workspace,
                                                   GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(InplaceAxpyTiling);
    GET_TILING_DATA(t, tiling);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> xQueue;
    TBuf<TPosition::VECCALC> accBuffer;
    pipe.InitBuffer(xQueue, 2, t.tile * sizeof(float));
    pipe.InitBuffer(accBuffer, t.tile * sizeof(float));
    LocalTensor<float> accLocal = accBuffer.Get<float>();
    GlobalTensor<float> accGm, xGm;
    accGm.SetGlobalBuffer((__gm__ float*)acc_ref, t.total);
    xGm.SetGlobalBuffer((__gm__ float*)x, t.total);
    for (uint32_t at = GetBlockIdx() * t.tile; at < t.total; at += GetBlockNum() * t.tile) {
        const uint32_t count = t.total - at < t.tile ? t.total - at : t.tile;
        DataCopyExtParams bytes{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
        DataCopyPadExtParams<float> pad{false, 0, 0, 0};
        LocalTensor<float> in = xQueue.AllocTensor<float>();
        DataCopyPad(in, xGm[at], bytes, pad);
        xQueue.EnQue(in);
        in = xQueue.DeQue<float>();
        // acc has no queue: flags order its moves by hand.
        int32_t stored = static_cast<int32_t>(pipe.FetchEventID(HardEvent::MTE3_MTE2));
        SetFlag<HardEvent::MTE3_MTE2>(stored);
        WaitFlag<HardEvent::MTE3_MTE2>(stored);
        DataCopyPad(accLocal, accGm[at], bytes, pad);
        int32_t loaded = static_cast<int32_t>(pipe.FetchEventID(HardEvent::MTE2_V));
        SetFlag<HardEvent::MTE2_V>(loaded);
        WaitFlag<HardEvent::MTE2_V>(loaded);
        Muls(in, in, t.alpha, count);
        Add(accLocal, accLocal, in, count);
        xQueue.FreeTensor(in);
        int32_t computed = static_cast<int32_t>(pipe.FetchEventID(HardEvent::V_MTE3));
        SetFlag<HardEvent::V_MTE3>(computed);
        WaitFlag<HardEvent::V_MTE3>(computed);
        DataCopyPad(accGm[at], accLocal, bytes);
    }
}
