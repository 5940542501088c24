// SPDX-License-Identifier: Apache-2.0
// Softmax of rows of half, in tiles of the shape that the tiling was made for; a sum and a maximum in float go with it.
//
//   sfumato run examples/high_level/softmax.cpp --chip Ascend910B1 --blocks 8 --
//       x.npy 'out:float16[100,256]=y.npy' uint32:100 'tiling-of:softmax(shape=16x256, type=half, sum_type=float)'
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void softmax(GM_ADDR x, GM_ADDR y, uint32_t rows, GM_ADDR tiling_gm) {
    GET_TILING_DATA_WITH_STRUCT(SoftMaxTiling, tiling, tiling_gm);
    const uint32_t tile = tiling.srcM, width = tiling.srcK;
    GlobalTensor<half> from, to;
    from.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(x), uint64_t{rows} * width);
    to.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(y), uint64_t{rows} * width);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> ins;
    TQue<TPosition::VECOUT, 2> outs;
    TBuf<TPosition::VECCALC> sides;
    pipe.InitBuffer(ins, 2, tile * width * sizeof(half));
    pipe.InitBuffer(outs, 2, tile * width * sizeof(half));
    pipe.InitBuffer(sides, 2 * tile * 32);
    auto sum = sides.Get<float>(), max = sum[tile * 8];  // a block of eight equal numbers a row
    for (uint32_t row = GetBlockIdx() * tile; row < rows; row += GetBlockNum() * tile) {
        const uint32_t count = rows - row < tile ? rows - row : tile;
        auto in = ins.AllocTensor<half>();
        DataCopy(in, from[row * width], count * width);
        ins.EnQue(in);
        in = ins.DeQue<half>();
        auto out = outs.AllocTensor<half>();
        SoftMax<half>(out, sum, max, in, tiling, {count, width, count, width});
        ins.FreeTensor(in);
        outs.EnQue(out);
        out = outs.DeQue<half>();
        DataCopy(to[row * width], out, count * width);
        outs.FreeTensor(out);
    }
}
