// SPDX-License-Identifier: Apache-2.0
// Gated activations with their quantisation, dropout, rotary embedding and losses, by high-level calls.
#include "programs.h"

using namespace programs;

// SwiGLU of the halves of each row, and its quantisation to int8 by a scale of its own a row, which goes to scales.
extern "C" __global__ __aicore__ void swiglu_dynamic_quant(GM_ADDR x, GM_ADDR y, GM_ADDR scales, uint32_t rows,
                                                           uint32_t width) {
    TPipe pipe;
    TBuf<> buffer;
    TQue<TPosition::VECOUT, 2> sides;
    pipe.InitBuffer(buffer, 3 * width * sizeof(float));
    pipe.InitBuffer(sides, 2, 32);
    auto gated = buffer.Get<float>(), wide = gated[width], narrow = wide[width];
    auto to = Gm<float>(scales, rows);
    const uint32_t row_shape[] = {1, width}, all[] = {width}, one[] = {1};
    EachRow<float, int8_t>(pipe, x, y, rows, 2 * width, width, [&](auto& out, auto& in, uint32_t row) {
        auto scale = sides.AllocTensor<float>();
        SwiGLU<float>(gated, in[width], in, 1.0f, width);
        PipeBarrier<PIPE_V>();
        Abs(wide, gated, width);
        PipeBarrier<PIPE_V>();
        ReduceMax<float, Pattern::Reduce::AR>(scale, wide, row_shape, true);
        PipeBarrier<PIPE_V>();
        Muls(scale, scale, 1.0f / 127, 1);
        PipeBarrier<PIPE_V>();
        BroadCast<float, 1, 0>(wide, scale, all, one);
        PipeBarrier<PIPE_V>();
        Div(gated, gated, wide, width);
        PipeBarrier<PIPE_V>();
        auto halves = narrow.template ReinterpretCast<half>();
        Cast(halves, gated, RoundMode::CAST_RINT, width);
        PipeBarrier<PIPE_V>();
        Cast(out, halves, RoundMode::CAST_RINT, width);
        sides.EnQue(scale);
        scale = sides.DeQue<float>();
        Store(to[row], scale, 1);
        sides.FreeTensor(scale);
    });
}

// GeGLU of the halves of each row.
extern "C" __global__ __aicore__ void geglu(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t width) {
    TPipe pipe;
    EachRow<half, half>(pipe, x, y, rows, 2 * width, width,
                        [&](auto& out, auto& in, uint32_t) { GeGLU<half>(out, in, in[width], width); });
}

// y = x * sigmoid(gate), where y was x.
extern "C" __global__ __aicore__ void sigmoid_gate(GM_ADDR gate, GM_ADDR y, uint32_t rows, uint32_t width) {
    constexpr uint32_t kTile = 4;
    TPipe pipe;
    TBuf<> shared;
    TQue<TPosition::VECIN, 2> ins;
    pipe.InitBuffer(shared, 8192);
    pipe.InitBuffer(ins, 2, kTile * width * sizeof(half));
    auto tmp = shared.Get<uint8_t>();
    auto values = Gm<half>(y, rows * width);
    EachTile<half, half>(pipe, gate, y, rows, kTile, width, width,
                         [&](auto& out, auto& in, uint32_t row, uint32_t count) {
                             auto x = ins.AllocTensor<half>();
                             Load(x, values[row * width], count * width);
                             ins.EnQue(x);
                             x = ins.DeQue<half>();
                             Sigmoid<half>(out, in, tmp, count * width);
                             PipeBarrier<PIPE_V>();
                             Mul(out, out, x, count * width);
                             ins.FreeTensor(x);
                         });
}

// x / keep where the mask has a bit, else 0; a row of the mask begins at a multiple of 32 bytes.
extern "C" __global__ __aicore__ void dropout(GM_ADDR x, GM_ADDR mask_gm, GM_ADDR y, uint32_t rows, uint32_t width,
                                              uint32_t mask_width, float keep) {
    constexpr uint32_t kTile = 4;
    TPipe pipe;
    TQue<TPosition::VECIN, 2> masks;
    pipe.InitBuffer(masks, 2, kTile * mask_width);
    EachTile<float, float>(
        pipe, x, y, rows, kTile, width, width, [&](auto& out, auto& in, uint32_t row, uint32_t count) {
            auto mask = masks.AllocTensor<uint8_t>();
            Load(mask, Gm<uint8_t>(mask_gm, rows * mask_width)[row * mask_width], count * mask_width);
            masks.EnQue(mask);
            mask = masks.DeQue<uint8_t>();
            in.SetSize(count * width);
            DropOutBitModeInit(mask);
            DropOut(out, in, mask, keep, {count, width, mask_width});
            masks.FreeTensor(mask);
        });
}

// Rotary embedding: each row is turned by the angles position * frequency, positions from 0; halves of a row pair up.
extern "C" __global__ __aicore__ void rotary(GM_ADDR x, GM_ADDR frequencies, GM_ADDR y, uint32_t rows, uint32_t width) {
    const uint32_t half_width = width / 2;
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 5 * half_width * sizeof(float));
    auto frequency = buffer.Get<float>(), angle = frequency[half_width], cosine = angle[half_width],
         sine = cosine[half_width], product = sine[half_width];
    Load(frequency, Gm<float>(frequencies, half_width), half_width);
    Join<HardEvent::MTE2_V>();
    EachRow<float, float>(pipe, x, y, rows, width, width, [&](auto& out, auto& in, uint32_t row) {
        Muls(angle, frequency, float(row), half_width);
        PipeBarrier<PIPE_V>();
        Cos<float>(cosine, angle, half_width);
        Sin<float>(sine, angle, half_width);
        PipeBarrier<PIPE_V>();
        Mul(out, in, cosine, half_width);
        Mul(product, in[half_width], sine, half_width);
        PipeBarrier<PIPE_V>();
        Sub(out, out, product, half_width);
        Mul(out[half_width], in[half_width], cosine, half_width);
        PipeBarrier<PIPE_V>();
        Mul(product, in, sine, half_width);
        PipeBarrier<PIPE_V>();
        Add(out[half_width], out[half_width], product, half_width);
    });
}

// x / 2 (1 + tanh(0.79788456 (x + 0.044715 x^3))).
extern "C" __global__ __aicore__ void gelu_tanh(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t width) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, width * sizeof(float));
    auto t = buffer.Get<float>();
    EachRow<float, float>(pipe, x, y, rows, width, width, [&](auto& out, auto& in, uint32_t) {
        Power<float>(out, in, 3.0f, width);
        PipeBarrier<PIPE_V>();
        Muls(out, out, 0.044715f, width);
        PipeBarrier<PIPE_V>();
        Add(out, out, in, width);
        PipeBarrier<PIPE_V>();
        Muls(out, out, 0.79788456f, width);
        PipeBarrier<PIPE_V>();
        Tanh<float>(t, out, width);
        PipeBarrier<PIPE_V>();
        Adds(t, t, 1.0f, width);
        Muls(out, in, 0.5f, width);
        PipeBarrier<PIPE_V>();
        Mul(out, out, t, width);
    });
}

// Running sums along each row of half, in float; the last of each row to ends.
extern "C" __global__ __aicore__ void running_sums(GM_ADDR x, GM_ADDR y, GM_ADDR ends, uint32_t rows, uint32_t width) {
    constexpr uint32_t kTile = 4;
    constexpr static CumSumConfig kWithEnds{true, false, true};
    TPipe pipe;
    TQue<TPosition::VECOUT, 2> sides;
    pipe.InitBuffer(sides, 2, 32);
    auto to = Gm<half>(ends, rows);
    EachTile<half, half>(pipe, x, y, rows, kTile, width, width, [&](auto& out, auto& in, uint32_t row, uint32_t count) {
        auto last = sides.AllocTensor<half>();
        CumSum<half, kWithEnds>(out, last, in, {count, width});
        sides.EnQue(last);
        last = sides.DeQue<half>();
        Store(to[row], last, count);
        sides.FreeTensor(last);
    });
}

// Running sums down the columns, tile after tile: the last row of a tile is added to the first of the next. One block.
extern "C" __global__ __aicore__ void running_rows(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t width) {
    constexpr uint32_t kTile = 8;
    constexpr static CumSumConfig kDown{false, false, true};
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, width * sizeof(float));
    auto last = buffer.Get<float>();
    Duplicate(last, 0.0f, width);
    EachTile<float, float>(pipe, x, y, rows, kTile, width, width, [&](auto& out, auto& in, uint32_t, uint32_t count) {
        PipeBarrier<PIPE_V>();
        Add(in, in, last, width);
        PipeBarrier<PIPE_V>();
        CumSum<float, kDown>(out, last, in, {count, width});
    });
}

struct HeadsData {
    uint32_t batches, elements;  // of a batch
    ConfusionTransposeTiling transpose;
};

// Heads of fractals, as a matmul leaves them, to rows of all heads: [N, h / 16, S / 16, 16, 16] to [S, N, h] a batch.
extern "C" __global__ __aicore__ void merge_heads(GM_ADDR x, GM_ADDR y, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(HeadsData, t, tiling);
    TPipe pipe;
    EachRow<half, half>(pipe, x, y, t.batches, t.elements, t.elements, [&](auto& out, auto& in, uint32_t) {
        ConfusionTranspose<half>(out, in, TransposeType::TRANSPOSE_NZ2ND_0213, t.transpose);
    });
}
// Keys of each batch transposed: [S, h] to [h, S].
extern "C" __global__ __aicore__ void transpose_keys(GM_ADDR x, GM_ADDR y, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(HeadsData, t, tiling);
    TPipe pipe;
    EachRow<float, float>(pipe, x, y, t.batches, t.elements, t.elements, [&](auto& out, auto& in, uint32_t) {
        ConfusionTranspose<float>(out, in, TransposeType::TRANSPOSE_ND2ND_ONLY, t.transpose);
    });
}
