// SPDX-License-Identifier: Apache-2.0
// As twins.cpp, on cube cores: columns of global memory to fractals of L1, which nothing takes out again.
#include "kernel_operator.h"

using namespace AscendC;

#define BEGIN                                       \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY); \
    GlobalTensor<half> in;                          \
    in.SetGlobalBuffer((__gm__ half*)x, 512);       \
    TPipe pipe;                                     \
    TBuf<TPosition::A1> buffer;                     \
    pipe.InitBuffer(buffer, 1024);                  \
    LocalTensor<half> l1 = buffer.Get<half>();      \
    Dn2NzParams params(1, 16, 20, 0, 16, 16, 1, 0)

extern "C" __global__ __aicore__ void no_columns(GM_ADDR x) {
    BEGIN;
    params.dValue = 20;  // wrong: params.dValue = 0;
    DataCopy(l1, in, params);
}

extern "C" __global__ __aicore__ void column_stride(GM_ADDR x) {
    BEGIN;
    params.srcDValue = 16;  // wrong: params.srcDValue = uint64_t(1) << 40;
    DataCopy(l1, in, params);
}

extern "C" __global__ __aicore__ void columns_past_global(GM_ADDR x) {
    BEGIN;
    params.srcDValue = 26;  // wrong: params.srcDValue = 27;
    DataCopy(l1, in, params);
}

extern "C" __global__ __aicore__ void fractals_past_l1(GM_ADDR x) {
    BEGIN;
    params.dstNzC0Stride = 16;  // wrong: params.dstNzC0Stride = 17;
    DataCopy(l1, in, params);
}
