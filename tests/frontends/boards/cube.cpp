// SPDX-License-Identifier: Apache-2.0
// Operators of the cube unit without Matmul: loads, Mmad, and the two ways out of L0C, Fixpipe on Ascend310B and UB on
// Ascend310P.
#include "operators.h"

namespace sfumato::boards {
namespace {

struct CubeTiling {
    uint32_t m, n, k;  // of whole fractals
    bool fixpipe;
};

// --- kernels

// C from L0C to columns of fractals in global memory (NZ), as halves, negative ones 0: `rows` of them in `pitch`.
class Out {
public:
    __aicore__ inline Out(TPipe& pipe, const CubeTiling& t) : t_(t) {
        if (!t.fixpipe) pipe.InitBuffer(queue_, 1, t.m * t.n * 2);
    }
    __aicore__ inline void Copy(const GlobalTensor<half>& to, const LocalTensor<float>& c, uint32_t rows,
                                uint32_t pitch) {
        const auto across = static_cast<uint16_t>(t_.n / 16);
        if (t_.fixpipe) {
            FixpipeParamsV220 p(static_cast<uint16_t>(t_.n), static_cast<uint16_t>(rows), static_cast<uint16_t>(t_.m),
                                pitch, true);
            p.quantPre = F322F16;
            Fixpipe<half, float, CFG_NZ>(to, c, p);
            return;
        }
        auto co2 = queue_.AllocTensor<half>();
        DataCopyEnhancedParams fractals;
        fractals.blockMode = BlockMode::BLOCK_MODE_MATRIX;
        DataCopy(co2, c, DataCopyParams(1, static_cast<uint16_t>(t_.m / 16 * across), 0, 0), fractals);
        PipeBarrier<PIPE_V>();
        Relu(co2, co2, static_cast<int32_t>(t_.m * t_.n));
        queue_.EnQue(co2);
        co2 = queue_.DeQue<half>();
        DataCopy(to, co2,
                 DataCopyParams(across, static_cast<uint16_t>(rows), static_cast<uint16_t>(t_.m - rows),
                                static_cast<uint16_t>(pitch - rows)));
        queue_.FreeTensor(co2);
    }

private:
    const CubeTiling t_;
    TQue<TPosition::VECOUT, 1> queue_;
};

// relu(A x B) of halves: rows to fractals on the way to L1, B turned on its way to L0B; blocks share the rows.
__global__ __aicore__ void product_relu(GM_ADDR a, GM_ADDR b, GM_ADDR c, CubeTiling t, uint32_t tiles) {
    TPipe pipe;
    TQue<TPosition::A1, 2> a1_queue;
    TQue<TPosition::A2, 2> a2_queue;
    TQue<TPosition::B1, 1> b1_queue;
    TQue<TPosition::B2, 1> b2_queue;
    TQue<TPosition::CO1, 2> co1_queue;
    pipe.InitBuffer(a1_queue, 2, t.m * t.k * 2);
    pipe.InitBuffer(a2_queue, 2, t.m * t.k * 2);
    pipe.InitBuffer(b1_queue, 1, t.k * t.n * 2);
    pipe.InitBuffer(b2_queue, 1, t.k * t.n * 2);
    pipe.InitBuffer(co1_queue, 2, t.m * t.n * 4);
    Out out(pipe, t);
    const auto from_a = Gm<half>(a, tiles * t.m * t.k), from_b = Gm<half>(b, t.k * t.n),
               to = Gm<half>(c, tiles * t.m * t.n);
    const auto rows = [](uint32_t n, uint32_t d) {
        return Nd2NzParams(1, static_cast<uint16_t>(n), static_cast<uint16_t>(d), 0, static_cast<uint16_t>(d),
                           static_cast<uint16_t>(n), 1, 0);
    };
    auto b1 = b1_queue.AllocTensor<half>();
    DataCopy(b1, from_b, rows(t.k, t.n));
    b1_queue.EnQue(b1);
    b1 = b1_queue.DeQue<half>();
    auto b2 = b2_queue.AllocTensor<half>();
    const auto down = static_cast<uint16_t>(t.k / 16), across = static_cast<uint16_t>(t.n / 16);
    for (uint16_t i = 0; i < down; ++i)
        LoadData(b2[i * across * 256], b1, LoadData2DParams(i, static_cast<uint8_t>(across), down, 0, 0, true, 0));
    b1_queue.FreeTensor(b1);
    b2_queue.EnQue(b2);
    b2 = b2_queue.DeQue<half>();
    const Part part = PartOf(tiles);
    for (uint32_t tile = part.first; tile < part.first + part.count; ++tile) {
        auto a1 = a1_queue.AllocTensor<half>();
        DataCopy(a1, from_a[tile * t.m * t.k], rows(t.m, t.k));
        a1_queue.EnQue(a1);
        a1 = a1_queue.DeQue<half>();
        auto a2 = a2_queue.AllocTensor<half>();
        const auto high = static_cast<uint16_t>(t.m / 16);
        for (uint16_t i = 0; i < high; ++i)
            LoadData(a2[i * down * 256], a1, LoadData2DParams(i, static_cast<uint8_t>(down), high, 0, 0, false, 0));
        a1_queue.FreeTensor(a1);
        a2_queue.EnQue(a2);
        a2 = a2_queue.DeQue<half>();
        auto co1 = co1_queue.AllocTensor<float>();
        Mmad(co1, a2, b2,
             MmadParams(static_cast<uint16_t>(t.m), static_cast<uint16_t>(t.n), static_cast<uint16_t>(t.k), 0, false,
                        true));
        a2_queue.FreeTensor(a2);
        co1_queue.EnQue(co1);
        co1 = co1_queue.DeQue<float>();
        out.Copy(to[tile * t.m * 16], co1, t.m, tiles * t.m);
        co1_queue.FreeTensor(co1);
    }
    b2_queue.FreeTensor(b2);
}

// A convolution of 3 x 3 with border 1 on 16 channels, NC1HWC0 in and out: windows by Load3Dv2, or on Ascend310P by
// Load3Dv1; the host has the filter in fractals.
struct ConvTiling {
    uint32_t height, width, cout;
    bool fixpipe;
};
template <bool v1>
__global__ __aicore__ void conv(GM_ADDR x, GM_ADDR filter, GM_ADDR y, ConvTiling t) {
    constexpr uint32_t kC0 = 16, kTaps = 9;
    TPipe pipe;
    const uint32_t pixels = t.height * t.width, m = UpTo(pixels, 16), k = kTaps * kC0;
    const CubeTiling of{m, t.cout, k, t.fixpipe};
    TQue<TPosition::A1, 1> a1_queue;
    TQue<TPosition::A2, 1> a2_queue;
    TQue<TPosition::B1, 1> b1_queue;
    TQue<TPosition::B2, 1> b2_queue;
    TQue<TPosition::CO1, 1> co1_queue;
    pipe.InitBuffer(a1_queue, 1, pixels * kC0 * 2);
    pipe.InitBuffer(a2_queue, 1, m * k * 2);
    pipe.InitBuffer(b1_queue, 1, k * t.cout * 2);
    pipe.InitBuffer(b2_queue, 1, k * t.cout * 2);
    pipe.InitBuffer(co1_queue, 1, m * t.cout * 4);
    Out out(pipe, of);
    auto a1 = a1_queue.AllocTensor<half>(), b1 = b1_queue.AllocTensor<half>();
    DataCopy(a1, Gm<half>(x, pixels * kC0), pixels * kC0);
    DataCopy(b1, Gm<half>(filter, k * t.cout), k * t.cout);
    a1_queue.EnQue(a1), b1_queue.EnQue(b1);
    a1 = a1_queue.DeQue<half>(), b1 = b1_queue.DeQue<half>();
    auto a2 = a2_queue.AllocTensor<half>(), b2 = b2_queue.AllocTensor<half>();
    const uint8_t border[4] = {1, 1, 1, 1};
    const auto h = static_cast<uint16_t>(t.height), w = static_cast<uint16_t>(t.width);
    if constexpr (v1) {
        // Windows of a row of fractals by all taps, one row after another.
        for (uint32_t i = 0; i < m / 16; ++i) {
            LoadData3DParamsV1<half> p;
            for (int side = 0; side < 4; ++side) p.padList[side] = border[side];
            p.l1H = h, p.l1W = w;
            p.leftTopH = static_cast<int16_t>(i * 16 / t.width) - 1,
            p.leftTopW = static_cast<int16_t>(i * 16 % t.width) - 1;
            p.strideH = p.strideW = 1, p.filterH = p.filterW = 3, p.dilationFilterH = p.dilationFilterW = 1;
            p.jumpStride = 1, p.repeatMode = 0, p.repeatTime = kTaps, p.cSize = 0, p.padValue = half(0);
            LoadData(a2[i * kTaps * 256], a1, p);
        }
    } else {
        LoadData(a2, a1,
                 LoadData3DParamsV2<half>(border, h, w, kC0, static_cast<uint16_t>(k), static_cast<uint16_t>(m), 0, 0,
                                          1, 1, 3, 3, 1, 1, false, false, half(0)));
    }
    LoadData(b2, b1, LoadData2DParams(0, static_cast<uint8_t>(k * t.cout / 256), 1, 0, 0, false, 0));
    a1_queue.FreeTensor(a1), b1_queue.FreeTensor(b1);
    a2_queue.EnQue(a2), b2_queue.EnQue(b2);
    a2 = a2_queue.DeQue<half>(), b2 = b2_queue.DeQue<half>();
    auto co1 = co1_queue.AllocTensor<float>();
    Mmad(co1, a2, b2,
         MmadParams(static_cast<uint16_t>(m), static_cast<uint16_t>(t.cout), static_cast<uint16_t>(k), 0, false, true));
    a2_queue.FreeTensor(a2), b2_queue.FreeTensor(b2);
    co1_queue.EnQue(co1);
    co1 = co1_queue.DeQue<float>();
    out.Copy(Gm<half>(y, pixels * t.cout), co1, pixels, pixels);
    co1_queue.FreeTensor(co1);
}

// --- what they must give: a chain over k from 0 on, then a half, then no less than 0

uint16_t Rectified(F sum) { return HalfBits(std::max(0.0, H(sum.v).v)); }

Program ProductReluOn(const Board& board) {
    constexpr uint32_t m = 32, n = 48, k = 64, tiles = 5;
    const auto a = Halves(tiles * m * k, -900, 900, 0.003, 101), b = Halves(k * n, -900, 900, 0.002, 102);
    std::vector<uint16_t> c(tiles * m * n);
    for (uint32_t r = 0; r < tiles * m; ++r) {
        for (uint32_t i = 0; i < n; ++i) {
            F sum = 0;
            for (uint32_t j = 0; j < k; ++j) sum = sum + F(Value(a[r * k + j])) * Value(b[j * n + i]);
            c[(i / 16 * tiles * m + r) * 16 + i % 16] = Rectified(sum);
        }
    }
    return Made("product_relu", board, {In(a), In(b), frontends_test::Out(c)}, [=](auto gm) {
        product_relu(gm[0], gm[1], gm[2], {m, n, k, board.pads}, tiles);
    });
}

template <bool v1>
Program ConvOn(const Board& board) {
    constexpr int h = 7, w = 9, cout = 32;
    const auto x = Halves(h * w * 16, -90, 90, 0.03, 103), filter = Halves(9 * 16 * cout, -90, 90, 0.02, 104);
    std::vector<uint16_t> y(h * w * cout);
    for (int pixel = 0; pixel < h * w; ++pixel) {
        for (int o = 0; o < cout; ++o) {
            F sum = 0;
            for (int j = 0; j < 9 * 16; ++j) {
                const int r = pixel / w + j / 16 / 3 - 1, c = pixel % w + j / 16 % 3 - 1;
                const bool inside = r >= 0 && r < h && c >= 0 && c < w;
                // Row j, column o of a filter whose fractals lie row after row, their columns inside.
                const auto at = static_cast<size_t>((j / 16 * (cout / 16) + o / 16) * 256 + o % 16 * 16 + j % 16);
                sum =
                    sum + F(inside ? Value(x[static_cast<size_t>((r * w + c) * 16 + j % 16)]) : 0) * Value(filter[at]);
            }
            y[static_cast<size_t>((o / 16 * h * w + pixel) * 16 + o % 16)] = Rectified(sum);
        }
    }
    return Made(v1 ? "conv_by_taps" : "conv", board, {In(x), In(filter), frontends_test::Out(y)}, [=](auto gm) {
        conv<v1>(gm[0], gm[1], gm[2], {h, w, cout, board.pads});
    });
}

}  // namespace

std::vector<Operator> CubeOperators() {
    return {
        {"product_relu", kBoth, ProductReluOn, Blocks::kAny, true},
        {"conv", kBoth, ConvOn<false>, Blocks::kOne, true},
        {"conv_by_taps", k310P, ConvOn<true>, Blocks::kOne, true},
    };
}

}  // namespace sfumato::boards
