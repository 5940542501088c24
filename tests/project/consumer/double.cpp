// SPDX-License-Identifier: Apache-2.0
// A kernel: y = 2 x, 64 floats a block.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 64, 64);
    to.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 64, 64);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 256);
    pipe.InitBuffer(out, 1, 256);
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, from, 64);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Muls(b, a, 2.0f, 64);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(to, b, 64);
    out.FreeTensor(b);
    in.FreeTensor(a);
}
