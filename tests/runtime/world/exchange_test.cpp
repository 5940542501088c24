// SPDX-License-Identifier: Apache-2.0
// Exchanges of tokens between ranks: all-to-all by counts, dispatch and combine.
#include "runtime/world/programs.h"

namespace sfumato::world_test {
namespace {

constexpr uint32_t kSlot = 768;  // int32 of the payload a rank has in every window

// Rows of 8 that rank `from` sends to rank `to`: 0 to 3.
int32_t CountOf(uint32_t from, uint32_t to) { return static_cast<int32_t>((from * 5 + to * 3) % 4); }
int32_t Value(uint32_t from, uint32_t to, uint32_t i) { return static_cast<int32_t>(from * 100'000 + to * 1'000 + i); }

std::vector<int32_t> Received(uint32_t ranks, uint32_t rank) {
    std::vector<int32_t> want;
    for (uint32_t from = 0; from < ranks; ++from) {
        for (uint32_t i = 0; i < static_cast<uint32_t>(CountOf(from, rank)) * 8; ++i)
            want.push_back(Value(from, rank, i));
    }
    return want;
}

TEST(WorldExchange, AllToAllByCounts) {
    Check({.name = "all-to-all by counts",
           .kernel =
               [](Device& d, uint32_t) {
                   for (uint32_t to = 0; to < d.ranks; ++to) {
                       const auto count = static_cast<uint32_t>(CountOf(d.rank, to));
                       if (count != 0) {
                           d.Store(d.Payload(to, d.rank * kSlot),
                                   d.Filled(0, count * 8, [&](uint32_t i) { return Value(d.rank, to, i); }), count * 8);
                           Device::Drain();
                       }
                       d.Signal(d.Flag(to, 0, d.rank), static_cast<int32_t>(count) + 1);
                   }
                   uint64_t at = 0;
                   for (uint32_t from = 0; from < d.ranks; ++from) {
                       const auto count = static_cast<uint32_t>(d.Await(d.Flag(d.rank, 0, from), 1)) - 1;
                       if (count == 0) continue;
                       d.Result(d.Load(1, d.Payload(d.rank, from * kSlot), count * 8), count * 8, at);
                       at += count * 8;
                   }
               },
           .want = Received});
}

// Counts of all ranks first, then every row at its place among those of all.
TEST(WorldExchange, CountsFirstThenPackedRows) {
    Check({.name = "counts first",
           .kernel =
               [](Device& d, uint32_t) {
                   const auto counts = d.Filled(0, 64, [&](uint32_t to) { return CountOf(d.rank, to); });
                   for (uint32_t to = 0; to < d.ranks; ++to) d.Store(d.Payload(to, d.rank * 64), counts, 64);
                   d.Barrier(0, 1);
                   int32_t before[64] = {}, total = 0;
                   for (uint32_t from = 0; from < d.ranks; ++from) {
                       const auto row = d.Load(1, d.Payload(d.rank, from * 64), 64);
                       for (uint32_t to = 0; to < d.ranks && from < d.rank; ++to) before[to] += row.GetValue(to);
                       total += row.GetValue(d.rank);
                   }
                   for (uint32_t to = 0; to < d.ranks; ++to) {
                       const auto count = static_cast<uint32_t>(CountOf(d.rank, to)) * 8;
                       if (count == 0) continue;
                       d.Store(d.Payload(to, 4096 + static_cast<uint64_t>(before[to]) * 8),
                               d.Filled(2, count, [&](uint32_t i) { return Value(d.rank, to, i); }), count);
                       Device::Drain();
                   }
                   d.Barrier(1, 1);
                   for (uint64_t at = 0; at < static_cast<uint64_t>(total) * 8; at += 8)
                       d.Result(d.Load(3, d.Payload(d.rank, 4096 + at), 8), 8, at);
               },
           .want = Received});
}

// How tokens are spread over the ranks.
enum class Route { kEven, kUneven, kHot, kEmpty };
constexpr uint32_t kTokens = 5, kTop = 2, kHidden = 16;

// Tokens of a rank; with kEmpty odd ranks have none.
uint32_t TokensOf(Route route, uint32_t rank) { return route == Route::kEmpty && rank % 2 == 1 ? 0 : kTokens; }
uint32_t Target(Route route, uint32_t ranks, uint32_t from, uint32_t token, uint32_t k) {
    switch (route) {
        case Route::kEven: return (from + token * kTop + k) % ranks;
        case Route::kUneven: return (from * token + k) % std::min(ranks, 3u);
        case Route::kHot: return 0;
        case Route::kEmpty: return (token * 7 + k + from) % ranks;
    }
    return 0;
}
int32_t Token(uint32_t from, uint32_t token, uint32_t i) { return static_cast<int32_t>(from * 1000 + token * 50 + i); }

// A row of the payload: the token, which of its copies it is, and its values.
constexpr uint32_t kRow = kHidden + 8;

// Dispatch; every expert multiplies by one more than its rank; combine.
void DispatchAndCombine(Device& d, Route route) {
    uint32_t sent[64] = {};
    for (uint32_t token = 0; token < TokensOf(route, d.rank); ++token) {
        for (uint32_t k = 0; k < kTop; ++k) {
            const uint32_t to = Target(route, d.ranks, d.rank, token, k);
            const auto row = d.Filled(0, kRow, [&](uint32_t i) -> int32_t {
                if (i == 0) return static_cast<int32_t>(token);
                if (i == 1) return static_cast<int32_t>(k);
                return i < 8 ? 0 : Token(d.rank, token, i - 8);
            });
            d.Store(d.Payload(to, d.rank * kSlot + sent[to]++ * kRow), row, kRow);
            Device::Drain();
        }
    }
    for (uint32_t to = 0; to < d.ranks; ++to) d.Signal(d.Flag(to, 0, d.rank), static_cast<int32_t>(sent[to]) + 1);
    for (uint32_t from = 0; from < d.ranks; ++from) {
        const auto count = static_cast<uint32_t>(d.Await(d.Flag(d.rank, 0, from), 1)) - 1;
        for (uint32_t n = 0; n < count; ++n) {
            auto row = d.Load(1, d.Payload(d.rank, from * kSlot + n * kRow), kRow);
            const auto place = static_cast<uint64_t>(row.GetValue(0) * static_cast<int32_t>(kTop) + row.GetValue(1));
            auto made = d.Row(2, kHidden);
            Muls(made, row[8], static_cast<int32_t>(d.rank) + 1, static_cast<int32_t>(kHidden));
            Device::Drain();
            d.Store(d.Payload(from, 50'000 + place * kHidden), made, kHidden);
            Device::Drain();
        }
        d.Signal(d.Flag(from, 1, d.rank), static_cast<int32_t>(count) + 1);
    }
    d.AwaitAll(1, 1);
    for (uint32_t token = 0; token < TokensOf(route, d.rank); ++token) {
        auto sum = d.Load(3, d.Payload(d.rank, 50'000 + uint64_t{token} * kTop * kHidden), kHidden);
        const auto other = d.Load(4, d.Payload(d.rank, 50'000 + (uint64_t{token} * kTop + 1) * kHidden), kHidden);
        AscendC::Add(sum, sum, other, static_cast<int32_t>(kHidden));
        d.Result(sum, kHidden, uint64_t{token} * kHidden);
    }
}

Program OfRoute(const char* name, Route route) {
    return {.name = name,
            .kernel = [route](Device& d, uint32_t) { DispatchAndCombine(d, route); },
            .want =
                [route](uint32_t ranks, uint32_t rank) {
                    std::vector<int32_t> want(TokensOf(route, rank) * kHidden);
                    for (uint32_t token = 0; token < TokensOf(route, rank); ++token) {
                        for (uint32_t k = 0; k < kTop; ++k) {
                            const auto expert = static_cast<int32_t>(Target(route, ranks, rank, token, k)) + 1;
                            for (uint32_t i = 0; i < kHidden; ++i)
                                want[token * kHidden + i] += Token(rank, token, i) * expert;
                        }
                    }
                    return want;
                }};
}

TEST(WorldExchange, DispatchAndCombine) { Check(OfRoute("dispatch and combine", Route::kEven)); }
TEST(WorldExchange, DispatchAndCombineUneven) { Check(OfRoute("uneven", Route::kUneven)); }
TEST(WorldExchange, DispatchAndCombineOfOneHotRank) { Check(OfRoute("hot", Route::kHot)); }
TEST(WorldExchange, DispatchAndCombineOfRanksWithoutTokens) { Check(OfRoute("empty", Route::kEmpty)); }

// Payload and flag are one block of 512 bytes, which arrives whole: nothing is drained between the two.
TEST(WorldExchange, PayloadAndFlagInOneBlock) {
    constexpr uint32_t kBlock = 128;
    Check({.name = "payload and flag in one block",
           .kernel =
               [](Device& d, uint32_t) {
                   for (uint32_t to = 0; to < d.ranks; ++to) {
                       d.Store(d.Payload(to, d.rank * kBlock),
                               d.Filled(to % 4, kBlock,
                                        [&](uint32_t i) { return i >= kBlock - 8 ? 1 : Value(d.rank, to, i); }),
                               kBlock);
                   }
                   for (uint32_t from = 0; from < d.ranks; ++from) {
                       auto row = d.Load(5, d.Payload(d.rank, from * kBlock), kBlock);
                       while (row.GetValue(kBlock - 8) != 1) row = d.Load(5, d.Payload(d.rank, from * kBlock), kBlock);
                       d.Result(row, 16, from * 16);
                   }
               },
           .want =
               [](uint32_t ranks, uint32_t rank) {
                   std::vector<int32_t> want;
                   for (uint32_t from = 0; from < ranks; ++from) {
                       for (uint32_t i = 0; i < 16; ++i) want.push_back(Value(from, rank, i));
                   }
                   return want;
               }});
}

// Columns become rows: rank r holds row r of a matrix of blocks, and then column r.
TEST(WorldExchange, TransposedMatrix) {
    Check({.name = "transposed matrix",
           .kernel =
               [](Device& d, uint32_t) {
                   for (uint32_t step = 0; step < d.ranks; ++step) {
                       const uint32_t to = (d.rank + step) % d.ranks;
                       d.Store(d.Payload(to, d.rank * 8),
                               d.Filled(0, 8, [&](uint32_t i) { return Value(d.rank, to, i); }), 8);
                       Device::Drain();
                   }
                   d.Barrier(0, 1);
                   for (uint32_t from = 0; from < d.ranks; from += 8) {
                       const uint32_t count = std::min(8u, d.ranks - from) * 8;
                       d.Result(d.Load(1, d.Payload(d.rank, from * 8), count), count, from * 8);
                   }
               },
           .want =
               [](uint32_t ranks, uint32_t rank) {
                   std::vector<int32_t> want;
                   for (uint32_t from = 0; from < ranks; ++from) {
                       for (uint32_t i = 0; i < 8; ++i) want.push_back(Value(from, rank, i));
                   }
                   return want;
               }});
}

// One-sided: nobody stores for another; each reads what the others have put into their own windows.
TEST(WorldExchange, EachGetsFromTheOthersWindows) {
    Check({.name = "gets",
           .kernel =
               [](Device& d, uint32_t) {
                   d.Store(d.Payload(d.rank, 0),
                           d.Filled(0, 512, [&](uint32_t i) { return Value(d.rank, i / 8, i % 8); }), 512);
                   d.Barrier(0, 1);
                   for (uint32_t from = 0; from < d.ranks; ++from)
                       d.Result(d.Load(1, d.Payload(from, d.rank * 8), 8), 8, from * 8);
                   d.Barrier(1, 1);
               },
           .want =
               [](uint32_t ranks, uint32_t rank) {
                   std::vector<int32_t> want;
                   for (uint32_t from = 0; from < ranks; ++from) {
                       for (uint32_t i = 0; i < 8; ++i) want.push_back(Value(from, rank, i));
                   }
                   return want;
               }});
}

}  // namespace
}  // namespace sfumato::world_test
