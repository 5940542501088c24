// SPDX-License-Identifier: Apache-2.0
// Collectives that kernels make of windows and flags: rings, trees, doubling, scans.
#include "runtime/world/programs.h"

namespace sfumato::world_test {
namespace {

// Element i of what a rank brings, and the sum over ranks.
int32_t Brings(uint32_t rank, uint32_t i) { return static_cast<int32_t>((rank + 1) * (i + 3) % 1009); }
std::vector<int32_t> Sum(uint32_t ranks, uint32_t count) {
    std::vector<int32_t> sum(count);
    for (uint32_t rank = 0; rank < ranks; ++rank) {
        for (uint32_t i = 0; i < count; ++i) sum[i] += Brings(rank, i);
    }
    return sum;
}
std::vector<int32_t> Of(uint32_t rank, uint32_t first, uint32_t count) {
    std::vector<int32_t> values(count);
    for (uint32_t i = 0; i < count; ++i) values[i] = Brings(rank, first + i);
    return values;
}
LocalTensor<int32_t> Input(Device& d, uint32_t row, uint32_t first, uint32_t count) {
    return d.Filled(row, count, [&](uint32_t i) { return Brings(d.rank, first + i); });
}
// Sends to the step's own place of the receiver, behind what it holds.
void Send(Device& d, uint32_t to, uint32_t area, uint32_t step, const LocalTensor<int32_t>& row, uint32_t count) {
    Device::Drain();
    d.Store(d.Payload(to, (uint64_t{area} * 96 + step) * 64), row, count);
    Device::Drain();
    d.Signal(d.Flag(to, area, d.rank), static_cast<int32_t>(step) + 1);
}
LocalTensor<int32_t> Receive(Device& d, uint32_t from, uint32_t area, uint32_t step, uint32_t row, uint32_t count) {
    d.Await(d.Flag(d.rank, area, from), static_cast<int32_t>(step) + 1);
    return d.Load(row, d.Payload(d.rank, (uint64_t{area} * 96 + step) * 64), count);
}

constexpr uint32_t kChunk = 8, kAll = 64;

TEST(WorldCollectives, RingAllReduce) {
    Check({.name = "ring all-reduce",
           .kernel =
               [](Device& d, uint32_t) {
                   const uint32_t next = (d.rank + 1) % d.ranks, last = (d.rank + d.ranks - 1) % d.ranks;
                   auto mine = Input(d, 0, 0, d.ranks * kChunk);
                   for (uint32_t step = 0; step + 1 < d.ranks; ++step) {
                       const uint32_t out = (d.rank + d.ranks - step) % d.ranks, in = (out + d.ranks - 1) % d.ranks;
                       Send(d, next, 0, step, mine[out * kChunk], kChunk);
                       const auto came = Receive(d, last, 0, step, 1, kChunk);
                       AscendC::Add(mine[in * kChunk], mine[in * kChunk], came, static_cast<int32_t>(kChunk));
                   }
                   for (uint32_t step = 0; step + 1 < d.ranks; ++step) {
                       const uint32_t out = (d.rank + 1 + d.ranks - step) % d.ranks, in = (out + d.ranks - 1) % d.ranks;
                       Send(d, next, 1, step, mine[out * kChunk], kChunk);
                       const auto came = Receive(d, last, 1, step, 1, kChunk);
                       DataCopy(mine[in * kChunk], came, kChunk);
                       Device::Drain();
                   }
                   d.Result(mine, d.ranks * kChunk);
               },
           .want = [](uint32_t ranks, uint32_t) { return Sum(ranks, ranks * kChunk); }});
}

TEST(WorldCollectives, RecursiveDoublingAllReduce) {
    Check({.name = "recursive doubling",
           .kernel =
               [](Device& d, uint32_t) {
                   uint32_t power = 1;
                   while (power * 2 <= d.ranks) power *= 2;
                   auto mine = Input(d, 0, 0, kAll);
                   const auto add = [&](uint32_t from, uint32_t area) {
                       const auto came = Receive(d, from, area, 0, 1, kAll);
                       AscendC::Add(mine, mine, came, static_cast<int32_t>(kAll));
                   };
                   if (d.rank >= power) {
                       Send(d, d.rank - power, 0, 0, mine, kAll);
                       mine = Receive(d, d.rank - power, 7, 0, 1, kAll);
                   } else {
                       if (d.rank + power < d.ranks) add(d.rank + power, 0);
                       for (uint32_t step = 0; (1u << step) < power; ++step) {
                           Send(d, d.rank ^ (1u << step), step + 1, 0, mine, kAll);
                           add(d.rank ^ (1u << step), step + 1);
                       }
                       if (d.rank + power < d.ranks) Send(d, d.rank + power, 7, 0, mine, kAll);
                   }
                   d.Result(mine, kAll);
               },
           .want = [](uint32_t ranks, uint32_t) { return Sum(ranks, kAll); }});
}

TEST(WorldCollectives, ReduceScatterThenAllGather) {
    Check({.name = "reduce-scatter, all-gather",
           .kernel =
               [](Device& d, uint32_t) {
                   const auto mine = Input(d, 0, 0, d.ranks * kChunk);
                   for (uint32_t to = 0; to < d.ranks; ++to)
                       d.Store(d.Payload(to, d.rank * kChunk), mine[to * kChunk], kChunk);
                   d.Barrier(0, 1);
                   auto sum = d.Load(1, d.Payload(d.rank, 0), kChunk);
                   for (uint32_t from = 1; from < d.ranks; ++from) {
                       const auto came = d.Load(2, d.Payload(d.rank, from * kChunk), kChunk);
                       AscendC::Add(sum, sum, came, static_cast<int32_t>(kChunk));
                       Device::Drain();
                   }
                   for (uint32_t to = 0; to < d.ranks; ++to)
                       d.Store(d.Payload(to, 1024 + d.rank * kChunk), sum, kChunk);
                   d.Barrier(1, 1);
                   d.Result(d.Load(3, d.Payload(d.rank, 1024), d.ranks * kChunk), d.ranks * kChunk);
               },
           .want = [](uint32_t ranks, uint32_t) { return Sum(ranks, ranks * kChunk); }});
}

TEST(WorldCollectives, BroadcastByABinomialTree) {
    Check({.name = "binomial broadcast",
           .kernel =
               [](Device& d, uint32_t) {
                   auto row = d.rank == 0 ? Input(d, 0, 0, kAll) : d.Row(0, kAll);
                   uint32_t reach = 1;
                   if (d.rank != 0) {
                       while (reach * 2 <= d.rank) reach *= 2;
                       row = Receive(d, d.rank - reach, 0, 0, 0, kAll);
                       reach *= 2;
                   }
                   for (; d.rank + reach < d.ranks; reach *= 2) Send(d, d.rank + reach, 0, 0, row, kAll);
                   d.Result(row, kAll);
               },
           .want = [](uint32_t, uint32_t) { return Of(0, 0, kAll); }});
}

// In pieces along a chain from the last rank down, so that all ranks work at once.
TEST(WorldCollectives, BroadcastAlongAChain) {
    constexpr uint32_t kPieces = 8;
    Check({.name = "chain broadcast",
           .kernel =
               [](Device& d, uint32_t) {
                   for (uint32_t piece = 0; piece < kPieces; ++piece) {
                       const auto row = d.rank + 1 == d.ranks ? Input(d, 0, piece * kAll, kAll)
                                                              : Receive(d, d.rank + 1, 0, piece, 0, kAll);
                       if (d.rank != 0) Send(d, d.rank - 1, 0, piece, row, kAll);
                       d.Result(row, kAll, piece * kAll);
                   }
               },
           .want = [](uint32_t ranks, uint32_t) { return Of(ranks - 1, 0, kPieces * kAll); }});
}

// What dispatch needs first: how many tokens come from everyone, and where they go.
TEST(WorldCollectives, NotifyWithPrefixSums) {
    Check({.name = "notify",
           .kernel =
               [](Device& d, uint32_t) {
                   for (uint32_t to = 0; to < d.ranks; ++to) d.Signal(d.Flag(to, 0, d.rank), Brings(d.rank, to) + 1);
                   int32_t before = 0;
                   const auto row = d.Row(0, 2 * d.ranks * 8);
                   for (uint32_t from = 0; from < d.ranks; ++from) {
                       const int32_t count = d.Await(d.Flag(d.rank, 0, from), 1) - 1;
                       row.SetValue(from * 8, count);
                       row.SetValue(from * 8 + 1, before);
                       for (uint32_t i = 2; i < 8; ++i) row.SetValue(from * 8 + i, 0);
                       before += count;
                   }
                   d.Result(row, d.ranks * 8);
               },
           .want =
               [](uint32_t ranks, uint32_t rank) {
                   std::vector<int32_t> want(ranks * 8);
                   int32_t before = 0;
                   for (uint32_t from = 0; from < ranks; ++from) {
                       want[from * 8] = Brings(from, rank);
                       want[from * 8 + 1] = std::exchange(before, before + Brings(from, rank));
                   }
                   return want;
               }});
}

TEST(WorldCollectives, AllGatherAlongARing) {
    Check({.name = "ring all-gather",
           .kernel =
               [](Device& d, uint32_t) {
                   const uint32_t next = (d.rank + 1) % d.ranks, last = (d.rank + d.ranks - 1) % d.ranks;
                   auto row = Input(d, 0, 0, kChunk);
                   d.Result(row, kChunk, d.rank * kChunk);
                   for (uint32_t step = 0; step + 1 < d.ranks; ++step) {
                       Send(d, next, 0, step, row, kChunk);
                       row = Receive(d, last, 0, step, 0, kChunk);
                       d.Result(row, kChunk, (d.rank + 2 * d.ranks - step - 1) % d.ranks * kChunk);
                   }
               },
           .want =
               [](uint32_t ranks, uint32_t) {
                   std::vector<int32_t> want;
                   for (uint32_t rank = 0; rank < ranks; ++rank) {
                       for (const int32_t value : Of(rank, 0, kChunk)) want.push_back(value);
                   }
                   return want;
               }});
}

TEST(WorldCollectives, ScatterFromARootAndGatherThere) {
    Check({.name = "scatter, gather",
           .kernel =
               [](Device& d, uint32_t) {
                   const uint32_t root = d.ranks / 2;
                   for (uint32_t to = 0; d.rank == root && to < d.ranks; ++to)
                       Send(d, to, 0, 0, Input(d, 0, to * kChunk, kChunk), kChunk);
                   auto row = Receive(d, root, 0, 0, 1, kChunk);
                   Muls(row, row, 3, static_cast<int32_t>(kChunk));
                   Device::Drain();
                   d.Store(d.Payload(root, 32'768 + d.rank * kChunk), row, kChunk);
                   Device::Drain();
                   d.Signal(d.Flag(root, 1, d.rank), 1);
                   if (d.rank != root) return;
                   d.AwaitAll(1, 1);
                   d.Result(d.Load(2, d.Payload(root, 32'768), d.ranks * kChunk), d.ranks * kChunk);
               },
           .want =
               [](uint32_t ranks, uint32_t rank) {
                   std::vector<int32_t> want(ranks * kChunk);
                   for (uint32_t i = 0; i < want.size() && rank == ranks / 2; ++i) want[i] = 3 * Brings(rank, i);
                   return want;
               }});
}

TEST(WorldCollectives, SumsOfAllLowerRanks) {
    Check({.name = "scan",
           .kernel =
               [](Device& d, uint32_t) {
                   auto mine = Input(d, 0, 0, kChunk);
                   for (uint32_t step = 0; (1u << step) < d.ranks; ++step) {
                       const uint32_t distance = 1u << step;
                       if (d.rank + distance < d.ranks) Send(d, d.rank + distance, step, 0, mine, kChunk);
                       if (d.rank < distance) continue;
                       const auto came = Receive(d, d.rank - distance, step, 0, 1, kChunk);
                       AscendC::Add(mine, mine, came, static_cast<int32_t>(kChunk));
                   }
                   d.Result(mine, kChunk);
               },
           .want = [](uint32_t, uint32_t rank) { return Sum(rank + 1, kChunk); }});
}

// A token goes round three times, and each rank adds to it.
TEST(WorldCollectives, ATokenGoesRound) {
    constexpr uint32_t kTimes = 3;
    Check({.name = "token",
           .kernel =
               [](Device& d, uint32_t) {
                   const uint32_t next = (d.rank + 1) % d.ranks, last = (d.rank + d.ranks - 1) % d.ranks;
                   for (uint32_t round = 0; round < kTimes; ++round) {
                       const bool first = d.rank == 0 && round == 0;
                       auto row = first ? d.Filled(0, 8, [](uint32_t) { return 0; })
                                        : Receive(d, last, 0, d.rank == 0 ? round - 1 : round, 0, 8);
                       Adds(row, row, static_cast<int32_t>(d.rank) + 1, 8);
                       Send(d, next, 0, round, row, 8);
                   }
                   if (d.rank == 0) d.Result(Receive(d, last, 0, kTimes - 1, 0, 8), 8);
               },
           .want =
               [](uint32_t ranks, uint32_t rank) {
                   const auto sum = static_cast<int32_t>(kTimes * ranks * (ranks + 1) / 2);
                   return std::vector<int32_t>(8, rank == 0 ? sum : 0);
               }});
}

}  // namespace
}  // namespace sfumato::world_test
