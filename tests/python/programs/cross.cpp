// SPDX-License-Identifier: Apache-2.0
// Vector programs whose blocks wait for each other.
#include "programs.h"

using namespace programs;

// UB handed out by hand.
struct Ub {
    __aicore__ inline Ub() { pipe.InitBuffer(buffer, 64 << 10); }
    template <class T>
    __aicore__ inline LocalTensor<T> Take(uint32_t count) {
        const uint32_t at = used;
        used += Align(count * sizeof(T), 32);
        return buffer.GetWithOffset<T>(count, at);
    }
    TPipe pipe;
    TBuf<> buffer;
    uint32_t used = 0;
};

// Softmax of one vector that all blocks share: the largest element and the sum go round through `parts`, a slot of 8
// for each block. `slots`: what SyncAll by memory needs.
template <bool soft>
__aicore__ inline void WideSoftmax(GM_ADDR x, GM_ADDR y, GM_ADDR parts_gm, GM_ADDR slots_gm, uint32_t count) {
    Ub ub;
    const uint32_t block = GetBlockIdx(), blocks = GetBlockNum();
    const Share share(count, 8);
    const uint32_t mine = share.size();
    auto values = ub.Take<float>(Align(mine, 64)), work = ub.Take<float>(Align(mine, 64) + 64);
    auto result = ub.Take<float>(8), all = ub.Take<float>(blocks * 8);
    auto waiting = ub.Take<int32_t>(blocks * 8);
    auto parts = Gm<float>(parts_gm, 2 * blocks * 8);
    auto slots = Gm<int32_t>(slots_gm, blocks * 8);
    const auto exchange = [&](uint32_t round) {
        auto own = parts[round * blocks * 8];
        PipeBarrier<PIPE_ALL>();
        DataCopy(own[block * 8], result, 8);
        if constexpr (soft) {
            PipeBarrier<PIPE_ALL>();
            SyncAll(slots, waiting);
        } else {
            SyncAll();
        }
        DataCopy(all, own, blocks * 8);
        Join<HardEvent::MTE2_S>();
    };
    Load(values, Gm<float>(x, count)[share.begin], mine);
    Duplicate(result, 0.0f, 8);  // its block goes to the others whole
    Join<HardEvent::MTE2_V>();
    PipeBarrier<PIPE_V>();
    ReduceMax(result, values, work, mine);
    exchange(0);
    float most = all.GetValue(0);
    for (uint32_t i = 1; i < blocks; ++i) most = most < all.GetValue(i * 8) ? all.GetValue(i * 8) : most;
    Adds(values, values, -most, mine);
    Exp(values, values, mine);
    ReduceSum(result, values, work, mine);
    exchange(1);
    float sum = 0;
    for (uint32_t i = 0; i < blocks; ++i) sum += all.GetValue(i * 8);
    Muls(values, values, 1 / sum, mine);
    Join<HardEvent::V_MTE3>();
    Store(Gm<float>(y, count)[share.begin], values, mine);
}
extern "C" __global__ __aicore__ void wide_softmax(GM_ADDR x, GM_ADDR y, GM_ADDR parts, GM_ADDR slots, uint32_t count) {
    WideSoftmax<false>(x, y, parts, slots, count);
}
extern "C" __global__ __aicore__ void wide_softmax_soft(GM_ADDR x, GM_ADDR y, GM_ADDR parts, GM_ADDR slots,
                                                        uint32_t count) {
    WideSoftmax<true>(x, y, parts, slots, count);
}

// Running sums of int32: each block those of its part, and behind SyncAll what the blocks before it have.
extern "C" __global__ __aicore__ void prefix_sum(GM_ADDR x, GM_ADDR y, GM_ADDR parts_gm, uint32_t count) {
    Ub ub;
    const uint32_t block = GetBlockIdx(), blocks = GetBlockNum();
    const Share share(count, 8);
    const uint32_t mine = share.size();
    auto values = ub.Take<int32_t>(Align(mine, 8)), result = ub.Take<int32_t>(8), all = ub.Take<int32_t>(blocks * 8);
    auto parts = Gm<int32_t>(parts_gm, blocks * 8);
    Load(values, Gm<int32_t>(x, count)[share.begin], mine);
    Join<HardEvent::MTE2_S>();
    int32_t sum = 0;
    for (uint32_t i = 0; i < mine; ++i) {
        sum += values.GetValue(i);
        values.SetValue(i, sum);
    }
    Duplicate(result, sum, 8);
    Join<HardEvent::V_MTE3>();
    DataCopy(parts[block * 8], result, 8);
    SyncAll();
    DataCopy(all, parts, blocks * 8);
    Join<HardEvent::MTE2_S>();
    int32_t before = 0;
    for (uint32_t i = 0; i < block; ++i) before += all.GetValue(i * 8);
    Join<HardEvent::S_V>();
    Adds(values, values, before, mine);
    Join<HardEvent::V_MTE3>();
    Store(Gm<int32_t>(y, count)[share.begin], values, mine);
}

// The k = 32 largest of all, with their indices. A block sorts its part of 128, takes the best of the block before it
// (IBWait), merges, and hands on (IBSet); the last one has the result.
extern "C" __global__ __aicore__ void top_k(GM_ADDR x, GM_ADDR values_gm, GM_ADDR order_gm, GM_ADDR best_gm,
                                            GM_ADDR slots_gm) {
    constexpr uint32_t kPart = 128, kTop = 32;
    Ub ub;
    const uint32_t block = GetBlockIdx(), blocks = GetBlockNum();
    auto in = ub.Take<float>(kPart);
    auto index = ub.Take<int32_t>(kPart);
    auto sorted = ub.Take<float>(2 * kPart), work = ub.Take<float>(2 * kPart), before = ub.Take<float>(2 * kTop);
    auto merged = ub.Take<float>(4 * kTop);
    auto waiting = ub.Take<int32_t>(8);
    auto best = Gm<float>(best_gm, blocks * 2 * kTop);
    auto slots = Gm<int32_t>(slots_gm, (blocks + 1) * 8);
    DataCopy(in, Gm<float>(x, blocks * kPart)[block * kPart], kPart);
    CreateVecIndex(index, int32_t(block * kPart), kPart);
    Join<HardEvent::MTE2_V>();
    Sort<float, true>(sorted, in, index.ReinterpretCast<uint32_t>(), work, kPart / 32);
    if (block != 0) {
        IBWait(slots, waiting, block - 1, 0);
        DataCopy(before, best[(block - 1) * 2 * kTop], 2 * kTop);
        Join<HardEvent::MTE2_V>();
        const uint16_t lengths[4] = {kTop, kTop, 0, 0};
        MrgSort(merged, MrgSortSrcList<float>(before, sorted, sorted, sorted), MrgSort4Info(lengths, false, 3, 1));
    } else {
        Adds(merged, sorted, 0.0f, 2 * kTop);
    }
    if (block + 1 != blocks) {
        Join<HardEvent::V_MTE3>();
        DataCopy(best[block * 2 * kTop], merged, 2 * kTop);
        PipeBarrier<PIPE_ALL>();
        IBSet(slots, waiting, block, 0);
        return;
    }
    auto places = work.ReinterpretCast<uint32_t>();
    Extract(in, places, merged, kTop / 32);
    Join<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(values_gm, kTop), in, kTop);
    DataCopy(Gm<uint32_t>(order_gm, kTop), places, kTop);
}

// A token goes round the ring of blocks `rounds` times; every block adds its index + 1 to it. An event a round.
extern "C" __global__ __aicore__ void ring(GM_ADDR token_gm, GM_ADDR slots_gm, uint32_t rounds) {
    Ub ub;
    const int32_t block = GetBlockIdx(), blocks = GetBlockNum();
    auto waiting = ub.Take<int32_t>(8), token = ub.Take<int32_t>(8);
    auto tokens = Gm<int32_t>(token_gm, 8);
    auto slots = Gm<int32_t>(slots_gm, (blocks * rounds + 1) * 8);
    for (uint32_t round = 0; round < rounds; ++round) {
        if (block != 0) IBWait(slots, waiting, block - 1, round);
        if (block == 0 && round != 0) IBWait(slots, waiting, blocks - 1, round - 1);
        DataCopy(token, tokens, 8);
        Join<HardEvent::MTE2_V>();
        Adds(token, token, block + 1, 8);
        Join<HardEvent::V_MTE3>();
        DataCopy(tokens, token, 8);
        PipeBarrier<PIPE_ALL>();
        if (block + 1 != blocks || round + 1 != rounds) IBSet(slots, waiting, block, round);
    }
}

// out[j][i] = what block i sends to block j: rows go through `mail`, and a flag by the scalar unit says that a row is
// there. Flags are a cache line apart.
extern "C" __global__ __aicore__ void all_to_all_polled(GM_ADDR x, GM_ADDR y, GM_ADDR mail_gm, GM_ADDR flags_gm,
                                                        uint32_t columns) {
    Ub ub;
    const uint32_t block = GetBlockIdx(), blocks = GetBlockNum(), row = blocks * columns;
    auto rows = ub.Take<int32_t>(row);
    auto mail = Gm<int32_t>(mail_gm, blocks * row);
    auto flags = Gm<int32_t>(flags_gm, blocks * blocks * 16);
    DataCopy(rows, Gm<int32_t>(x, blocks * row)[block * row], row);
    Join<HardEvent::MTE2_MTE3>();
    DataCopy(mail[block * row], rows, row);
    PipeBarrier<PIPE_ALL>();
    for (uint32_t to = 0; to < blocks; ++to) {
        auto flag = flags[(to * blocks + block) * 16];
        flag.SetValue(0, 1);
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flag);
    }
    for (uint32_t from = 0; from < blocks; ++from) {
        auto flag = flags[(block * blocks + from) * 16];
        do {
            DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flag);
        } while (flag.GetValue(0) == 0);
        DataCopy(rows[from * columns], mail[from * row + block * columns], columns);
    }
    Join<HardEvent::MTE2_MTE3>();
    DataCopy(Gm<int32_t>(y, blocks * row)[block * row], rows, row);
}

// The same with flags that moves write and read.
extern "C" __global__ __aicore__ void all_to_all_copied(GM_ADDR x, GM_ADDR y, GM_ADDR mail_gm, GM_ADDR flags_gm,
                                                        uint32_t columns) {
    Ub ub;
    const uint32_t block = GetBlockIdx(), blocks = GetBlockNum(), row = blocks * columns;
    auto rows = ub.Take<int32_t>(row), flag = ub.Take<int32_t>(8), seen = ub.Take<int32_t>(8);
    auto mail = Gm<int32_t>(mail_gm, blocks * row);
    auto flags = Gm<int32_t>(flags_gm, blocks * blocks * 8);
    Duplicate(flag, 1, 8);
    Join<HardEvent::V_MTE3>();
    DataCopy(rows, Gm<int32_t>(x, blocks * row)[block * row], row);
    Join<HardEvent::MTE2_MTE3>();
    DataCopy(mail[block * row], rows, row);
    PipeBarrier<PIPE_MTE3>();
    for (uint32_t to = 0; to < blocks; ++to) DataCopy(flags[(to * blocks + block) * 8], flag, 8);
    Join<HardEvent::MTE3_MTE2>();
    for (uint32_t from = 0; from < blocks; ++from) {
        do {
            Join<HardEvent::S_MTE2>();
            DataCopy(seen, flags[(block * blocks + from) * 8], 8);
            Join<HardEvent::MTE2_S>();
        } while (seen.GetValue(0) == 0);
        DataCopy(rows[from * columns], mail[from * row + block * columns], columns);
    }
    Join<HardEvent::MTE2_MTE3>();
    DataCopy(Gm<int32_t>(y, blocks * row)[block * row], rows, row);
}

// Of 6 blocks the first 4 write their squares, the last 2 wait for all of them and write even and odd sums.
extern "C" __global__ __aicore__ void group_barrier(GM_ADDR x, GM_ADDR y, GM_ADDR middle_gm, GM_ADDR group,
                                                    uint32_t columns) {
    constexpr uint32_t kArrive = 4, kWait = 2;
    Ub ub;
    const uint32_t block = GetBlockIdx();
    auto row = ub.Take<int32_t>(columns), sum = ub.Take<int32_t>(columns);
    auto middle = Gm<int32_t>(middle_gm, kArrive * columns);
    GroupBarrier<PipeMode::MTE3_MODE> barrier(group, kArrive, kWait);
    if (block < kArrive) {
        DataCopy(row, Gm<int32_t>(x, kArrive * columns)[block * columns], columns);
        Join<HardEvent::MTE2_V>();
        Mul(row, row, row, columns);
        Join<HardEvent::V_MTE3>();
        DataCopy(middle[block * columns], row, columns);
        barrier.Arrive(block);
        return;
    }
    Duplicate(sum, 0, columns);
    barrier.Wait(block - kArrive);
    for (uint32_t i = block - kArrive; i < kArrive; i += kWait) {
        DataCopy(row, middle[i * columns], columns);
        Join<HardEvent::MTE2_V>();
        Add(sum, sum, row, columns);
        Join<HardEvent::V_MTE2>();
    }
    Join<HardEvent::V_MTE3>();
    DataCopy(Gm<int32_t>(y, kWait * columns)[(block - kArrive) * columns], sum, columns);
}

// Rows of float are added up in the order of the blocks, round after round, without atomics.
extern "C" __global__ __aicore__ void ordered_sum(GM_ADDR x, GM_ADDR y, GM_ADDR slots_gm, uint32_t rows,
                                                  uint32_t columns) {
    Ub ub;
    const uint32_t blocks = GetBlockNum();
    auto row = ub.Take<float>(columns), sum = ub.Take<float>(columns);
    auto waiting = ub.Take<int32_t>(blocks * 8 + 8);
    auto slots = Gm<int32_t>(slots_gm, blocks * 8);
    auto to = Gm<float>(y, columns);
    InitDetermineComputeWorkspace(slots, waiting);
    for (uint32_t i = GetBlockIdx(); i < rows; i += blocks) {
        DataCopy(row, Gm<float>(x, rows * columns)[i * columns], columns);
        WaitPreBlock(slots, waiting);
        DataCopy(sum, to, columns);
        Join<HardEvent::MTE2_V>();
        Add(sum, sum, row, columns);
        Join<HardEvent::V_MTE3>();
        DataCopy(to, sum, columns);
        PipeBarrier<PIPE_ALL>();
        NotifyNextBlock(slots, waiting);
    }
}

// Each of two blocks stores a number and polls for that of the other: nothing but time brings its own store to an end.
extern "C" __global__ __aicore__ void exchange(GM_ADDR numbers_gm, GM_ADDR y) {
    Ub ub;
    const uint32_t block = GetBlockIdx();
    auto mine = ub.Take<int32_t>(8);
    auto numbers = Gm<int32_t>(numbers_gm, 32);
    auto other = numbers[(1 - block) * 16];
    Duplicate(mine, int32_t(block + 1), 8);
    Join<HardEvent::V_MTE3>();
    DataCopy(numbers[block * 16], mine, 8);
    do {
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(other);
    } while (other.GetValue(0) == 0);
    for (uint32_t i = 0; i < 16; ++i) Gm<int32_t>(y, 32).SetValue(block * 16 + i, other.GetValue(0));
}
