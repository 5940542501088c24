// SPDX-License-Identifier: Apache-2.0
// What the vector programs of this folder share: parts of the work, and rows through queues.
#pragma once

#include "fractal_loads.h"

namespace programs {

using namespace AscendC;
using matmul::Align;
using matmul::CeilDiv;
using matmul::Least;

template <class T>
__aicore__ inline GlobalTensor<T> Gm(GM_ADDR p, uint64_t count) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T*)p, count);
    return tensor;
}

// Elements [begin, end) of `total`: what this block of `blocks` works on, in whole units.
struct Share {
    __aicore__ inline Share(uint32_t total, uint32_t unit, uint32_t block, uint32_t blocks) {
        const uint32_t size = Align(CeilDiv(total, blocks), unit);
        begin = Least(total, block * size);
        end = Least(total, begin + size);
    }
    __aicore__ inline Share(uint32_t total, uint32_t unit = 1) : Share(total, unit, GetBlockIdx(), GetBlockNum()) {}
    __aicore__ inline uint32_t size() const { return end - begin; }
    uint32_t begin, end;
};

// `count` elements between global memory and UB, whatever their number.
template <class T>
__aicore__ inline void Load(const LocalTensor<T>& dst, const GlobalTensor<T>& src, uint32_t count) {
    DataCopyPad(dst, src, DataCopyExtParams(1, count * sizeof(T), 0, 0, 0), DataCopyPadExtParams<T>());
}
template <class T>
__aicore__ inline void Store(const GlobalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count) {
    DataCopyPad(dst, src, DataCopyExtParams(1, count * sizeof(T), 0, 0, 0));
}

// A flag from one pipe to another, set and waited for at once. A second one of the same event and id needs something
// between that makes the first pipe wait for the other.
template <HardEvent event>
__aicore__ inline void Join(event_t id = EVENT_ID0) {
    SetFlag<event>(id);
    WaitFlag<event>(id);
}

// compute(out, in, row, count) on tiles of this block, of at most `tile` rows: of each row `columns` elements of T come
// in, `results` of U go out, through queues of two blocks.
template <class T, class U, class Compute>
__aicore__ inline void EachTile(TPipe& pipe, GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t tile, uint32_t columns,
                                uint32_t results, const Compute& compute) {
    TQue<TPosition::VECIN, 2> ins;
    TQue<TPosition::VECOUT, 2> outs;
    pipe.InitBuffer(ins, 2, Align(tile * columns * sizeof(T), 32));
    pipe.InitBuffer(outs, 2, Align(tile * results * sizeof(U), 32));
    auto from = Gm<T>(x, uint64_t(rows) * columns);
    auto to = Gm<U>(y, uint64_t(rows) * results);
    for (uint32_t row = GetBlockIdx() * tile; row < rows; row += GetBlockNum() * GetTaskRatio() * tile) {
        const uint32_t count = Least(tile, rows - row);
        LocalTensor<T> in = ins.template AllocTensor<T>();
        Load(in, from[row * columns], count * columns);
        ins.EnQue(in);
        in = ins.template DeQue<T>();
        LocalTensor<U> out = outs.template AllocTensor<U>();
        compute(out, in, row, count);
        outs.EnQue(out);
        ins.FreeTensor(in);
        out = outs.template DeQue<U>();
        Store(to[row * results], out, count * results);
        outs.FreeTensor(out);
    }
}

// compute(out, in, row) on each row of this block.
template <class T, class U, class Compute>
__aicore__ inline void EachRow(TPipe& pipe, GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns, uint32_t results,
                               const Compute& compute) {
    EachTile<T, U>(pipe, x, y, rows, 1, columns, results,
                   [&](auto& out, auto& in, uint32_t row, uint32_t) { compute(out, in, row); });
}

}  // namespace programs
