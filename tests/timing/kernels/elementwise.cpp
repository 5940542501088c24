// SPDX-License-Identifier: Apache-2.0
// Elementwise operators (rows gelu, cb_ and sb_ of tests/timing/timing_fit.csv; the vendor's kernels of the latter two
// are not published): contiguous shares of whole blocks, tiles in two buffers, bfloat16 by way of float.
#include "gelu.h"

constexpr uint32_t kBlock = 32;

struct Ub {
    uint32_t at = 0;
    template <class T>
    __aicore__ inline LocalTensor<T> Take(uint32_t count) {
        const LocalTensor<T> tensor(TPosition::VECCALC, at, count);
        at += count * sizeof(T);
        return tensor;
    }
};

// Op::Run computes a tile of Op::Type.
template <class T, class Op>
__aicore__ inline void Elementwise(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total, uint32_t tile) {
    using C = typename Op::Type;
    const uint32_t blocks = (total * sizeof(T) + kBlock - 1) / kBlock, cores = GetBlockNum();
    const uint32_t share = (blocks + cores - 1) / cores * (kBlock / sizeof(T)), first = GetBlockIdx() * share;
    if (first >= total) return;
    const uint32_t count = total - first < share ? total - first : share;
    GlobalTensor<T> from[2], to;
    from[0].SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x), total);
    from[1].SetGlobalBuffer(reinterpret_cast<__gm__ T*>(y), total);
    to.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(z), total);
    constexpr bool kThroughFloat = !std::is_same_v<T, C>;
    Ub ub;
    LocalTensor<T> in[2][2], out[2];
    LocalTensor<C> wide[2], ones;
    for (int32_t b = 0; b < 2; ++b) {
        for (uint32_t i = 0; i < Op::kInputs; ++i) in[b][i] = ub.Take<T>(tile);
        out[b] = ub.Take<T>(tile);
        SetFlag<HardEvent::V_MTE2>(b);
        SetFlag<HardEvent::MTE3_V>(b);
    }
    if (kThroughFloat) {
        for (uint32_t i = 0; i < Op::kInputs; ++i) wide[i] = ub.Take<C>(tile);
    }
    if (Op::kOnes) {
        ones = ub.Take<C>(tile);
        Duplicate(ones, static_cast<C>(1.0f), tile);
    }
    int32_t b = 0;
    for (uint32_t done = 0; done < count; done += tile) {
        const uint32_t n = count - done < tile ? count - done : tile;
        const DataCopyExtParams bytes{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};
        WaitFlag<HardEvent::V_MTE2>(b);
        for (uint32_t i = 0; i < Op::kInputs; ++i) {
            DataCopyPad(in[b][i], from[i][first + done], bytes, DataCopyPadExtParams<T>{false, 0, 0, 0});
        }
        SetFlag<HardEvent::MTE2_V>(b);
        WaitFlag<HardEvent::MTE2_V>(b);
        WaitFlag<HardEvent::MTE3_V>(b);
        if constexpr (kThroughFloat) {
            for (uint32_t i = 0; i < Op::kInputs; ++i) Cast(wide[i], in[b][i], RoundMode::CAST_NONE, n);
            PipeBarrier<PIPE_V>();
            Op::Run({wide[0], wide[0], wide[1], ones, n});
            PipeBarrier<PIPE_V>();
            Cast(out[b], wide[0], RoundMode::CAST_RINT, n);
        } else {
            Op::Run({out[b], in[b][0], in[b][1], ones, n});
        }
        SetFlag<HardEvent::V_MTE3>(b);
        SetFlag<HardEvent::V_MTE2>(b);
        WaitFlag<HardEvent::V_MTE3>(b);
        DataCopyPad(to[first + done], out[b], bytes);
        SetFlag<HardEvent::MTE3_V>(b);
        b = 1 - b;
    }
    for (b = 0; b < 2; ++b) {
        WaitFlag<HardEvent::V_MTE2>(b);
        WaitFlag<HardEvent::MTE3_V>(b);
    }
}

// What a tile is computed from and to.
template <class T>
struct Vectors {
    LocalTensor<T> z, x, y, ones;
    uint32_t n;
};
template <class T, uint32_t inputs = 1, bool with_ones = false>
struct OpOf {
    using Type = T;
    static constexpr uint32_t kInputs = inputs;
    static constexpr bool kOnes = with_ones;
};

template <class T>
struct AddOp : OpOf<T, 2> {
    static __aicore__ inline void Run(const Vectors<T>& v) { Add(v.z, v.x, v.y, v.n); }
};
template <class T>
struct SqrtOp : OpOf<T> {
    static __aicore__ inline void Run(const Vectors<T>& v) { Sqrt(v.z, v.x, v.n); }
};
template <class T>
struct ReluOp : OpOf<T> {
    static __aicore__ inline void Run(const Vectors<T>& v) { Relu(v.z, v.x, v.n); }
};
struct GeluOp : OpOf<float> {
    static __aicore__ inline void Run(const Vectors<float>& v) { GeluOf(v.z, v.x, v.z, v.n); }
};
// 1 / (1 + exp(factor x))
template <class T>
__aicore__ inline void Logistic(const Vectors<T>& v, float factor) {
    Muls(v.z, v.x, static_cast<T>(factor), v.n);
    PipeBarrier<PIPE_V>();
    Exp(v.z, v.z, v.n);
    PipeBarrier<PIPE_V>();
    Adds(v.z, v.z, static_cast<T>(1.0f), v.n);
    PipeBarrier<PIPE_V>();
    Div(v.z, v.ones, v.z, v.n);
}
template <class T>
struct SigmoidOp : OpOf<T, 1, true> {
    static __aicore__ inline void Run(const Vectors<T>& v) { Logistic(v, -1.0f); }
};
// 1 - 2 / (1 + exp(2 x))
struct TanhOp : OpOf<float, 1, true> {
    static __aicore__ inline void Run(const Vectors<float>& v) {
        Logistic(v, 2.0f);
        PipeBarrier<PIPE_V>();
        Muls(v.z, v.z, -2.0f, v.n);
        PipeBarrier<PIPE_V>();
        Adds(v.z, v.z, 1.0f, v.n);
    }
};

#define KERNEL(name, T, Op)                                                                                      \
    extern "C" __global__ __aicore__ void name(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total, uint32_t tile) { \
        TPipe pipe;                                                                                              \
        Elementwise<T, Op>(x, y, z, total, tile);                                                                \
    }
KERNEL(add_half, half, AddOp<half>)
KERNEL(add_bfloat16, bfloat16_t, AddOp<float>)
KERNEL(sqrt_half, half, SqrtOp<half>)
KERNEL(sigmoid_half, half, SigmoidOp<half>)
KERNEL(sigmoid_bfloat16, bfloat16_t, SigmoidOp<float>)
KERNEL(sigmoid_float, float, SigmoidOp<float>)
KERNEL(relu_float, float, ReluOp<float>)
KERNEL(tanh_float, float, TanhOp)
KERNEL(gelu_float, float, GeluOp)
