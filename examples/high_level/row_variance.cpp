// SPDX-License-Identifier: Apache-2.0
// The variance of each row: sums of rows, a number of each row broadcast back over it, a power. float; the width a
// multiple of 8, `tile` rows at a time a multiple of 8 too.
//
//   sfumato run examples/high_level/row_variance.cpp --chip Ascend910B1 --blocks 2 --
//       x.npy 'out:float32[48]=y.npy' uint32:48 uint32:136 uint32:8
#include "kernel_operator.h"

using namespace AscendC;

template <class T>
__aicore__ inline GlobalTensor<T> Global(GM_ADDR address, uint64_t count) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(address), count);
    return tensor;
}

extern "C" __global__ __aicore__ void row_variance(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t width, uint32_t tile) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> ins;
    TQue<TPosition::VECOUT, 2> outs;
    TBuf<TPosition::VECCALC> wide;
    const uint32_t all[] = {tile, width}, column[] = {tile, 1};
    pipe.InitBuffer(ins, 2, tile * width * sizeof(float));
    pipe.InitBuffer(outs, 2, tile * sizeof(float));
    pipe.InitBuffer(wide, tile * width * sizeof(float));
    auto means = wide.Get<float>();
    for (uint32_t row = GetBlockIdx() * tile; row < rows; row += GetBlockNum() * tile) {
        auto in = ins.AllocTensor<float>();
        DataCopy(in, Global<float>(x, uint64_t{rows} * width)[row * width], tile * width);
        ins.EnQue(in);
        in = ins.DeQue<float>();
        auto out = outs.AllocTensor<float>();
        Mean<float>(out, in, {tile, width, width});
        PipeBarrier<PIPE_V>();
        BroadCast<float, 2, 1>(means, out, all, column);
        PipeBarrier<PIPE_V>();
        Sub(in, in, means, tile * width);
        PipeBarrier<PIPE_V>();
        Power<float>(means, in, 2.0f, tile * width);
        ins.FreeTensor(in);
        PipeBarrier<PIPE_V>();
        Mean<float>(out, means, {tile, width, width});
        outs.EnQue(out);
        out = outs.DeQue<float>();
        DataCopy(Global<float>(y, rows)[row], out, tile);
        outs.FreeTensor(out);
    }
}
