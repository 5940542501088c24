// SPDX-License-Identifier: Apache-2.0
// The gates of a mixture of experts: which k experts a token takes, and how much of each.
#include "programs.h"

using namespace programs;

struct GateData {
    uint32_t rows, tile, experts, k;
    float scale;
    SoftMaxTiling softmax;  // of a tile
    TopkTiling topk;
};

// k numbers a row of 8 (k at most 8), each over the sum of its row, times `scale`.
__aicore__ inline void Renormalise(const LocalTensor<float>& values, const LocalTensor<float>& sums,
                                   const LocalTensor<float>& wide, uint32_t rows, uint32_t k, float scale) {
    Sum(sums, values, {rows, 8, k});
    PipeBarrier<PIPE_V>();
    Brcb(wide, sums, CeilDiv(rows, 8), {1, 8});
    PipeBarrier<PIPE_V>();
    Div(values, values, wide, k, rows, {1, 1, 1, 1, 1, 1});
    PipeBarrier<PIPE_V>();
    Muls(values, values, scale, k, rows, {1, 1, 1, 1});
}

// Rows of `k` of 8 elements in UB to dense rows.
template <class T>
__aicore__ inline void StoreRows(const GlobalTensor<T>& dst, const LocalTensor<T>& src, uint32_t rows, uint32_t k) {
    DataCopyPad(dst, src, DataCopyExtParams(rows, k * sizeof(T), 0, 0, 0));
}

class Gate {
public:
    __aicore__ inline Gate(TPipe& pipe, GM_ADDR x, GM_ADDR bias, GM_ADDR weights, GM_ADDR experts, const GateData& t)
        : t_(t),
          x_(Gm<float>(x, t.rows * t.experts)),
          weights_(Gm<float>(weights, t.rows * t.k)),
          experts_(Gm<int32_t>(experts, t.rows * t.k)) {
        const uint32_t all = t.tile * t.experts;
        pipe.InitBuffer(ins_, 2, all * sizeof(float));
        pipe.InitBuffer(values_, 2, t.tile * 8 * sizeof(float));
        pipe.InitBuffer(indices_, 2, t.tile * 8 * sizeof(int32_t));
        pipe.InitBuffer(buffer_, (2 * all + t.experts + t.tile * 17) * sizeof(float));
        scores_ = buffer_.Get<float>();
        biased_ = scores_[all], bias_ = biased_[all], wide_ = bias_[t.experts];
        offsets_ = wide_[t.tile * 8].ReinterpretCast<int32_t>();
        sums_ = wide_[t.tile * 16];
        if (bias == nullptr) return;
        Load(bias_, Gm<float>(bias, t.experts), t.experts);
        Join<HardEvent::MTE2_V>();
    }

    // score(rows, in) fills scores_, and biased_ or returns what to choose by; weigh(values, indices, rows).
    template <class Score, class Weigh>
    __aicore__ inline void Process(const Score& score, const Weigh& weigh) {
        LocalTensor<int32_t> no_index;
        LocalTensor<bool> no_finish;
        for (uint32_t row = GetBlockIdx() * t_.tile; row < t_.rows; row += GetBlockNum() * t_.tile) {
            const uint32_t rows = Least(t_.tile, t_.rows - row);
            auto in = ins_.AllocTensor<float>();
            Load(in, x_[row * t_.experts], rows * t_.experts);
            ins_.EnQue(in);
            in = ins_.DeQue<float>();
            const LocalTensor<float> by = score(in, rows);
            ins_.FreeTensor(in);
            auto values = values_.AllocTensor<float>();
            auto indices = indices_.AllocTensor<int32_t>();
            PipeBarrier<PIPE_V>();
            TopK<float, false, false, false, TopKMode::TOPK_NORMAL>(
                values, indices, by, no_index, no_finish, t_.k, t_.topk,
                {int32_t(rows), int32_t(t_.experts), int32_t(t_.experts)}, true);
            PipeBarrier<PIPE_V>();
            weigh(values, indices, rows);
            values_.EnQue(values);
            indices_.EnQue(indices);
            values = values_.DeQue<float>();
            indices = indices_.DeQue<int32_t>();
            StoreRows(weights_[row * t_.k], values, rows, t_.k);
            StoreRows(experts_[row * t_.k], indices, rows, t_.k);
            values_.FreeTensor(values);
            indices_.FreeTensor(indices);
        }
    }

    // Softmax of the logits; of the k largest, each share of their sum.
    __aicore__ inline void Softmaxed() {
        Process(
            [&](const LocalTensor<float>& in, uint32_t rows) {
                SoftMax<float>(scores_, in, t_.softmax, {rows, t_.experts, rows, t_.experts});
                return scores_;
            },
            [&](const LocalTensor<float>& values, const LocalTensor<int32_t>&, uint32_t rows) {
                Renormalise(values, sums_, wide_, rows, t_.k, t_.scale);
            });
    }

    // Sigmoid of the logits; the choice by score + bias, the weights by the score.
    __aicore__ inline void Sigmoided() {
        Process(
            [&](const LocalTensor<float>& in, uint32_t rows) {
                Sigmoid<float>(scores_, in, rows * t_.experts);
                PipeBarrier<PIPE_V>();
                for (uint32_t i = 0; i < rows; ++i) {
                    Add(biased_[i * t_.experts], scores_[i * t_.experts], bias_, t_.experts);
                }
                return biased_;
            },
            [&](const LocalTensor<float>& values, const LocalTensor<int32_t>& indices, uint32_t rows) {
                Duplicate(offsets_, 0, rows * 8);
                PipeBarrier<PIPE_V>();
                for (uint32_t i = 0; i < rows; ++i) {
                    Adds(offsets_[i * 8], indices[i * 8], int32_t(i * t_.experts), t_.k);
                }
                PipeBarrier<PIPE_V>();
                Muls(offsets_, offsets_, int32_t(sizeof(float)), rows * 8);
                PipeBarrier<PIPE_V>();
                Gather(values, scores_, offsets_.ReinterpretCast<uint32_t>(), 0, rows * 8);
                PipeBarrier<PIPE_V>();
                Renormalise(values, sums_, wide_, rows, t_.k, t_.scale);
            });
    }

private:
    const GateData& t_;
    GlobalTensor<float> x_, weights_;
    GlobalTensor<int32_t> experts_;
    TQue<TPosition::VECIN, 2> ins_;
    TQue<TPosition::VECOUT, 2> values_, indices_;
    TBuf<> buffer_;
    LocalTensor<float> scores_, biased_, bias_, wide_, sums_;
    LocalTensor<int32_t> offsets_;
};

extern "C" __global__ __aicore__ void gate_softmax(GM_ADDR x, GM_ADDR weights, GM_ADDR experts, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(GateData, t, tiling);
    TPipe pipe;
    Gate(pipe, x, nullptr, weights, experts, t).Softmaxed();
}
extern "C" __global__ __aicore__ void gate_sigmoid(GM_ADDR x, GM_ADDR bias, GM_ADDR weights, GM_ADDR experts,
                                                   GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(GateData, t, tiling);
    TPipe pipe;
    Gate(pipe, x, bias, weights, experts, t).Sigmoided();
}
