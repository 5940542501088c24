// SPDX-License-Identifier: Apache-2.0
// A kernel with workspace and tiling: z = x factor + ADDED, by way of the workspace.
#include "kernel_operator.h"
#include "shapes.h"
#include "tiling.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    const __gm__ TwiceTiling* host = (__gm__ TwiceTiling*)tiling;
    const uint32_t count = host->count / GetBlockNum();
    if (count > kMostElements || workspace == nullptr || AscendC::GetSysWorkSpacePtr() == nullptr) return;
    GlobalTensor<float> from, to, between;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * count, count);
    between.SetGlobalBuffer((__gm__ float*)workspace + GetBlockIdx() * count, count);
    to.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * count, count);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, count * sizeof(float));
    LocalTensor<float> t = queue.AllocTensor<float>();
    DataCopy(t, from, count);
    PipeBarrier<PIPE_ALL>();
    Muls(t, t, host->factor, count);
    PipeBarrier<PIPE_ALL>();
    DataCopy(between, t, count);
    PipeBarrier<PIPE_ALL>();
    DataCopy(t, between, count);
    PipeBarrier<PIPE_ALL>();
    Adds(t, t, float(ADDED), count);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, t, count);
    queue.FreeTensor(t);
}
