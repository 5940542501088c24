// SPDX-License-Identifier: Apache-2.0
// Softmax of rows of half by the high-level call, in tiles of the shape that the tiling was made for. Both boards take
// rows as they are (ND); those of 310B ignore isBasicBlock.
//
//   sfumato run examples/boards/softmax.cpp --chip Ascend310B4 --blocks 1 --
//       x.npy 'out:float16[50,64]=y.npy' uint32:50 'tiling-of:softmax(shape=8x64, type=half, sum_type=half)'
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void softmax_custom(GM_ADDR x, GM_ADDR y, uint32_t rows, GM_ADDR tiling_gm) {
    GET_TILING_DATA_WITH_STRUCT(SoftMaxTiling, tiling, tiling_gm);
    const uint32_t tile = tiling.srcM, width = tiling.srcK;
    GlobalTensor<half> from, to;
    from.SetGlobalBuffer((__gm__ half*)x, uint64_t{rows} * width);
    to.SetGlobalBuffer((__gm__ half*)y, uint64_t{rows} * width);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> ins;
    TQue<TPosition::VECOUT, 2> outs;
    pipe.InitBuffer(ins, 2, tile * width * sizeof(half));
    pipe.InitBuffer(outs, 2, tile * width * sizeof(half));
    for (uint32_t row = GetBlockIdx() * tile; row < rows; row += GetBlockNum() * tile) {
        const uint32_t count = rows - row < tile ? rows - row : tile;
        LocalTensor<half> in = ins.AllocTensor<half>();
        DataCopy(in, from[row * width], count * width);
        ins.EnQue(in);
        in = ins.DeQue<half>();
        LocalTensor<half> out = outs.AllocTensor<half>();
        SoftMax<half>(out, in, tiling, {count, width, count, width});
        ins.FreeTensor(in);
        outs.EnQue(out);
        out = outs.DeQue<half>();
        DataCopy(to[row * width], out, count * width);
        outs.FreeTensor(out);
    }
}
