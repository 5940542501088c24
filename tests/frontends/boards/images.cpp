// SPDX-License-Identifier: Apache-2.0
// Operators on images: what stands before and behind a network on the boards.
#include "operators.h"

namespace sfumato::boards {
namespace {

struct ImageTiling {
    uint32_t height, width, tile;
};

// --- kernels

// Y plane, and a plane of U and V at half the size, both as 8 bits; three planes out. Sides of UV are told apart by
// GatherMask, and each chroma is doubled by Gather.
class Nv12ToRgb {
public:
    __aicore__ inline Nv12ToRgb(GM_ADDR y, GM_ADDR uv, GM_ADDR rgb, const ImageTiling& t)
        : t_(t),
          y_(Gm<uint8_t>(y, t.height * t.width)),
          uv_(Gm<uint8_t>(uv, t.height * t.width / 2)),
          rgb_(Gm<uint8_t>(rgb, 3 * t.height * t.width)) {
        pipe_.InitBuffer(y_queue_, 2, t.width);
        pipe_.InitBuffer(uv_queue_, 2, t.width);
        pipe_.InitBuffer(out_queue_, 2, 3 * t.width);
        pipe_.InitBuffer(works_, 6 * t.width * sizeof(half));
        pipe_.InitBuffer(places_, 2 * t.width * sizeof(uint32_t));
    }
    __aicore__ inline void Process() {
        const auto u = Places(0), v = Places(1);
        for (uint32_t i = 0; i < t_.width; ++i) {
            u.SetValue(i, i / 2 * 4);
            v.SetValue(i, i / 2 * 4 + 2);
        }
        Order<HardEvent::S_V>();
        const Part part = PartOf(t_.height, 2);
        for (uint32_t row = part.first; row < part.first + part.count; ++row) One(row, u, v);
    }

private:
    __aicore__ inline LocalTensor<uint32_t> Places(uint32_t i) {
        return places_.GetWithOffset<uint32_t>(t_.width, i * t_.width * 4);
    }
    __aicore__ inline LocalTensor<half> Work(uint32_t i) {
        return works_.GetWithOffset<half>(t_.width, i * t_.width * 2);
    }
    __aicore__ inline void One(uint32_t row, const LocalTensor<uint32_t>& u, const LocalTensor<uint32_t>& v) {
        const uint32_t w = t_.width;
        auto y = y_queue_.AllocTensor<uint8_t>(), uv = uv_queue_.AllocTensor<uint8_t>();
        DataCopy(y, y_[row * w], w);
        DataCopy(uv, uv_[row / 2 * w], w);
        y_queue_.EnQue(y), uv_queue_.EnQue(uv);
        y = y_queue_.DeQue<uint8_t>(), uv = uv_queue_.DeQue<uint8_t>();
        const auto luma = Work(0), chroma = Work(1), us = Work(2), vs = Work(3), work = Work(4), sum = Work(5);
        Cast(luma, y, RoundMode::CAST_NONE, w);
        Cast(chroma, uv, RoundMode::CAST_NONE, w);
        y_queue_.FreeTensor(y), uv_queue_.FreeTensor(uv);
        Adds(chroma, chroma, half(-128), w);
        Gather(us, chroma, u, 0, w);
        Gather(vs, chroma, v, 0, w);
        auto out = out_queue_.AllocTensor<uint8_t>();
        Muls(work, vs, half(1.402f), w);
        Plane(out, luma, work, sum);
        Muls(work, us, half(-0.344f), w);
        Muls(sum, vs, half(-0.714f), w);
        Add(work, work, sum, w);
        Plane(out[w], luma, work, sum);
        Muls(work, us, half(1.772f), w);
        Plane(out[2 * w], luma, work, sum);
        out_queue_.EnQue(out);
        out = out_queue_.DeQue<uint8_t>();
        for (uint32_t c = 0; c < 3; ++c) DataCopy(rgb_[(c * t_.height + row) * w], out[c * w], w);
        out_queue_.FreeTensor(out);
    }
    // Limited to a byte by the conversion.
    __aicore__ inline void Plane(const LocalTensor<uint8_t>& out, const LocalTensor<half>& luma,
                                 const LocalTensor<half>& colour, const LocalTensor<half>& sum) {
        Add(sum, luma, colour, t_.width);
        Cast(out, sum, RoundMode::CAST_NONE, t_.width);
    }

    const ImageTiling t_;
    TPipe pipe_;
    TQue<TPosition::VECIN, 2> y_queue_, uv_queue_;
    TQue<TPosition::VECOUT, 2> out_queue_;
    TBuf<> works_, places_;
    GlobalTensor<uint8_t> y_, uv_, rgb_;
};
__global__ __aicore__ void nv12_to_rgb(GM_ADDR y, GM_ADDR uv, GM_ADDR rgb, ImageTiling t) {
    Nv12ToRgb(y, uv, rgb, t).Process();
}

// Nearest of another size: rows by their number, columns by a table of byte offsets that the host made.
__global__ __aicore__ void resize_nearest(GM_ADDR x, GM_ADDR table, GM_ADDR y, ImageTiling from, ImageTiling to) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in_queue;
    TQue<TPosition::VECOUT, 2> out_queue;
    TBuf<> tables;
    pipe.InitBuffer(in_queue, 2, from.width * 2);
    pipe.InitBuffer(out_queue, 2, to.width * 2);
    pipe.InitBuffer(tables, to.width * 4);
    const auto places = tables.Get<uint32_t>();
    DataCopy(places, Gm<uint32_t>(table, to.width), to.width);
    Order<HardEvent::MTE2_V>();
    const Part part = PartOf(to.height);
    for (uint32_t row = part.first; row < part.first + part.count; ++row) {
        auto in = in_queue.AllocTensor<half>();
        DataCopy(in, Gm<half>(x, from.height * from.width)[row * from.height / to.height * from.width], from.width);
        in_queue.EnQue(in);
        in = in_queue.DeQue<half>();
        auto out = out_queue.AllocTensor<half>();
        Gather(out, in, places, 0, to.width);
        in_queue.FreeTensor(in);
        out_queue.EnQue(out);
        out = out_queue.DeQue<half>();
        DataCopy(Gm<half>(y, to.height * to.width)[row * to.width], out, to.width);
        out_queue.FreeTensor(out);
    }
}

// The largest of squares of 2 x 2: two rows, then their even and odd columns.
__global__ __aicore__ void max_pool(GM_ADDR x, GM_ADDR y, ImageTiling t) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in_queue;
    TQue<TPosition::VECOUT, 2> out_queue;
    TBuf<> works;
    const uint32_t w = t.width;
    pipe.InitBuffer(in_queue, 2, 2 * w * 2);
    pipe.InitBuffer(out_queue, 2, w);
    pipe.InitBuffer(works, 2 * w * 2);
    const auto rows = works.GetWithOffset<half>(w, 0), even = works.GetWithOffset<half>(w / 2, w * 2),
               odd = works.GetWithOffset<half>(w / 2, w * 3);
    const Part part = PartOf(t.height / 2);
    for (uint32_t row = part.first; row < part.first + part.count; ++row) {
        auto in = in_queue.AllocTensor<half>();
        DataCopy(in, Gm<half>(x, t.height * w)[2 * row * w], 2 * w);
        in_queue.EnQue(in);
        in = in_queue.DeQue<half>();
        auto out = out_queue.AllocTensor<half>();
        Max(rows, in, in[w], w);
        in_queue.FreeTensor(in);
        uint64_t kept = 0;
        const GatherMaskParams repeats{1, static_cast<uint16_t>(w / 128), 8, 0};
        GatherMask(even, rows, 1, false, 0, repeats, kept);
        GatherMask(odd, rows, 2, false, 0, repeats, kept);
        Max(out, even, odd, w / 2);
        out_queue.EnQue(out);
        out = out_queue.DeQue<half>();
        DataCopy(Gm<half>(y, t.height * w / 4)[row * w / 2], out, w / 2);
        out_queue.FreeTensor(out);
    }
}

// A filter of 3 x 3 on each of 16 channels that lie innermost (NC1HWC0), border 0; a row of the result at a time.
__global__ __aicore__ void depthwise(GM_ADDR x, GM_ADDR filter, GM_ADDR y, ImageTiling t) {
    constexpr uint32_t kC0 = 16;
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in_queue;
    TQue<TPosition::VECOUT, 1> out_queue;
    TBuf<> taps;
    const uint32_t row_size = t.width * kC0, padded = row_size + 2 * kC0;
    pipe.InitBuffer(in_queue, 1, 3 * padded * 2);
    pipe.InitBuffer(out_queue, 1, row_size * 2);
    pipe.InitBuffer(taps, 9 * kC0 * 2);
    const auto weights = taps.Get<half>();
    DataCopy(weights, Gm<half>(filter, 9 * kC0), 9 * kC0);
    Order<HardEvent::MTE2_V>();
    const auto from = Gm<half>(x, t.height * row_size), to = Gm<half>(y, t.height * row_size);
    const Part part = PartOf(t.height);
    // One pixel of 16 channels a repeat; the weights stay.
    const BinaryRepeatParams pixels(1, 1, 1, 1, 1, 0);
    for (uint32_t row = part.first; row < part.first + part.count; ++row) {
        auto in = in_queue.AllocTensor<half>();
        Duplicate(in, half(0), 3 * padded);
        Order<HardEvent::V_MTE2>(EVENT_ID1);
        for (uint32_t i = 0; i < 3; ++i) {
            if (row + i >= 1 && row + i <= t.height)
                DataCopy(in[i * padded + kC0], from[(row + i - 1) * row_size], row_size);
        }
        in_queue.EnQue(in);
        in = in_queue.DeQue<half>();
        auto out = out_queue.AllocTensor<half>();
        Mul(out, in, weights, kC0, static_cast<uint8_t>(t.width), pixels);
        for (uint32_t tap = 1; tap < 9; ++tap)
            MulAddDst(out, in[tap / 3 * padded + tap % 3 * kC0], weights[tap * kC0], kC0, static_cast<uint8_t>(t.width),
                      pixels);
        in_queue.FreeTensor(in);
        out_queue.EnQue(out);
        out = out_queue.DeQue<half>();
        DataCopy(to[row * row_size], out, row_size);
        out_queue.FreeTensor(out);
    }
}

// A border of `edge` pixels of `value` round a picture, rows of whole blocks.
__global__ __aicore__ void pad_border(GM_ADDR x, GM_ADDR y, ImageTiling t, uint32_t edge, int32_t value) {
    TPipe pipe;
    TBuf<> rows[2];
    const uint32_t wide = t.width + 2 * edge, high = t.height + 2 * edge;
    const auto from = Gm<int32_t>(x, t.height * t.width), to = Gm<int32_t>(y, high * wide);
    LocalTensor<int32_t> row[2];
    for (int i = 0; i < 2; ++i) {
        pipe.InitBuffer(rows[i], wide * 4);
        row[i] = rows[i].Get<int32_t>();
        Duplicate(row[i], value, wide);
    }
    Order<HardEvent::V_MTE2>();
    Order<HardEvent::V_MTE3>();
    const Part part = PartOf(high);
    for (uint32_t r = part.first; r < part.first + part.count; ++r) {
        const bool inside = r >= edge && r < edge + t.height;
        if (inside) {
            Order<HardEvent::MTE3_MTE2>();
            DataCopy(row[1][edge], from[(r - edge) * t.width], t.width);
            Order<HardEvent::MTE2_MTE3>();
        }
        DataCopy(to[r * wide], row[inside], wide);
    }
}

// Batch normalisation of a trained network: a factor and a summand for each channel of NC1HWC0.
__global__ __aicore__ void batch_norm(GM_ADDR x, GM_ADDR scale, GM_ADDR shift, GM_ADDR y, ImageTiling t) {
    constexpr uint32_t kC0 = 16;
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue;
    TBuf<> weights;
    pipe.InitBuffer(queue, 2, t.tile * kC0 * 2);
    pipe.InitBuffer(weights, 2 * kC0 * 2);
    const auto factor = weights.GetWithOffset<half>(kC0, 0), summand = weights.GetWithOffset<half>(kC0, kC0 * 2);
    DataCopy(factor, Gm<half>(scale, kC0), kC0);
    DataCopy(summand, Gm<half>(shift, kC0), kC0);
    Order<HardEvent::MTE2_V>();
    const Part part = PartOf(t.height * t.width);
    const BinaryRepeatParams pixels(1, 1, 1, 1, 1, 0);
    for (uint32_t at = 0; at < part.count; at += t.tile) {
        const uint32_t count = std::min(t.tile, part.count - at);
        auto tile = queue.AllocTensor<half>();
        DataCopy(tile, Gm<half>(x, t.height * t.width * kC0)[(part.first + at) * kC0], count * kC0);
        queue.EnQue<TPosition::GM, TPosition::VECIN>(tile);
        tile = queue.DeQue<TPosition::GM, TPosition::VECIN, half>();
        Mul(tile, tile, factor, kC0, static_cast<uint8_t>(count), pixels);
        PipeBarrier<PIPE_V>();
        Add(tile, tile, summand, kC0, static_cast<uint8_t>(count), pixels);
        queue.EnQue<TPosition::VECOUT, TPosition::GM>(tile);
        tile = queue.DeQue<TPosition::VECOUT, TPosition::GM, half>();
        DataCopy(Gm<half>(y, t.height * t.width * kC0)[(part.first + at) * kC0], tile, count * kC0);
        queue.FreeTensor(tile);
    }
}

// --- what they must give

Program Nv12On(const Board& board) {
    constexpr uint32_t h = 6, w = 96;
    const auto y = Integers<uint8_t>(h * w, 0, 255, 41), uv = Integers<uint8_t>(h * w / 2, 0, 255, 42);
    std::vector<uint8_t> rgb(3 * h * w);
    for (uint32_t r = 0; r < h; ++r) {
        for (uint32_t c = 0; c < w; ++c) {
            const H luma = y[r * w + c], u = uv[r / 2 * w + c / 2 * 2] - 128.0,
                    v = uv[r / 2 * w + c / 2 * 2 + 1] - 128.0;
            const H colours[] = {v * 1.402, u * -0.344 + v * -0.714, u * 1.772};
            for (uint32_t i = 0; i < 3; ++i)
                rgb[(i * h + r) * w + c] =
                    static_cast<uint8_t>(std::clamp(std::nearbyint((luma + colours[i]).v), 0.0, 255.0));
        }
    }
    return Made("nv12_to_rgb", board, {In(y), In(uv), Out(rgb)}, [](auto gm) {
        nv12_to_rgb(gm[0], gm[1], gm[2], {h, w, 1});
    });
}
Program ResizeOn(const Board& board) {
    constexpr ImageTiling from{11, 48, 1}, to{25, 112, 1};
    const auto x = Halves(from.height * from.width, -999, 999, 0.5, 43);
    const auto table = Made<uint32_t>(to.width, [&](size_t c) { return c * from.width / to.width * 2; });
    const auto y = Made<uint16_t>(to.height * to.width, [&](size_t i) {
        return x[i / to.width * from.height / to.height * from.width + i % to.width * from.width / to.width];
    });
    return Made("resize_nearest", board, {In(x), In(table), Out(y)},
                [=](auto gm) { resize_nearest(gm[0], gm[1], gm[2], from, to); });
}
Program MaxPoolOn(const Board& board) {
    constexpr uint32_t h = 14, w = 256;
    const auto x = Halves(h * w, -999, 999, 0.5, 44);
    const auto y = Made<uint16_t>(h * w / 4, [&](size_t i) {
        const size_t at = i / (w / 2) * 2 * w + i % (w / 2) * 2;
        return HalfBits(std::max({Value(x[at]), Value(x[at + 1]), Value(x[at + w]), Value(x[at + w + 1])}));
    });
    return Made("max_pool", board, {In(x), Out(y)}, [](auto gm) { max_pool(gm[0], gm[1], {h, w, 1}); });
}
Program DepthwiseOn(const Board& board) {
    constexpr int h = 9, w = 20;
    const auto x = Halves(h * w * 16, -40, 40, 0.25, 45), filter = Halves(9 * 16, -20, 20, 0.125, 46);
    std::vector<uint16_t> y;
    for (int i = 0; i < h * w * 16; ++i) {
        const int r = i / 16 / w, c = i / 16 % w, channel = i % 16;
        H sum = 0;
        for (int tap = 0; tap < 9; ++tap) {
            const int row = r + tap / 3 - 1, column = c + tap % 3 - 1;
            const bool inside = row >= 0 && row < h && column >= 0 && column < w;
            sum = sum + H((inside ? Value(x[static_cast<size_t>((row * w + column) * 16 + channel)]) : 0)) *
                            Value(filter[static_cast<size_t>(tap * 16 + channel)]);
        }
        y.push_back(sum.Stored());
    }
    return Made("depthwise", board, {In(x), In(filter), Out(y)}, [](auto gm) {
        depthwise(gm[0], gm[1], gm[2], {h, w, 1});
    });
}
Program PadOn(const Board& board) {
    constexpr uint32_t h = 7, w = 40, edge = 8;
    const auto x = Integers<int32_t>(h * w, -99999, 99999, 47);
    const auto y = Made<int32_t>((h + 2 * edge) * (w + 2 * edge), [&](size_t i) {
        const size_t r = i / (w + 2 * edge) - edge, c = i % (w + 2 * edge) - edge;
        return r < h && c < w ? x[r * w + c] : -7;
    });
    return Made("pad_border", board, {In(x), Out(y)}, [](auto gm) { pad_border(gm[0], gm[1], {h, w, 1}, edge, -7); });
}
Program BatchNormOn(const Board& board) {
    constexpr uint32_t h = 13, w = 11;
    const auto x = Halves(h * w * 16, -400, 400, 0.3, 48), scale = Halves(16, -20, 20, 0.17, 49),
               shift = Halves(16, -20, 20, 0.7, 50);
    const auto y = Made<uint16_t>(
        x.size(), [&](size_t i) { return (H(Value(x[i])) * Value(scale[i % 16]) + Value(shift[i % 16])).Stored(); });
    return Made("batch_norm", board, {In(x), In(scale), In(shift), Out(y)}, [](auto gm) {
        batch_norm(gm[0], gm[1], gm[2], gm[3], {h, w, 32});
    });
}

}  // namespace

std::vector<Operator> ImageOperators() {
    return {
        {"nv12_to_rgb", kBoth, Nv12On},
        {"resize_nearest", kBoth, ResizeOn},
        {"max_pool", kBoth, MaxPoolOn},
        {"depthwise", kBoth, DepthwiseOn},
        {"pad_border", kBoth, PadOn, Blocks::kAny, true},
        {"batch_norm", kBoth, BatchNormOn, Blocks::kAny, true},
    };
}

}  // namespace sfumato::boards
