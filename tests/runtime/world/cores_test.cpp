// SPDX-License-Identifier: Apache-2.0
// Kernels of many cores a rank: some cores speak with other ranks, and SyncAll or flags between cores carry it on.
#include "runtime/world/programs.h"

namespace sfumato::world_test {
namespace {

int32_t CoreValue(uint32_t rank, uint32_t to, uint32_t block) {
    return static_cast<int32_t>(rank * 7 + to * 3 + block);
}

// Each core exchanges with the ranks that are its own, and adds up what came into the block's place of the result.
void ExchangeOfBlocks(Device& d, uint32_t block, uint32_t blocks, uint32_t area, int32_t round) {
    for (uint32_t to = block; to < d.ranks; to += blocks) {
        d.Store(d.Payload(to, d.rank * 8), d.Filled(0, 8, [&](uint32_t) { return CoreValue(d.rank, to, 0) * round; }),
                8);
        Device::Drain();
        d.Signal(d.Flag(to, area, d.rank), round);
    }
    const auto sum = d.Filled(1, 8, [](uint32_t) { return 0; });
    for (uint32_t from = block; from < d.ranks; from += blocks) {
        d.Await(d.Flag(d.rank, area, from), round);
        AscendC::Add(sum, sum, d.Load(2, d.Payload(d.rank, from * 8), 8), 8);
        Device::Drain();
    }
    d.Result(sum, 8, block * 8);
}

Program OfBlocks(uint32_t blocks, uint32_t most_ranks) {
    return {.name = std::to_string(blocks) + " cores",
            .kernel = [blocks](Device& d,
                               uint32_t) { ExchangeOfBlocks(d, static_cast<uint32_t>(GetBlockIdx()), blocks, 0, 1); },
            .want =
                [blocks](uint32_t ranks, uint32_t rank) {
                    std::vector<int32_t> want(blocks * 8);
                    for (uint32_t from = 0; from < ranks; ++from) {
                        for (uint32_t i = 0; i < 8; ++i) want[from % blocks * 8 + i] += CoreValue(from, rank, 0);
                    }
                    return want;
                },
            .blocks = blocks,
            .most_ranks = most_ranks};
}
TEST(WorldCores, SixteenCoresARank) { Check(OfBlocks(16, 32)); }
TEST(WorldCores, AllVectorCoresOfAChip) { Check(OfBlocks(48, 16)); }

// Core 0 alone waits for the other ranks; SyncAll tells the others.
TEST(WorldCores, SyncAllCarriesFlagsOfOtherRanksOn) {
    constexpr uint32_t kBlocks = 8, kRounds = 3;
    Check({.name = "SyncAll",
           .kernel =
               [](Device& d, uint32_t) {
                   const auto block = static_cast<uint32_t>(GetBlockIdx());
                   const uint32_t next = (d.rank + 1) % d.ranks, last = (d.rank + d.ranks - 1) % d.ranks;
                   const auto sum = d.Filled(1, 8, [](uint32_t) { return 0; });
                   for (uint32_t round = 0; round < kRounds; ++round) {
                       const uint64_t at = (round * kBlocks + block) * 8;
                       d.Store(d.Payload(next, at),
                               d.Filled(0, 8, [&](uint32_t) { return CoreValue(d.rank, round, block); }), 8);
                       SyncAll();
                       if (block == 0) {
                           d.Signal(d.Flag(next, 0, d.rank), static_cast<int32_t>(round) + 1);
                           d.Await(d.Flag(d.rank, 0, last), static_cast<int32_t>(round) + 1);
                       }
                       SyncAll();
                       // What another core of the last rank has stored.
                       const uint32_t other = (block + 1) % kBlocks;
                       AscendC::Add(sum, sum, d.Load(2, d.Payload(d.rank, (round * kBlocks + other) * 8), 8), 8);
                       Device::Drain();
                   }
                   d.Result(sum, 8, block * 8);
               },
           .want =
               [](uint32_t ranks, uint32_t rank) {
                   std::vector<int32_t> want(kBlocks * 8);
                   for (uint32_t i = 0; i < want.size(); ++i) {
                       for (uint32_t round = 0; round < kRounds; ++round)
                           want[i] += CoreValue((rank + ranks - 1) % ranks, round, (i / 8 + 1) % kBlocks);
                   }
                   return want;
               },
           .blocks = kBlocks,
           .most_ranks = 32});
}

// As above, in launches that follow each other.
TEST(WorldCores, ManyCoresInSeveralLaunches) {
    Program program = OfBlocks(16, 8);
    program.name = "16 cores, 4 launches";
    program.launches = 4;
    program.kernel = [](Device& d, uint32_t launch) {
        ExchangeOfBlocks(d, static_cast<uint32_t>(GetBlockIdx()), 16, launch % 2, static_cast<int32_t>(launch) + 1);
        // Everyone has read what the next round overwrites.
        SyncAll();
        if (GetBlockIdx() == 0) d.Barrier(2, static_cast<int32_t>(launch) + 1);
    };
    program.want = [want = program.want](uint32_t ranks, uint32_t rank) {
        std::vector<int32_t> values = want(ranks, rank);
        for (int32_t& value : values) value *= 4;
        return values;
    };
    Check(program);
}

constexpr uint32_t kTile = 16;
int32_t OfA(uint32_t rank, uint32_t row, uint32_t k) { return static_cast<int32_t>((rank + row + 2 * k) % 5); }
int32_t OfB(uint32_t k, uint32_t column) { return static_cast<int32_t>((k + column) % 3); }  // the same transposed
int32_t Product(uint32_t rank, uint32_t row, uint32_t column) {
    int32_t sum = 0;
    for (uint32_t k = 0; k < kTile; ++k) sum += OfA(rank, row, k) * OfB(k, column);
    return sum;
}

// A tile of A x B, from GM through L1, L0A, L0B and L0C to `to`.
void Multiply(uint8_t* a, uint8_t* b, uint8_t* to) {
    TPipe pipe;
    TBuf<TPosition::A1> a1;
    TBuf<TPosition::B1> b1;
    TBuf<TPosition::A2> a2;
    TBuf<TPosition::B2> b2;
    TBuf<TPosition::CO1> co1;
    pipe.InitBuffer(a1, 512);
    pipe.InitBuffer(b1, 512);
    pipe.InitBuffer(a2, 512);
    pipe.InitBuffer(b2, 512);
    pipe.InitBuffer(co1, 1024);
    DataCopy(a1.Get<half>(), Gm<half>(a, kTile * kTile), kTile * kTile);
    DataCopy(b1.Get<half>(), Gm<half>(b, kTile * kTile), kTile * kTile);
    PipeBarrier<PIPE_ALL>();
    LoadData(a2.Get<half>(), a1.Get<half>(), {0, 1, 1, 0, 0, false, 0});
    LoadData(b2.Get<half>(), b1.Get<half>(), {0, 1, 1, 0, 0, false, 0});
    PipeBarrier<PIPE_ALL>();
    Mmad(co1.Get<float>(), a2.Get<half>(), b2.Get<half>(), {kTile, kTile, kTile, 0, false, true});
    PipeBarrier<PIPE_ALL>();
    Fixpipe(Gm<float>(to, kTile * kTile), co1.Get<float>(), FixpipeParamsV220(kTile, kTile, kTile, kTile, false));
    PipeBarrier<PIPE_ALL>();
}

// Halves of A and B in the rank's own memory, behind its result.
void FillOperands(uint8_t* out, uint32_t rank) {
    std::vector<_Float16> values(2 * kTile * kTile);
    for (uint32_t i = 0; i < kTile * kTile; ++i) {
        values[i] = static_cast<_Float16>(OfA(rank, i / kTile, i % kTile));
        values[kTile * kTile + i] = static_cast<_Float16>(OfB(i / kTile, i % kTile));
    }
    std::memcpy(out + kMostOut * 4, values.data(), values.size() * 2);
}

// The cube core multiplies and Fixpipe stores a tile into the window of each rank; a vector core flags it there, waits
// for all and adds up its part: a matmul with a reduce-scatter.
TEST(WorldCores, MatmulThenReduceScatterInOneKernel) {
    Check({.name = "matmul and reduce-scatter",
           .kernel =
               [](Device& d, uint32_t) {
                   uint8_t* const a = d.Out(kMostOut);
                   if ASCEND_IS_AIC {
                       for (uint32_t to = 0; to < d.ranks; ++to)
                           Multiply(a, a + kTile * kTile * 2, d.Payload(to, d.rank * kTile * kTile));
                       CrossCoreSetFlag<2, PIPE_FIX>(1);
                       return;
                   }
                   CrossCoreWaitFlag(1);
                   if (GetSubBlockIdx() != 0) return;
                   d.SignalAll(0, 1);
                   const auto sum = d.Filled(0, 8, [](uint32_t) { return 0; });
                   const uint32_t row = d.rank % kTile;
                   for (uint32_t from = 0; from < d.ranks; ++from) {
                       d.Await(d.Flag(d.rank, 0, from), 1);
                       const auto came = d.Load(1, d.Payload(d.rank, from * kTile * kTile + row * kTile), 8);
                       auto whole = d.Row(2, 8);
                       Cast(whole, came.ReinterpretCast<float>(), RoundMode::CAST_RINT, 8);
                       Device::Drain();
                       AscendC::Add(sum, sum, whole, 8);
                       Device::Drain();
                   }
                   d.Result(sum, 8);
               },
           .want =
               [](uint32_t ranks, uint32_t rank) {
                   std::vector<int32_t> want(8);
                   for (uint32_t from = 0; from < ranks; ++from) {
                       for (uint32_t i = 0; i < 8; ++i) want[i] += Product(from, rank % kTile, i);
                   }
                   return want;
               },
           .core = CoreChoice::kMix,
           .most_ranks = 32,
           .prepare = FillOperands});
}

// The other way round: a vector core waits for the last rank's tile, and the cube core then multiplies it.
TEST(WorldCores, TileOfAnotherRankThenMatmul) {
    Check({.name = "get and matmul",
           .kernel =
               [](Device& d, uint32_t) {
                   uint8_t* const a = d.Out(kMostOut);
                   const uint32_t next = (d.rank + 1) % d.ranks, last = (d.rank + d.ranks - 1) % d.ranks;
                   if ASCEND_IS_AIC {
                       CrossCoreWaitFlag(2);
                       Multiply(d.Payload(d.rank, 0), a + kTile * kTile * 2, d.Out(kMostOut + 1024));
                       CrossCoreSetFlag<2, PIPE_FIX>(3);
                       return;
                   }
                   if (GetSubBlockIdx() == 0) {
                       d.Store(d.Payload(next, 0), d.Load(0, a, kTile * kTile / 2), kTile * kTile / 2);
                       Device::Drain();
                       d.Signal(d.Flag(next, 0, d.rank), 1);
                       d.Await(d.Flag(d.rank, 0, last), 1);
                   }
                   CrossCoreSetFlag<2, PIPE_MTE3>(2);
                   CrossCoreWaitFlag(3);
                   if (GetSubBlockIdx() != 0) return;
                   const auto came = d.Load(1, d.Out(kMostOut + 1024), kTile * kTile);
                   const auto whole = d.Row(2, kTile * kTile);
                   Cast(whole, came.ReinterpretCast<float>(), RoundMode::CAST_RINT, kTile * kTile);
                   d.Result(whole, kTile * kTile);
               },
           .want =
               [](uint32_t ranks, uint32_t rank) {
                   std::vector<int32_t> want;
                   for (uint32_t i = 0; i < kTile * kTile; ++i)
                       want.push_back(Product((rank + ranks - 1) % ranks, i / kTile, i % kTile));
                   return want;
               },
           .core = CoreChoice::kMix,
           .most_ranks = 16,
           .prepare = FillOperands});
}

}  // namespace
}  // namespace sfumato::world_test
