// SPDX-License-Identifier: Apache-2.0
// A wrong kernel: one round does not give its input buffer back, so that the next load waits for ever. On a board this
// is a timeout without a word; docs/timeline.md shows its timeline.
//
//   sfumato run examples/wrong/buffer_kept.cpp --chip Ascend910B1 --trace run.html -- x.npy 'out:float32[4096]=y.npy'
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kTile = 1024;

extern "C" __global__ __aicore__ void squares(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 4 * kTile, 4 * kTile);
    to.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 4 * kTile, 4 * kTile);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 2 * kTile * sizeof(float));
    LocalTensor<float> in = buffer.Get<float>(), out = in[kTile];
    for (int32_t i = 0; i < 4; ++i) {
        if (i > 0) WaitFlag<HardEvent::V_MTE2>(0);
        DataCopy(in, from[i * kTile], kTile);
        SetFlag<HardEvent::MTE2_V>(0);
        WaitFlag<HardEvent::MTE2_V>(0);
        if (i > 0) WaitFlag<HardEvent::MTE3_V>(0);
        Mul(out, in, in, kTile);
        if (i != 1) SetFlag<HardEvent::V_MTE2>(0);  // forgotten in round 1
        SetFlag<HardEvent::V_MTE3>(0);
        WaitFlag<HardEvent::V_MTE3>(0);
        DataCopy(to[i * kTile], out, kTile);
        SetFlag<HardEvent::MTE3_V>(0);
    }
    WaitFlag<HardEvent::V_MTE2>(0);
    WaitFlag<HardEvent::MTE3_V>(0);
}
