// SPDX-License-Identifier: Apache-2.0
// A kernel for each call of tests/data/board_points.tsv.
#include "kernel_operator.h"

using namespace AscendC;

namespace {

template <class T, class F>
__aicore__ inline void Through(GM_ADDR in, GM_ADDR second, GM_ADDR out, F&& f) {
    constexpr uint32_t kCount = 64;
    GlobalTensor<T> x, z, y;
    x.SetGlobalBuffer((__gm__ T*)in, kCount);
    z.SetGlobalBuffer((__gm__ T*)second, kCount);
    y.SetGlobalBuffer((__gm__ T*)out, kCount);
    TPipe pipe;
    TBuf<> buffer[3];
    for (auto& b : buffer) pipe.InitBuffer(b, kCount * sizeof(T));
    LocalTensor<T> a = buffer[0].Get<T>(), b = buffer[1].Get<T>(), c = buffer[2].Get<T>();
    DataCopy(a, x, kCount);
    DataCopy(b, z, kCount);
    PipeBarrier<PIPE_ALL>();
    f(pipe, c, a, b, kCount);
    PipeBarrier<PIPE_ALL>();
    DataCopy(y, c, kCount);
}

template <class T>
__aicore__ inline LocalTensor<T> Room(TPipe& pipe, TBuf<>& buffer, uint32_t bytes) {
    pipe.InitBuffer(buffer, bytes);
    return buffer.Get<T>();
}

}  // namespace

#define POINT(Call, T, ...)                                                                                    \
    extern "C" __global__ __aicore__ void Call##_##T(GM_ADDR x, GM_ADDR z, GM_ADDR y) {                        \
        Through<T>(x, z, y, [&](TPipe& pipe, auto& dst, auto& src, auto& other, uint32_t n) { __VA_ARGS__; }); \
    }
POINT(Reciprocal, half, Reciprocal(dst, src, n))
POINT(Reciprocal, float, Reciprocal(dst, src, n))
POINT(Rsqrt, half, Rsqrt(dst, src, n))
POINT(Rsqrt, float, Rsqrt(dst, src, n))
POINT(Exp, half, Exp(dst, src, n))
POINT(Sqrt, half, Sqrt(dst, src, n))
POINT(Ln, half, Ln(dst, src, n))
#ifdef HIGH_LEVEL
POINT(Gelu, half, Gelu(dst, src, n))
POINT(FasterGelu, half, FasterGelu(dst, src, n))
POINT(FasterGeluV2, half, FasterGeluV2(dst, src, n))
POINT(Swish, half, Swish(dst, src, n, half(1.702f)))
POINT(Sigmoid, float, Sigmoid(dst, src, n))
POINT(Silu, float, Silu(dst, src, n))
POINT(Log, float, Log(dst, src, n))
POINT(Log2, float, Log2(dst, src, n))
POINT(Log10, float, Log10(dst, src, n))
POINT(Power, float, Power(dst, src, other, n))
POINT(SoftMax, float, {
    TBuf<> sums, maxima;
    auto sum = Room<float>(pipe, sums, 256), max = Room<float>(pipe, maxima, 256);
    SoftMax<float>(dst, sum, max, src, SoftMaxTiling{}, {8, 8, 8, 8});
})
POINT(LogSoftMax, float, {
    TBuf<> sums, maxima, room;
    auto sum = Room<float>(pipe, sums, 256), max = Room<float>(pipe, maxima, 256);
    auto tmp = Room<uint8_t>(pipe, room, 4096);
    LogSoftMax<float>(dst, sum, max, src, tmp, LogSoftMaxTiling{}, {8, 8, 8, 8});
})
#endif
