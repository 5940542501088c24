// SPDX-License-Identifier: Apache-2.0
// Kernels of the Python tests.
#include "kernel_operator.h"

using namespace AscendC;

namespace {

// One vector call on `count` elements between GM and UB.
template <class In, class Out, class F>
__aicore__ inline void Through(GM_ADDR in, GM_ADDR out, uint32_t count, F&& f) {
    GlobalTensor<In> x;
    GlobalTensor<Out> y;
    x.SetGlobalBuffer((__gm__ In*)in, count);
    y.SetGlobalBuffer((__gm__ Out*)out, count);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> from;
    TQue<TPosition::VECOUT, 1> to;
    pipe.InitBuffer(from, 1, count * sizeof(In));
    pipe.InitBuffer(to, 1, count * sizeof(Out));
    LocalTensor<In> a = from.AllocTensor<In>();
    DataCopy(a, x, count);
    from.EnQue(a);
    a = from.DeQue<In>();
    LocalTensor<Out> b = to.AllocTensor<Out>();
    f(b, a);
    to.EnQue(b);
    b = to.DeQue<Out>();
    DataCopy(y, b, count);
    to.FreeTensor(b);
    from.FreeTensor(a);
}

struct Scaling {
    float factor;
    uint32_t count;
};

}  // namespace

extern "C" __global__ __aicore__ void ceil_to_int(GM_ADDR src, GM_ADDR dst, uint32_t count) {
    Through<half, int32_t>(src, dst, count, [&](auto& b, auto& a) { Cast(b, a, RoundMode::CAST_CEIL, count); });
}

extern "C" __global__ __aicore__ void narrow(GM_ADDR src, GM_ADDR dst, uint32_t count) {
    Through<float, half>(src, dst, count, [&](auto& b, auto& a) { Cast(b, a, RoundMode::CAST_NONE, count); });
}

extern "C" __global__ __aicore__ void widen_bf16(GM_ADDR src, GM_ADDR dst, uint32_t count) {
    Through<bfloat16_t, float>(src, dst, count, [&](auto& b, auto& a) { Cast(b, a, RoundMode::CAST_NONE, count); });
}

// Moves whole bytes, so it serves every type.
extern "C" __global__ __aicore__ void copy_bytes(GM_ADDR src, GM_ADDR dst, uint32_t bytes) {
    GlobalTensor<uint8_t> x, y;
    x.SetGlobalBuffer((__gm__ uint8_t*)src, bytes);
    y.SetGlobalBuffer((__gm__ uint8_t*)dst, bytes);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, bytes);
    LocalTensor<uint8_t> a = queue.AllocTensor<uint8_t>();
    DataCopy(a, x, bytes);
    queue.EnQue(a);
    a = queue.DeQue<uint8_t>();
    DataCopy(y, a, bytes);
    queue.FreeTensor(a);
}

// In place, by blocks, with a factor by value.
extern "C" __global__ __aicore__ void scale(GM_ADDR data, float factor, uint32_t per_block) {
    GM_ADDR mine = data + GetBlockIdx() * per_block * sizeof(float);
    Through<float, float>(mine, mine, per_block, [&](auto& b, auto& a) { Muls(b, a, factor, per_block); });
}

extern "C" __global__ __aicore__ void scale_by_struct(GM_ADDR data, Scaling s) {
    Through<float, float>(data, data, s.count, [&](auto& b, auto& a) { Muls(b, a, s.factor, s.count); });
}

// The second source starts inside a block.
extern "C" __global__ __aicore__ void misaligned(GM_ADDR src, GM_ADDR dst) {
    Through<half, int32_t>(src, dst, 128, [&](auto& b, auto& a) {
        Cast(b, a, RoundMode::CAST_CEIL, 128);
        Cast(b, a[1], RoundMode::CAST_CEIL, 64);
    });
}

extern "C" __global__ __aicore__ void exponential(GM_ADDR data, float shift) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 256);
    LocalTensor<float> x = buffer.Get<float>();
    GlobalTensor<float> gm;
    gm.SetGlobalBuffer((__gm__ float*)data, 64);
    DataCopy(x, gm, 64);
    PipeBarrier<PIPE_ALL>();
    if (shift != 0) Adds(x, x, shift, 64);
    for (int i = 0; shift == 0 && i < 2; ++i) Exp(x, x, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm, x, 64);
}

extern "C" __global__ __aicore__ void says_hello(GM_ADDR src) {
    (void)src;
    AscendC::printf("hello from block %d\n", static_cast<int>(GetBlockIdx()));
}
