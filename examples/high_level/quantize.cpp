// SPDX-License-Identifier: Apache-2.0
// int8 of x * scale + offset, a scale and an offset for each column, and the numbers that the int8 stand for again.
// x, scale, offset and z half, y int8; rows of whole blocks: `width` a multiple of 32.
//
//   sfumato run examples/high_level/quantize.cpp --chip Ascend910B1 --blocks 4 --
//       x.npy scale.npy offset.npy 'out:int8[50,96]=y.npy' 'out:float16[50,96]=z.npy' uint32:50 uint32:96
#include "kernel_operator.h"

using namespace AscendC;

template <class T>
__aicore__ inline GlobalTensor<T> Global(GM_ADDR address, uint64_t count) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(address), count);
    return tensor;
}

extern "C" __global__ __aicore__ void quantize(GM_ADDR x, GM_ADDR scale_gm, GM_ADDR offset_gm, GM_ADDR y, GM_ADDR z,
                                               uint32_t rows, uint32_t width) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> ins;
    TQue<TPosition::VECIN, 1> parameters;
    TQue<TPosition::VECOUT, 2> narrow, wide;
    TBuf<TPosition::VECCALC> inverse;
    pipe.InitBuffer(ins, 2, width * sizeof(half));
    pipe.InitBuffer(narrow, 2, width);
    pipe.InitBuffer(wide, 2, width * sizeof(half));
    pipe.InitBuffer(parameters, 1, 2 * width * sizeof(half));
    pipe.InitBuffer(inverse, 2 * width * sizeof(half));
    auto scale = parameters.AllocTensor<half>(), offset = scale[width];
    DataCopy(scale, Global<half>(scale_gm, width), width);
    DataCopy(offset, Global<half>(offset_gm, width), width);
    parameters.EnQue(scale);
    scale = parameters.DeQue<half>();
    // y - offset, times 1 / scale, is z.
    auto back = inverse.Get<half>(), minus = back[width];
    Duplicate(minus, half(1), width);
    PipeBarrier<PIPE_V>();
    Div(back, minus, scale, width);
    PipeBarrier<PIPE_V>();
    Muls(minus, offset, half(-1), width);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        auto in = ins.AllocTensor<half>();
        DataCopy(in, Global<half>(x, uint64_t{rows} * width)[row * width], width);
        ins.EnQue(in);
        in = ins.DeQue<half>();
        auto out = narrow.AllocTensor<int8_t>();
        AscendQuant(out, in, scale, offset, width, width, width);
        ins.FreeTensor(in);
        auto again = wide.AllocTensor<half>();
        PipeBarrier<PIPE_V>();
        AscendAntiQuant<int8_t, half, false>(again, out, minus, back, 1, {1, width, 1, width});
        narrow.EnQue(out);
        wide.EnQue(again);
        out = narrow.DeQue<int8_t>();
        again = wide.DeQue<half>();
        DataCopy(Global<int8_t>(y, uint64_t{rows} * width)[row * width], out, width);
        DataCopy(Global<half>(z, uint64_t{rows} * width)[row * width], again, width);
        narrow.FreeTensor(out);
        wide.FreeTensor(again);
    }
    parameters.FreeTensor(scale);
}
