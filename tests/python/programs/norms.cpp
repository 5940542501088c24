// SPDX-License-Identifier: Apache-2.0
// Normalisation by high-level calls, in tiles of rows: what the host plans comes in a struct.
#include "programs.h"

using namespace programs;

struct RmsNormData {
    uint32_t rows, tile, width, workspace;
    float epsilon, scale, offset;
    RmsNormTiling norm;
};

// RMS norm of x + residual, which is left in residual, and its quantisation to int8.
extern "C" __global__ __aicore__ void add_rms_norm_quant(GM_ADDR x, GM_ADDR residual_gm, GM_ADDR gamma_gm, GM_ADDR y,
                                                         GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(RmsNormData, t, tiling);
    TPipe pipe;
    TBuf<> weights, shared;
    TQue<TPosition::VECIN, 1> residuals;
    TQue<TPosition::VECOUT, 1> sums;
    const uint32_t all = t.tile * t.width;
    pipe.InitBuffer(weights, (t.width + all) * sizeof(half));
    pipe.InitBuffer(shared, t.workspace);
    pipe.InitBuffer(residuals, 1, all * sizeof(half));
    pipe.InitBuffer(sums, 1, all * sizeof(half));
    auto gamma = weights.Get<half>(), normed = gamma[t.width];
    auto tmp = shared.Get<uint8_t>();
    Load(gamma, Gm<half>(gamma_gm, t.width), t.width);
    Join<HardEvent::MTE2_V>();
    auto kept = Gm<half>(residual_gm, uint64_t(t.rows) * t.width);
    EachTile<half, int8_t>(pipe, x, y, t.rows, t.tile, t.width, t.width,
                           [&](auto& out, auto& in, uint32_t row, uint32_t count) {
                               auto residual = residuals.AllocTensor<half>();
                               Load(residual, kept[row * t.width], count * t.width);
                               residuals.EnQue(residual);
                               residual = residuals.DeQue<half>();
                               auto sum = sums.AllocTensor<half>();
                               Add(sum, in, residual, all);
                               residuals.FreeTensor(residual);
                               PipeBarrier<PIPE_V>();
                               RmsNorm<half>(normed, sum, gamma, tmp, half(t.epsilon), t.norm);
                               PipeBarrier<PIPE_V>();
                               AscendQuant<half>(out, normed, tmp, t.scale, t.offset, count * t.width);
                               sums.EnQue(sum);
                               sum = sums.DeQue<half>();
                               Store(kept[row * t.width], sum, count * t.width);
                               sums.FreeTensor(sum);
                           });
}

// (x - mean) / sqrt(variance + epsilon) of long rows, which come in chunks: Welford's method twice over the data.
extern "C" __global__ __aicore__ void welford_norm(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns,
                                                   float epsilon) {
    constexpr uint32_t kChunk = 64;
    constexpr static WelfordUpdateConfig kInPlace{true};
    TPipe pipe;
    TBuf<> buffer;
    TQue<TPosition::VECIN, 2> ins;
    TQue<TPosition::VECOUT, 2> outs;
    pipe.InitBuffer(buffer, (2 * kChunk + 16) * sizeof(float));
    pipe.InitBuffer(ins, 2, kChunk * sizeof(float));
    pipe.InitBuffer(outs, 2, kChunk * sizeof(float));
    auto means = buffer.Get<float>(), squares = means[kChunk], mean = squares[kChunk], variance = mean[8];
    auto from = Gm<float>(x, uint64_t(rows) * columns), to = Gm<float>(y, uint64_t(rows) * columns);
    const uint32_t chunks = CeilDiv(columns, kChunk), tail = columns - (chunks - 1) * kChunk;
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        Duplicate(means, 0.0f, 2 * kChunk);
        for (uint32_t i = 0; i < chunks; ++i) {
            const uint32_t count = i + 1 == chunks ? tail : kChunk;
            auto in = ins.AllocTensor<float>();
            Load(in, from[row * columns + i * kChunk], count);
            ins.EnQue(in);
            in = ins.DeQue<float>();
            PipeBarrier<PIPE_V>();
            WelfordUpdate<float, float, false, kInPlace>(means, squares, means, squares, in,
                                                         {1, kChunk, count, 1.0f / float(i + 1)});
            ins.FreeTensor(in);
        }
        PipeBarrier<PIPE_V>();
        WelfordFinalize(
            mean, variance, means, squares,
            {chunks, kChunk, chunks, tail, chunks - 1, kChunk - tail, 1.0f / kChunk, 1.0f / float(columns)});
        PipeBarrier<PIPE_V>();
        Adds(variance, variance, epsilon, 1);
        PipeBarrier<PIPE_V>();
        Sqrt(variance, variance, 1);
        Join<HardEvent::V_S>();
        const float m = mean.GetValue(0), scale = 1.0f / variance.GetValue(0);
        Join<HardEvent::S_V>();
        for (uint32_t i = 0; i < chunks; ++i) {
            const uint32_t count = i + 1 == chunks ? tail : kChunk;
            auto in = ins.AllocTensor<float>();
            Load(in, from[row * columns + i * kChunk], count);
            ins.EnQue(in);
            in = ins.DeQue<float>();
            auto out = outs.AllocTensor<float>();
            Adds(out, in, -m, count);
            PipeBarrier<PIPE_V>();
            Muls(out, out, scale, count);
            ins.FreeTensor(in);
            outs.EnQue(out);
            out = outs.DeQue<float>();
            Store(to[row * columns + i * kChunk], out, count);
            outs.FreeTensor(out);
        }
    }
}

// Mean and variance of each column, over all rows: y has two rows. One block, tiles of rows of whole blocks.
extern "C" __global__ __aicore__ void column_moments(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, (2 * rows + 3) * columns * sizeof(float));
    auto in = buffer.Get<float>(), centred = in[rows * columns], mean = centred[rows * columns],
         variance = mean[columns];
    const uint32_t all[] = {rows, columns}, row[] = {1, columns};
    Load(in, Gm<float>(x, rows * columns), rows * columns);
    Join<HardEvent::MTE2_V>();
    ReduceSum<float, Pattern::Reduce::RA>(mean, in, all, true);
    PipeBarrier<PIPE_V>();
    Muls(mean, mean, 1.0f / float(rows), columns);
    PipeBarrier<PIPE_V>();
    BroadCast<float, 2, 0>(centred, mean, all, row);
    PipeBarrier<PIPE_V>();
    Sub(centred, in, centred, rows * columns);
    PipeBarrier<PIPE_V>();
    Mul(centred, centred, centred, rows * columns);
    PipeBarrier<PIPE_V>();
    ReduceMean<float, Pattern::Reduce::RA>(variance, centred, all, true);
    Join<HardEvent::V_MTE3>();
    Store(Gm<float>(y, 2 * columns), mean, 2 * columns);
}

// x * scale (a number a row) + bias (a number a column), both broadcast to a tile.
extern "C" __global__ __aicore__ void scale_bias(GM_ADDR x, GM_ADDR scale_gm, GM_ADDR bias_gm, GM_ADDR y, uint32_t rows,
                                                 uint32_t columns) {
    constexpr uint32_t kTile = 8;
    TPipe pipe;
    TBuf<> buffer;
    TQue<TPosition::VECIN, 1> scales;
    pipe.InitBuffer(buffer, (2 * kTile + 1) * columns * sizeof(half));
    pipe.InitBuffer(scales, 1, Align(kTile * sizeof(half), 32));
    auto bias = buffer.Get<half>(), wide_bias = bias[columns], wide_scale = wide_bias[kTile * columns];
    const uint32_t tile[] = {kTile, columns}, row[] = {1, columns}, column[] = {kTile, 1};
    Load(bias, Gm<half>(bias_gm, columns), columns);
    Join<HardEvent::MTE2_V>();
    BroadCast<half, 2, 0>(wide_bias, bias, tile, row);
    auto scale_from = Gm<half>(scale_gm, rows);
    EachTile<half, half>(pipe, x, y, rows, kTile, columns, columns,
                         [&](auto& out, auto& in, uint32_t first, uint32_t count) {
                             auto scale = scales.AllocTensor<half>();
                             Load(scale, scale_from[first], count);
                             scales.EnQue(scale);
                             scale = scales.DeQue<half>();
                             BroadCast<half, 2, 1>(wide_scale, scale, tile, column);
                             PipeBarrier<PIPE_V>();
                             scales.FreeTensor(scale);
                             Mul(out, in, wide_scale, count * columns);
                             PipeBarrier<PIPE_V>();
                             Add(out, out, wide_bias, count * columns);
                         });
}
