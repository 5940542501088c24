// SPDX-License-Identifier: Apache-2.0
// Put and signal, and the ways in which kernels wait for flags: each must rest, so that many cores can.
#include "runtime/world/programs.h"

namespace sfumato::world_test {
namespace {

constexpr uint32_t kPut = 320;  // int32 of a put: two whole blocks of 512 bytes and a part of a third

int32_t PutValue(uint32_t rank, uint32_t i) { return static_cast<int32_t>(rank * 1000 + i); }
std::vector<int32_t> FromTheLast(uint32_t ranks, uint32_t rank) {
    std::vector<int32_t> want(kPut);
    for (uint32_t i = 0; i < kPut; ++i) want[i] = PutValue((rank + ranks - 1) % ranks, i);
    return want;
}
uint32_t NextOf(const Device& d) { return (d.rank + 1) % d.ranks; }
uint32_t LastOf(const Device& d) { return (d.rank + d.ranks - 1) % d.ranks; }

// A put to the next rank, what orders the flag behind it, the flag, and the wait. `wait` gets the flag's address.
Program PutAndSignal(std::string name, std::function<void()> between, std::function<void(Device&, uint8_t*)> wait) {
    return {.name = std::move(name),
            .kernel =
                [between = std::move(between), wait = std::move(wait)](Device& d, uint32_t) {
                    const auto flag = d.Filled(1, 8, [](uint32_t) { return 1; });
                    d.Store(d.Payload(NextOf(d), 0), d.Filled(0, kPut, [&](uint32_t i) { return PutValue(d.rank, i); }),
                            kPut);
                    between();
                    d.Store(d.Flag(NextOf(d), 0, d.rank), flag, 8);
                    wait(d, d.Flag(d.rank, 0, LastOf(d)));
                    d.Result(d.Load(2, d.Payload(d.rank, 0), kPut), kPut);
                },
            .want = FromTheLast};
}
void ByCopy(Device& d, uint8_t* flag) { d.Await(flag, 1); }

TEST(WorldSignals, PutAndSignalBehindABarrierOfThePipe) {
    Check(PutAndSignal(
        "PipeBarrier<PIPE_MTE3>", [] { PipeBarrier<PIPE_MTE3>(); }, ByCopy));
}
TEST(WorldSignals, PutAndSignalBehindAnEvent) {
    Check(PutAndSignal(
        "MTE3_S",
        [] {
            SetFlag<HardEvent::MTE3_S>(EVENT_ID0);
            WaitFlag<HardEvent::MTE3_S>(EVENT_ID0);
        },
        ByCopy));
}
TEST(WorldSignals, PutAndSignalBehindAnEventOfTheNextLoad) {
    Check(PutAndSignal(
        "MTE3_MTE2 and back",
        [] {
            SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
            WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
            SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID1);
            WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID1);
        },
        ByCopy));
}

TEST(WorldSignals, WaitByScalarReadsOfACleanedLine) {
    Check(PutAndSignal(
        "dcci and GetValue", [] { PipeBarrier<PIPE_ALL>(); },
        [](Device&, uint8_t* flag) {
            while (Taken(Gm<int32_t>(flag, kApart), 0) != 1) {
            }
        }));
}

TEST(WorldSignals, WaitByAPlainPointerToACleanedLine) {
    Check(PutAndSignal(
        "dcci and a pointer", [] { PipeBarrier<PIPE_ALL>(); },
        [](Device&, uint8_t* flag) {
            auto line = Gm<int32_t>(flag, kApart);
            do {
                DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(line);
            } while (*reinterpret_cast<volatile __gm__ int32_t*>(flag) != 1);
        }));
}

// A kernel's own time limit does not run while it rests.
TEST(WorldSignals, WaitWithATimeLimit) {
    Check(PutAndSignal(
        "GetSystemCycle", [] { PipeBarrier<PIPE_ALL>(); },
        [](Device& d, uint8_t* flag) {
            const int64_t begin = GetSystemCycle();
            while (d.Load(3, flag, 8).GetValue(0) != 1) {
                if (GetSystemCycle() - begin > 1'000'000) return;
            }
        }));
}

// Flags and stores of scalars, cleaned.
TEST(WorldSignals, ScalarStoresAreSeenOnceCleaned) {
    Check({.name = "scalar put",
           .kernel =
               [](Device& d, uint32_t) {
                   for (uint32_t to = 0; to < d.ranks; ++to)
                       Put(Gm<int32_t>(d.Flag(to, 0, d.rank), kApart), 0, static_cast<int32_t>(d.rank + to + 1));
                   const auto row = d.Row(0, d.ranks * 8);
                   for (uint32_t from = 0; from < d.ranks; ++from) {
                       int32_t value = 0;
                       while ((value = Taken(Gm<int32_t>(d.Flag(d.rank, 0, from), kApart), 0)) == 0) {
                       }
                       for (uint32_t i = 0; i < 8; ++i) row.SetValue(from * 8 + i, value);
                   }
                   d.Result(row, d.ranks * 8);
               },
           .want =
               [](uint32_t ranks, uint32_t rank) {
                   std::vector<int32_t> want;
                   for (uint32_t from = 0; from < ranks; ++from)
                       want.insert(want.end(), 8, static_cast<int32_t>(from + rank + 1));
                   return want;
               }});
}

std::vector<int32_t> SumOfRanks(uint32_t ranks, uint32_t) {
    return std::vector<int32_t>(8, static_cast<int32_t>(ranks * (ranks + 1) / 2));
}
void PutNumbers(Device& d) {
    const auto number = d.Filled(0, 8, [&](uint32_t) { return static_cast<int32_t>(d.rank) + 1; });
    for (uint32_t to = 0; to < d.ranks; ++to) d.Store(d.Payload(to, d.rank * 8), number, 8);
    Device::Drain();
    d.SignalAll(0, 1);
}
void AddNumbers(Device& d) {
    const auto numbers = d.Load(1, d.Payload(d.rank, 0), d.ranks * 8);
    auto sum = d.Filled(2, 8, [](uint32_t) { return 0; });
    for (uint32_t from = 0; from < d.ranks; ++from) {
        AscendC::Add(sum, sum, numbers[from * 8], 8);
        Device::Drain();
    }
    d.Result(sum, 8);
}

// All flags come by one strided copy, and their sum says whether all are set.
TEST(WorldSignals, WaitByOneStridedCopyOfAllFlags) {
    Check({.name = "strided flags",
           .kernel =
               [](Device& d, uint32_t) {
                   PutNumbers(d);
                   const auto ranks = static_cast<uint16_t>(d.ranks);
                   auto flags = d.Row(3, d.ranks * 8);
                   for (int32_t set = 0; set != static_cast<int32_t>(d.ranks);) {
                       DataCopy(flags, Gm<int32_t>(d.Flag(d.rank, 0, 0), d.ranks * 16), DataCopyParams(ranks, 1, 1, 0));
                       Device::Drain();
                       set = 0;
                       for (uint32_t from = 0; from < d.ranks; ++from) set += flags.GetValue(from * 8);
                   }
                   AddNumbers(d);
               },
           .want = SumOfRanks});
}

// Rounds over the ranks that are missing, with a bit for each that has come.
TEST(WorldSignals, WaitInRoundsOverTheMissing) {
    Check({.name = "rounds with bits",
           .kernel =
               [](Device& d, uint32_t) {
                   PutNumbers(d);
                   const uint64_t all = d.ranks == 64 ? ~0ull : (1ull << d.ranks) - 1;
                   for (uint64_t came = 0; came != all;) {
                       for (uint32_t from = 0; from < d.ranks; ++from) {
                           if ((came >> from & 1) != 0 || d.Load(3, d.Flag(d.rank, 0, from), 8).GetValue(0) == 0)
                               continue;
                           came |= 1ull << from;
                       }
                   }
                   AddNumbers(d);
               },
           .want = SumOfRanks});
}

// Signals that add: who waits for a number of them need not know from whom.
TEST(WorldSignals, SignalsAdd) {
    Check({.name = "adding signals",
           .kernel =
               [](Device& d, uint32_t) {
                   const auto number = d.Filled(0, 8, [&](uint32_t) { return static_cast<int32_t>(d.rank) + 1; });
                   const auto one = d.Filled(3, 8, [](uint32_t) { return 1; });
                   for (uint32_t to = 0; to < d.ranks; ++to) d.Store(d.Payload(to, d.rank * 8), number, 8);
                   Device::Drain();
                   for (uint32_t to = 0; to < d.ranks; ++to) d.Add(d.Flag(to, 0, 0), one, 8);
                   d.Await(d.Flag(d.rank, 0, 0), static_cast<int32_t>(d.ranks));
                   AddNumbers(d);
               },
           .want = SumOfRanks});
}

// A histogram in the windows of others.
TEST(WorldSignals, AtomicAddsIntoRemoteWindows) {
    constexpr uint32_t kBins = 64, kRounds = 4;
    Check({.name = "remote histogram",
           .kernel =
               [](Device& d, uint32_t) {
                   for (uint32_t round = 0; round < kRounds; ++round) {
                       for (uint32_t to = 0; to < d.ranks; ++to) {
                           const auto row = d.Filled(to % 4, kBins, [&](uint32_t i) {
                               return static_cast<int32_t>((d.rank + to + round) * i);
                           });
                           d.Add(d.Payload(to, 0), row, kBins);
                       }
                   }
                   d.Barrier(0, 1);
                   d.Result(d.Load(5, d.Payload(d.rank, 0), kBins), kBins);
               },
           .want =
               [](uint32_t ranks, uint32_t rank) {
                   std::vector<int32_t> want(kBins);
                   for (uint32_t from = 0; from < ranks; ++from) {
                       for (uint32_t round = 0; round < kRounds; ++round) {
                           for (uint32_t i = 0; i < kBins; ++i)
                               want[i] += static_cast<int32_t>((from + rank + round) * i);
                       }
                   }
                   return want;
               }});
}

// Once per distance, so that no rank waits for more than log2 of them.
TEST(WorldSignals, DisseminationBarrier) {
    Check({.name = "dissemination barrier",
           .kernel =
               [](Device& d, uint32_t) {
                   const auto number = d.Filled(0, 8, [&](uint32_t) { return static_cast<int32_t>(d.rank) + 1; });
                   for (uint32_t to = 0; to < d.ranks; ++to) d.Store(d.Payload(to, d.rank * 8), number, 8);
                   Device::Drain();
                   for (uint32_t step = 0; (1u << step) < d.ranks; ++step) {
                       d.Signal(d.Flag((d.rank + (1u << step)) % d.ranks, step, 0), 1);
                       d.Await(d.Flag(d.rank, step, 0), 1);
                   }
                   AddNumbers(d);
               },
           .want = SumOfRanks});
}

// Arrivals are counted at rank 0, which lets all go.
TEST(WorldSignals, CentralBarrier) {
    Check({.name = "central barrier",
           .kernel =
               [](Device& d, uint32_t) {
                   const auto number = d.Filled(0, 8, [&](uint32_t) { return static_cast<int32_t>(d.rank) + 1; });
                   const auto one = d.Filled(3, 8, [](uint32_t) { return 1; });
                   for (uint32_t to = 0; to < d.ranks; ++to) d.Store(d.Payload(to, d.rank * 8), number, 8);
                   Device::Drain();
                   d.Add(d.Flag(0, 0, 0), one, 8);
                   if (d.rank == 0) {
                       d.Await(d.Flag(0, 0, 0), static_cast<int32_t>(d.ranks));
                       for (uint32_t to = 0; to < d.ranks; ++to) d.Signal(d.Flag(to, 1, 0), 1);
                   }
                   d.Await(d.Flag(d.rank, 1, 0), 1);
                   AddNumbers(d);
               },
           .want = SumOfRanks});
}

}  // namespace
}  // namespace sfumato::world_test
