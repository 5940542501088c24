// SPDX-License-Identifier: Apache-2.0
// Vector programs whose blocks have nothing to do with each other.
#include "programs.h"

using namespace programs;

struct AddTiling {
    uint32_t total, tile;
};

// z = x + y of any length: whole tiles, and a tail.
extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(AddTiling, t, tiling);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> xs, ys;
    TQue<TPosition::VECOUT, 2> zs;
    pipe.InitBuffer(xs, 2, t.tile * sizeof(half));
    pipe.InitBuffer(ys, 2, t.tile * sizeof(half));
    pipe.InitBuffer(zs, 2, t.tile * sizeof(half));
    auto gx = Gm<half>(x, t.total), gy = Gm<half>(y, t.total), gz = Gm<half>(z, t.total);
    const Share share(t.total, 16);
    for (uint32_t at = share.begin; at < share.end; at += t.tile) {
        const uint32_t count = Least(t.tile, share.end - at);
        auto tx = xs.AllocTensor<half>(), ty = ys.AllocTensor<half>();
        Load(tx, gx[at], count);
        Load(ty, gy[at], count);
        xs.EnQue(tx);
        ys.EnQue(ty);
        tx = xs.DeQue<half>();
        ty = ys.DeQue<half>();
        auto tz = zs.AllocTensor<half>();
        Add(tz, tx, ty, count);
        zs.EnQue(tz);
        xs.FreeTensor(tx);
        ys.FreeTensor(ty);
        tz = zs.DeQue<half>();
        Store(gz[at], tz, count);
        zs.FreeTensor(tz);
    }
}

// (x - mean) / sqrt(variance + epsilon) * gamma + beta of each row.
extern "C" __global__ __aicore__ void layer_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, uint32_t rows,
                                                 uint32_t columns, float epsilon) {
    TPipe pipe;
    TBuf<> weights, scratch;
    const uint32_t room = Align(columns, 8);
    pipe.InitBuffer(weights, 2 * room * sizeof(float));
    pipe.InitBuffer(scratch, (room + 64) * sizeof(float));
    auto scale = weights.Get<float>(), shift = scale[room];
    auto square = scratch.Get<float>(), sum = square[room];
    Load(scale, Gm<float>(gamma, columns), columns);
    Load(shift, Gm<float>(beta, columns), columns);
    Join<HardEvent::MTE2_V>();
    const float share = 1.0f / columns;
    EachRow<float, float>(pipe, x, y, rows, columns, columns, [&](auto& out, auto& in, uint32_t) {
        ReduceSum(sum, in, square, columns);
        Adds(out, in, -sum.GetValue(0) * share, columns);
        Mul(square, out, out, columns);
        ReduceSum(sum, square, sum[8], columns);
        Muls(sum, sum, share, 8);
        Adds(sum, sum, epsilon, 8);
        Sqrt(sum, sum, 8);
        Muls(out, out, 1.0f / sum.GetValue(0), columns);
        Mul(out, out, scale, columns);
        Add(out, out, shift, columns);
    });
}

// x / sqrt(mean(x * x) + epsilon) * gamma of each row of half, in float.
extern "C" __global__ __aicore__ void rms_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, uint32_t rows, uint32_t columns,
                                               float epsilon) {
    TPipe pipe;
    TBuf<> buffer;
    const uint32_t room = Align(columns, 16);
    pipe.InitBuffer(buffer, (3 * room + 64) * sizeof(float));
    auto scale = buffer.Get<float>(), wide = scale[room], square = wide[room], sum = square[room];
    auto stored = square.ReinterpretCast<half>();
    Load(stored, Gm<half>(gamma, columns), columns);
    Join<HardEvent::MTE2_V>();
    Cast(scale, stored, RoundMode::CAST_NONE, columns);
    EachRow<half, half>(pipe, x, y, rows, columns, columns, [&](auto& out, auto& in, uint32_t) {
        Cast(wide, in, RoundMode::CAST_NONE, columns);
        Mul(square, wide, wide, columns);
        ReduceSum(sum, square, sum[8], columns);
        Muls(sum, sum, 1.0f / columns, 8);
        Adds(sum, sum, epsilon, 8);
        Sqrt(sum, sum, 8);
        Muls(wide, wide, 1.0f / sum.GetValue(0), columns);
        Mul(wide, wide, scale, columns);
        Cast(out, wide, RoundMode::CAST_RINT, columns);
    });
}

extern "C" __global__ __aicore__ void softmax(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, (Align(columns, 8) + 64) * sizeof(float));
    auto result = buffer.Get<float>(), work = result[8];
    EachRow<float, float>(pipe, x, y, rows, columns, columns, [&](auto& out, auto& in, uint32_t) {
        ReduceMax(result, in, work, columns);
        Adds(out, in, -result.GetValue(0), columns);
        Exp(out, out, columns);
        ReduceSum(result, out, work, columns);
        Muls(out, out, 1.0f / result.GetValue(0), columns);
    });
}

// x / (1 + exp(-2 z)), z = sqrt(2 / pi) (x + 0.044715 x^3): the form of GELU by tanh.
extern "C" __global__ __aicore__ void gelu(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
    TPipe pipe;
    EachRow<float, float>(pipe, x, y, rows, columns, columns, [&](auto& out, auto& in, uint32_t) {
        Mul(out, in, in, columns);
        Muls(out, out, 0.044715f, columns);
        Adds(out, out, 1.0f, columns);
        Mul(out, out, in, columns);
        Muls(out, out, -2 * 0.7978845608f, columns);
        Exp(out, out, columns);
        Adds(out, out, 1.0f, columns);
        Div(out, in, out, columns);
    });
}

// A row is a gate and a value of `columns` each: gate / (1 + exp(-gate)) * value.
extern "C" __global__ __aicore__ void swiglu(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
    TPipe pipe;
    EachRow<float, float>(pipe, x, y, rows, 2 * columns, columns, [&](auto& out, auto& in, uint32_t) {
        Muls(out, in, -1.0f, columns);
        Exp(out, out, columns);
        Adds(out, out, 1.0f, columns);
        Div(out, in, out, columns);
        Mul(out, out, in[columns], columns);
    });
}

// int8 of each row and its scale: round(x * 127 / max |x|).
extern "C" __global__ __aicore__ void quantise(GM_ADDR x, GM_ADDR y, GM_ADDR scales, uint32_t rows, uint32_t columns) {
    TPipe pipe;
    TBuf<> buffer;
    TQue<TPosition::VECOUT, 1> outs;
    const uint32_t room = Align(columns, 32);
    pipe.InitBuffer(buffer, (2 * room + 64) * sizeof(float));
    pipe.InitBuffer(outs, 1, 32);
    auto wide = buffer.Get<float>(), work = wide[room], most = work[room];
    auto narrow = work.ReinterpretCast<half>();
    auto to = Gm<float>(scales, rows);
    EachRow<float, int8_t>(pipe, x, y, rows, columns, columns, [&](auto& out, auto& in, uint32_t row) {
        Abs(wide, in, columns);
        ReduceMax(most, wide, work, columns);
        const float scale = 127.0f / most.GetValue(0);
        Muls(wide, in, scale, columns);
        Cast(narrow, wide, RoundMode::CAST_RINT, columns);
        Cast(out, narrow, RoundMode::CAST_RINT, columns);
        auto told = outs.template AllocTensor<float>();
        Duplicate(told, scale, 8);
        outs.EnQue(told);
        told = outs.template DeQue<float>();
        Store(to[row], told, 1);
        outs.FreeTensor(told);
    });
}

// What is at least `limit` from 0 stays, the rest becomes 0. columns: a multiple of 64.
extern "C" __global__ __aicore__ void hard_shrink(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns, float limit) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, columns / 8 + 32);
    auto bits = buffer.Get<uint8_t>();
    EachRow<float, float>(pipe, x, y, rows, columns, columns, [&](auto& out, auto& in, uint32_t) {
        Abs(out, in, columns);
        CompareScalar(bits, out, limit, CMPMODE::GE, columns);
        Select(out, bits, in, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, columns);
    });
}

// y = x transposed, in squares of 16 x 16: sizes are multiples of 16.
extern "C" __global__ __aicore__ void transpose(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> ins;
    TQue<TPosition::VECOUT, 2> outs;
    pipe.InitBuffer(ins, 2, 512);
    pipe.InitBuffer(outs, 2, 512);
    auto from = Gm<half>(x, rows * columns), to = Gm<half>(y, rows * columns);
    const uint32_t across = columns / 16;
    for (uint32_t i = GetBlockIdx(); i < rows / 16 * across; i += GetBlockNum()) {
        const uint32_t row = i / across * 16, column = i % across * 16;
        auto in = ins.AllocTensor<half>();
        DataCopy(in, from[row * columns + column], DataCopyParams(16, 1, columns / 16 - 1, 0));
        ins.EnQue(in);
        in = ins.DeQue<half>();
        auto out = outs.AllocTensor<half>();
        Transpose(out, in);
        outs.EnQue(out);
        ins.FreeTensor(in);
        out = outs.DeQue<half>();
        DataCopy(to[column * rows + row], out, DataCopyParams(16, 1, 0, rows / 16 - 1));
        outs.FreeTensor(out);
    }
}

// y[r][j] = x[r][index[j]].
extern "C" __global__ __aicore__ void take_columns(GM_ADDR x, GM_ADDR index, GM_ADDR y, uint32_t rows, uint32_t columns,
                                                   uint32_t taken) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, Align(taken, 8) * sizeof(int32_t));
    auto offsets = buffer.Get<int32_t>();
    Load(offsets, Gm<int32_t>(index, taken), taken);
    Join<HardEvent::MTE2_V>();
    Muls(offsets, offsets, int32_t(sizeof(float)), taken);
    EachRow<float, float>(pipe, x, y, rows, columns, taken, [&](auto& out, auto& in, uint32_t) {
        Gather(out, in, offsets.ReinterpretCast<uint32_t>(), 0, taken);
    });
}

// y[i] = table[index[i]]: the scalar unit reads the indices, a move brings each row.
extern "C" __global__ __aicore__ void embedding(GM_ADDR table, GM_ADDR index, GM_ADDR y, uint32_t entries,
                                                uint32_t count, uint32_t columns) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue;
    pipe.InitBuffer(queue, 2, columns * sizeof(half));
    auto from = Gm<half>(table, entries * columns), to = Gm<half>(y, count * columns);
    auto indices = Gm<int32_t>(index, count);
    const Share share(count);
    for (uint32_t i = share.begin; i < share.end; ++i) {
        auto row = queue.AllocTensor<half>();
        DataCopy(row, from[indices.GetValue(i) * columns], columns);
        queue.EnQue(row);
        row = queue.DeQue<half>();
        DataCopy(to[i * columns], row, columns);
        queue.FreeTensor(row);
    }
}

// Values and their indices, descending; rows of 32 times a power of 4.
extern "C" __global__ __aicore__ void sort_rows(GM_ADDR x, GM_ADDR y, GM_ADDR order, uint32_t rows, uint32_t columns) {
    TPipe pipe;
    TBuf<> buffer;
    TQue<TPosition::VECOUT, 1> outs;
    pipe.InitBuffer(buffer, columns * 5 * sizeof(float));
    pipe.InitBuffer(outs, 1, columns * sizeof(uint32_t));
    auto index = buffer.Get<int32_t>();
    auto sorted = buffer.GetWithOffset<float>(2 * columns, columns * 4);
    auto work = buffer.GetWithOffset<float>(2 * columns, columns * 12);
    auto to = Gm<uint32_t>(order, rows * columns);
    CreateVecIndex(index, 0, columns);
    EachRow<float, float>(pipe, x, y, rows, columns, columns, [&](auto& out, auto& in, uint32_t row) {
        auto places = outs.template AllocTensor<uint32_t>();
        Sort<float, true>(sorted, in, index.ReinterpretCast<uint32_t>(), work, columns / 32);
        Extract(out, places, sorted, columns / 32);
        outs.EnQue(places);
        places = outs.template DeQue<uint32_t>();
        DataCopy(to[row * columns], places, columns);
        outs.FreeTensor(places);
    });
}
