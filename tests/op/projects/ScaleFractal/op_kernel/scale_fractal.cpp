// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
using namespace AscendC;

#if FORMAT_X == FORMAT_ND
#define ROWS_AT_ONCE 1
#else
#define ROWS_AT_ONCE 64
#endif

extern "C" __global__ __aicore__ void scale_fractal(GM_ADDR x, GM_ADDR alpha, GM_ADDR y, GM_ADDR workspace,
                                                    GM_ADDR tiling) {
    GET_TILING_DATA(t, tiling);
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> alphaQueue, xQueue;
    TQue<QuePosition::VECOUT, 1> yQueue;
    const uint32_t tile = ROWS_AT_ONCE * (t.lanes > 0 ? t.lanes : 16);
    pipe.InitBuffer(alphaQueue, 1, tile / ROWS_AT_ONCE * sizeof(half));
    pipe.InitBuffer(xQueue, 1, tile * sizeof(half));
    pipe.InitBuffer(yQueue, 1, tile * sizeof(half));
    GlobalTensor<half> xGm, alphaGm, yGm;
    xGm.SetGlobalBuffer((__gm__ half*)x);
    alphaGm.SetGlobalBuffer((__gm__ half*)alpha);
    yGm.SetGlobalBuffer((__gm__ half*)y);
    if (t.lanes == 0) return;
    for (uint32_t piece = GetBlockIdx(); piece < t.outer * t.groups; piece += GetBlockNum()) {
        LocalTensor<half> factor = alphaQueue.AllocTensor<half>();
        DataCopy(factor, alphaGm[piece % t.groups * t.lanes], t.lanes);
        alphaQueue.EnQue(factor);
        factor = alphaQueue.DeQue<half>();
        for (uint32_t row = 0; row < t.spatial; row += ROWS_AT_ONCE) {
            const uint32_t rows = t.spatial - row < ROWS_AT_ONCE ? t.spatial - row : ROWS_AT_ONCE;
            const uint64_t at = (uint64_t(piece) * t.spatial + row) * t.lanes;
            LocalTensor<half> in = xQueue.AllocTensor<half>();
            DataCopy(in, xGm[at], rows * t.lanes);
            xQueue.EnQue(in);
            in = xQueue.DeQue<half>();
            LocalTensor<half> out = yQueue.AllocTensor<half>();
#if FORMAT_X == FORMAT_ND
            Mul(out, in, factor, t.lanes);
#else
            // One data block of factors for each row.
            Mul(out, in, factor, 16, rows, {1, 1, 1, 1, 1, 0});
#endif
            xQueue.FreeTensor(in);
            yQueue.EnQue(out);
            out = yQueue.DeQue<half>();
            DataCopy(yGm[at], out, rows * t.lanes);
            yQueue.FreeTensor(out);
        }
        alphaQueue.FreeTensor(factor);
    }
}
