// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void column_sums(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(data, tiling);
    const uint32_t m = data.shape.m, n = data.shape.n, tile = data.tile;
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> in;
    TQue<QuePosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, tile * sizeof(DTYPE_X));
    pipe.InitBuffer(out, 2, tile * sizeof(DTYPE_X));
    GlobalTensor<DTYPE_X> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ DTYPE_X*)x, m * n);
    yGm.SetGlobalBuffer((__gm__ DTYPE_Y*)y, n);
    for (uint32_t col = 0; col < n; col += tile) {
        const uint32_t width = n - col < tile ? n - col : tile;
        auto sum = out.AllocTensor<DTYPE_X>();
        Duplicate(sum, static_cast<DTYPE_X>(0), width);
        for (uint32_t row = GetBlockIdx(); row < m; row += GetBlockNum()) {
            auto part = in.AllocTensor<DTYPE_X>();
            DataCopyPad(part, xGm[row * n + col], {1, (uint32_t)(width * sizeof(DTYPE_X)), 0, 0, 0}, {false, 0, 0, 0});
            in.EnQue(part);
            part = in.DeQue<DTYPE_X>();
            Add(sum, sum, part, width);
            in.FreeTensor(part);
        }
        out.EnQue(sum);
        sum = out.DeQue<DTYPE_X>();
        SetAtomicAdd<DTYPE_X>();
        DataCopyPad(yGm[col], sum, {1, (uint32_t)(width * sizeof(DTYPE_X)), 0, 0, 0});
        SetAtomicNone();
        out.FreeTensor(sum);
    }
}
