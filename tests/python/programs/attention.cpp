// SPDX-License-Identifier: Apache-2.0
// softmax(Q K^T / sqrt(d)) V of several heads, by cube and vector cores through a workspace.
#include "cube.h"

using namespace programs;

constexpr uint32_t kTile = 128, kHalf = kTile / 2, kWidth = 64;  // queries and keys of a tile, rows of a vector core, d
enum Flag : uint16_t { kScores = 0, kWeights = 1, kPart = 2 };

// What one block passes between its cores, a tile each.
struct Slots {
    GlobalTensor<float> scores, part;
    GlobalTensor<half> weights;
    static constexpr uint32_t kBytes = kTile * (kTile * 6 + kWidth * 4);
    __aicore__ inline explicit Slots(GM_ADDR workspace)
        : scores(Gm<float>(workspace, kTile * kTile)),
          part(Gm<float>(workspace + kTile * kTile * 4, kTile * kWidth)),
          weights(Gm<half>(workspace + kTile * (kTile + kWidth) * 4, kTile * kTile)) {}
};

// The running maximum, sum and result of 64 queries, which each tile of keys changes.
class Rows {
public:
    __aicore__ inline explicit Rows(TPipe& pipe) {
        pipe.InitBuffer(buffer_, 140 << 10);
        scores_ = Take<float>(kHalf * kTile);
        weights_ = Take<half>(kHalf * kTile);
        folded_ = Take<float>(kHalf * kWidth);
        part_ = Take<float>(kHalf * kWidth);
        result_ = Take<float>(kHalf * kWidth);
        spread_ = Take<float>(kHalf * 8);
        most_ = Take<float>(kHalf);
        before_ = Take<float>(kHalf);
        sum_ = Take<float>(kHalf);
        added_ = Take<float>(kHalf);
    }
    __aicore__ inline void Begin() {
        Duplicate(most_, -1e30f, kHalf);
        Duplicate(sum_, 0.0f, kHalf);
        Duplicate(result_, 0.0f, kHalf * kWidth);
    }
    // From scores to weights. Row r sees the first `seen` + r keys of the tile.
    __aicore__ inline void Weigh(const GlobalTensor<half>& to, const GlobalTensor<float>& from, int32_t seen) {
        Join<HardEvent::V_MTE2>();
        DataCopy(scores_, from, kHalf * kTile);
        Join<HardEvent::MTE2_V>();
        Muls(scores_, scores_, 0.125f, kHalf * kTile);
        if (seen < int32_t(kTile)) Hide(seen);
        Adds(before_, most_, 0.0f, kHalf);
        Max(folded_, scores_, scores_[kHalf], kWidth, kHalf, {1, 1, 1, 8, 16, 16});
        WholeReduceMax(added_, folded_, kWidth, kHalf, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
        Max(most_, most_, added_, kHalf);
        Brcb(spread_, most_, kHalf / 8, {1, 8});
        for (uint32_t at = 0; at < kTile; at += kHalf) {
            Sub(scores_[at], scores_[at], spread_, kHalf, kHalf, {1, 1, 0, 16, 16, 1});
        }
        Exp(scores_, scores_, kHalf * kTile);
        Join<HardEvent::MTE3_V>();
        Cast(weights_, scores_, RoundMode::CAST_RINT, kHalf * kTile);
        Join<HardEvent::V_MTE3>();
        DataCopy(to, weights_, kHalf * kTile);
        Add(folded_, scores_, scores_[kHalf], kWidth, kHalf, {1, 1, 1, 8, 16, 16});
        WholeReduceSum(added_, folded_, kWidth, kHalf, 1, 1, 8);
        Sub(before_, before_, most_, kHalf);
        Exp(before_, before_, kHalf);
        Mul(sum_, sum_, before_, kHalf);
        Add(sum_, sum_, added_, kHalf);
        Brcb(spread_, before_, kHalf / 8, {1, 8});
        Mul(result_, result_, spread_, kWidth, kHalf, {1, 1, 0, 8, 8, 1});
    }
    __aicore__ inline void Take(const GlobalTensor<float>& part) {
        DataCopy(part_, part, kHalf * kWidth);
        Join<HardEvent::MTE2_V>();
        Add(result_, result_, part_, kHalf * kWidth);
    }
    __aicore__ inline void End(const GlobalTensor<float>& to) {
        Brcb(spread_, sum_, kHalf / 8, {1, 8});
        Div(result_, result_, spread_, kWidth, kHalf, {1, 1, 0, 8, 8, 1});
        Join<HardEvent::V_MTE3>();
        DataCopy(to, result_, kHalf * kWidth);
        Join<HardEvent::MTE3_V>(EVENT_ID1);
    }

private:
    template <class T>
    __aicore__ inline LocalTensor<T> Take(uint32_t count) {
        const uint32_t at = used_;
        used_ += count * sizeof(T);
        return buffer_.GetWithOffset<T>(count, at);
    }
    __aicore__ inline void Hide(int32_t seen) {
        for (int32_t row = 0; row < int32_t(kHalf); ++row) {
            for (int32_t at = 0; at < int32_t(kTile); at += 64) {
                const int32_t shown = seen + row - at;
                if (shown >= 64) continue;
                uint64_t hidden[2] = {~uint64_t{0} << (shown > 0 ? shown : 0), 0};
                Duplicate(scores_[row * kTile + at], -1e30f, hidden, 1, 1, 8);
            }
        }
    }

    TBuf<> buffer_;
    uint32_t used_ = 0;
    LocalTensor<float> scores_, folded_, part_, result_, spread_, most_, before_, sum_, added_;
    LocalTensor<half> weights_;
};

// q, k, v, out: [heads][length][64], length a multiple of 128. workspace: Slots::kBytes for each block. Tiles of keys
// come one after another; with `causal` a query sees the keys up to its own place.
extern "C" __global__ __aicore__ void flash_attention(GM_ADDR q_gm, GM_ADDR k_gm, GM_ADDR v_gm, GM_ADDR out,
                                                      GM_ADDR workspace, uint32_t heads, uint32_t length, bool causal) {
    TPipe pipe;
    const uint32_t block = block_idx, tiles = length / kTile;
    const Slots slots(workspace + uint64_t(block) * Slots::kBytes);
    const auto each_step = [&](const auto& begin, const auto& step, const auto& end) {
        for (uint32_t i = block; i < heads * tiles; i += GetBlockNum()) {
            const uint32_t head = i / tiles * length, query = i % tiles * kTile;
            begin();
            for (uint32_t key = 0; key < (causal ? query + kTile : length); key += kTile) {
                step(head + query, head + key, causal ? int32_t(query) - int32_t(key) + 1 : int32_t(kTile));
            }
            end(head + query);
        }
    };
    if ASCEND_IS_AIC {
        Cube<half, float> cube(pipe);
        const uint32_t rows = heads * length;
        const auto q = MatrixAt<half>(q_gm, rows, kWidth), k = MatrixAt<half>(k_gm, rows, kWidth);
        const auto v = MatrixAt<half>(v_gm, rows, kWidth);
        each_step([] {},
                  [&](uint32_t query, uint32_t key, int32_t) {
                      cube.Multiply<true>(Matrix<float>{slots.scores, kTile}, q.At(query, 0), k.At(key, 0), kTile,
                                          kTile, kWidth);
                      CrossCoreSetFlag<2, PIPE_FIX>(kScores);
                      CrossCoreWaitFlag(kWeights);
                      cube.Multiply<false>(Matrix<float>{slots.part, kWidth}, Matrix<half>{slots.weights, kTile},
                                           v.At(key, 0), kTile, kWidth, kTile);
                      CrossCoreSetFlag<2, PIPE_FIX>(kPart);
                  },
                  [](uint32_t) {});
    }
    if ASCEND_IS_AIV {
        Rows rows(pipe);
        const uint32_t first = GetSubBlockIdx() * kHalf;
        auto to = Gm<float>(out, heads * length * kWidth);
        each_step([&] { rows.Begin(); },
                  [&](uint32_t, uint32_t, int32_t seen) {
                      CrossCoreWaitFlag(kScores);
                      rows.Weigh(slots.weights[first * kTile], slots.scores[first * kTile], seen + int32_t(first));
                      CrossCoreSetFlag<2, PIPE_MTE3>(kWeights);
                      CrossCoreWaitFlag(kPart);
                      rows.Take(slots.part[first * kWidth]);
                  },
                  [&](uint32_t query) { rows.End(to[(query + first) * kWidth]); });
    }
}

// The same in three phases for a whole head at a time, between which all cores meet: scores, softmax, sums.
extern "C" __global__ __aicore__ void attention_in_phases(GM_ADDR q_gm, GM_ADDR k_gm, GM_ADDR v_gm, GM_ADDR out,
                                                          GM_ADDR scores_gm, GM_ADDR weights_gm, uint32_t heads,
                                                          uint32_t length) {
    TPipe pipe;
    const uint32_t rows = heads * length;
    const auto scores = MatrixAt<float>(scores_gm, rows, length);
    const auto weights = MatrixAt<half>(weights_gm, rows, length);
    if ASCEND_IS_AIC {
        Cube<half, float> cube(pipe);
        const auto q = MatrixAt<half>(q_gm, rows, kWidth), k = MatrixAt<half>(k_gm, rows, kWidth);
        const auto v = MatrixAt<half>(v_gm, rows, kWidth);
        const auto o = MatrixAt<float>(out, rows, kWidth);
        const auto each_tile = [&](const auto& visit) {
            EachTile(rows, 1, length, 0, 1, [&](uint32_t head, uint32_t, uint32_t, uint32_t) {
                EachTile(length, 1, 32, block_idx, GetBlockNum(),
                         [&](uint32_t i, uint32_t, uint32_t count, uint32_t) { visit(head, head + i, count); });
            });
        };
        each_tile([&](uint32_t head, uint32_t i, uint32_t count) {
            cube.Multiply<true>(scores.At(i, 0), q.At(i, 0), k.At(head, 0), count, length, kWidth);
        });
        SyncAll<false>();
        SyncAll<false>();
        each_tile([&](uint32_t head, uint32_t i, uint32_t count) {
            cube.Multiply<false>(o.At(i, 0), weights.At(i, 0), v.At(head, 0), count, kWidth, length);
        });
    }
    if ASCEND_IS_AIV {
        TBuf<> buffer;
        pipe.InitBuffer(buffer, (2 * length + 64) * sizeof(float));
        auto wide = buffer.Get<float>(), work = wide[length], result = work[length];
        SyncAll<false>();
        EachRow<float, half>(pipe, scores_gm, weights_gm, rows, length, length, [&](auto& to, auto& in, uint32_t) {
            ReduceMax(result, in, work, length);
            Adds(wide, in, -result.GetValue(0), length);
            Muls(wide, wide, 0.125f, length);
            Exp(wide, wide, length);
            ReduceSum(result, wide, work, length);
            Muls(wide, wide, 1 / result.GetValue(0), length);
            Cast(to, wide, RoundMode::CAST_RINT, length);
        });
        SyncAll<false>();
    }
}
