// SPDX-License-Identifier: Apache-2.0
// Operators on rows: softmax, norms, sums, the largest of a row. A row of 100 floats is no whole number of blocks: the
// host of Ascend310P keeps rows 104 apart, that of Ascend310B packs them.
#include "operators.h"
#include "oracle/call_oracle.h"

namespace sfumato::boards {
namespace {

constexpr uint32_t kRows = 21, kColumns = 100, kPitch = 104;

// Rows of `columns`, `pitch` apart in UB, `gap` elements between them in global memory.
struct RowTiling {
    uint32_t rows, columns, pitch, gap, tile_rows;
};
RowTiling Plan(const Board& board, uint32_t tile_rows) {
    return {kRows, kColumns, kPitch, board.pads ? 0 : kPitch - kColumns, tile_rows};
}

// Tiles of whole rows through two queues; compute(out, in, rows).
template <class T, class Compute>
__aicore__ inline void OverRows(TPipe& pipe, GM_ADDR x, GM_ADDR y, const RowTiling& t, const Compute& compute) {
    const Part part = PartOf(t.rows);
    const uint32_t step = t.columns + t.gap, bytes = t.columns * sizeof(T), apart = t.gap * sizeof(T);
    const auto from = Gm<T>(x, t.rows * step), to = Gm<T>(y, t.rows * step);
    TQue<TPosition::VECIN, 2> in_queue;
    TQue<TPosition::VECOUT, 2> out_queue;
    pipe.InitBuffer(in_queue, 2, t.tile_rows * t.pitch * sizeof(T));
    pipe.InitBuffer(out_queue, 2, t.tile_rows * t.pitch * sizeof(T));
    for (uint32_t row = 0; row < part.count; row += t.tile_rows) {
        const uint32_t rows = std::min(t.tile_rows, part.count - row), count = rows * t.pitch;
        const uint64_t at = uint64_t{part.first + row} * step;
        const auto filler = static_cast<uint8_t>(t.pitch - t.columns);
        LocalTensor<T> in = in_queue.AllocTensor<T>();
        if (step == t.pitch)
            DataCopy(in, from[at], count);
        else
            DataCopyPad(in, from[at], DataCopyExtParams{static_cast<uint16_t>(rows), bytes, apart, 0, 0},
                        DataCopyPadExtParams<T>{true, 0, filler, T(0)});
        in_queue.EnQue(in);
        in = in_queue.DeQue<T>();
        LocalTensor<T> out = out_queue.AllocTensor<T>();
        compute(out, in, rows);
        out_queue.EnQue(out);
        in_queue.FreeTensor(in);
        out = out_queue.DeQue<T>();
        if (step == t.pitch)
            DataCopy(to[at], out, count);
        else
            DataCopyPad(to[at], out, DataCopyExtParams{static_cast<uint16_t>(rows), bytes, 0, apart, 0});
        out_queue.FreeTensor(out);
    }
}

// --- kernels

__global__ __aicore__ void softmax(GM_ADDR x, GM_ADDR y, RowTiling t, SoftMaxTiling soft) {
    TPipe pipe;
    TBuf<> sides;
    pipe.InitBuffer(sides, 2 * t.tile_rows * 32);
    LocalTensor<float> sum = sides.GetWithOffset<float>(t.tile_rows * 8, 0);
    LocalTensor<float> max = sides.GetWithOffset<float>(t.tile_rows * 8, t.tile_rows * 32);
    OverRows<float>(pipe, x, y, t, [&](auto& out, auto& in, uint32_t rows) {
        SoftMax<float>(out, sum, max, in, soft, SoftMaxShapeInfo{rows, t.pitch, rows, t.columns});
    });
}

// By instructions: x - max - ln(sum of e^(x - max)); what lies behind a row is 0.
__global__ __aicore__ void log_softmax(GM_ADDR x, GM_ADDR y, RowTiling t) {
    TPipe pipe;
    TBuf<> works;
    pipe.InitBuffer(works, 3 * t.pitch * sizeof(float));
    const auto work = works.GetWithOffset<float>(t.pitch, 0), e = works.GetWithOffset<float>(t.pitch, t.pitch * 4),
               one = works.GetWithOffset<float>(8, t.pitch * 8);
    const auto n = static_cast<int32_t>(t.columns);
    OverRows<float>(pipe, x, y, t, [&](auto& out, auto& in, uint32_t rows) {
        Duplicate(out, 0.0f, static_cast<int32_t>(rows * t.pitch));
        for (uint32_t r = 0; r < rows; ++r) {
            const auto row = in[r * t.pitch], result = out[r * t.pitch];
            ReduceMax(one, row, work, n);
            Order<HardEvent::V_S>();
            const float max = one.GetValue(0);
            Order<HardEvent::S_V>();
            Adds(result, row, -max, n);
            Exp(e, result, n);
            ReduceSum(one, e, work, n);
            Ln(one, one, 1);
            Order<HardEvent::V_S>();
            const float log = one.GetValue(0);
            Order<HardEvent::S_V>();
            Adds(result, result, -log, n);
        }
    });
}

// (x - mean) / sqrt(variance + epsilon) * gamma + beta
__global__ __aicore__ void layer_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, RowTiling t, float epsilon) {
    TPipe pipe;
    TBuf<> works;
    pipe.InitBuffer(works, 5 * t.pitch * sizeof(float));
    const auto place = [&](uint32_t i) { return works.GetWithOffset<float>(t.pitch, i * t.pitch * 4); };
    const auto g = place(0), b = place(1), work = place(2), square = place(3), one = place(4);
    DataCopy(g, Gm<float>(gamma, t.pitch), t.pitch);
    DataCopy(b, Gm<float>(beta, t.pitch), t.pitch);
    Order<HardEvent::MTE2_V>();
    const auto n = static_cast<int32_t>(t.columns);
    const float share = 1.0f / static_cast<float>(t.columns);
    OverRows<float>(pipe, x, y, t, [&](auto& out, auto& in, uint32_t rows) {
        Duplicate(out, 0.0f, static_cast<int32_t>(rows * t.pitch));
        for (uint32_t r = 0; r < rows; ++r) {
            const auto row = in[r * t.pitch], result = out[r * t.pitch];
            ReduceSum(one, row, work, n);
            Muls(one, one, share, 1);
            Order<HardEvent::V_S>();
            const float mean = one.GetValue(0);
            Order<HardEvent::S_V>();
            Adds(result, row, -mean, n);
            Mul(square, result, result, n);
            ReduceSum(one, square, work, n);
            Muls(one, one, share, 1);
            Adds(one, one, epsilon, 1);
            Sqrt(one, one, 1);
            Order<HardEvent::V_S>();
            const float deviation = one.GetValue(0);
            Order<HardEvent::S_V>();
            Duplicate(square, deviation, n);
            Div(result, result, square, n);
            Mul(result, result, g, n);
            Add(result, result, b, n);
        }
    });
}

// The calls of Ascend310P, rows of 64.
__global__ __aicore__ void layer_norm_call(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, RowTiling t,
                                           LayerNormTiling plan, uint32_t tmp_bytes) {
    TPipe pipe;
    TBuf<> weights, tmp, moments;
    pipe.InitBuffer(weights, 2 * t.pitch * 4);
    pipe.InitBuffer(tmp, tmp_bytes);
    pipe.InitBuffer(moments, 2 * 64);
    const auto g = weights.GetWithOffset<float>(t.pitch, 0), b = weights.GetWithOffset<float>(t.pitch, t.pitch * 4);
    auto mean = moments.GetWithOffset<float>(t.tile_rows, 0), variance = moments.GetWithOffset<float>(t.tile_rows, 64);
    auto shared = tmp.Get<uint8_t>();
    DataCopy(g, Gm<float>(gamma, t.pitch), t.pitch);
    DataCopy(b, Gm<float>(beta, t.pitch), t.pitch);
    Order<HardEvent::MTE2_V>();
    OverRows<float>(pipe, x, y, t, [&](auto& out, auto& in, uint32_t) {
        LayerNorm<float>(out, mean, variance, in, g, b, shared, 0.0009765625f, plan);
    });
}
__global__ __aicore__ void rms_norm_call(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, RowTiling t, RmsNormTiling plan,
                                         uint32_t tmp_bytes) {
    TPipe pipe;
    TBuf<> weights, tmp;
    pipe.InitBuffer(weights, t.pitch * 4);
    pipe.InitBuffer(tmp, tmp_bytes);
    const auto g = weights.Get<float>();
    auto shared = tmp.Get<uint8_t>();
    DataCopy(g, Gm<float>(gamma, t.pitch), t.pitch);
    Order<HardEvent::MTE2_V>();
    OverRows<float>(pipe, x, y, t,
                    [&](auto& out, auto& in, uint32_t) { RmsNorm<float>(out, in, g, shared, 0.0009765625f, plan); });
}

// x / sqrt(mean of squares + epsilon) * gamma, of halves in rows of 40, which Ascend310P stores without DataCopyPad: a
// row spills into the next one, which then covers it; of the last one the end is moved to a block of its own.
__global__ __aicore__ void rms_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, uint32_t rows, uint32_t columns, bool pads) {
    const Part part = PartOf(rows);
    const uint32_t pitch = UpTo(columns, 16);
    const auto n = static_cast<int32_t>(columns);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in_queue;
    TQue<TPosition::VECOUT, 1> out_queue;
    TBuf<> works, ends;
    pipe.InitBuffer(in_queue, 1, pitch * 2);
    pipe.InitBuffer(out_queue, 1, pitch * 2);
    pipe.InitBuffer(works, 4 * pitch * 4);
    pipe.InitBuffer(ends, 32);
    const auto place = [&](uint32_t i) { return works.GetWithOffset<float>(pitch, i * pitch * 4); };
    const auto wide = place(0), square = place(1), work = place(2), one = place(3);
    const auto end = ends.Get<half>();
    const auto from = Gm<half>(x, rows * columns + pitch - columns), to = Gm<half>(y, rows * columns);
    const half scale = Gm<half>(gamma, 16).GetValue(0);
    for (uint32_t r = part.first; r < part.first + part.count; ++r) {
        auto in = in_queue.AllocTensor<half>();
        Fetch(in, from[r * columns], pads ? columns : pitch, pads);
        in_queue.EnQue(in);
        in = in_queue.DeQue<half>();
        auto out = out_queue.AllocTensor<half>();
        Cast(wide, in, RoundMode::CAST_NONE, n);
        Mul(square, wide, wide, n);
        ReduceSum(one, square, work, n);
        Muls(one, one, 1.0f / static_cast<float>(columns), 1);
        Adds(one, one, 0.0009765625f, 1);
        Sqrt(one, one, 1);
        Order<HardEvent::V_S>();
        const float root = one.GetValue(0);
        Order<HardEvent::S_V>();
        Duplicate(square, root, n);
        Div(wide, wide, square, n);
        Duplicate(out, half(0), static_cast<int32_t>(pitch));
        Cast(out, wide, RoundMode::CAST_NONE, n);
        Muls(out, out, scale, n);
        in_queue.FreeTensor(in);
        out_queue.EnQue(out);
        out = out_queue.DeQue<half>();
        const bool last = r + 1 == part.first + part.count;
        PipeBarrier<PIPE_MTE3>();
        if (pads || !last) {
            Store(to[r * columns], out, pads ? columns : pitch, pads);
        } else {
            const uint32_t whole = columns / 16 * 16;
            Order<HardEvent::V_S>(EVENT_ID1);
            for (uint32_t i = 0; i < 16; ++i) end.SetValue(i, out.GetValue(columns - 16 + i));
            Order<HardEvent::S_MTE3>();
            DataCopy(to[r * columns], out, whole);
            PipeBarrier<PIPE_MTE3>();
            DataCopy(to[r * columns + columns - 16], end, 16);
        }
        out_queue.FreeTensor(out);
    }
}

// --- what they must give

using Line = std::vector<F>;
using oracle::Row, oracle::Sheet;
constexpr float kEpsilon = 0.0009765625f;

// Rows of UB, filler 0, as a board's host lays them out.
std::vector<float> Laid(const Board& board, const Row& rows, const Sheet& sheet) {
    if (!board.pads) return rows;
    std::vector<float> packed;
    for (uint32_t i = 0; i < rows.size(); ++i) {
        if (i % sheet.columns < sheet.valid) packed.push_back(rows[i]);
    }
    return packed;
}
Row Inputs(const Sheet& sheet, float unit = 0.25f) {
    Row x = Floats(sheet.all(), -40, 40, static_cast<double>(unit), 21);
    for (uint32_t i = 0; i < x.size(); ++i) x[i] = i % sheet.columns < sheet.valid ? x[i] : 0;
    return x;
}
constexpr Sheet kSheet{kRows, kPitch, kColumns};

// of(row) gives a row; filler stays 0.
template <class Of>
Row EachRow(const Row& x, const Of& of) {
    Row y(x.size());
    for (uint32_t r = 0; r < kRows; ++r) {
        Line row;
        for (uint32_t c = 0; c < kColumns; ++c) row.push_back(Value(x[r * kPitch + c]));
        const Line result = of(row);
        for (uint32_t c = 0; c < kColumns; ++c) y[r * kPitch + c] = result[c].Stored();
    }
    return y;
}
template <class Of>
Line Each(Line row, const Of& of) {
    for (F& v : row) v = of(v);
    return row;
}

Program SoftmaxOn(const Board& board) {
    const Row x = Inputs(kSheet), y = oracle::Softmax(x, kSheet, oracle::Divides::kYes).dst;
    const RowTiling t = Plan(board, 4);
    SoftMaxTiling soft;
    const ge::Shape shape({t.tile_rows, t.pitch});
    SoftMaxTilingFunc(shape, sizeof(float), GetSoftMaxMinTmpSize(shape, sizeof(float), false), soft);
    return Made("softmax", board, {In(Laid(board, x, kSheet)), Out(Laid(board, y, kSheet))},
                [=](auto gm) { softmax(gm[0], gm[1], t, soft); });
}
Program LogSoftmaxOn(const Board& board) {
    const Row x = Inputs(kSheet), y = EachRow(x, [](const Line&row) {
                                      const F max = *std::max_element(row.begin(), row.end());
                                      const Line moved = Each(row, [&](F v) { return v - max; });
                                      const F log = std::log(TreeSum(Each(moved, [](F v) { return Exp(v); })).v);
                                      return Each(moved, [&](F v) { return v - log; });
                                  });
    return Made("log_softmax", board, {In(Laid(board, x, kSheet)), Out(Laid(board, y, kSheet))},
                [t = Plan(board, 3)](auto gm) { log_softmax(gm[0], gm[1], t); });
}
Program LayerNormOn(const Board& board) {
    const auto gamma = Floats(kPitch, 1, 40, 0.125, 22), beta = Floats(kPitch, -40, 40, 0.125, 23);
    const Row x = Inputs(kSheet), y = EachRow(x, [&](const Line&row) {
                                      const F share = F(1) / static_cast<double>(row.size()),
                                              mean = TreeSum(row) * share;
                                      Line moved = Each(row, [&](F v) { return v - mean; });
                                      const F variance = TreeSum(Each(moved, [](F v) { return v * v; })) * share;
                                      const F root = std::sqrt((variance + Value(kEpsilon)).v);
                                      for (size_t i = 0; i < row.size(); ++i)
                                          moved[i] = moved[i] / root * Value(gamma[i]) + Value(beta[i]);
                                      return moved;
                                  });
    return Made("layer_norm", board, {In(Laid(board, x, kSheet)), In(gamma), In(beta), Out(Laid(board, y, kSheet))},
                [t = Plan(board, 4)](auto gm) { layer_norm(gm[0], gm[1], gm[2], gm[3], t, kEpsilon); });
}
constexpr Sheet kWhole{20, 64, 64};
constexpr RowTiling kCalls{20, 64, 64, 0, 4};
Program LayerNormCallOn(const Board& board) {
    const auto gamma = Floats(64, 1, 40, 0.125, 24), beta = Floats(64, -40, 40, 0.125, 25);
    const Row x = Inputs(kWhole), y = oracle::LayerNorm(x, kWhole, {gamma, beta, kEpsilon}).dst;
    LayerNormTiling plan;
    uint32_t most = 0, least = 0;
    const ge::Shape shape({1, kCalls.tile_rows, kCalls.pitch});
    GetLayerNormMaxMinTmpSize(shape, sizeof(float), false, most, least);
    GetLayerNormNDTilingInfo(shape, least, sizeof(float), false, plan);
    return Made("layer_norm_call", board, {In(x), In(gamma), In(beta), Out(y)},
                [=](auto gm) { layer_norm_call(gm[0], gm[1], gm[2], gm[3], kCalls, plan, least); });
}
Program RmsNormCallOn(const Board& board) {
    const auto gamma = Floats(64, 1, 40, 0.125, 26);
    const Row x = Inputs(kWhole), y = oracle::RmsNorm(x, kWhole, {gamma, {}, kEpsilon});
    RmsNormTiling plan;
    uint32_t most = 0, least = 0;
    const ge::Shape shape({1, kCalls.tile_rows, kCalls.pitch});
    GetRmsNormMaxMinTmpSize(shape, sizeof(float), most, least);
    GetRmsNormTilingInfo(shape, shape, least, sizeof(float), plan);
    return Made("rms_norm_call", board, {In(x), In(gamma), Out(y)},
                [=](auto gm) { rms_norm_call(gm[0], gm[1], gm[2], kCalls, plan, least); });
}
Program RmsNormOn(const Board& board) {
    constexpr uint32_t rows = 11, columns = 40;
    const auto x = Halves(rows * columns, -300, 300, 0.125, 27);
    std::vector<uint16_t> y;
    for (uint32_t r = 0; r < rows; ++r) {
        Line row;
        for (uint32_t c = 0; c < columns; ++c) row.push_back(Value(x[r * columns + c]));
        const F sum = TreeSum(Each(row, [](F v) { return v * v; }));
        const F root = std::sqrt((sum * (F(1) / columns) + Value(kEpsilon)).v);
        for (const F v : row) y.push_back((H((v / root).v) * 1.5).Stored());
    }
    std::vector<uint16_t> read = x;
    if (!board.pads) read.resize(x.size() + UpTo(columns, 16) - columns);
    return Made("rms_norm", board, {In(read), In(std::vector<uint16_t>(16, HalfBits(1.5))), Out(y)},
                [pads = board.pads](auto gm) { rms_norm(gm[0], gm[1], gm[2], rows, columns, pads); });
}
}  // namespace

std::vector<Operator> RowOperators() {
    return {
        {"softmax", kBoth, SoftmaxOn},
        {"log_softmax", kBoth, LogSoftmaxOn},
        {"layer_norm", kBoth, LayerNormOn},
        {"layer_norm_call", k310P, LayerNormCallOn, Blocks::kOne},
        {"rms_norm_call", k310P, RmsNormCallOn, Blocks::kOne},
        {"rms_norm", kBoth, RmsNormOn},
    };
}

}  // namespace sfumato::boards
