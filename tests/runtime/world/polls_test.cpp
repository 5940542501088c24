// SPDX-License-Identifier: Apache-2.0
// Polls that are hard to see: through pointers of the kernel's own, with and without dcci, and those nobody recognises.
#include <atomic>
#include <chrono>

#include "runtime/world/programs.h"

namespace sfumato::world_test {
namespace {

// A token goes from rank to rank; each waits for it in the way given, and passes it on.
Program Chain(std::string name, std::function<void(Device&, uint8_t*)> wait) {
    return {.name = std::move(name),
            .kernel =
                [wait = std::move(wait)](Device& d, uint32_t) {
                    if (d.rank != 0) wait(d, d.Flag(d.rank, 0, 0));
                    const auto row = d.Filled(0, 8, [&](uint32_t) { return static_cast<int32_t>(d.rank) + 1; });
                    d.Result(row, 8);
                    if (d.rank + 1 < d.ranks) d.Signal(d.Flag(d.rank + 1, 0, 0), 1);
                },
            .want = [](uint32_t, uint32_t rank) { return std::vector<int32_t>(8, static_cast<int32_t>(rank) + 1); }};
}

void Clean(uint8_t* line) {
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(Gm<int32_t>(line, kApart));
}
int32_t Raw(uint8_t* flag) { return *reinterpret_cast<volatile __gm__ int32_t*>(flag); }

TEST(WorldPolls, APointerWithDcciRests) {
    Check(Chain("dcci", [](Device&, uint8_t* flag) {
        do {
            Clean(flag);
        } while (Raw(flag) == 0);
    }));
}

TEST(WorldPolls, APointerWithDcciOfTwoLinesRests) {
    Check(Chain("dcci of two lines", [](Device& d, uint8_t* flag) {
        for (bool came = false; !came;) {
            Clean(d.Flag(d.rank, 1, 0));
            came = Raw(d.Flag(d.rank, 1, 0)) != 0;
            Clean(flag);
            came = came || Raw(flag) != 0;
        }
    }));
}

// Kernels that store through pointers, too.
TEST(WorldPolls, StoresThroughPointers) {
    Check({.name = "pointers only",
           .kernel =
               [](Device& d, uint32_t) {
                   for (uint32_t to = 0; to < d.ranks; ++to) {
                       *reinterpret_cast<volatile __gm__ int32_t*>(d.Flag(to, 0, d.rank)) =
                           static_cast<int32_t>(d.rank + to) + 1;
                       Clean(d.Flag(to, 0, d.rank));
                   }
                   const auto row = d.Row(0, d.ranks * 8);
                   for (uint32_t from = 0; from < d.ranks; ++from) {
                       uint8_t* const flag = d.Flag(d.rank, 0, from);
                       do {
                           Clean(flag);
                       } while (Raw(flag) == 0);
                       for (uint32_t i = 0; i < 8; ++i) row.SetValue(from * 8 + i, Raw(flag));
                   }
                   d.Result(row, d.ranks * 8);
               },
           .want =
               [](uint32_t ranks, uint32_t rank) {
                   std::vector<int32_t> want;
                   for (uint32_t from = 0; from < ranks; ++from)
                       want.insert(want.end(), 8, static_cast<int32_t>(from + rank) + 1);
                   return want;
               }});
}

#if !defined(__SANITIZE_THREAD__)
// Nothing tells that such a core waits: it keeps its thread, and the others go on beside it.
TEST(WorldPolls, APointerWithoutDcciLetsOthersGoOn) {
    const Program program = Chain("a loop without dcci", [](Device&, uint8_t* flag) {
        while (Raw(flag) == 0) {
        }
    });
    // Lowest first, so that nobody waits; highest first, so that all do.
    for (const uint32_t ranks : {2u, 16u}) {
        for (const char* schedule : {"eager", "late"}) EXPECT_EQ(Wrong(program, {ranks, schedule}), "") << schedule;
    }
}
#endif

// A store between two looks: no poll that is recognised, so the core goes behind the others after a while.
TEST(WorldPolls, AnUnrecognisedPollDoesNotStarveOthers) {
    const Program program = Chain("a poll that stores", [](Device& d, uint8_t* flag) {
        const auto row = d.Filled(2, 8, [](uint32_t) { return 0; });
        for (int32_t looks = 1; d.Load(1, flag, 8).GetValue(0) == 0; ++looks) {
            row.SetValue(0, looks);
            Device::Drain();
            d.Store(d.Out(kMostOut), row, 8);
        }
    });
    for (const uint32_t ranks : {2u, 4u}) {
        for (const char* schedule : {"late", "torn", "seed:1"})
            EXPECT_EQ(Wrong(program, {ranks, schedule}), "") << schedule;
    }
}

// The report of a flag that never comes names the line.
TEST(WorldPolls, APointerThatNobodyStoresToIsADeadlock) {
    Ranks on(2);
    for (uint32_t r = 0; r < 2; ++r) {
        on.Submit(r, 1, [&on, r] {
            Device d(on, r, nullptr);
            if (r == 1) return;
            do {
                Clean(d.Flag(0, 2, 1));
            } while (Raw(d.Flag(0, 2, 1)) == 0);
        });
    }
    on.Wait();
    ASSERT_EQ(on.results[0][0].findings.size(), 1u);
    const Report& deadlock = on.results[0][0].findings[0];
    EXPECT_STREQ(Name(deadlock.rule), "deadlock");
    EXPECT_EQ(deadlock.instruction, "DataCacheCleanAndInvalid");
    EXPECT_NE(
        deadlock.found.find("it reads 64 bytes at byte 8256 of 'window of rank 0' (now 0) again and again, and nobody "
                            "changes them"),
        std::string::npos)
        << deadlock.found;
}

}  // namespace
}  // namespace sfumato::world_test
