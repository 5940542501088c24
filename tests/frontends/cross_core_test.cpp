// SPDX-License-Identifier: Apache-2.0
// Cores that wait for each other: every call of framework.md 2.7 under every schedule, one worker or two.
#include <numeric>

#include "frontends/cross_core.h"

namespace sfumato {
namespace {

using namespace AscendC;

// Every block writes its row, all meet, and every block sums a column of all rows: phases apart.
TEST(SyncAll, EveryPhaseSeesTheOneBefore) {
    constexpr uint32_t kRounds = 4;
    const auto want = [](uint32_t blocks) {
        int32_t value = 1;
        for (uint32_t round = 0; round < kRounds; ++round) value = static_cast<int32_t>(blocks) * value + 1;
        return std::vector<int32_t>(blocks, value);
    };
    const auto kernel = [](bool soft) {
        return [soft](uint8_t* gm) {
            Ub ub;
            const auto block = static_cast<uint32_t>(GetBlockIdx()), blocks = static_cast<uint32_t>(GetBlockNum());
            auto values = Gm<int32_t>(gm, blocks * kApart), rows = Gm<int32_t>(gm + 1024, blocks * 8);
            auto slots = Gm<int32_t>(gm + 4096, blocks * 8);
            auto row = ub.At(0, 8), all = ub.At(64, blocks * 8), work = ub.At(1024, blocks * 8);
            int32_t mine = 1;
            const auto meet = [&] {
                if (soft) {
                    SyncAll(slots, work);
                } else {
                    SyncAll();
                }
            };
            for (uint32_t round = 0; round < kRounds; ++round) {
                Duplicate(row, mine, 8);
                PipeBarrier<PIPE_ALL>();
                DataCopy(rows[block * 8], row, 8);
                meet();
                DataCopy(all, rows, blocks * 8);
                PipeBarrier<PIPE_ALL>();
                mine = 1;
                for (uint32_t i = 0; i < blocks; ++i) mine += all.GetValue(i * 8);
                meet();
            }
            Put(values, block, mine);
        };
    };
    SameInEveryWay(12, 4096, Apart(want(12)), kernel(false));
    SameInEveryWay(12, 4096, Apart(want(12)), kernel(true));
    SameInEveryWay(8, 4096, Apart(want(8)), kernel(true), CoreChoice::kDefault, "Ascend310P3");
}

// The cube core hands rows to its vector cores and waits for their answer, again and again.
TEST(CrossCoreFlag, CubeAndVectorCoresTakeTurns) {
    constexpr uint32_t kBlocks = 3, kRounds = 20;
    std::vector<int32_t> want(kBlocks * 2 * 8);
    for (uint32_t i = 0; i < want.size(); ++i) want[i] = static_cast<int32_t>(kRounds);
    SameInEveryWay(
        kBlocks, 4096, want,
        [](uint8_t* gm) {
            const auto block = static_cast<uint64_t>(block_idx);
            auto rows = Gm<int32_t>(gm, kBlocks * 16)[block * 16];
            auto spare = Gm<int32_t>(gm + 8192, kBlocks * 16)[block * 16];
            TPipe pipe;
            if ASCEND_IS_AIC {
                TBuf<TPosition::A1> l1;
                pipe.InitBuffer(l1, 1024);
                LocalTensor<int32_t> tile = l1.Get<int32_t>();
                for (uint32_t round = 0; round < kRounds; ++round) {
                    DataCopy(tile, rows, 16);
                    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
                    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
                    DataCopy(spare, tile, 16);
                    CrossCoreSetFlag<2, PIPE_MTE3>(3);
                    CrossCoreWaitFlag(5);
                }
            }
            if ASCEND_IS_AIV {
                TBuf<> ub;
                pipe.InitBuffer(ub, 1024);
                LocalTensor<int32_t> tile = ub.Get<int32_t>();
                const auto half = static_cast<uint64_t>(GetSubBlockIdx()) * 8;
                for (uint32_t round = 0; round < kRounds; ++round) {
                    CrossCoreWaitFlag<2, PIPE_MTE2>(3);
                    DataCopy(tile, spare[half], 8);
                    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
                    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
                    Adds(tile, tile, 1, 8);
                    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
                    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
                    DataCopy(rows[half], tile, 8);
                    CrossCoreSetFlag<2, PIPE_MTE3>(5);
                }
            }
        },
        CoreChoice::kMix);
}

// Modes 0 and 1 join all cores of a kind, and the vector cores of a block.
TEST(CrossCoreFlag, ModesJoinWhomTheySay) {
    constexpr uint32_t kBlocks = 4;
    for (const int mode : {0, 1}) {
        std::vector<int32_t> want(kBlocks * 2, 0);
        for (uint32_t i = 0; i < want.size(); ++i) want[i] = mode == 0 ? kBlocks * 2 : 2;
        SameInEveryWay(
            kBlocks, 4096, Apart(want),
            [mode](uint8_t* gm) {
                if ASCEND_IS_AIC return;
                Ub ub;
                const auto index = static_cast<uint32_t>(GetBlockIdx());
                auto out = Gm<int32_t>(gm, 8 * kApart), slots = Gm<int32_t>(gm + 1024, 8 * 8);
                auto row = ub.At(0, 8);
                Duplicate(row, 1, 8);
                PipeBarrier<PIPE_ALL>();
                DataCopy(slots[index * 8], row, 8);
                if (mode == 0) {
                    CrossCoreSetFlag<0, PIPE_MTE3>(1);
                } else {
                    CrossCoreSetFlag<1, PIPE_MTE3>(1);
                }
                CrossCoreWaitFlag(1);
                const uint32_t first = mode == 0 ? 0 : index / 2 * 2, end = mode == 0 ? kBlocks * 2 : first + 2;
                int32_t sum = 0;
                for (uint32_t i = first; i < end; ++i) sum += slots.GetValue(i * 8);
                Put(out, index, sum);
            },
            CoreChoice::kMix);
    }
}

// A chain: each block waits for the one before it.
TEST(IbSet, AChainOfBlocks) {
    constexpr uint32_t kBlocks = 10;
    std::vector<int32_t> want(kBlocks);
    for (uint32_t i = 0; i < kBlocks; ++i) want[i] = static_cast<int32_t>(i + 1);
    for (const char* chip : {"Ascend910B1", "Ascend910A"}) {
        SameInEveryWay(
            kBlocks, 4096, Apart(want),
            [](uint8_t* gm) {
                Ub ub;
                const auto block = static_cast<int32_t>(GetBlockIdx());
                auto values = Gm<int32_t>(gm, kBlocks * kApart), slots = Gm<int32_t>(gm + 4096, 3 * kBlocks * 8);
                auto work = ub.At(0, 8);
                int32_t before = 0;
                if (block != 0) {
                    IBWait(slots, work, block - 1, 2);
                    before = Taken(values, static_cast<uint32_t>(block) - 1);
                }
                Put(values, static_cast<uint32_t>(block), before + 1);
                if (block != static_cast<int32_t>(kBlocks) - 1) IBSet(slots, work, block, 2);
            },
            CoreChoice::kDefault, chip);
    }
}

TEST(BlockOrder, BlocksComeOneAfterAnother) {
    constexpr uint32_t kBlocks = 6, kRounds = 3;
    std::vector<int32_t> want(1 + kBlocks * kRounds);
    want[0] = kBlocks * kRounds;
    for (uint32_t i = 0; i < kBlocks * kRounds; ++i) want[1 + i] = static_cast<int32_t>(i % kBlocks);
    SameInEveryWay(kBlocks, 4096, Apart(want), [](uint8_t* gm) {
        Ub ub;
        auto order = Gm<int32_t>(gm, (1 + kBlocks * kRounds) * kApart), slots = Gm<int32_t>(gm + 4096, kBlocks * 8);
        auto work = ub.At(0, kBlocks * 8 + 8);
        InitDetermineComputeWorkspace(slots, work);
        for (uint32_t round = 0; round < kRounds; ++round) {
            WaitPreBlock(slots, work);
            const int32_t at = Taken(order, 0);
            Put(order, static_cast<uint64_t>(at) + 1, static_cast<int32_t>(GetBlockIdx()));
            Put(order, 0, at + 1);
            NotifyNextBlock(slots, work);
        }
    });
}

TEST(GroupBarrier, SomeWaitForOthers) {
    constexpr uint32_t kArrive = 3, kWait = 5, kRounds = 2;
    std::vector<int32_t> want(kWait, 2 * 3);
    SameInEveryWay(kArrive + kWait, 8192, Apart(want), [](uint8_t* gm) {
        Ub ub;
        const auto block = static_cast<uint32_t>(GetBlockIdx());
        auto out = Gm<int32_t>(gm, kWait * kApart), rows = Gm<int32_t>(gm + 1024, 2 * kArrive * kApart);
        GroupBarrier<PipeMode::MTE3_MODE> barrier(gm + 8192, kArrive, kWait);
        for (uint32_t round = 0; round < kRounds; ++round) {
            if (block < kArrive) {
                Put(rows, round * kArrive + block, 1);
                barrier.Arrive(block);
            } else {
                barrier.Wait(block - kArrive);
                int32_t sum = Taken(out, block - kArrive);
                for (uint32_t i = 0; i < kArrive; ++i) sum += Taken(rows, round * kArrive + i);
                Put(out, block - kArrive, sum);
            }
        }
    });
}

// Float sums show the order of the atomic stores.
float After(std::initializer_list<float> values) {
    float sum = 0;
    for (const float v : values) sum += v;
    return sum;
}

constexpr float kBig = 16777216.0f;  // 2^24: adding 1 to it changes nothing

void AddTo(uint8_t* gm, Ub& ub, float value) {
    auto sum = Gm<float>(gm, 8);
    LocalTensor<float> tile = ub.buffer.Get<float>()[512];
    Duplicate(tile, value, 8);
    PipeBarrier<PIPE_ALL>();
    SetAtomicAdd<float>();
    DataCopy(sum, tile, 8);
    SetAtomicNone();
    PipeBarrier<PIPE_ALL>();
}

void SameSum(uint32_t blocks, float want, const std::function<void(uint8_t*, Ub&)>& kernel, bool polls = false) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    constexpr int kRuns = 2;
#else
    constexpr int kRuns = 5;
#endif
    for (int run = 0; run < kRuns; ++run) {
        for (const Way& way : EveryWay(polls)) {
            GlobalMemory memory;
            uint8_t* gm = memory.Allocate(4096, "gm");
            std::memset(gm, 0, 4096);
            const LaunchResult result = Launch(On(way), blocks, memory, [&] {
                Ub ub;
                kernel(gm, ub);
            });
            ASSERT_EQ(Told(result), "") << way.schedule;
            float got = 0;
            std::memcpy(&got, gm, 4);
            ASSERT_EQ(got, want) << way.schedule << ' ' << way.workers;
        }
    }
}

// The canonical run: 0 waits, 1 waits, 2 sets both flags and ends; then 0 goes on, then 1.
TEST(Turns, AreThoseOfTheCanonicalRun) {
    SameSum(3, After({kBig, 1, -kBig}), [](uint8_t* gm, Ub& ub) {
        auto slots = Gm<int32_t>(gm + 1024, 3 * 8 * 3);
        auto work = ub.At(0, 8);
        switch (GetBlockIdx()) {
            case 0:
                IBWait(slots, work, 2, 0);
                AddTo(gm, ub, 1);
                break;
            case 1:
                IBWait(slots, work, 2, 1);
                AddTo(gm, ub, -kBig);
                break;
            default:
                IBSet(slots, work, 2, 1);  // releases 1, which must not come before 0
                IBSet(slots, work, 2, 0);
                AddTo(gm, ub, kBig);
        }
    });
}

// What block 0 polls is written behind an atomic store of block 1, which would wait for block 0's.
TEST(Turns, APollDoesNotHoldUpAtomicStores) {
    SameSum(2, After({kBig, 1}), [](uint8_t* gm, Ub& ub) {
        auto slots = Gm<int32_t>(gm + 1024, 16);
        if (GetBlockIdx() == 0) {
            do {
                DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(slots);
            } while (slots.GetValue(0) == 0);
            AddTo(gm, ub, 1);
        } else {
            AddTo(gm, ub, kBig);
            Put(slots, 0, 1);
        }
    }, true);
}

TEST(Turns, BarriersAndFlagsBetweenAtomicStores) {
    constexpr uint32_t kBlocks = 6;
    float want = 0;
    for (int round = 0; round < 3; ++round) {
        for (uint32_t b = 0; b < kBlocks; ++b) want += b % 2 ? 1.0f : kBig / static_cast<float>(b + 1);
    }
    SameSum(kBlocks, want, [](uint8_t* gm, Ub& ub) {
        for (int round = 0; round < 3; ++round) {
            const auto b = static_cast<uint32_t>(GetBlockIdx());
            AddTo(gm, ub, b % 2 ? 1.0f : kBig / static_cast<float>(b + 1));
            SyncAll();
        }
    });
}

TEST(CrossCore, TheCycleCounterIsTheSameInEveryRun) {
    std::vector<int32_t> want;
    for (int run = 0; run < 3; ++run) {
        GlobalMemory memory;
        uint8_t* gm = memory.Allocate(64, "gm");
        const LaunchResult result = Launch(On({"eager", 1}), 1, memory, [&] {
            const int64_t begin = GetSystemCycle();
            int64_t now = begin;
            while (now - begin < 100000) now = GetSystemCycle();
            Gm<int32_t>(gm, 1).SetValue(0, static_cast<int32_t>(now));
        });
        ASSERT_EQ(Told(result), "");
        std::vector<int32_t> got(1);
        std::memcpy(got.data(), gm, 4);
        if (run == 0) want = got;
        EXPECT_EQ(got, want);
    }
}

}  // namespace
}  // namespace sfumato
