// SPDX-License-Identifier: Apache-2.0
// Kernels of bench/calls.py: an addition through queues, a sum by atomics, and nothing at all.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t kTile = 4096;

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {
    const uint32_t share = n / GetBlockNum(), begin = share * GetBlockIdx();
    GlobalTensor<float> from_x, from_y, to;
    from_x.SetGlobalBuffer((__gm__ float*)x + begin, share);
    from_y.SetGlobalBuffer((__gm__ float*)y + begin, share);
    to.SetGlobalBuffer((__gm__ float*)z + begin, share);
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> in_x, in_y;
    TQue<QuePosition::VECOUT, 2> out;
    pipe.InitBuffer(in_x, 2, kTile * sizeof(float));
    pipe.InitBuffer(in_y, 2, kTile * sizeof(float));
    pipe.InitBuffer(out, 2, kTile * sizeof(float));
    for (uint32_t at = 0; at < share; at += kTile) {
        LocalTensor<float> a = in_x.AllocTensor<float>(), b = in_y.AllocTensor<float>();
        DataCopy(a, from_x[at], kTile);
        DataCopy(b, from_y[at], kTile);
        in_x.EnQue(a);
        in_y.EnQue(b);
        a = in_x.DeQue<float>();
        b = in_y.DeQue<float>();
        LocalTensor<float> c = out.AllocTensor<float>();
        Add(c, a, b, kTile);
        out.EnQue(c);
        in_x.FreeTensor(a);
        in_y.FreeTensor(b);
        c = out.DeQue<float>();
        DataCopy(to[at], c, kTile);
        out.FreeTensor(c);
    }
}

extern "C" __global__ __aicore__ void sum(GM_ADDR x, GM_ADDR result, uint32_t n) {
    const uint32_t share = n / GetBlockNum();
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + share * GetBlockIdx(), share);
    to.SetGlobalBuffer((__gm__ float*)result, 8);
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> in;
    TBuf<> sums, work, one;
    pipe.InitBuffer(in, 2, kTile * sizeof(float));
    pipe.InitBuffer(sums, kTile * sizeof(float));
    pipe.InitBuffer(work, kTile * sizeof(float));
    pipe.InitBuffer(one, 32);
    LocalTensor<float> all = sums.Get<float>(), total = one.Get<float>();
    Duplicate(all, 0.0f, kTile);
    Duplicate(total, 0.0f, 8);
    for (uint32_t at = 0; at < share; at += kTile) {
        LocalTensor<float> tile = in.AllocTensor<float>();
        DataCopy(tile, from[at], kTile);
        in.EnQue(tile);
        tile = in.DeQue<float>();
        Add(all, all, tile, kTile);
        in.FreeTensor(tile);
    }
    ReduceSum(total, all, work.Get<float>(), kTile);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    SetAtomicAdd<float>();
    DataCopy(to, total, 8);
    SetAtomicNone();
}

extern "C" __global__ __aicore__ void empty() {}
