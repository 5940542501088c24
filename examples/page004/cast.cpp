// SPDX-License-Identifier: Apache-2.0
// Rounds 512 half values up to int32 with the calls of the Cast page's sample. `make demo` runs the page's own text
// instead where the specification lies beside the project (../shared/spec).
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kCount = 512;

extern "C" __global__ __aicore__ void cast_simple_kernel(GM_ADDR src, GM_ADDR dst) {
    GlobalTensor<half> x;
    GlobalTensor<int32_t> y;
    x.SetGlobalBuffer((__gm__ half*)src, kCount);
    y.SetGlobalBuffer((__gm__ int32_t*)dst, kCount);

    TPipe pipe;
    TQue<TPosition::VECIN, 1> incoming;
    TQue<TPosition::VECOUT, 1> outgoing;
    pipe.InitBuffer(incoming, 1, kCount * sizeof(half));
    pipe.InitBuffer(outgoing, 1, kCount * sizeof(int32_t));

    LocalTensor<half> halves = incoming.AllocTensor<half>();
    DataCopy(halves, x, kCount);
    incoming.EnQue(halves);

    halves = incoming.DeQue<half>();
    LocalTensor<int32_t> rounded = outgoing.AllocTensor<int32_t>();
    Cast(rounded, halves, RoundMode::CAST_CEIL, kCount);
    outgoing.EnQue(rounded);
    incoming.FreeTensor(halves);

    rounded = outgoing.DeQue<int32_t>();
    DataCopy(y, rounded, kCount);
    outgoing.FreeTensor(rounded);
}
