// SPDX-License-Identifier: Apache-2.0
// Operators that sum: across blocks by atomic stores, and running sums.
#include "operators.h"

namespace sfumato::boards {
namespace {

// --- kernels

// Sums of columns: each block adds its rows, and all blocks add to one row of global memory.
__global__ __aicore__ void column_sum(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> queue;
    TQue<TPosition::VECOUT, 1> result;
    pipe.InitBuffer(queue, 2, columns * 4);
    pipe.InitBuffer(result, 1, columns * 4);
    const Part part = PartOf(rows);
    const auto from = Gm<float>(x, rows * columns);
    const auto n = static_cast<int32_t>(columns);
    auto sum = result.AllocTensor<float>();
    Duplicate(sum, 0.0f, n);
    for (uint32_t r = part.first; r < part.first + part.count; ++r) {
        auto in = queue.AllocTensor<float>();
        DataCopy(in, from[r * columns], columns);
        queue.EnQue(in);
        in = queue.DeQue<float>();
        PipeBarrier<PIPE_V>();
        Add(sum, sum, in, n);
        queue.FreeTensor(in);
    }
    result.EnQue(sum);
    sum = result.DeQue<float>();
    SetAtomicAdd<float>();
    DataCopy(Gm<float>(y, columns), sum, columns);
    SetAtomicNone();
    result.FreeTensor(sum);
}

// Running sums down the columns of one block, two rows of halves to a step.
__global__ __aicore__ void cumsum(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> queue;
    TQue<TPosition::VECOUT, 2> results;
    TBuf<> kept;
    pipe.InitBuffer(queue, 2, columns * 2);
    pipe.InitBuffer(results, 2, columns * 2);
    pipe.InitBuffer(kept, columns * 2);
    const auto n = static_cast<int32_t>(columns);
    const auto sum = kept.Get<half>();
    Duplicate(sum, half(0), n);
    for (uint32_t r = 0; r < rows; ++r) {
        auto in = queue.AllocTensor<half>();
        DataCopy(in, Gm<half>(x, rows * columns)[r * columns], columns);
        queue.EnQue(in);
        in = queue.DeQue<half>();
        auto out = results.AllocTensor<half>();
        PipeBarrier<PIPE_V>();
        Add(sum, sum, in, n);
        PipeBarrier<PIPE_V>();
        Adds(out, sum, half(0), n);
        queue.FreeTensor(in);
        results.EnQue(out);
        out = results.DeQue<half>();
        DataCopy(Gm<half>(y, rows * columns)[r * columns], out, columns);
        results.FreeTensor(out);
    }
}

// How often each of 32 values occurs: the scalar unit counts, all blocks add up, which Ascend310P does in float.
__global__ __aicore__ void histogram(GM_ADDR x, GM_ADDR y, uint32_t total) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue;
    TQue<TPosition::VECOUT, 1> result;
    constexpr uint32_t kTile = 128, kBins = 32;
    pipe.InitBuffer(queue, 1, kTile);
    pipe.InitBuffer(result, 1, kBins * 4);
    auto counts = result.AllocTensor<float>();
    for (uint32_t i = 0; i < kBins; ++i) counts.SetValue(i, 0.0f);
    const Part part = PartOf(total, 32);
    for (uint32_t at = 0; at < part.count; at += kTile) {
        const uint32_t count = std::min(kTile, part.count - at);
        auto tile = queue.AllocTensor<uint8_t>();
        DataCopy(tile, Gm<uint8_t>(x, total)[part.first + at], count);
        queue.EnQue(tile);
        tile = queue.DeQue<uint8_t>();
        Order<HardEvent::MTE2_S>();
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t bin = tile.GetValue(i) / 8;
            counts.SetValue(bin, counts.GetValue(bin) + 1);
        }
        queue.FreeTensor(tile);
    }
    result.EnQue(counts);
    counts = result.DeQue<float>();
    Order<HardEvent::S_MTE3>();
    SetAtomicAdd<float>();
    DataCopy(Gm<float>(y, kBins), counts, kBins);
    SetAtomicNone();
    result.FreeTensor(counts);
}

// --- what they must give

Program ColumnSumOn(const Board& board) {
    constexpr uint32_t rows = 37, columns = 72;
    const auto x = Floats(rows * columns, -300, 300, 0.5, 29);
    std::vector<float> y(columns);
    for (size_t i = 0; i < x.size(); ++i) y[i % columns] += x[i];
    const Argument sum{ToBytes(std::vector<float>(columns)), ToBytes(y)};
    return Made("column_sum", board, {In(x), sum}, [](auto gm) { column_sum(gm[0], gm[1], rows, columns); });
}
Program CumsumOn(const Board& board) {
    constexpr uint32_t rows = 19, columns = 80;
    const auto x = Halves(rows * columns, -3000, 3000, 0.37, 30);
    std::vector<uint16_t> y;
    for (uint32_t i = 0; i < x.size(); ++i)
        y.push_back((H(Value(x[i])) + (i < columns ? H(0) : H(Value(y[i - columns])))).Stored());
    return Made("cumsum", board, {In(x), Out(y)}, [](auto gm) { cumsum(gm[0], gm[1], rows, columns); });
}

Program HistogramOn(const Board& board) {
    const auto x = Integers<uint8_t>(32 * 29, 0, 255, 72);
    std::vector<float> y(32);
    for (const uint8_t v : x) ++y[v / 8];
    const Argument counts{ToBytes(std::vector<float>(32)), ToBytes(y)};
    return Made("histogram", board, {In(x), counts}, [](auto gm) { histogram(gm[0], gm[1], 32 * 29); });
}

}  // namespace

std::vector<Operator> SumOperators() {
    return {
        {"column_sum", kBoth, ColumnSumOn},
        {"cumsum", kBoth, CumsumOn, Blocks::kOne, true},
        {"histogram", kBoth, HistogramOn},
    };
}

}  // namespace sfumato::boards
