// SPDX-License-Identifier: Apache-2.0
// Reductions over blocks by atomic stores.
#include "programs.h"

using namespace programs;

// combine(acc, row) over the rows of this block, then one store of acc under the atomic mode that set_mode sets.
template <class T, class Mode, class Combine>
__aicore__ inline void ReduceColumns(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns, T first,
                                     const Mode& set_mode, const Combine& combine) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> ins;
    TBuf<> buffer;
    pipe.InitBuffer(ins, 2, columns * sizeof(T));
    pipe.InitBuffer(buffer, columns * sizeof(T));
    auto acc = buffer.Get<T>();
    auto from = Gm<T>(x, rows * columns);
    Duplicate(acc, first, columns);
    const Share share(rows);
    for (uint32_t row = share.begin; row < share.end; ++row) {
        auto in = ins.template AllocTensor<T>();
        DataCopy(in, from[row * columns], columns);
        ins.EnQue(in);
        in = ins.template DeQue<T>();
        combine(acc, in);
        ins.FreeTensor(in);
    }
    Join<HardEvent::V_MTE3>();
    set_mode();
    DataCopy(Gm<T>(y, columns), acc, columns);
    SetAtomicNone();
}

extern "C" __global__ __aicore__ void column_sum(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
    ReduceColumns<int32_t>(
        x, y, rows, columns, 0, [] { SetAtomicAdd<int32_t>(); },
        [&](auto& acc, auto& in) { Add(acc, acc, in, columns); });
}
extern "C" __global__ __aicore__ void column_max(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
    ReduceColumns<half>(
        x, y, rows, columns, half(-65504.0f), [] { SetAtomicMax<half>(); },
        [&](auto& acc, auto& in) { Max(acc, acc, in, columns); });
}
extern "C" __global__ __aicore__ void column_min(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
    ReduceColumns<int32_t>(
        x, y, rows, columns, 0x7fffffff, [] { SetAtomicMin<int32_t>(); },
        [&](auto& acc, auto& in) { Min(acc, acc, in, columns); });
}

// The sum of all elements of float; blocks add in the order of their indices.
extern "C" __global__ __aicore__ void total(GM_ADDR x, GM_ADDR y, uint32_t count) {
    TPipe pipe;
    TBuf<> buffer;
    const Share share(count, 64);
    if (share.size() == 0) return;
    const uint32_t room = Align(share.size(), 64);
    pipe.InitBuffer(buffer, (2 * room + 8) * sizeof(float));
    auto in = buffer.Get<float>(), work = in[room], sum = work[room];
    Load(in, Gm<float>(x, count)[share.begin], share.size());
    Join<HardEvent::MTE2_V>();
    ReduceSum(sum, in, work, share.size());
    Join<HardEvent::V_MTE3>();
    SetAtomicAdd<float>();
    Store(Gm<float>(y, 1), sum, 1);
    SetAtomicNone();
}

// How often each of 64 values occurs: counted by the scalar unit in UB.
extern "C" __global__ __aicore__ void histogram(GM_ADDR x, GM_ADDR y, uint32_t count) {
    TPipe pipe;
    TBuf<> buffer;
    const Share share(count, 8);
    pipe.InitBuffer(buffer, (64 + Align(share.size(), 8)) * sizeof(int32_t));
    auto counts = buffer.Get<int32_t>(), in = counts[64];
    Duplicate(counts, 0, 64);
    if (share.size() != 0) Load(in, Gm<int32_t>(x, count)[share.begin], share.size());
    Join<HardEvent::MTE2_S>();
    for (uint32_t i = 0; i < share.size(); ++i) {
        const int32_t value = in.GetValue(i);
        counts.SetValue(value, counts.GetValue(value) + 1);
    }
    Join<HardEvent::S_MTE3>();
    SetAtomicAdd<int32_t>();
    DataCopy(Gm<int32_t>(y, 64), counts, 64);
    SetAtomicNone();
}
