// SPDX-License-Identifier: Apache-2.0
// Attention on cube and vector cores (rows pto_fa and qw_pa_qk of tests/timing/timing_fit.csv), half, 128 columns.
#include "cube.h"

constexpr uint32_t kQueries = 128, kKeys = 256, kWidth = 128, kHalf = kQueries / 2, kPiece = 32;
constexpr uint32_t kMost = 128;                 // repeats of a call
constexpr uint32_t kSlots = 4, kCubeAhead = 3;  // tiles
enum Flag : uint16_t { kScores = 0, kWeights = 1, kPart = 2 };

struct Problem {
    uint32_t queries, keys;
};

// What a block passes between its cores: kSlots of each.
struct Slots {
    GM_ADDR weights;
    GlobalTensor<float> scores, part;
    GlobalTensor<half> to_weights;
    __aicore__ inline Slots(GM_ADDR workspace, uint32_t blocks) : weights(workspace) {
        const uint64_t tiles = uint64_t(blocks) * kSlots * kQueries;
        to_weights.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(workspace), tiles * kKeys);
        scores.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(workspace + tiles * kKeys * 2), tiles * kKeys);
        part.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(workspace + tiles * kKeys * 6), tiles * kWidth);
    }
};

// The softmax of 64 queries, tile of keys by tile of keys, with running maximum and sum: scores in two buffers, weights
// in their place.
class Rows {
public:
    __aicore__ inline Rows() {
        for (auto& scores : scores_) scores = Take<float>(kHalf * kKeys);
        part_ = Take<float>(kPiece * kWidth);
        result_ = Take<float>(kHalf * kWidth);
        folded_ = Take<float>(kHalf * kKeys / 8);
        spread_ = Take<float>(kHalf * 8);
        before_ = Take<float>(kHalf);
        added_ = Take<float>(kHalf);
        for (uint32_t i = 0; i < 2; ++i) {
            most_[i] = Take<float>(kHalf);
            sum_[i] = Take<float>(kHalf);
            factor_[i] = Take<float>(kHalf * 8);
            SetFlag<HardEvent::MTE3_MTE2>(i);
        }
        SetFlag<HardEvent::V_MTE2>(2);
        SetFlag<HardEvent::MTE3_V>(2);
    }
    __aicore__ inline void Finish() {
        WaitFlag<HardEvent::MTE3_MTE2>(0);
        WaitFlag<HardEvent::MTE3_MTE2>(1);
        WaitFlag<HardEvent::V_MTE2>(2);
        WaitFlag<HardEvent::MTE3_V>(2);
    }
    // item, slot: their parities.
    __aicore__ inline void Load(const GlobalTensor<float>& from, uint32_t slot) {
        WaitFlag<HardEvent::MTE3_MTE2>(slot);
        DataCopy(scores_[slot], from, kHalf * kKeys);
        SetFlag<HardEvent::MTE2_V>(slot);
    }
    __aicore__ inline void Weigh(const GlobalTensor<half>& to, uint32_t item, uint32_t slot, bool first) {
        const auto scores = scores_[slot], most = most_[item], sum = sum_[item];
        if (first) {
            Duplicate(most, -1e30f, kHalf);
            Duplicate(sum, 0.0f, kHalf);
        }
        WaitFlag<HardEvent::MTE2_V>(slot);
        Muls(scores, scores, 0.088388348f, kHalf * kKeys);
        Adds(before_, most, 0.0f, kHalf);
        PipeBarrier<PIPE_V>();
        BlockReduceMax(folded_, scores, kMost, 64, 1, 1, 8);
        BlockReduceMax(folded_[kMost * 8], scores[kMost * 64], kHalf * kKeys / 64 - kMost, 64, 1, 1, 8);
        PipeBarrier<PIPE_V>();
        WholeReduceMax(added_, folded_, kKeys / 8, kHalf, 1, 1, kKeys / 64, ReduceOrder::ORDER_ONLY_VALUE);
        PipeBarrier<PIPE_V>();
        Max(most, most, added_, kHalf);
        PipeBarrier<PIPE_V>();
        Brcb(spread_, most, kHalf / 8, {1, 8});
        Sub(before_, before_, most, kHalf);
        PipeBarrier<PIPE_V>();
        for (uint32_t at = 0; at < kKeys; at += 64)
            Sub(scores[at], scores[at], spread_, 64, kHalf, {1, 1, 0, kKeys / 8, kKeys / 8, 1});
        Exp(before_, before_, kHalf);
        PipeBarrier<PIPE_V>();
        Exp(scores, scores, kHalf * kKeys);
        Brcb(factor_[slot], before_, kHalf / 8, {1, 8});
        Mul(sum, sum, before_, kHalf);
        PipeBarrier<PIPE_V>();
        BlockReduceSum(folded_, scores, kMost, 64, 1, 1, 8);
        BlockReduceSum(folded_[kMost * 8], scores[kMost * 64], kHalf * kKeys / 64 - kMost, 64, 1, 1, 8);
        PipeBarrier<PIPE_V>();
        Cast(scores.ReinterpretCast<half>(), scores, RoundMode::CAST_RINT, kHalf * kKeys);
        SetFlag<HardEvent::V_MTE3>(slot);
        WholeReduceSum(added_, folded_, kKeys / 8, kHalf, 1, 1, kKeys / 64);
        PipeBarrier<PIPE_V>();
        Add(sum, sum, added_, kHalf);
        WaitFlag<HardEvent::V_MTE3>(slot);
        DataCopy(to, scores.ReinterpretCast<half>(), kHalf * kKeys);
        SetFlag<HardEvent::MTE3_MTE2>(slot);
    }
    __aicore__ inline void Gather(const GlobalTensor<float>& from, uint32_t slot, bool first) {
        if (first) {
            WaitFlag<HardEvent::MTE3_V>(2);
            Duplicate(result_, 0.0f, kHalf * kWidth);
            PipeBarrier<PIPE_V>();
        }
        Scale(factor_[slot]);
        PipeBarrier<PIPE_V>();
        for (uint32_t row = 0; row < kHalf; row += kPiece) {
            WaitFlag<HardEvent::V_MTE2>(2);
            DataCopy(part_, from[row * kWidth], kPiece * kWidth);
            SetFlag<HardEvent::MTE2_V>(2);
            WaitFlag<HardEvent::MTE2_V>(2);
            Add(result_[row * kWidth], result_[row * kWidth], part_, kPiece * kWidth);
            SetFlag<HardEvent::V_MTE2>(2);
        }
    }
    __aicore__ inline void Put(const GlobalTensor<half>& to, uint32_t item) {
        PipeBarrier<PIPE_V>();
        Brcb(spread_, sum_[item], kHalf / 8, {1, 8});
        PipeBarrier<PIPE_V>();
        for (uint32_t at = 0; at < kWidth; at += 64)
            Div(result_[at], result_[at], spread_, 64, kHalf, {1, 1, 0, kWidth / 8, kWidth / 8, 1});
        PipeBarrier<PIPE_V>();
        const auto narrow = result_.ReinterpretCast<half>();
        Cast(narrow, result_, RoundMode::CAST_RINT, kHalf * kWidth);
        SetFlag<HardEvent::V_MTE3>(2);
        WaitFlag<HardEvent::V_MTE3>(2);
        DataCopy(to, narrow, kHalf * kWidth);
        SetFlag<HardEvent::MTE3_V>(2);
    }

private:
    template <class T>
    __aicore__ inline LocalTensor<T> Take(uint32_t count) {
        const LocalTensor<T> tensor(TPosition::VECCALC, used_, count);
        used_ += count * sizeof(T);
        return tensor;
    }
    __aicore__ inline void Scale(const LocalTensor<float>& factor) {
        for (uint32_t at = 0; at < kWidth; at += 64)
            Mul(result_[at], result_[at], factor, 64, kHalf, {1, 1, 0, kWidth / 8, kWidth / 8, 1});
    }

    uint32_t used_ = 0;
    LocalTensor<float> scores_[2], part_, result_, folded_, spread_, before_, added_, most_[2], sum_[2], factor_[2];
};

// Flash attention of one head, forward, all keys: q [queries, 128], k and v [keys, 128]. A block takes 128 queries at a
// time and 256 keys; scores of the next tile are computed before the sums of this one.
extern "C" __global__ __aicore__ void flash(GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR out, GM_ADDR workspace,
                                            const Problem problem) {
    TPipe pipe;
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    const uint32_t blocks = GetBlockNum(), block = GetBlockIdx() / (g_coreType == AIV ? 2 : 1);
    const uint32_t items = problem.queries / kQueries, tiles = problem.keys / kKeys;
    const uint32_t count = (items / blocks + (block < items % blocks ? 1 : 0)) * tiles;
    const Slots slots(workspace, blocks);
    const auto query_of = [&](uint32_t i) { return (block + i / tiles * blocks) * kQueries; };
    const auto slot_of = [&](uint32_t i) { return (block * kSlots + i % kSlots) * kQueries; };
    if ASCEND_IS_AIC {
        Product<half, float> qk(
            {problem.queries, problem.keys, kWidth, 128, 128, 64, 2, 2, 1, 128, kKeys, 1, kTransposedB}, q, k,
            uint64_t(problem.keys) * kWidth, {0, 0, 16384, 0, 1, 0});
        Product<half, float> pv({blocks * kSlots * kQueries, kWidth, kKeys, 128, 128, 64, 2, 2, 1, 128, 128, 1, 0},
                                slots.weights, v, uint64_t(problem.keys) * kWidth,
                                {128 * 1024, 32768, 16384, 65536, 1, 4});
        const auto score = [&](uint32_t i) {
            const auto to = slots.scores[uint64_t(slot_of(i)) * kKeys];
            const uint32_t key = i % tiles * kKeys;
            qk.Run(
                kKeys / 128,
                [&](uint32_t t) {
                    return Tile{query_of(i), key + t * 128, kQueries, 128};
                },
                [&](const Tile& tile, const LocalTensor<float>& part, uint8_t unit_flag) {
                    Store<float>(to[tile.column - key], part, tile, kKeys, unit_flag);
                });
            CrossCoreSetFlag<2, PIPE_FIX>(kScores);
        };
        const auto sum = [&](uint32_t i) {
            CrossCoreWaitFlag(kWeights);
            pv.Forget();
            pv.Run(
                1,
                [&](uint32_t) {
                    return Tile{slot_of(i), 0, kQueries, kWidth, uint64_t(i % tiles) * kKeys * kWidth};
                },
                [&](const Tile& tile, const LocalTensor<float>& part, uint8_t unit_flag) {
                    Store<float>(slots.part[uint64_t(tile.row) * kWidth], part, tile, kWidth, unit_flag);
                });
            CrossCoreSetFlag<2, PIPE_FIX>(kPart);
        };
        for (uint32_t i = 0; i < count + kCubeAhead; ++i) {
            if (i < count) score(i);
            if (i >= kCubeAhead) sum(i - kCubeAhead);
        }
        qk.Finish();
        pv.Finish();
    }
    if ASCEND_IS_AIV {
        Rows rows;
        const uint32_t mine = GetSubBlockIdx() * kHalf;
        GlobalTensor<half> to;
        to.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(out), uint64_t(problem.queries) * kWidth);
        // Scores are loaded a tile ahead of their softmax, which is a tile ahead of the sums.
        for (uint32_t i = 0; i < count + 2; ++i) {
            if (i < count) {
                CrossCoreWaitFlag(kScores);
                rows.Load(slots.scores[uint64_t(slot_of(i) + mine) * kKeys], i % 2);
            }
            if (i >= 1 && i <= count) {
                const uint32_t t = i - 1;
                rows.Weigh(slots.to_weights[uint64_t(slot_of(t) + mine) * kKeys], t / tiles % 2, t % 2, t % tiles == 0);
                CrossCoreSetFlag<2, PIPE_MTE3>(kWeights);
            }
            if (i >= 2) {
                const uint32_t t = i - 2;
                CrossCoreWaitFlag(kPart);
                rows.Gather(slots.part[uint64_t(slot_of(t) + mine) * kWidth], t % 2, t % tiles == 0);
                if (t % tiles == tiles - 1) rows.Put(to[uint64_t(query_of(t) + mine) * kWidth], t / tiles % 2);
            }
        }
        rows.Finish();
    }
}

// Products of 16 queries with 64 blocks of 128 keys that a table names, all pipes waiting after each block.
extern "C" __global__ __aicore__ void paged_scores(GM_ADDR q, GM_ADDR k, GM_ADDR table, GM_ADDR out,
                                                   const Problem problem) {
    TPipe pipe;
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    constexpr uint32_t kPage = 128;
    const uint32_t block = GetBlockIdx(), pages = problem.keys / kPage, rows = problem.queries;
    GlobalTensor<int32_t> pages_of;
    GlobalTensor<float> to;
    pages_of.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(table), GetBlockNum() * pages);
    to.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(out), uint64_t(GetBlockNum()) * pages * rows * kPage);
    Product<bfloat16_t, float> product(
        {GetBlockNum() * rows, kPage, kWidth, rows, kPage, kWidth, 1, 1, 1, rows, kPage, 1, kTransposedB | kOneBuffer},
        q, k, uint64_t(GetBlockNum()) * pages * kPage * kWidth);
    uint32_t done = 0;
    product.Run(
        pages,
        [&](uint32_t i) {
            const uint32_t page = pages_of.GetValue(block * pages + i);
            return Tile{block * rows, 0, rows, kPage, uint64_t(page) * kPage * kWidth};
        },
        [&](const Tile& tile, const LocalTensor<float>& part, uint8_t unit_flag) {
            Store<float>(to[uint64_t(block * pages + done) * rows * kPage], part, tile, kPage, unit_flag);
            PipeBarrier<PIPE_ALL>();
            ++done;
        });
    product.Finish();
}
