// SPDX-License-Identifier: Apache-2.0
// What stands around a network: sampling, positions, the gradient of a table, by high-level calls.
#include "programs.h"

using namespace programs;

struct NucleusData {
    uint32_t rows, width;
    float share;
    SoftMaxTiling softmax;
    TopkTiling topk;
};

// The probabilities of each row in descending order, and where they are; those behind the first of which the sum passes
// `share` are 0, the others are divided by their sum.
extern "C" __global__ __aicore__ void nucleus(GM_ADDR x, GM_ADDR y, GM_ADDR places_gm, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(NucleusData, t, tiling);
    const uint32_t n = t.width, all[] = {n}, one[] = {1};
    TPipe pipe;
    TBuf<> buffer;
    TQue<TPosition::VECOUT, 1> places;
    pipe.InitBuffer(buffer, (4 * n + 8) * sizeof(float));
    pipe.InitBuffer(places, 1, n * sizeof(int32_t));
    auto chances = buffer.Get<float>(), sorted = chances[n], sums = sorted[n], wide = sums[n], total = wide[n];
    auto to = Gm<int32_t>(places_gm, t.rows * n);
    LocalTensor<int32_t> counted;
    LocalTensor<bool> unfinished;
    EachRow<float, float>(pipe, x, y, t.rows, n, n, [&](auto& out, auto& in, uint32_t row) {
        SoftMax<float>(chances, in, t.softmax, {1, n, 1, n});
        PipeBarrier<PIPE_V>();
        auto place = places.AllocTensor<int32_t>();
        TopK<float>(sorted, place, chances, counted, unfinished, int32_t(n), t.topk, {1, int32_t(n), int32_t(n)});
        places.EnQue(place);
        place = places.DeQue<int32_t>();
        Store(to[row * n], place, n);
        places.FreeTensor(place);
        PipeBarrier<PIPE_V>();
        CumSum<float>(sums, wide, sorted, {1, n});
        PipeBarrier<PIPE_V>();
        // Without its own, the sum before an element says whether it is taken.
        Sub(sums, sums, sorted, n);
        PipeBarrier<PIPE_V>();
        auto taken = wide.template ReinterpretCast<uint8_t>();
        CompareScalar(taken, sums, t.share, CMPMODE::LT, Align(n, 64));
        PipeBarrier<PIPE_V>();
        Select(sorted, taken, sorted, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, n);
        PipeBarrier<PIPE_V>();
        Sum(total, sorted, {1, n, n});
        PipeBarrier<PIPE_V>();
        BroadCast<float, 1, 0>(wide, total, all, one);
        PipeBarrier<PIPE_V>();
        Div(out, sorted, wide, n);
    });
}

// Two normal numbers of two uniform ones (Box and Muller): sqrt(-2 ln a) cos(2 pi b) and the sine.
extern "C" __global__ __aicore__ void normal_pairs(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t width) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 2 * width * sizeof(float));
    auto radius = buffer.Get<float>(), angle = radius[width];
    EachRow<float, float>(pipe, x, y, rows, 2 * width, 2 * width, [&](auto& out, auto& in, uint32_t) {
        Log<float>(radius, in, width);
        Muls(angle, in[width], 6.2831855f, width);
        PipeBarrier<PIPE_V>();
        Muls(radius, radius, -2.0f, width);
        Cos<float>(out, angle, width);
        Sin<float>(out[width], angle, width);
        PipeBarrier<PIPE_V>();
        Sqrt(radius, radius, width);
        PipeBarrier<PIPE_V>();
        Mul(out, out, radius, width);
        Mul(out[width], out[width], radius, width);
    });
}

// sin and cos of position / 10000^(2 i / width), a row a position, the sines first. No input: positions are counted.
extern "C" __global__ __aicore__ void positions(GM_ADDR y, uint32_t rows, uint32_t width) {
    const uint32_t pairs = width / 2;
    TPipe pipe;
    TBuf<> buffer;
    TQue<TPosition::VECOUT, 2> outs;
    pipe.InitBuffer(buffer, 2 * pairs * sizeof(float));
    pipe.InitBuffer(outs, 2, width * sizeof(float));
    auto exponent = buffer.Get<float>(), angle = exponent[pairs];
    ArithProgression<float>(angle, 0.0f, 1.0f, pairs);
    PipeBarrier<PIPE_V>();
    Muls(angle, angle, -2.0f / float(width), pairs);
    PipeBarrier<PIPE_V>();
    Power<float>(exponent, 10000.0f, angle, pairs);
    auto to = Gm<float>(y, rows * width);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        auto out = outs.AllocTensor<float>();
        PipeBarrier<PIPE_V>();
        Muls(angle, exponent, float(row), pairs);
        PipeBarrier<PIPE_V>();
        Sin<float>(out, angle, pairs);
        Cos<float>(out[pairs], angle, pairs);
        outs.EnQue(out);
        out = outs.DeQue<float>();
        DataCopy(to[row * width], out, width);
        outs.FreeTensor(out);
    }
}

// The gradient of a table [entries, width]: row i of x is added to row indices[i]. The table is zeroed first.
extern "C" __global__ __aicore__ void table_gradient(GM_ADDR x, GM_ADDR indices_gm, GM_ADDR table_gm, uint32_t rows,
                                                     uint32_t entries, uint32_t width) {
    auto table = Gm<float>(table_gm, entries * width);
    const Share mine(entries);
    InitGlobalMemory(table[mine.begin * width], mine.size() * width, 0.0f);
    SyncAll();
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue;
    pipe.InitBuffer(queue, 2, width * sizeof(float));
    auto from = Gm<float>(x, rows * width);
    auto indices = Gm<int32_t>(indices_gm, rows);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        auto gradient = queue.AllocTensor<float>();
        DataCopy(gradient, from[row * width], width);
        queue.EnQue(gradient);
        gradient = queue.DeQue<float>();
        SetAtomicAdd<float>();
        DataCopy(table[indices.GetValue(row) * width], gradient, width);
        SetAtomicNone();
        queue.FreeTensor(gradient);
    }
}
