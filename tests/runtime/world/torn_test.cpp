// SPDX-License-Identifier: Apache-2.0
// The schedule torn: stores that are not drained arrive late, in parts, the newest first; what is right stays right.
#include "runtime/world/programs.h"

namespace sfumato::world_test {
namespace {

constexpr uint32_t kTornRow = 320;  // int32: two whole blocks of 512 bytes and a half
int32_t TornValue(uint32_t i) { return static_cast<int32_t>(i) + 7; }

using Sends = std::function<void(Device& d, const LocalTensor<int32_t>& row, const LocalTensor<int32_t>& flag)>;

// Rank 0 does what `sends` says; rank 1 waits for the flag and reads `count` elements at once.
std::vector<int32_t> SeenByRank1(const std::string& schedule, const Sends& sends, uint32_t count = kTornRow,
                                 uint32_t flag_at = UINT32_MAX) {
    Ranks on(2, runtime::RankOrder::Parse(schedule, 2), kWindowBytes);
    // What is missing in some of these programs is told without the schedule, too.
    on.adjust = [](uint32_t, LaunchOptions& options) { options.check = "none"; };
    uint8_t* const out = on.memories[1]->Allocate(kMostOut * 4, "out");
    const auto sender = [&] {
        Device d(on, 0, nullptr);
        const auto flag = d.Filled(1, 8, [](uint32_t) { return 1; });
        sends(d, d.Filled(0, kTornRow, TornValue), flag);
    };
    const auto receiver = [&] {
        Device d(on, 1, out);
        d.Await(flag_at == UINT32_MAX ? d.Flag(1, 0, 0) : d.Payload(1, flag_at), 1);
        d.Result(d.Load(2, d.Payload(1, 0), count), count);
    };
    on.Submit(0, 1, sender, true, schedule);
    on.Submit(1, 1, receiver, true, schedule);
    on.Wait();
    EXPECT_EQ(on.Told(), "") << schedule;
    std::vector<int32_t> got(count);
    std::memcpy(got.data(), out, count * 4);
    return got;
}

std::vector<int32_t> Whole(uint32_t count = kTornRow) {
    std::vector<int32_t> values(count);
    for (uint32_t i = 0; i < count; ++i) values[i] = TornValue(i);
    return values;
}

TEST(WorldTorn, AFlagOvertakesWhatIsNotDrained) {
    const Sends flag_at_once = [](Device& d, const auto& row, const auto& flag) {
        d.Store(d.Payload(1, 0), row, kTornRow);
        d.Store(d.Flag(1, 0, 0), flag, 8);
    };
    EXPECT_EQ(SeenByRank1("eager", flag_at_once), Whole());
    EXPECT_EQ(SeenByRank1("late", flag_at_once), Whole());
    EXPECT_EQ(SeenByRank1("torn", flag_at_once), std::vector<int32_t>(kTornRow, 0));
    // In any order: some runs are right, others are not, and each repeats.
    size_t right = 0, wrong = 0;
    for (int seed = 1; seed <= 20; ++seed) {
        for (const char* kind : {"torn:", "seed:"}) {
            const std::string schedule = kind + std::to_string(seed);
            const auto seen = SeenByRank1(schedule, flag_at_once);
            EXPECT_EQ(SeenByRank1(schedule, flag_at_once), seen) << schedule;
            ++(seen == Whole() ? right : wrong);
        }
    }
    EXPECT_GT(right, 0u);
    EXPECT_GT(wrong, 0u);
}

TEST(WorldTorn, WhatIsDrainedIsThere) {
    const std::vector<std::pair<const char*, std::function<void()>>> drains = {
        {"PIPE_ALL", [] { PipeBarrier<PIPE_ALL>(); }},
        {"PIPE_MTE3", [] { PipeBarrier<PIPE_MTE3>(); }},
        {"an event",
         [] {
             SetFlag<HardEvent::MTE3_S>(EVENT_ID2);
             WaitFlag<HardEvent::MTE3_S>(EVENT_ID2);
         }},
        {"SyncAll", [] { SyncAll(); }},
    };
    for (const auto& [name, drain] : drains) {
        for (const char* schedule : {"torn", "torn:1", "torn:2", "torn:3"}) {
            EXPECT_EQ(SeenByRank1(schedule,
                                  [&](Device& d, const auto& row, const auto& flag) {
                                      d.Store(d.Payload(1, 0), row, kTornRow);
                                      drain();
                                      d.Store(d.Flag(1, 0, 0), flag, 8);
                                  }),
                      Whole())
                << name << ", " << schedule;
        }
    }
}

// An event that nobody waits for, a barrier of another pipe, and an event that was set before: none of them drains.
TEST(WorldTorn, WhatOnlyLooksLikeADrain) {
    const std::vector<std::pair<const char*, std::function<void(Device&, const LocalTensor<int32_t>&)>>> wrong = {
        {"barrier of V",
         [](Device& d, const LocalTensor<int32_t>& row) {
             d.Store(d.Payload(1, 0), row, kTornRow);
             PipeBarrier<PIPE_V>();
         }},
        {"event set before",
         [](Device& d, const LocalTensor<int32_t>& row) {
             d.Store(d.Flag(1, 1, 0), row, 8);
             SetFlag<HardEvent::MTE3_S>(EVENT_ID3);
             d.Store(d.Payload(1, 0), row, kTornRow);
             WaitFlag<HardEvent::MTE3_S>(EVENT_ID3);
         }},
    };
    for (const auto& [name, store] : wrong) {
        const Sends sends = [&store](Device& d, const auto& row, const auto& flag) {
            store(d, row);
            d.Store(d.Flag(1, 0, 0), flag, 8);
        };
        EXPECT_EQ(SeenByRank1("eager", sends), Whole()) << name;
        EXPECT_EQ(SeenByRank1("torn", sends), std::vector<int32_t>(kTornRow, 0)) << name;
    }
}

// One store whose last 32 bytes are the flag: the blocks of 512 bytes before the last are not there yet.
TEST(WorldTorn, APayloadOfSeveralBlocksIsTorn) {
    const Sends sends = [](Device& d, const auto& row, const auto&) {
        for (uint32_t i = kTornRow - 8; i < kTornRow; ++i) row.SetValue(i, 1);
        Device::Drain();
        d.Store(d.Payload(1, 0), row, kTornRow);
        Device::Drain();
    };
    const auto eager = SeenByRank1("eager", sends, kTornRow, kTornRow - 8);
    const auto torn = SeenByRank1("torn", sends, kTornRow, kTornRow - 8);
    for (uint32_t i = 0; i < kTornRow - 8; ++i) {
        EXPECT_EQ(eager[i], TornValue(i));
        EXPECT_EQ(torn[i], i < 256 ? 0 : TornValue(i)) << i;  // the third block is whole
    }
}

// Bursts that follow each other: of those, 32 bytes arrive whole.
TEST(WorldTorn, BurstsArriveInPartsOf32Bytes) {
    constexpr uint32_t kInts = 64;
    const Sends sends = [](Device& d, const auto& row, const auto&) {
        for (uint32_t i = 0; i < 128; i += 8) row.SetValue(i, 1);
        Device::Drain();
        // 16 bursts of 16 bytes, each from a block of UB.
        DataCopyPad(Gm<int32_t>(d.Payload(1, 0), kInts), row, DataCopyExtParams(16, 16, 0, 0, 0));
        Device::Drain();
    };
    const auto eager = SeenByRank1("eager", sends, kInts, kInts - 8);
    const auto torn = SeenByRank1("torn", sends, kInts, kInts - 8);
    EXPECT_EQ(eager[0], 1);
    for (uint32_t i = 0; i < kInts; ++i) EXPECT_EQ(torn[i], i < kInts - 8 ? 0 : eager[i]) << i;
}

// Atomic stores come at once, before what was stored ahead of them without a drain.
TEST(WorldTorn, AtomicStoresAreNotHeld) {
    const Sends sends = [](Device& d, const auto& row, const auto& flag) {
        d.Store(d.Payload(1, 0), row, kTornRow);
        d.Add(d.Flag(1, 0, 0), flag, 8);
        Device::Drain();
    };
    EXPECT_EQ(SeenByRank1("eager", sends), Whole());
    const auto torn = SeenByRank1("torn", sends);
    for (uint32_t i = 0; i < kTornRow; ++i) EXPECT_EQ(torn[i], i < 256 ? 0 : TornValue(i)) << i;
}

// A core sees what it has stored, and of two stores to the same bytes the later wins.
TEST(WorldTorn, ACoreSeesItsOwnStores) {
    const Program program = {.name = "own stores",
                             .kernel =
                                 [](Device& d, uint32_t) {
                                     const auto first = d.Filled(0, kTornRow, TornValue);
                                     const auto later = d.Filled(1, 8, [](uint32_t) { return 5; });
                                     d.Store(d.Payload(d.rank, 0), first, kTornRow);
                                     d.Store(d.Payload(d.rank, 4), later, 8);
                                     const int32_t scalar = Gm<int32_t>(d.Payload(d.rank, 0), 64).GetValue(4);
                                     auto row = d.Row(2, kTornRow);
                                     DataCopy(row, Gm<int32_t>(d.Payload(d.rank, 0), kTornRow), kTornRow);
                                     Device::Drain();
                                     row.SetValue(0, scalar);
                                     d.Result(row, kTornRow);
                                 },
                             .want =
                                 [](uint32_t, uint32_t) {
                                     auto want = Whole();
                                     std::fill(want.begin() + 4, want.begin() + 12, 5);
                                     want[0] = 5;
                                     return want;
                                 },
                             .most_ranks = 3,
                             .check = "none"};
    for (const char* schedule : {"eager", "torn", "torn:1", "torn:2"}) EXPECT_EQ(Wrong(program, {2, schedule}), "");
}

// Without a drain at all they arrive when the kernel ends.
TEST(WorldTorn, StoresArriveAtTheEnd) {
    EXPECT_EQ(SeenByRank1(
                  "torn", [](Device& d, const auto&, const auto& flag) { d.Store(d.Flag(1, 0, 0), flag, 8); }, 8),
              std::vector<int32_t>(8, 0));
}

TEST(WorldTorn, SchedulesOfRanksAreForRanks) {
    for (const char* schedule : {"torn", "torn:3", "skew", "skew:1"}) {
        GlobalMemory memory;
        LaunchOptions options;
        options.chip = "Ascend910B1";
        options.schedule = schedule;
        try {
            Launch(options, 1, memory, [] {});
            ADD_FAILURE() << schedule;
        } catch (const Error& e) {
            EXPECT_EQ(std::string(e.what()), "the schedule '" + std::string(schedule) +
                                                 "' says what several ranks do, and this launch is of one: run it with "
                                                 "ranks, or under late, ahead or seed:N");
        }
    }
    EXPECT_EQ(runtime::RankOrder::Parse("skew:2", 3).number, 2u);
    try {
        runtime::RankOrder::Parse("skew:3", 3);
        ADD_FAILURE();
    } catch (const Error& e) {
        EXPECT_STREQ(e.what(), "the schedule 'skew:3' names rank 3: there are ranks 0 to 2");
    }
    EXPECT_THROW(runtime::RankOrder::Parse("torn:x", 3), Error);
    EXPECT_THROW(runtime::RankOrder::Parse("skewed", 3), Error);
}

}  // namespace
}  // namespace sfumato::world_test
