// SPDX-License-Identifier: Apache-2.0
// Tiles of x to y through two queues; what happens between them differs.
#pragma once
#include "kernel_operator.h"
#include "scale_shift_tiling_data.h"

template <class Compute>
__aicore__ inline void RunTiles(GM_ADDR x, GM_ADDR y, const ScaleShiftTiling& t, const Compute& compute) {
    using namespace AscendC;
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, t.tile * sizeof(float));
    pipe.InitBuffer(out, 2, t.tile * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, t.total);
    yGm.SetGlobalBuffer((__gm__ float*)y, t.total);
    for (uint32_t at = GetBlockIdx() * t.tile; at < t.total; at += GetBlockNum() * t.tile) {
        const uint32_t count = t.total - at < t.tile ? t.total - at : t.tile;
        DataCopyExtParams bytes{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopyPad(a, xGm[at], bytes, DataCopyPadExtParams<float>{false, 0, 0, 0});
        in.EnQue(a);
        a = in.DeQue<float>();
        LocalTensor<float> b = out.AllocTensor<float>();
        compute(b, a, count);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopyPad(yGm[at], b, bytes);
        out.FreeTensor(b);
    }
}
