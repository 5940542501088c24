// SPDX-License-Identifier: Apache-2.0
// y = x x + x in tiles, with two buffers: while a tile is computed the next is loaded and the one before is stored.
// Once with queues, which do it by a number in InitBuffer, and once with the flags that the queues stand for. float;
// `per_block` elements a block, a multiple of 1024.
//
//   sfumato run examples/basics/double_buffering.cpp --chip Ascend910B1 --blocks 4 --kernel with_flags --
//       x.npy 'out:float32[20480]=y.npy' uint32:5120
#include "kernel_operator.h"

using namespace AscendC;

namespace {

constexpr uint32_t kTile = 1024;

__aicore__ inline void Compute(const LocalTensor<float>& out, const LocalTensor<float>& in) {
    Mul(out, in, in, kTile);
    Add(out, out, in, kTile);
}

}  // namespace

extern "C" __global__ __aicore__ void with_queues(GM_ADDR x, GM_ADDR y, uint32_t per_block) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * per_block, per_block);
    to.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * per_block, per_block);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> ins;
    TQue<TPosition::VECOUT, 1> outs;
    pipe.InitBuffer(ins, 2, kTile * sizeof(float));  // 2: double buffering; 1: load, compute, load, compute
    pipe.InitBuffer(outs, 2, kTile * sizeof(float));
    for (uint32_t at = 0; at < per_block; at += kTile) {
        LocalTensor<float> in = ins.AllocTensor<float>();
        DataCopy(in, from[at], kTile);
        ins.EnQue(in);
        in = ins.DeQue<float>();
        LocalTensor<float> out = outs.AllocTensor<float>();
        Compute(out, in);
        ins.FreeTensor(in);
        outs.EnQue(out);
        out = outs.DeQue<float>();
        DataCopy(to[at], out, kTile);
        outs.FreeTensor(out);
    }
}

// Buffer b of each kind has event ids of its own. Forward: loaded (MTE2_V), computed (V_MTE3). Back: the input is used
// up (V_MTE2), the output is stored (MTE3_V). The first round of a buffer waits for nothing, so its flags back are set
// before the loop, and waited for behind it. V sets two kinds of flags: they get different ids (docs/checks/sync.md).
extern "C" __global__ __aicore__ void with_flags(GM_ADDR x, GM_ADDR y, uint32_t per_block) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * per_block, per_block);
    to.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * per_block, per_block);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 4 * kTile * sizeof(float));
    LocalTensor<float> ins = buffer.Get<float>(), outs = ins[2 * kTile];
    for (int32_t b = 0; b < 2; ++b) {
        SetFlag<HardEvent::V_MTE2>(b);
        SetFlag<HardEvent::MTE3_V>(b);
    }
    for (uint32_t at = 0; at < per_block; at += kTile) {
        const int32_t b = at / kTile % 2;
        LocalTensor<float> in = ins[b * kTile], out = outs[b * kTile];
        WaitFlag<HardEvent::V_MTE2>(b);
        DataCopy(in, from[at], kTile);
        SetFlag<HardEvent::MTE2_V>(b);
        WaitFlag<HardEvent::MTE2_V>(b);
        WaitFlag<HardEvent::MTE3_V>(b);
        Compute(out, in);
        SetFlag<HardEvent::V_MTE2>(b);
        SetFlag<HardEvent::V_MTE3>(b + 2);
        WaitFlag<HardEvent::V_MTE3>(b + 2);
        DataCopy(to[at], out, kTile);
        SetFlag<HardEvent::MTE3_V>(b);
    }
    for (int32_t b = 0; b < 2; ++b) {
        WaitFlag<HardEvent::V_MTE2>(b);
        WaitFlag<HardEvent::MTE3_V>(b);
    }
}
