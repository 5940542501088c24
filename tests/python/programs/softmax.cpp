// SPDX-License-Identifier: Apache-2.0
// Softmax and what is built on it: masks, gates, losses, gradients, by high-level calls in tiles of rows.
#include "programs.h"

using namespace programs;

struct SoftmaxData {
    uint32_t rows, tile, width;
    SoftMaxTiling softmax;  // of a tile
};

__aicore__ inline SoftMaxShapeInfo Rows(uint32_t rows, uint32_t width) { return {rows, width, rows, width}; }

// Softmax of each row of half scores where the mask of bytes is 0; elsewhere the score counts as -10000.
extern "C" __global__ __aicore__ void masked_softmax(GM_ADDR x, GM_ADDR mask_gm, GM_ADDR y, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(SoftmaxData, t, tiling);
    TPipe pipe;
    TBuf<> shared;
    TQue<TPosition::VECIN, 2> masks;
    pipe.InitBuffer(shared, 32 * 1024);
    pipe.InitBuffer(masks, 2, t.tile * t.width);
    auto tmp = shared.Get<uint8_t>();
    EachTile<half, half>(pipe, x, y, t.rows, t.tile, t.width, t.width,
                         [&](auto& out, auto& in, uint32_t row, uint32_t count) {
                             auto mask = masks.AllocTensor<uint8_t>();
                             Load(mask, Gm<uint8_t>(mask_gm, t.rows * t.width)[row * t.width], count * t.width);
                             masks.EnQue(mask);
                             auto flags = masks.DeQue<bool>();
                             const uint32_t all = count * t.width;
                             flags.SetSize(all);
                             in.SetSize(all);
                             out.SetSize(all);
                             SelectWithBytesMask(in, in, half(-10000), flags, tmp, {count, t.width, t.width});
                             masks.FreeTensor(flags);
                             PipeBarrier<PIPE_V>();
                             SoftMax<half>(out, in, tmp, t.softmax, Rows(count, t.width));
                         });
}

// Weights of attention: softmax of scores / 8, with rows of which every score is -inf set to 0.
extern "C" __global__ __aicore__ void attention_weights(GM_ADDR x, GM_ADDR y, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(SoftmaxData, t, tiling);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 2 * t.tile * 8 * sizeof(float));
    auto sum = buffer.Get<float>(), max = sum[t.tile * 8];
    EachTile<float, float>(pipe, x, y, t.rows, t.tile, t.width, t.width,
                           [&](auto& out, auto& in, uint32_t, uint32_t count) {
                               const SoftMaxShapeInfo shape = Rows(count, t.width);
                               Muls(in, in, 0.125f, count * t.width);
                               PipeBarrier<PIPE_V>();
                               SoftMax<float>(out, sum, max, in, t.softmax, shape);
                               PipeBarrier<PIPE_V>();
                               AdjustSoftMaxRes<float, float>(out, max, 0xFF800000, 0.0f, shape);
                           });
}

// The sums and maxima of rows, a block of eight a row, as training keeps them.
extern "C" __global__ __aicore__ void softmax_stored(GM_ADDR x, GM_ADDR y, GM_ADDR sums, GM_ADDR maxima,
                                                     GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(SoftmaxData, t, tiling);
    TPipe pipe;
    TQue<TPosition::VECOUT, 2> sides;
    pipe.InitBuffer(sides, 2, t.tile * 32);
    EachTile<float, float>(pipe, x, y, t.rows, t.tile, t.width, t.width,
                           [&](auto& out, auto& in, uint32_t row, uint32_t count) {
                               auto sum = sides.AllocTensor<float>(), max = sides.AllocTensor<float>();
                               SoftMax<float>(out, sum, max, in, t.softmax, Rows(count, t.width));
                               sides.EnQue(sum);
                               sides.EnQue(max);
                               sum = sides.DeQue<float>();
                               Store(Gm<float>(sums, t.rows * 8)[row * 8], sum, count * 8);
                               max = sides.DeQue<float>();
                               Store(Gm<float>(maxima, t.rows * 8)[row * 8], max, count * 8);
                               sides.FreeTensor(sum);
                               sides.FreeTensor(max);
                           });
}

// The gradient of softmax from the scores, the sums and maxima, and the gradient of its result.
extern "C" __global__ __aicore__ void softmax_backward(GM_ADDR x, GM_ADDR sums, GM_ADDR maxima, GM_ADDR grad_gm,
                                                       GM_ADDR y, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(SoftmaxData, t, tiling);
    TPipe pipe;
    TBuf<> buffer;
    TQue<TPosition::VECIN, 1> others;
    const uint32_t all = t.tile * t.width;
    pipe.InitBuffer(buffer, all * sizeof(float));
    pipe.InitBuffer(others, 1, (all + 16 * t.tile) * sizeof(float));
    auto weights = buffer.Get<float>();
    EachTile<float, float>(pipe, x, y, t.rows, t.tile, t.width, t.width,
                           [&](auto& out, auto& in, uint32_t row, uint32_t count) {
                               auto grad = others.AllocTensor<float>();
                               auto sum = grad[all], max = sum[8 * t.tile];
                               Load(grad, Gm<float>(grad_gm, t.rows * t.width)[row * t.width], count * t.width);
                               Load(sum, Gm<float>(sums, t.rows * 8)[row * 8], count * 8);
                               Load(max, Gm<float>(maxima, t.rows * 8)[row * 8], count * 8);
                               others.EnQue(grad);
                               grad = others.DeQue<float>();
                               const SoftMaxShapeInfo shape = Rows(count, t.width);
                               SimpleSoftMax<float>(weights, sum, max, in, t.softmax, shape);
                               PipeBarrier<PIPE_V>();
                               SoftmaxGrad<float>(out, grad, weights, t.softmax, false, shape);
                               others.FreeTensor(grad);
                           });
}

// x - max - ln(sum of e^(x - max)) of each row, step by step. width: whole blocks.
__aicore__ inline void LogSoftmaxSteps(const LocalTensor<float>& out, const LocalTensor<float>& in,
                                       const LocalTensor<float>& side, const LocalTensor<float>& wide, uint32_t rows,
                                       uint32_t width) {
    const uint32_t all[] = {rows, width}, column[] = {rows, 1};
    ReduceMax<float, Pattern::Reduce::AR>(side, in, all, true);
    PipeBarrier<PIPE_V>();
    BroadCast<float, 2, 1>(wide, side, all, column);
    PipeBarrier<PIPE_V>();
    Sub(out, in, wide, rows * width);
    PipeBarrier<PIPE_V>();
    Exp(wide, out, rows * width);
    PipeBarrier<PIPE_V>();
    Sum(side, wide, {rows, width, width});
    PipeBarrier<PIPE_V>();
    Ln(side, side, rows);
    PipeBarrier<PIPE_V>();
    BroadCast<float, 2, 1>(wide, side, all, column);
    PipeBarrier<PIPE_V>();
    Sub(out, out, wide, rows * width);
}

extern "C" __global__ __aicore__ void log_softmax(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t width) {
    constexpr uint32_t kTile = 8;
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, kTile * (width + 1) * sizeof(float));
    auto side = buffer.Get<float>(), wide = side[kTile];
    EachTile<float, float>(pipe, x, y, rows, kTile, width, width, [&](auto& out, auto& in, uint32_t, uint32_t count) {
        LogSoftmaxSteps(out, in, side, wide, count, width);
    });
}

// -log softmax(x)[label] of each row, 0 where the label is `ignored`.
extern "C" __global__ __aicore__ void cross_entropy(GM_ADDR x, GM_ADDR labels_gm, GM_ADDR loss, uint32_t rows,
                                                    uint32_t width, int32_t ignored) {
    constexpr uint32_t kTile = 8;
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, kTile * (2 * width + 1) * sizeof(float));
    auto side = buffer.Get<float>(), wide = side[kTile], logs = wide[kTile * width];
    auto labels = Gm<int32_t>(labels_gm, rows);
    EachTile<float, float>(pipe, x, loss, rows, kTile, width, 1,
                           [&](auto& out, auto& in, uint32_t first, uint32_t count) {
                               LogSoftmaxSteps(logs, in, side, wide, count, width);
                               Join<HardEvent::V_S>();
                               for (uint32_t i = 0; i < count; ++i) {
                                   const int32_t label = labels.GetValue(first + i);
                                   out.SetValue(i, label == ignored ? 0.0f : -logs.GetValue(i * width + label));
                               }
                               Join<HardEvent::S_V>();
                           });
}
