// SPDX-License-Identifier: Apache-2.0
// Kernels of many rounds and ranks with many launches: buffers that alternate, states that are used again.
#include "runtime/world/programs.h"

namespace sfumato::world_test {
namespace {

int32_t RoundValue(uint32_t rank, uint32_t round, uint32_t i) {
    return static_cast<int32_t>(rank * 31 + round * 7 + i);
}
std::vector<int32_t> SumOfRounds(uint32_t ranks, uint32_t rounds) {
    std::vector<int32_t> want(8);
    for (uint32_t rank = 0; rank < ranks; ++rank) {
        for (uint32_t round = 0; round < rounds; ++round) {
            for (uint32_t i = 0; i < 8; ++i) want[i] += RoundValue(rank, round, i);
        }
    }
    return want;
}

// One round: a row for every rank into the buffer of the round's parity, flags with the round's number, and the sum.
void Round(Device& d, uint32_t round, const LocalTensor<int32_t>& sum) {
    const uint64_t buffer = round % 2 * 1024;
    const auto row = d.Filled(0, 8, [&](uint32_t i) { return RoundValue(d.rank, round, i); });
    for (uint32_t to = 0; to < d.ranks; ++to) {
        d.Store(d.Payload(to, buffer + d.rank * 8), row, 8);
        Device::Drain();
        d.Signal(d.Flag(to, round % 2, d.rank), static_cast<int32_t>(round) + 1);
    }
    d.AwaitAll(round % 2, static_cast<int32_t>(round) + 1);
    const auto rows = d.Load(1, d.Payload(d.rank, buffer), d.ranks * 8);
    for (uint32_t from = 0; from < d.ranks; ++from) {
        AscendC::Add(sum, sum, rows[from * 8], 8);
        Device::Drain();
    }
}

TEST(WorldRounds, DoubleBufferedWindowsOver100Rounds) {
    constexpr uint32_t kRounds = 100;
    Check({.name = "100 rounds",
           .kernel =
               [](Device& d, uint32_t) {
                   const auto sum = d.Filled(2, 8, [](uint32_t) { return 0; });
                   for (uint32_t round = 0; round < kRounds; ++round) Round(d, round, sum);
                   d.Result(sum, 8);
               },
           .want = [](uint32_t ranks, uint32_t) { return SumOfRounds(ranks, kRounds); },
           .most_ranks = 16});
}

// A launch a round: the sum lies in the rank's own memory between two.
Program OfLaunches(std::string name, uint32_t launches, uint32_t most_ranks, bool named = true) {
    return {.name = std::move(name),
            .kernel =
                [](Device& d, uint32_t launch) {
                    const auto sum = d.Load(2, d.Out(), 8);
                    Round(d, launch, sum);
                    d.Result(sum, 8);
                },
            .want = [launches](uint32_t ranks, uint32_t) { return SumOfRounds(ranks, launches); },
            .launches = launches,
            .most_ranks = most_ranks,
            .named = named};
}
TEST(WorldRounds, ThreeLaunchesARank) { Check(OfLaunches("3 launches", 3, 64)); }
TEST(WorldRounds, ThreeLaunchesThatNameNoDomain) { Check(OfLaunches("3 launches, no domain", 3, 16, false)); }
TEST(WorldRounds, HundredLaunchesARank) { Check(OfLaunches("100 launches", 100, 8)); }

// The number of the round lies in the rank's own window; each launch counts it up for the next.
TEST(WorldRounds, ACounterOfRoundsInTheWindow) {
    constexpr uint32_t kLaunches = 5;
    Check({.name = "counter in the window",
           .kernel =
               [](Device& d, uint32_t) {
                   auto counter = Gm<int32_t>(d.Flag(d.rank, 7, 0), kApart);
                   const int32_t round = Taken(counter, 0);
                   const auto sum = d.Load(2, d.Out(), 8);
                   Round(d, static_cast<uint32_t>(round), sum);
                   d.Result(sum, 8);
                   Put(counter, 0, round + 1);
               },
           .want = [](uint32_t ranks, uint32_t) { return SumOfRounds(ranks, kLaunches); },
           .launches = kLaunches,
           .most_ranks = 16});
}

// Flags are taken back by who waited for them; a second flag says so to the writer.
TEST(WorldRounds, FlagsAreClearedAndAcknowledged) {
    constexpr uint32_t kRounds = 6;
    Check({.name = "cleared flags",
           .kernel =
               [](Device& d, uint32_t) {
                   const uint32_t next = (d.rank + 1) % d.ranks, last = (d.rank + d.ranks - 1) % d.ranks;
                   const auto sum = d.Filled(2, 8, [](uint32_t) { return 0; });
                   for (uint32_t round = 0; round < kRounds; ++round) {
                       if (round > 0) {
                           d.Await(d.Flag(d.rank, 1, next), 1);
                           d.Signal(d.Flag(d.rank, 1, next), 0);
                       }
                       d.Store(d.Payload(next, 0),
                               d.Filled(0, 8, [&](uint32_t i) { return RoundValue(d.rank, round, i); }), 8);
                       Device::Drain();
                       d.Signal(d.Flag(next, 0, d.rank), 1);
                       d.Await(d.Flag(d.rank, 0, last), 1);
                       AscendC::Add(sum, sum, d.Load(1, d.Payload(d.rank, 0), 8), 8);
                       d.Signal(d.Flag(d.rank, 0, last), 0);
                       d.Signal(d.Flag(last, 1, d.rank), 1);
                   }
                   d.Result(sum, 8);
               },
           .want =
               [](uint32_t ranks, uint32_t rank) {
                   std::vector<int32_t> want(8);
                   for (uint32_t round = 0; round < kRounds; ++round) {
                       for (uint32_t i = 0; i < 8; ++i) want[i] += RoundValue((rank + ranks - 1) % ranks, round, i);
                   }
                   return want;
               }});
}

// Rows and columns of a square of ranks, each a domain of its own; every rank sums along both.
TEST(WorldRounds, TwoDomains) {
    constexpr uint32_t kSide = 3, kRanks = kSide * kSide;
    for (const char* schedule : {"eager", "late", "skew", "skew:8", "torn", "seed:1", "seed:2", "seed:3"}) {
        Ranks on(kRanks, runtime::RankOrder::Parse(schedule, kRanks), kWindowBytes);
        std::vector<runtime::World::Domain> rows, columns;
        std::vector<uint8_t*> out(kRanks);
        for (uint32_t i = 0; i < kSide; ++i) {
            rows.push_back(on.world.AddDomain({i * kSide, i * kSide + 1, i * kSide + 2}));
            columns.push_back(on.world.AddDomain({i, i + kSide, i + 2 * kSide}));
        }
        for (uint32_t r = 0; r < kRanks; ++r) {
            out[r] = on.memories[r]->Allocate(256, "out");
            std::memset(out[r], 0, 256);
        }
        // Of the two launches of a rank, odd ranks' hosts submit later than even ranks'.
        for (const uint32_t odd : {0u, 1u}) {
            for (uint32_t r = odd; r < kRanks; r += 2) {
                for (const bool column : {false, true}) {
                    const auto kernel = [&, r, column] {
                        Device d(on, r, out[r]);
                        const uint32_t first = column ? r % kSide : r / kSide * kSide, step = column ? kSide : 1;
                        const auto row = column ? d.Load(0, d.Out(), 8)
                                                : d.Filled(0, 8, [&](uint32_t i) { return RoundValue(r, 0, i); });
                        for (uint32_t i = 0; i < kSide; ++i) {
                            d.Store(d.Payload(first + i * step, (column ? 1024 : 0) + r * 8), row, 8);
                            Device::Drain();
                            d.Signal(d.Flag(first + i * step, column, r), 1);
                        }
                        const auto sum = d.Filled(1, 8, [](uint32_t) { return 0; });
                        for (uint32_t i = 0; i < kSide; ++i) {
                            const uint32_t from = first + i * step;
                            d.Await(d.Flag(r, column, from), 1);
                            AscendC::Add(sum, sum, d.Load(2, d.Payload(r, (column ? 1024 : 0) + from * 8), 8), 8);
                        }
                        d.Result(sum, 8);
                    };
                    on.Submit(r, 1, kernel, std::vector{column ? columns[r % kSide] : rows[r / kSide]}, schedule);
                }
            }
        }
        on.Wait();
        ASSERT_EQ(on.Told(), "") << schedule;
        for (uint32_t r = 0; r < kRanks; ++r) {
            std::vector<int32_t> got(8);
            std::memcpy(got.data(), out[r], 32);
            ASSERT_EQ(got, SumOfRounds(kRanks, 1)) << schedule;
        }
    }
}

}  // namespace
}  // namespace sfumato::world_test
