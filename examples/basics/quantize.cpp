// SPDX-License-Identifier: Apache-2.0
// int8 of rows of float, each row scaled so that its largest magnitude becomes 127: y = x 127 / max |x|, and the scale
// max |x| / 127 that leads back, in a block of eight equal numbers a row. The width is a multiple of 32.
// A scale and an offset for each column, by the high-level call: ../high_level/quantize.cpp.
//
//   sfumato run examples/basics/quantize.cpp --chip Ascend910B1 --blocks 4 --
//       x.npy 'out:int8[50,160]=y.npy' 'out:float32[50,8]=scales.npy' uint32:50 uint32:160
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void quantize(GM_ADDR x, GM_ADDR y, GM_ADDR scales, uint32_t rows, uint32_t width) {
    GlobalTensor<float> from, to_scales;
    GlobalTensor<int8_t> to;
    from.SetGlobalBuffer((__gm__ float*)x, uint64_t{rows} * width);
    to.SetGlobalBuffer((__gm__ int8_t*)y, uint64_t{rows} * width);
    to_scales.SetGlobalBuffer((__gm__ float*)scales, uint64_t{rows} * 8);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> ins;
    TQue<TPosition::VECOUT, 1> outs, scale_outs;
    TBuf<TPosition::VECCALC> magnitudes, halves, works;
    pipe.InitBuffer(ins, 2, width * sizeof(float));
    pipe.InitBuffer(outs, 2, width);
    pipe.InitBuffer(scale_outs, 2, 8 * sizeof(float));
    pipe.InitBuffer(magnitudes, width * sizeof(float));
    pipe.InitBuffer(halves, width * sizeof(half));
    pipe.InitBuffer(works, width * sizeof(float));
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> in = ins.AllocTensor<float>();
        DataCopy(in, from[row * width], width);
        ins.EnQue(in);
        in = ins.DeQue<float>();

        LocalTensor<float> scale = scale_outs.AllocTensor<float>(), magnitude = magnitudes.Get<float>();
        Abs(magnitude, in, width);
        ReduceMax(scale, magnitude, works.Get<float>(), width);
        const float largest = scale.GetValue(0);
        Duplicate(scale, largest / 127.0f, 8);
        scale_outs.EnQue(scale);

        // float to half to int8: chips convert to int8 from half alone. CAST_NONE rounds to the nearest, ties to even,
        // and is the mode that every chip has for both. A row of zeros stays zeros.
        LocalTensor<int8_t> out = outs.AllocTensor<int8_t>();
        LocalTensor<half> narrow = halves.Get<half>();
        Muls(in, in, largest > 0.0f ? 127.0f / largest : 0.0f, width);
        Cast(narrow, in, RoundMode::CAST_NONE, width);
        ins.FreeTensor(in);
        Cast(out, narrow, RoundMode::CAST_NONE, width);
        outs.EnQue(out);

        out = outs.DeQue<int8_t>();
        DataCopy(to[row * width], out, width);
        outs.FreeTensor(out);
        scale = scale_outs.DeQue<float>();
        DataCopy(to_scales[row * 8], scale, 8);
        scale_outs.FreeTensor(scale);
    }
}
