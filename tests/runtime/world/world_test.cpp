// SPDX-License-Identifier: Apache-2.0
// Launches of several ranks that wait for each other: what they leave, and what is told when they cannot end.
#include "runtime/world/ranks.h"

namespace sfumato {
namespace {

using runtime::RankOrder;

std::vector<RankOrder> EveryOrder() {
    using Kind = RankOrder::Kind;
    return {{Kind::kEager, 0}, {Kind::kLate, 0}, {Kind::kSkew, 1},
            {Kind::kSeed, 1},  {Kind::kSeed, 2}, {Kind::kSeed, 3}};
}

constexpr uint64_t kFlag = 64;  // bytes from a rank's flag to the next

// Every rank writes its number into all windows, then a flag; and adds up what the others wrote.
void Exchange(const Ranks& on, uint32_t rank, uint8_t* out, int32_t round) {
    Ub ub;
    const auto ranks = static_cast<uint32_t>(on.windows.size());
    auto row = ub.At(0, 8), flag = ub.At(64, 8), all = ub.At(1024, 8);
    Duplicate(row, static_cast<int32_t>(rank + 1) * round, 8);
    Duplicate(flag, round, 8);
    PipeBarrier<PIPE_ALL>();
    for (uint32_t to = 0; to < ranks; ++to) {
        auto* window = const_cast<uint8_t*>(on.windows[to].data());
        DataCopy(Gm<int32_t>(window + 8192 + rank * kFlag, 8), row, 8);
        PipeBarrier<PIPE_ALL>();
        DataCopy(Gm<int32_t>(window + rank * kFlag, 8), flag, 8);
    }
    PipeBarrier<PIPE_ALL>();
    auto* mine = const_cast<uint8_t*>(on.windows[rank].data());
    int32_t sum = 0;
    for (uint32_t from = 0; from < ranks; ++from) {
        auto flags = Gm<int32_t>(mine + from * kFlag, 8);
        do {
            DataCopy(all, flags, 8);
            PipeBarrier<PIPE_ALL>();
        } while (all.GetValue(0) < round);
        DataCopy(all, Gm<int32_t>(mine + 8192 + from * kFlag, 8), 8);
        PipeBarrier<PIPE_ALL>();
        sum += all.GetValue(0);
    }
    Put(Gm<int32_t>(out, kApart), 0, sum);
}

TEST(World, RanksWaitForEachOthersFlags) {
    for (const bool named : {true, false}) {
        for (const uint32_t ranks : {1u, 2u, 3u, 8u, 64u}) {
            for (const RankOrder order : EveryOrder()) {
                Ranks on(ranks, order);
                std::vector<uint8_t*> out(ranks);
                for (uint32_t r = 0; r < ranks; ++r) out[r] = on.memories[r]->Allocate(kApart * 4, "out");
                for (uint32_t r = 0; r < ranks; ++r) {
                    EXPECT_FALSE(on.Submit(
                        r, 1, [&, r] { Exchange(on, r, out[r], 1); }, named));
                }
                on.Wait();
                EXPECT_EQ(on.Told(), "");
                for (uint32_t r = 0; r < ranks; ++r) {
                    int32_t sum = 0;
                    std::memcpy(&sum, out[r], 4);
                    EXPECT_EQ(sum, static_cast<int32_t>(ranks * (ranks + 1) / 2));
                }
            }
        }
    }
}

TEST(World, ARankThatNeverLaunchesIsNamed) {
    Ranks on(3);
    for (uint32_t r = 0; r < 2; ++r) {
        uint8_t* out = on.memories[r]->Allocate(kApart * 4, "out");
        on.Submit(r, 1, [&on, r, out] { Exchange(on, r, out, 1); });
    }
    on.Wait();
    ASSERT_EQ(on.results[0].size(), 1u);
    ASSERT_EQ(on.results[0][0].findings.size(), 1u);
    const Report& deadlock = on.results[0][0].findings[0];
    EXPECT_STREQ(Name(deadlock.rule), "deadlock");
    EXPECT_EQ(deadlock.rank, 0u);
    EXPECT_NE(deadlock.found.find("32 bytes at byte 128 of 'window of rank 0'"), std::string::npos) << deadlock.found;
    EXPECT_NE(deadlock.found.find("rank 2: nothing is submitted"), std::string::npos) << deadlock.found;
    ASSERT_EQ(on.results[1][0].findings.size(), 1u);
    EXPECT_STREQ(Name(on.results[1][0].findings[0].rule), "rank-exited");
    EXPECT_EQ(on.results[1][0].findings[0].rank, 1u);
}

}  // namespace
}  // namespace sfumato
