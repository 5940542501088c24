// SPDX-License-Identifier: Apache-2.0
// Elementwise operators, with tails of no whole block.
#include "operators.h"

namespace sfumato::boards {
namespace {

constexpr uint32_t kTotal = 5 * 512 + 37;

ElementTiling Plan(const Board& board, uint32_t tile = 256) { return {kTotal, tile, board.pads}; }

// --- kernels

class KernelAdd {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const ElementTiling& t) {
        t_ = t, part_ = PartOf(t.total, 64);
        x_.SetGlobalBuffer((__gm__ half*)x, t.total);
        y_.SetGlobalBuffer((__gm__ half*)y, t.total);
        z_.SetGlobalBuffer((__gm__ half*)z, t.total);
        pipe_.InitBuffer(in_x_, 2, t.tile * sizeof(half));
        pipe_.InitBuffer(in_y_, 2, t.tile * sizeof(half));
        pipe_.InitBuffer(out_, 2, t.tile * sizeof(half));
    }
    __aicore__ inline void Process() {
        for (uint32_t at = 0; at < part_.count; at += t_.tile) {
            const uint32_t left = std::min(t_.tile, part_.count - at);
            count_ = t_.pads ? left : UpTo(left, 16);
            const uint32_t begin = part_.first + at + left - count_;
            CopyIn(begin), Compute(), CopyOut(begin);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t at) {
        LocalTensor<half> x = in_x_.AllocTensor<half>(), y = in_y_.AllocTensor<half>();
        Fetch(x, x_[at], count_, t_.pads);
        Fetch(y, y_[at], count_, t_.pads);
        in_x_.EnQue(x), in_y_.EnQue(y);
    }
    __aicore__ inline void Compute() {
        LocalTensor<half> x = in_x_.DeQue<half>(), y = in_y_.DeQue<half>(), z = out_.AllocTensor<half>();
        Add(z, x, y, static_cast<int32_t>(count_));
        out_.EnQue(z);
        in_x_.FreeTensor(x), in_y_.FreeTensor(y);
    }
    __aicore__ inline void CopyOut(uint32_t at) {
        LocalTensor<half> z = out_.DeQue<half>();
        PipeBarrier<PIPE_MTE3>();
        Store(z_[at], z, count_, t_.pads);
        out_.FreeTensor(z);
    }

    ElementTiling t_;
    Part part_;
    uint32_t count_;
    TPipe pipe_;
    TQue<QuePosition::VECIN, 2> in_x_, in_y_;
    TQue<QuePosition::VECOUT, 2> out_;
    GlobalTensor<half> x_, y_, z_;
};
__global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, ElementTiling t) {
    KernelAdd op;
    op.Init(x, y, z, t);
    op.Process();
}

// x / (1 + e^(-1.702 x))
__global__ __aicore__ void fast_gelu(GM_ADDR x, GM_ADDR y, ElementTiling t) {
    TPipe pipe;
    OverElements<float, float>(pipe, t, y, {x}).Process([](auto& out, auto& in, uint32_t n) {
        Muls(out, in, -1.702f, n);
        PipeBarrier<PIPE_V>();
        Exp(out, out, n);
        PipeBarrier<PIPE_V>();
        Adds(out, out, 1.0f, n);
        PipeBarrier<PIPE_V>();
        Div(out, in, out, n);
    });
}

// silu(a) * b in float, of halves.
__global__ __aicore__ void swiglu(GM_ADDR a, GM_ADDR b, GM_ADDR y, ElementTiling t) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> work;
    pipe.InitBuffer(work, 3 * t.tile * sizeof(float));
    const LocalTensor<float> fa = work.GetWithOffset<float>(t.tile, 0),
                             fb = work.GetWithOffset<float>(t.tile, t.tile * 4),
                             gate = work.GetWithOffset<float>(t.tile, t.tile * 8);
    OverElements<half, half, half>(pipe, t, y, {a, b}).Process([&](auto& out, auto& in_a, auto& in_b, uint32_t n) {
        Cast(fa, in_a, RoundMode::CAST_NONE, n);
        Cast(fb, in_b, RoundMode::CAST_NONE, n);
        Muls(gate, fa, -1.0f, n);
        Exp(gate, gate, n);
        Adds(gate, gate, 1.0f, n);
        Div(gate, fa, gate, n);
        Mul(gate, gate, fb, n);
        Cast(out, gate, RoundMode::CAST_NONE, n);
    });
}

// round(x / scale) + offset, at the ends of int8_t.
__global__ __aicore__ void quantise(GM_ADDR x, GM_ADDR y, ElementTiling t) {
    TPipe pipe;
    TBuf<> work;
    pipe.InitBuffer(work, t.tile * sizeof(half));
    const LocalTensor<half> halves = work.Get<half>();
    OverElements<int8_t, float>(pipe, t, y, {x}).Process([&](auto& out, auto& in, uint32_t n) {
        Muls(in, in, 0.25f, n);
        Adds(in, in, 3.0f, n);
        Cast(halves, in, RoundMode::CAST_NONE, n);
        Cast(out, halves, RoundMode::CAST_NONE, n);
    });
}
// int32_t x scale, to half
__global__ __aicore__ void dequantise(GM_ADDR x, GM_ADDR y, ElementTiling t) {
    TPipe pipe;
    TBuf<> work;
    pipe.InitBuffer(work, t.tile * sizeof(float));
    const LocalTensor<float> floats = work.Get<float>();
    OverElements<half, int32_t>(pipe, t, y, {x}).Process([&](auto& out, auto& in, uint32_t n) {
        Cast(floats, in, RoundMode::CAST_NONE, n);
        Muls(floats, floats, 0.0078125f, n);
        Cast(out, floats, RoundMode::CAST_NONE, n);
    });
}

// x > y ? x : 0.5 y. Compare takes whole repeats: the last tile begins earlier on either board.
__global__ __aicore__ void where_greater(GM_ADDR x, GM_ADDR y, GM_ADDR z, ElementTiling t) {
    TPipe pipe;
    TBuf<> mask, work;
    pipe.InitBuffer(mask, t.tile / 8);
    pipe.InitBuffer(work, t.tile * sizeof(float));
    const LocalTensor<uint8_t> bits = mask.Get<uint8_t>();
    const LocalTensor<float> halved = work.Get<float>();
    t.pads = false;
    OverElements<float, float, float>(pipe, t, z, {x, y}).Process([&](auto& out, auto& a, auto& b, uint32_t n) {
        PipeBarrier<PIPE_V>();
        Compare(bits, a, b, CMPMODE::GT, n);
        Muls(halved, b, 0.5f, n);
        PipeBarrier<PIPE_V>();
        Select(out, bits, a, halved, SELMODE::VSEL_TENSOR_TENSOR_MODE, n);
    });
}

// x - floor(x / y) y
__global__ __aicore__ void floor_mod(GM_ADDR x, GM_ADDR y, GM_ADDR z, ElementTiling t, uint32_t tmp_bytes) {
    TPipe pipe;
    TBuf<> tmp, work;
    pipe.InitBuffer(tmp, tmp_bytes);
    pipe.InitBuffer(work, t.tile * sizeof(float));
    LocalTensor<uint8_t> shared = tmp.Get<uint8_t>();
    const LocalTensor<float> quotient = work.Get<float>();
    OverElements<float, float, float>(pipe, t, z, {x, y}).Process([&](auto& out, auto& a, auto& b, uint32_t n) {
        Div(quotient, a, b, n);
        Floor(out, quotient, shared, n);
        Mul(out, out, b, n);
        Sub(out, a, out, n);
    });
}

__global__ __aicore__ void xor_cipher(GM_ADDR x, GM_ADDR key, GM_ADDR y, ElementTiling t, uint32_t tmp_bytes) {
    TPipe pipe;
    TBuf<> tmp;
    pipe.InitBuffer(tmp, tmp_bytes);
    LocalTensor<uint8_t> shared = tmp.Get<uint8_t>();
    OverElements<int16_t, int16_t, int16_t>(pipe, t, y, {x, key}).Process([&](auto& out, auto& a, auto& b, uint32_t n) {
        Xor(out, a, b, shared, n);
    });
}

// Two tiles in turn by flags alone, and clipping to [0, 6]: no TQue.
__global__ __aicore__ void relu6(GM_ADDR x, GM_ADDR y, ElementTiling t) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffers[2];
    LocalTensor<half> tiles[2];
    for (int32_t id = 0; id < 2; ++id) {
        pipe.InitBuffer(buffers[id], t.tile * sizeof(half));
        tiles[id] = buffers[id].Get<half>();
        SetFlag<HardEvent::MTE3_MTE2>(id);
    }
    const Part part = PartOf(t.total, 64);
    const auto from = Gm<half>(x, t.total), to = Gm<half>(y, t.total);
    int32_t id = 0;
    for (uint32_t at = 0; at < part.count; at += t.tile, id ^= 1) {
        const uint32_t left = std::min(t.tile, part.count - at), n = t.pads ? left : UpTo(left, 16);
        const uint64_t begin = part.first + at + left - n;
        WaitFlag<HardEvent::MTE3_MTE2>(id);
        Fetch(tiles[id], from[begin], n, t.pads);
        Order<HardEvent::MTE2_V>(id);
        Maxs(tiles[id], tiles[id], half(0), n);
        PipeBarrier<PIPE_V>();
        Mins(tiles[id], tiles[id], half(6), n);
        Order<HardEvent::V_MTE3>(id);
        if (n != t.tile) PipeBarrier<PIPE_MTE3>();
        Store(to[begin], tiles[id], n, t.pads);
        SetFlag<HardEvent::MTE3_MTE2>(id);
    }
    for (id = 0; id < 2; ++id) WaitFlag<HardEvent::MTE3_MTE2>(id);
}

// x > 0 ? x : x / 4 without a TPipe: buffers at addresses, two of them in turn. Ascend310B has no such kernels.
__global__ __aicore__ void leaky_static(GM_ADDR x, GM_ADDR y, ElementTiling t) {
    InitSocState();
    LocalMemAllocator ub;
    LocalTensor<float> in[2], out[2];
    for (int32_t id = 0; id < 2; ++id) {
        in[id] = ub.Alloc<TPosition::VECIN, float>(t.tile);
        out[id] = ub.Alloc<TPosition::VECOUT, float>(t.tile);
        SetFlag<HardEvent::V_MTE2>(id);
        SetFlag<HardEvent::MTE3_V>(id);
    }
    const Part part = PartOf(t.total, 64);
    const auto from = Gm<float>(x, t.total), to = Gm<float>(y, t.total);
    int32_t id = 0;
    for (uint32_t at = 0; at < part.count; at += t.tile, id ^= 1) {
        const uint32_t left = std::min(t.tile, part.count - at), n = UpTo(left, 8);
        const uint64_t begin = part.first + at + left - n;
        WaitFlag<HardEvent::V_MTE2>(id);
        DataCopy(in[id], from[begin], n);
        Order<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE3_V>(id);
        LeakyRelu(out[id], in[id], 0.25f, static_cast<int32_t>(n));
        SetFlag<HardEvent::V_MTE2>(id);
        Order<HardEvent::V_MTE3>(id);
        if (n != t.tile) PipeBarrier<PIPE_MTE3>();
        DataCopy(to[begin], out[id], n);
        SetFlag<HardEvent::MTE3_V>(id);
    }
    for (id = 0; id < 2; ++id) {
        WaitFlag<HardEvent::V_MTE2>(id);
        WaitFlag<HardEvent::MTE3_V>(id);
    }
    PipeBarrier<PIPE_ALL>();
}

// --- what they must give

template <class Out, class A, class Of>
std::vector<Out> Map(const std::vector<A>& a, const Of& of) {
    return Made<Out>(a.size(), [&](size_t i) { return of(Value(a[i])); });
}
template <class Out, class A, class Of>
std::vector<Out> Map(const std::vector<A>& a, const std::vector<A>& b, const Of& of) {
    return Made<Out>(a.size(), [&](size_t i) { return of(Value(a[i]), Value(b[i])); });
}

Program AddOn(const Board& board) {
    const auto x = Halves(kTotal, -30000, 30000, 0.3, 1), y = Halves(kTotal, -3000, 3000, 0.7, 2);
    const auto z = Map<uint16_t>(x, y, [](H a, H b) { return (a + b).Stored(); });
    return Made("add_custom", board, {In(x), In(y), Out(z)},
                [t = Plan(board)](auto gm) { add_custom(gm[0], gm[1], gm[2], t); });
}
Program GeluOn(const Board& board) {
    const auto x = Floats(kTotal, -4000, 4000, 0.003, 3);
    const auto y = Map<float>(x, [](F v) { return (v / (Exp(v * F(-1.702)) + 1)).Stored(); });
    return Made("fast_gelu", board, {In(x), Out(y)}, [t = Plan(board)](auto gm) { fast_gelu(gm[0], gm[1], t); });
}
Program SwiGluOn(const Board& board) {
    const auto a = Halves(kTotal, -900, 900, 0.01, 4), b = Halves(kTotal, -900, 900, 0.02, 5);
    const auto y = Map<uint16_t>(a, b, [](F v, F w) { return H((v / (Exp(v * -1) + 1) * w).v).Stored(); });
    return Made("swiglu", board, {In(a), In(b), Out(y)},
                [t = Plan(board)](auto gm) { swiglu(gm[0], gm[1], gm[2], t); });
}
Program QuantiseOn(const Board& board) {
    const auto x = Floats(kTotal, -6000, 6000, 0.1, 6);
    const auto y = Map<int8_t>(x, [](F v) { return std::clamp(std::nearbyint(H((v * 0.25 + 3).v).v), -128.0, 127.0); });
    return Made("quantise", board, {In(x), Out(y)}, [t = Plan(board)](auto gm) { quantise(gm[0], gm[1], t); });
}
Program DequantiseOn(const Board& board) {
    const auto x = Integers<int32_t>(kTotal, -8000000, 8000000, 7);
    const auto y = Map<uint16_t>(x, [](F v) { return H((v * 0.0078125).v).Stored(); });
    return Made("dequantise", board, {In(x), Out(y)}, [t = Plan(board)](auto gm) { dequantise(gm[0], gm[1], t); });
}
Program WhereOn(const Board& board) {
    const auto x = Floats(kTotal, -50, 50, 0.5, 8), y = Floats(kTotal, -50, 50, 0.5, 9);
    const auto z = Map<float>(x, y, [](double a, double b) { return a > b ? a : b / 2; });
    return Made("where_greater", board, {In(x), In(y), Out(z)},
                [t = Plan(board)](auto gm) { where_greater(gm[0], gm[1], gm[2], t); });
}
Program FloorModOn(const Board& board) {
    const auto x = Floats(kTotal, -5000, 5000, 0.25, 10), y = Floats(kTotal, 1, 60, 0.5, 11);
    const auto z = Map<float>(x, y, [](F a, F b) { return (a - F(std::floor((a / b).v)) * b).Stored(); });
    uint32_t most = 0, least = 0;
    GetFloorMaxMinTmpSize(ge::Shape({256}), sizeof(float), false, most, least);
    return Made("floor_mod", board, {In(x), In(y), Out(z)},
                [t = Plan(board), least](auto gm) { floor_mod(gm[0], gm[1], gm[2], t, least); });
}
Program XorOn(const Board& board) {
    const auto x = Integers<int16_t>(kTotal, -32768, 32767, 12), key = Integers<int16_t>(kTotal, -32768, 32767, 13);
    const auto y = Made<int16_t>(kTotal, [&](size_t i) { return x[i] ^ key[i]; });
    uint32_t most = 0, least = 0;
    GetXorMaxMinTmpSize(ge::Shape({256}), sizeof(int16_t), false, most, least);
    return Made("xor_cipher", board, {In(x), In(key), Out(y)},
                [t = Plan(board), least](auto gm) { xor_cipher(gm[0], gm[1], gm[2], t, least); });
}
Program Relu6On(const Board& board) {
    const auto x = Halves(kTotal, -90, 90, 0.125, 14);
    const auto y = Map<uint16_t>(x, [](double v) { return HalfBits(std::clamp(v, 0.0, 6.0)); });
    return Made("relu6", board, {In(x), Out(y)}, [t = Plan(board)](auto gm) { relu6(gm[0], gm[1], t); });
}

Program LeakyStaticOn(const Board& board) {
    const auto x = Floats(kTotal, -90, 90, 0.125, 15);
    const auto y = Map<float>(x, [](double v) { return v > 0 ? v : v / 4; });
    return Made("leaky_static", board, {In(x), Out(y)}, [t = Plan(board)](auto gm) { leaky_static(gm[0], gm[1], t); });
}

}  // namespace

std::vector<Operator> ElementOperators() {
    return {
        {"add_custom", kBoth, AddOn, Blocks::kAny, true},
        {"fast_gelu", kBoth, GeluOn, Blocks::kAny, true},
        {"swiglu", kBoth, SwiGluOn},
        {"quantise", kBoth, QuantiseOn},
        {"dequantise", kBoth, DequantiseOn},
        {"where_greater", kBoth, WhereOn, Blocks::kAny, true},
        {"floor_mod", kBoth, FloorModOn},
        {"xor_cipher", kBoth, XorOn},
        {"leaky_static", k310P, LeakyStaticOn, Blocks::kAny, true},
        {"relu6", kBoth, Relu6On, Blocks::kAny, true},
    };
}

}  // namespace sfumato::boards
