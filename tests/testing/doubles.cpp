// SPDX-License-Identifier: Apache-2.0
// Kernels of the tests of sfumato.testing and of the plugin.
#include "kernel_operator.h"

using namespace AscendC;

// Doubles what a block has. WITHOUT_FLAG leaves out the wait for the load, OFFSET starts inside a block of 32 bytes.
extern "C" __global__ __aicore__ void doubles(__gm__ float* x, __gm__ float* y, uint32_t per_block) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer(x + GetBlockIdx() * per_block, per_block);
    to.SetGlobalBuffer(y + GetBlockIdx() * per_block, per_block);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 4096);
    LocalTensor<float> a = buffer.Get<float>();
    Duplicate(a, 1.0f, per_block);
    PipeBarrier<PIPE_ALL>();
    DataCopy(a, from, per_block);
#ifndef WITHOUT_FLAG
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
#endif
#ifdef OFFSET
    Adds(a[1], a[1], 0.0f, 8);
#endif
    Muls(a, a, 2.0f, per_block);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(to, a, per_block);
}
