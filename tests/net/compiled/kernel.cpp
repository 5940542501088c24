// SPDX-License-Identifier: Apache-2.0
// A kernel with every header, for compile.txt.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void every(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> in;
    TQue<QuePosition::VECOUT, 1> out;
    TBuf<> tmp;
    pipe.InitBuffer(in, 1, 1024);
    pipe.InitBuffer(out, 1, 1024);
    pipe.InitBuffer(tmp, 1024);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, gx, 256);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Add(b, a, a, 256);
    Exp(b, b, 256);
    ReduceSum(b, b, tmp.Get<float>(), 256);
    Cast(tmp.Get<half>(), b, RoundMode::CAST_RINT, 64);
    Sigmoid(b, b, 256);
    SoftMaxTiling t;
    SoftMax<float>(b, b, t);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(gy, b, 256);
    out.FreeTensor(b);
    in.FreeTensor(a);
}
