// SPDX-License-Identifier: Apache-2.0
#ifndef SWI_GLU_SPLIT_H
#define SWI_GLU_SPLIT_H
#include "kernel_operator.h"
#include "swi_glu_split_tiling_data.h"

using namespace AscendC;

template <typename T>
class SwiGluSplit {
public:
    __aicore__ inline SwiGluSplit() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const SwiGluSplitTilingSpace::SwiGluSplitTilingData& tiling) {
        const auto& share = tiling.share;
        const uint32_t core = GetBlockIdx();
        rowNum_ = share.rowsOfMost + (core < share.coresWithMore ? 1 : 0);
        firstRow_ = core * share.rowsOfMost + (core < share.coresWithMore ? core : share.coresWithMore);
        half_ = tiling.half;
        tile_ = tiling.tile;
        beta_ = tiling.beta;
        xGm_.SetGlobalBuffer((__gm__ T*)x + (uint64_t)firstRow_ * 2 * half_, (uint64_t)rowNum_ * 2 * half_);
        yGm_.SetGlobalBuffer((__gm__ T*)y + (uint64_t)firstRow_ * half_, (uint64_t)rowNum_ * half_);
        pipe_.InitBuffer(aQueue_, 2, tile_ * sizeof(T));
        pipe_.InitBuffer(bQueue_, 2, tile_ * sizeof(T));
        pipe_.InitBuffer(yQueue_, 2, tile_ * sizeof(T));
        pipe_.InitBuffer(aBuf_, tile_ * sizeof(float));
        pipe_.InitBuffer(bBuf_, tile_ * sizeof(float));
        pipe_.InitBuffer(eBuf_, tile_ * sizeof(float));
    }
    __aicore__ inline void Process() {
        for (uint32_t row = 0; row < rowNum_; row++) {
            for (uint32_t col = 0; col < half_; col += tile_) {
                const uint32_t count = half_ - col < tile_ ? half_ - col : tile_;
                CopyIn(aQueue_, (uint64_t)row * 2 * half_ + col, count);
                CopyIn(bQueue_, (uint64_t)row * 2 * half_ + half_ + col, count);
                Compute(count);
                LocalTensor<T> y = yQueue_.template DeQue<T>();
                DataCopyPad(yGm_[(uint64_t)row * half_ + col], y, {1, (uint32_t)(count * sizeof(T)), 0, 0, 0});
                yQueue_.FreeTensor(y);
            }
        }
    }

private:
    __aicore__ inline void CopyIn(TQue<QuePosition::VECIN, 2>& queue, uint64_t at, uint32_t count) {
        LocalTensor<T> local = queue.template AllocTensor<T>();
        DataCopyPad(local, xGm_[at], {1, (uint32_t)(count * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
        queue.EnQue(local);
    }
    __aicore__ inline void Compute(uint32_t count) {
        LocalTensor<T> a = aQueue_.template DeQue<T>(), b = bQueue_.template DeQue<T>();
        LocalTensor<float> af = aBuf_.Get<float>(), bf = bBuf_.Get<float>(), e = eBuf_.Get<float>();
        if constexpr (IsSameType<T, float>::value) {
            Adds(af, a, 0.0f, count);
            Adds(bf, b, 0.0f, count);
        } else {
            Cast(af, a, RoundMode::CAST_NONE, count);
            Cast(bf, b, RoundMode::CAST_NONE, count);
        }
        aQueue_.FreeTensor(a);
        bQueue_.FreeTensor(b);
        Muls(e, af, -beta_, count);
        Exp(e, e, count);
        Adds(e, e, 1.0f, count);
        Div(af, af, e, count);
        Mul(af, af, bf, count);
        LocalTensor<T> y = yQueue_.template AllocTensor<T>();
        if constexpr (IsSameType<T, float>::value) {
            Adds(y, af, 0.0f, count);
        } else {
            Cast(y, af, RoundMode::CAST_RINT, count);
        }
        yQueue_.template EnQue<T>(y);
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, 2> aQueue_, bQueue_;
    TQue<QuePosition::VECOUT, 2> yQueue_;
    TBuf<QuePosition::VECCALC> aBuf_, bBuf_, eBuf_;
    GlobalTensor<T> xGm_, yGm_;
    uint32_t rowNum_, firstRow_, half_, tile_;
    float beta_;
};
#endif
