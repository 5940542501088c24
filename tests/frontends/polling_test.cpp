// SPDX-License-Identifier: Apache-2.0
// Cores that read again and again what another core writes.
#include <atomic>
#include <chrono>
#include <thread>

#include "frontends/cross_core.h"

namespace sfumato {
namespace {

using namespace AscendC;

// Block b waits for what block b + 1 writes.
TEST(Polling, MakesProgressUnderEverySchedule) {
    constexpr uint32_t kBlocks = 5;
    std::vector<int32_t> want(kBlocks * 16);
    for (uint32_t i = 0; i < kBlocks; ++i) want[i * 16] = static_cast<int32_t>(i + 1);
    for (const bool scalar : {true, false}) {
        SameInEveryWay(kBlocks, 4096, want, [scalar](uint8_t* gm) {
            Ub ub;
            const auto block = static_cast<uint64_t>(GetBlockIdx());
            auto slots = Gm<int32_t>(gm, kBlocks * 16);
            auto tile = ub.At(0, 8);
            const uint64_t other = (block + 1) * 16;
            bool there = block + 1 == kBlocks;
            while (!there) {
                if (scalar) {
                    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(slots[other]);
                    there = slots.GetValue(other) != 0;
                } else {
                    DataCopy(tile, slots[other], 8);
                    SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
                    WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
                    there = tile.GetValue(0) != 0;
                }
            }
            Put(slots, block, static_cast<int32_t>(block + 1));
        }, CoreChoice::kDefault, "Ascend910B1", true);
    }
}

// One slot after another, of blocks below and above.
TEST(Polling, OfManySlotsInTurn) {
    constexpr uint32_t kBlocks = 5;
    SameInEveryWay(kBlocks, 4096, std::vector<int32_t>(kBlocks * 8, 1), [](uint8_t* gm) {
        Ub ub;
        auto slots = Gm<int32_t>(gm, kBlocks * 8);
        auto mine = ub.At(0, 8), seen = ub.At(8, 8);
        Duplicate(mine, 1, 8);
        PipeBarrier<PIPE_ALL>();
        DataCopy(slots[static_cast<uint64_t>(GetBlockIdx()) * 8], mine, 8);
        PipeBarrier<PIPE_ALL>();
        for (uint32_t i = 0; i < kBlocks; ++i) {
            do {
                DataCopy(seen, slots[i * 8], 8);
                SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
                WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
            } while (seen.GetValue(0) == 0);
        }
    }, CoreChoice::kDefault, "Ascend910B1", true);
}
TEST(Polling, OfRawPointersToo) {
    constexpr uint32_t kBlocks = 5;
    for (const char* schedule : {"eager", "serial", "late", "seed:1"}) {
        for (const uint32_t workers : {1u, 2u}) {
            GlobalMemory memory;
            uint8_t* gm = memory.Allocate(kBlocks * 4, "gm");
            std::memset(gm, 0, kBlocks * 4);
            const LaunchResult result = Launch(On({schedule, workers}), kBlocks, memory, [gm] {
                auto* slots = reinterpret_cast<int32_t*>(gm);
                const int64_t block = GetBlockIdx();
                while (block + 1 != kBlocks && __atomic_load_n(&slots[block + 1], __ATOMIC_ACQUIRE) == 0) {
                }
                __atomic_store_n(&slots[block], 1, __ATOMIC_RELEASE);
            });
            EXPECT_EQ(Told(result), "") << schedule;
            EXPECT_EQ(reinterpret_cast<int32_t*>(gm)[0], 1);
        }
    }
}

// Others see a store of the scalar unit before its pipe runs it, late schedules much before: no race.
TEST(Polling, MayEndBeforeTheStoreHasRun) {
    for (const char* schedule : {"eager", "late", "ahead", "seed:1"}) {
        GlobalMemory memory;
        uint8_t* gm = memory.Allocate(256, "gm");
        std::memset(gm, 0, 256);
        std::atomic<bool> ended = false;
        const LaunchResult result = Launch(On({schedule, 2}), 2, memory, [&] {
            auto slot = Gm<int32_t>(gm, kApart);
            if (GetBlockIdx() == 0) {
                while (Taken(slot, 0) == 0) {
                }
                ended = true;
            } else {
                slot.SetValue(0, 1);
                for (int i = 0; i < 1000 && !ended; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(slot);
            }
        });
        EXPECT_EQ(Told(result), "") << schedule;
        EXPECT_TRUE(ended) << schedule;
    }
}

}  // namespace
}  // namespace sfumato
