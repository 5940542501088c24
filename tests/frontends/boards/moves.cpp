// SPDX-License-Identifier: Apache-2.0
// Operators that move: transposes, joins, tables, rotary places, elements of 64 bits.
#include "operators.h"

namespace sfumato::boards {
namespace {

// --- kernels

// A matrix of halves turned in squares of 16.
__global__ __aicore__ void transpose(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in_queue;
    TQue<TPosition::VECOUT, 2> out_queue;
    pipe.InitBuffer(in_queue, 2, 512);
    pipe.InitBuffer(out_queue, 2, 512);
    const auto from = Gm<half>(x, rows * columns), to = Gm<half>(y, rows * columns);
    const uint32_t across = columns / 16;
    const Part part = PartOf(rows / 16 * across);
    for (uint32_t i = part.first; i < part.first + part.count; ++i) {
        const uint32_t r = i / across * 16, c = i % across * 16;
        auto in = in_queue.AllocTensor<half>();
        DataCopy(in, from[r * columns + c], DataCopyParams(16, 1, static_cast<uint16_t>(across - 1), 0));
        in_queue.EnQue(in);
        in = in_queue.DeQue<half>();
        auto out = out_queue.AllocTensor<half>();
        Transpose(out, in);
        in_queue.FreeTensor(in);
        out_queue.EnQue(out);
        out = out_queue.DeQue<half>();
        DataCopy(to[c * rows + r], out, DataCopyParams(16, 1, 0, static_cast<uint16_t>(rows / 16 - 1)));
        out_queue.FreeTensor(out);
    }
}

// NCHW to NC1HWC0: 16 planes to pixels of 16 channels, 16 pixels a repeat.
__global__ __aicore__ void to_five_dims(GM_ADDR x, GM_ADDR y, uint32_t groups, uint32_t pixels) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in_queue;
    TQue<TPosition::VECOUT, 1> out_queue;
    pipe.InitBuffer(in_queue, 1, 16 * pixels * 2);
    pipe.InitBuffer(out_queue, 1, 16 * pixels * 2);
    const Part part = PartOf(groups);
    for (uint32_t g = part.first; g < part.first + part.count; ++g) {
        auto in = in_queue.AllocTensor<half>();
        DataCopy(in, Gm<half>(x, groups * 16 * pixels)[g * 16 * pixels], 16 * pixels);
        in_queue.EnQue(in);
        in = in_queue.DeQue<half>();
        auto out = out_queue.AllocTensor<half>();
        LocalTensor<half> planes[16], squares[16];
        for (uint32_t i = 0; i < 16; ++i) planes[i] = in[i * pixels], squares[i] = out[i * 16];
        const TransDataTo5HDParams each(false, false, static_cast<uint8_t>(pixels / 16), 16, 1);
        TransDataTo5HD<half>(squares, planes, each);
        in_queue.FreeTensor(in);
        out_queue.EnQue(out);
        out = out_queue.DeQue<half>();
        DataCopy(Gm<half>(y, groups * 16 * pixels)[g * 16 * pixels], out, 16 * pixels);
        out_queue.FreeTensor(out);
    }
}

// Rows of two matrices beside each other, through UB as they will lie.
__global__ __aicore__ void concat(GM_ADDR a, GM_ADDR b, GM_ADDR y, uint32_t rows, uint32_t of_a, uint32_t of_b) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue;
    constexpr uint32_t kTile = 4;
    const uint32_t both = of_a + of_b;
    pipe.InitBuffer(queue, 2, kTile * both * 2);
    const Part part = PartOf(rows);
    for (uint32_t r = 0; r < part.count; r += kTile) {
        const auto count = static_cast<uint16_t>(std::min(kTile, part.count - r));
        const uint64_t at = part.first + r;
        const auto blocks_a = static_cast<uint16_t>(of_a / 16), blocks_b = static_cast<uint16_t>(of_b / 16);
        auto tile = queue.AllocTensor<int16_t>();
        DataCopy(tile, Gm<int16_t>(a, rows * of_a)[at * of_a], DataCopyParams(count, blocks_a, 0, blocks_b));
        DataCopy(tile[of_a], Gm<int16_t>(b, rows * of_b)[at * of_b], DataCopyParams(count, blocks_b, 0, blocks_a));
        queue.EnQue(tile);
        tile = queue.DeQue<int16_t>();
        DataCopy(Gm<int16_t>(y, rows * both)[at * both], tile, count * both);
        queue.FreeTensor(tile);
    }
}
// The two halves of each row, as matrices of their own.
__global__ __aicore__ void split(GM_ADDR x, GM_ADDR a, GM_ADDR b, uint32_t rows, uint32_t columns) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue;
    pipe.InitBuffer(queue, 2, columns);
    const Part part = PartOf(rows);
    const uint32_t side = columns / 2;
    for (uint32_t r = part.first; r < part.first + part.count; ++r) {
        auto tile = queue.AllocTensor<uint8_t>();
        DataCopy(tile, Gm<uint8_t>(x, rows * columns)[r * columns], columns);
        queue.EnQue(tile);
        tile = queue.DeQue<uint8_t>();
        DataCopy(Gm<uint8_t>(a, rows * side)[r * side], tile, side);
        DataCopy(Gm<uint8_t>(b, rows * side)[r * side], tile[side], side);
        queue.FreeTensor(tile);
    }
}

// Rows of a table by their numbers, which the scalar unit reads.
__global__ __aicore__ void embedding(GM_ADDR table, GM_ADDR ids, GM_ADDR y, uint32_t words, uint32_t count,
                                     uint32_t width) {
    TPipe pipe;
    TBuf<> numbers;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue;
    pipe.InitBuffer(numbers, UpTo(count, 8) * 4);
    pipe.InitBuffer(queue, 2, width * 2);
    const auto list = numbers.Get<int32_t>();
    DataCopy(list, Gm<int32_t>(ids, UpTo(count, 8)), UpTo(count, 8));
    Order<HardEvent::MTE2_S>();
    const Part part = PartOf(count);
    for (uint32_t i = part.first; i < part.first + part.count; ++i) {
        auto row = queue.AllocTensor<half>();
        DataCopy(row, Gm<half>(table, words * width)[static_cast<uint32_t>(list.GetValue(i)) * width], width);
        queue.EnQue(row);
        row = queue.DeQue<half>();
        DataCopy(Gm<half>(y, count * width)[i * width], row, width);
        queue.FreeTensor(row);
    }
}

// Ids of 64 bits: moved as they are, some replaced by the scalar unit.
__global__ __aicore__ void replace_ids(GM_ADDR x, GM_ADDR y, uint32_t total, int64_t from, int64_t to) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    constexpr uint32_t kTile = 32;
    pipe.InitBuffer(queue, 1, kTile * sizeof(int64_t));
    const Part part = PartOf(total, 4);
    for (uint32_t at = 0; at < part.count; at += kTile) {
        const uint32_t count = std::min(kTile, part.count - at);
        auto tile = queue.AllocTensor<int64_t>();
        DataCopy(tile, Gm<int64_t>(x, total)[part.first + at], count);
        queue.EnQue(tile);
        tile = queue.DeQue<int64_t>();
        Order<HardEvent::MTE2_S>(EVENT_ID1);
        for (uint32_t i = 0; i < count; ++i) {
            if (tile.GetValue(i) == from) tile.SetValue(i, to);
        }
        Order<HardEvent::S_MTE3>();
        DataCopy(Gm<int64_t>(y, total)[part.first + at], tile, count);
        queue.FreeTensor(tile);
    }
}

// x * cos + (-second half, first half) * sin, for each head of a token.
__global__ __aicore__ void rotary(GM_ADDR x, GM_ADDR cos, GM_ADDR sin, GM_ADDR y, uint32_t tokens, uint32_t heads,
                                  uint32_t width) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in_queue, cos_queue;
    TQue<TPosition::VECOUT, 2> out_queue;
    TBuf<> works;
    const uint32_t size = heads * width, side = width / 2;
    pipe.InitBuffer(in_queue, 2, size * 2);
    pipe.InitBuffer(cos_queue, 2, 2 * width * 2);
    pipe.InitBuffer(out_queue, 2, size * 2);
    pipe.InitBuffer(works, size * 2);
    const auto turned = works.Get<half>();
    const Part part = PartOf(tokens);
    for (uint32_t i = part.first; i < part.first + part.count; ++i) {
        auto in = in_queue.AllocTensor<half>(), angles = cos_queue.AllocTensor<half>();
        DataCopy(in, Gm<half>(x, tokens * size)[i * size], size);
        DataCopy(angles, Gm<half>(cos, tokens * width)[i * width], width);
        DataCopy(angles[width], Gm<half>(sin, tokens * width)[i * width], width);
        in_queue.EnQue(in), cos_queue.EnQue(angles);
        in = in_queue.DeQue<half>(), angles = cos_queue.DeQue<half>();
        auto out = out_queue.AllocTensor<half>();
        const auto apart = static_cast<uint8_t>(width / 16);
        const auto repeats = static_cast<uint8_t>(heads);
        PipeBarrier<PIPE_V>();
        Muls(turned, in[side], half(-1), side, repeats, UnaryRepeatParams(1, 1, apart, apart));
        Muls(turned[side], in, half(1), side, repeats, UnaryRepeatParams(1, 1, apart, apart));
        PipeBarrier<PIPE_V>();
        Mul(out, in, angles, width, repeats, BinaryRepeatParams(1, 1, 1, apart, apart, 0));
        Mul(turned, turned, angles[width], width, repeats, BinaryRepeatParams(1, 1, 1, apart, apart, 0));
        PipeBarrier<PIPE_V>();
        Add(out, out, turned, size);
        in_queue.FreeTensor(in), cos_queue.FreeTensor(angles);
        out_queue.EnQue(out);
        out = out_queue.DeQue<half>();
        DataCopy(Gm<half>(y, tokens * size)[i * size], out, size);
        out_queue.FreeTensor(out);
    }
}

// --- what they must give

Program TransposeOn(const Board& board) {
    constexpr uint32_t rows = 48, columns = 80;
    const auto x = Halves(rows * columns, -2000, 2000, 0.5, 61);
    const auto y = Made<uint16_t>(x.size(), [&](size_t i) { return x[i % rows * columns + i / rows]; });
    return Made("transpose", board, {In(x), Out(y)}, [](auto gm) { transpose(gm[0], gm[1], rows, columns); });
}
Program ToFiveDimsOn(const Board& board) {
    constexpr uint32_t groups = 5, pixels = 48;
    const auto x = Halves(groups * 16 * pixels, -2000, 2000, 0.5, 62);
    const auto y = Made<uint16_t>(
        x.size(), [&](size_t i) { return x[i / (16 * pixels) * 16 * pixels + i % 16 * pixels + i / 16 % pixels]; });
    return Made("to_five_dims", board, {In(x), Out(y)}, [](auto gm) { to_five_dims(gm[0], gm[1], groups, pixels); });
}
Program ConcatOn(const Board& board) {
    constexpr uint32_t rows = 23, of_a = 48, of_b = 16, both = of_a + of_b;
    const auto a = Integers<int16_t>(rows * of_a, -9999, 9999, 63), b = Integers<int16_t>(rows * of_b, -9999, 9999, 64);
    const auto y = Made<int16_t>(rows * both, [&](size_t i) {
        const size_t r = i / both, c = i % both;
        return c < of_a ? a[r * of_a + c] : b[r * of_b + c - of_a];
    });
    return Made("concat", board, {In(a), In(b), Out(y)},
                [](auto gm) { concat(gm[0], gm[1], gm[2], rows, of_a, of_b); });
}
Program SplitOn(const Board& board) {
    constexpr uint32_t rows = 13, columns = 192, side = columns / 2;
    const auto x = Integers<uint8_t>(rows * columns, 0, 255, 65);
    const auto half_of = [&](size_t first) {
        return Made<uint8_t>(rows * side, [&, first](size_t i) { return x[i / side * columns + first + i % side]; });
    };
    return Made("split", board, {In(x), Out(half_of(0)), Out(half_of(side))},
                [](auto gm) { split(gm[0], gm[1], gm[2], rows, columns); });
}
Program EmbeddingOn(const Board& board) {
    constexpr uint32_t words = 40, count = 37, width = 48;
    const auto table = Halves(words * width, -2000, 2000, 0.5, 66);
    const auto ids = Integers<int32_t>(UpTo(count, 8), 0, words - 1, 67);
    const auto y = Made<uint16_t>(
        count * width, [&](size_t i) { return table[static_cast<size_t>(ids[i / width]) * width + i % width]; });
    return Made("embedding", board, {In(table), In(ids), Out(y)},
                [](auto gm) { embedding(gm[0], gm[1], gm[2], words, count, width); });
}
Program ReplaceIdsOn(const Board& board) {
    constexpr int64_t from = int64_t{7} << 40, to = -(int64_t{9} << 50);
    const auto pick = Integers<int64_t>(148, 0, 9, 68);
    const auto x = Made<int64_t>(pick.size(), [&](size_t i) { return pick[i] << 40; });
    const auto y = Made<int64_t>(pick.size(), [&](size_t i) { return x[i] == from ? to : x[i]; });
    return Made("replace_ids", board, {In(x), Out(y)}, [](auto gm) { replace_ids(gm[0], gm[1], 148, from, to); });
}
Program RotaryOn(const Board& board) {
    constexpr uint32_t tokens = 10, heads = 3, width = 64, side = width / 2;
    const auto x = Halves(tokens * heads * width, -2000, 2000, 0.003, 69);
    const auto cos = Halves(tokens * width, -1000, 1000, 0.001, 70),
               sin = Halves(tokens * width, -1000, 1000, 0.001, 71);
    const auto y = Made<uint16_t>(x.size(), [&](size_t i) {
        const size_t angle = i / (heads * width) * width + i % width;
        const H turned = i % width < side ? H(Value(x[i + side])) * -1 : H(Value(x[i - side]));
        return (H(Value(x[i])) * Value(cos[angle]) + turned * Value(sin[angle])).Stored();
    });
    return Made("rotary", board, {In(x), In(cos), In(sin), Out(y)},
                [](auto gm) { rotary(gm[0], gm[1], gm[2], gm[3], tokens, heads, width); });
}
}  // namespace

std::vector<Operator> MoveOperators() {
    return {
        {"transpose", kBoth, TransposeOn},
        {"to_five_dims", kBoth, ToFiveDimsOn},
        {"concat", kBoth, ConcatOn, Blocks::kAny, true},
        {"split", kBoth, SplitOn, Blocks::kAny, true},
        {"embedding", kBoth, EmbeddingOn, Blocks::kAny, true},
        {"replace_ids", kBoth, ReplaceIdsOn},
        {"rotary", kBoth, RotaryOn, Blocks::kAny, true},
    };
}

}  // namespace sfumato::boards
