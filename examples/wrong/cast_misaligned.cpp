// SPDX-License-Identifier: Apache-2.0
// A wrong kernel: the second Cast starts 2 bytes into a 32-byte block. On a board this is an opaque error or silent
// garbage.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void cast_misaligned(GM_ADDR src, GM_ADDR dst) {
    GlobalTensor<half> x;
    GlobalTensor<int32_t> y;
    x.SetGlobalBuffer((__gm__ half*)src, 512);
    y.SetGlobalBuffer((__gm__ int32_t*)dst, 512);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 512 * sizeof(half));
    pipe.InitBuffer(out, 1, 512 * sizeof(int32_t));

    LocalTensor<half> a = in.AllocTensor<half>();
    DataCopy(a, x, 512);
    in.EnQue(a);
    a = in.DeQue<half>();
    LocalTensor<int32_t> b = out.AllocTensor<int32_t>();
    Cast(b, a, RoundMode::CAST_CEIL, 256);
    Cast(b[256], a[257], RoundMode::CAST_CEIL, 128);  // a[257]: byte offset 514
    out.EnQue(b);
    b = out.DeQue<int32_t>();
    DataCopy(y, b, 512);
    out.FreeTensor(b);
    in.FreeTensor(a);
}
