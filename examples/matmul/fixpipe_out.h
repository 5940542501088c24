// SPDX-License-Identifier: Apache-2.0
// C from L0C to rows of global memory on Ascend910B: converted as a whole, or by a word for each column.
#pragma once

#include "tiled_matmul.h"

namespace matmul {

template <class Acc, class C, QuantMode_t mode = NoQuant>
class FixpipeOut {
public:
    __aicore__ inline FixpipeOut(const MatmulTiling& tiling, GM_ADDR c) : row_(tiling.n) {
        c_.SetGlobalBuffer((__gm__ C*)c, tiling.m * tiling.n);
    }

    __aicore__ inline void CopyOut(const LocalTensor<Acc>& co1, const Tile& tile) {
        Fixpipe<C, Acc>(Place(tile), co1, Params(tile));
    }

protected:
    __aicore__ inline GlobalTensor<C> Place(const Tile& tile) const { return c_[tile.m * row_ + tile.n]; }
    __aicore__ inline FixpipeParamsV220 Params(const Tile& tile) const {
        FixpipeParamsV220 p;
        p.nSize = static_cast<uint16_t>(tile.columns);
        p.mSize = static_cast<uint16_t>(tile.rows);
        p.srcStride = static_cast<uint16_t>(Align(tile.rows, 16));
        p.dstStride = row_;
        p.quantPre = mode;
        return p;
    }

private:
    const uint32_t row_;
    GlobalTensor<C> c_;
};

// words: one of 64 bits for each column, as many as n rounded up to 16. They stay in L1 while the kernel runs.
template <class Acc, class C, QuantMode_t mode>
class FixpipeByColumn : public FixpipeOut<Acc, C, mode> {
public:
    __aicore__ inline FixpipeByColumn(TPipe& pipe, const MatmulTiling& tiling, GM_ADDR c, GM_ADDR words)
        : FixpipeOut<Acc, C, mode>(tiling, c) {
        const uint32_t count = Align(tiling.n, 16);
        GlobalTensor<uint64_t> source;
        source.SetGlobalBuffer((__gm__ uint64_t*)words, count);
        pipe.InitBuffer(queue_, 1, count * sizeof(uint64_t));
        LocalTensor<uint64_t> tensor = queue_.template AllocTensor<uint64_t>();
        DataCopy(tensor, source, count);
        queue_.EnQue(tensor);
        words_ = queue_.template DeQue<uint64_t>();
    }
    __aicore__ inline ~FixpipeByColumn() { queue_.FreeTensor(words_); }

    // Fixpipe follows the last Mmad, that its loads, and those the words: DeQue of the queue above is their flag.
    __aicore__ inline void CopyOut(const LocalTensor<Acc>& co1, const Tile& tile) {
        Fixpipe<C, Acc>(this->Place(tile), co1, words_[tile.n], this->Params(tile));
    }

private:
    TQue<TPosition::C1, 1> queue_;
    LocalTensor<uint64_t> words_;
};

}  // namespace matmul
