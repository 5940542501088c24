// SPDX-License-Identifier: Apache-2.0
// The sum of all elements of float, by many blocks: each adds its own sum to element 0 of y with an atomic store. y has
// 8 elements, since moves have whole blocks of 32 bytes, and starts as zeros: an atomic store adds to what is there.
// `per_block` elements a block, a multiple of 1024.
//
//   sfumato run examples/basics/atomic_sum.cpp --chip Ascend910B1 --blocks 6 -- x.npy inout:zeros.npy=y.npy uint32:4096
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kTile = 1024, kLanes = 64;

extern "C" __global__ __aicore__ void atomic_sum(GM_ADDR x, GM_ADDR y, uint32_t per_block) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * per_block, per_block);
    to.SetGlobalBuffer((__gm__ float*)y, 8);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> ins;
    TQue<TPosition::VECOUT, 1> outs;
    TBuf<TPosition::VECCALC> sums;
    pipe.InitBuffer(ins, 2, kTile * sizeof(float));
    pipe.InitBuffer(outs, 1, 8 * sizeof(float));
    pipe.InitBuffer(sums, (kTile + kLanes) * sizeof(float));
    LocalTensor<float> sum = sums.Get<float>(), parts = sum[kTile];

    // Tiles are added lane by lane: one instruction a tile, and no reduction until the end.
    Duplicate(sum, 0.0f, kTile);
    for (uint32_t at = 0; at < per_block; at += kTile) {
        LocalTensor<float> in = ins.AllocTensor<float>();
        DataCopy(in, from[at], kTile);
        ins.EnQue(in);
        in = ins.DeQue<float>();
        Add(sum, sum, in, kTile);
        ins.FreeTensor(in);
    }

    LocalTensor<float> out = outs.AllocTensor<float>();
    WholeReduceSum(parts, sum, kLanes, kTile / kLanes, 1, 1, 8);
    Duplicate(out, 0.0f, 8);
    WholeReduceSum(out, parts, kTile / kLanes, 1, 1, 1, 8);  // one element; the other seven add 0
    outs.EnQue(out);
    out = outs.DeQue<float>();
    SetAtomicAdd<float>();
    DataCopy(to, out, 8);
    SetAtomicNone();  // else every later store would add, too
    outs.FreeTensor(out);
}
