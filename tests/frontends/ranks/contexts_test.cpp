// SPDX-License-Identifier: Apache-2.0
// Kernels that take windows of other ranks from the context's bytes, store there and poll flags, against what a few
// lines of integers give (ranks.md 6.5).
#include "frontends/ranks/groups.h"

namespace sfumato {
namespace {

using contexts::CombinedParameter;
using contexts::OperationResource;
using contexts::Relation;

// What a kernel takes from its context, in either layout.
struct Peers {
    explicit Peers(const uint8_t* context, bool a3) : context_(context), a3_(a3) {
        rank = a3 ? Resource().rank : Combined().rank;
        ranks = a3 ? Resource().ranks : Combined().ranks;
    }
    uint8_t* In(uint32_t of) const {
        if (!a3_) return reinterpret_cast<uint8_t*>(Combined().in[of]);
        if (of == rank) return reinterpret_cast<uint8_t*>(Resource().in);
        return reinterpret_cast<uint8_t*>(reinterpret_cast<const Relation*>(Resource().remote[of].device)->in);
    }
    uint8_t* Exp() const { return reinterpret_cast<uint8_t*>(Resource().exp); }
    uint32_t rank, ranks;

private:
    const OperationResource& Resource() const { return *reinterpret_cast<const OperationResource*>(context_); }
    const CombinedParameter& Combined() const { return *reinterpret_cast<const CombinedParameter*>(context_); }
    const uint8_t* context_;
    bool a3_;
};

constexpr uint32_t kMost = 7;  // rows of 8 that a rank sends another
constexpr uint32_t CountOf(uint32_t from, uint32_t to) { return (from * 5 + to * 3) % (kMost + 1); }  // or none
constexpr int32_t ValueOf(uint32_t from, uint32_t to) { return static_cast<int32_t>(from * 1000 + to + 1); }

// A unit of 32 bytes holds a flag and how many rows come; the rows are there before it.
void Notify(const uint8_t* context, bool a3, uint8_t* out) {
    const Peers peers(context, a3);
    Ub ub;
    auto rows = ub.At(0, kMost * 8), unit = ub.At(1024, 8);
    for (uint32_t to = 0; to < peers.ranks; ++to) {
        const uint32_t count = CountOf(peers.rank, to);
        Duplicate(rows, ValueOf(peers.rank, to), kMost * 8);
        Duplicate(unit, static_cast<int32_t>(count), 8);
        PipeBarrier<PIPE_ALL>();
        unit.SetValue(0, 1);
        PipeBarrier<PIPE_ALL>();
        uint8_t* const window = peers.In(to);
        if (count > 0) DataCopy(Gm<int32_t>(window + 8192 + peers.rank * 512, count * 8), rows, count * 8);
        PipeBarrier<PIPE_ALL>();
        DataCopy(Gm<int32_t>(window + peers.rank * 32, 8), unit, 8);
        PipeBarrier<PIPE_ALL>();
    }
    uint8_t* const mine = peers.In(peers.rank);
    int32_t sum = 0;
    for (uint32_t from = 0; from < peers.ranks; ++from) {
        do {
            DataCopy(unit, Gm<int32_t>(mine + from * 32, 8), 8);
            PipeBarrier<PIPE_ALL>();
        } while (unit.GetValue(0) == 0);
        const auto count = static_cast<uint32_t>(unit.GetValue(1));
        if (count == 0) continue;
        DataCopy(rows, Gm<int32_t>(mine + 8192 + from * 512, count * 8), count * 8);
        PipeBarrier<PIPE_ALL>();
        for (uint32_t i = 0; i < count * 8; ++i) sum += rows.GetValue(i);
    }
    Put(Gm<int32_t>(out, kApart), 0, sum);
}

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr uint32_t kCounts[] = {1, 2, 8};  // more would take minutes
#else
constexpr uint32_t kCounts[] = {1, 2, 3, 8, 16, 32};
#endif

TEST(Contexts, CountsAndRowsArrive) {
    for (const bool a3 : {true, false}) {
        for (const uint32_t ranks : kCounts) {
            for (const runtime::RankOrder order : EveryOrder()) {
                OnRanks on(ranks, order, a3 ? kA3 : kA2);
                std::vector<uint8_t*> out(ranks);
                for (uint32_t r = 0; r < ranks; ++r) {
                    out[r] = on.memories[r]->Allocate(kApart * 4, "out");
                    on.Submit(r, [a3, to = out[r]] { Notify(GetHcclContext<0>(), a3, to); });
                }
                on.Wait();
                EXPECT_EQ(on.Told(), "");
                for (uint32_t r = 0; r < ranks; ++r) {
                    int32_t got = 0, want = 0;
                    std::memcpy(&got, out[r], 4);
                    for (uint32_t from = 0; from < ranks; ++from)
                        want += static_cast<int32_t>(CountOf(from, r) * 8) * ValueOf(from, r);
                    EXPECT_EQ(got, want) << ranks << " ranks, rank " << r;
                }
            }
        }
    }
}

constexpr uint32_t kRounds = 50, kLaunches = 2, kBlocks = 2;

constexpr int32_t Payload(uint32_t from, uint32_t to, uint32_t block, int32_t round) {
    return static_cast<int32_t>(from * 7 + to * 3 + block) + round * round;
}

// A counter in Exp goes on from launch to launch; its parity says which half of the window is the round's.
void Rounds(const uint8_t* context, uint8_t* out) {
    const Peers peers(context, true);
    Ub ub;
    const uint32_t block = GetBlockIdx();
    auto row = ub.At(0, 8), flag = ub.At(64, 8), counter = ub.At(128, 8), seen = ub.At(192, 8);
    auto kept = Gm<int32_t>(peers.Exp() + block * 512, 8);
    DataCopy(counter, kept, 8);
    PipeBarrier<PIPE_ALL>();
    int32_t round = counter.GetValue(0);
    int32_t sum = 0;
    for (uint32_t i = 0; i < kRounds; ++i) {
        ++round;
        // By sender and block: a flag, and 512 bytes further its payload.
        const auto slot = [&](uint8_t* window, uint32_t from) {
            return window + static_cast<uint32_t>(round % 2) * 131072 + (from * kBlocks + block) * 1024;
        };
        Duplicate(flag, round, 8);
        for (uint32_t to = 0; to < peers.ranks; ++to) {
            Duplicate(row, Payload(peers.rank, to, block, round), 8);
            PipeBarrier<PIPE_ALL>();
            uint8_t* const at = slot(peers.In(to), peers.rank);
            DataCopy(Gm<int32_t>(at + 512, 8), row, 8);
            PipeBarrier<PIPE_ALL>();
            DataCopy(Gm<int32_t>(at, 8), flag, 8);
            PipeBarrier<PIPE_ALL>();
        }
        for (uint32_t from = 0; from < peers.ranks; ++from) {
            const uint8_t* const at = slot(peers.In(peers.rank), from);
            do {
                DataCopy(seen, Gm<int32_t>(const_cast<uint8_t*>(at), 8), 8);
                PipeBarrier<PIPE_ALL>();
            } while (seen.GetValue(0) != round);
            DataCopy(seen, Gm<int32_t>(const_cast<uint8_t*>(at) + 512, 8), 8);
            PipeBarrier<PIPE_ALL>();
            sum = sum * 3 % 1000003 + seen.GetValue(7);
        }
    }
    Duplicate(counter, round, 8);
    PipeBarrier<PIPE_ALL>();
    DataCopy(kept, counter, 8);
    Put(Gm<int32_t>(out, kBlocks * kApart), block, sum);
}

int32_t SumOfRounds(uint32_t ranks, uint32_t rank, uint32_t block, int32_t first) {
    int32_t sum = 0;
    for (int32_t round = first; round < first + static_cast<int32_t>(kRounds); ++round) {
        for (uint32_t from = 0; from < ranks; ++from) sum = sum * 3 % 1000003 + Payload(from, rank, block, round);
    }
    return sum;
}

TEST(Contexts, HalvesOfAWindowTakeTurnsForAHundredRounds) {
    for (const uint32_t ranks : kCounts) {
        for (const runtime::RankOrder order : EveryOrder()) {
            OnRanks on(ranks, order);
            std::vector<std::vector<uint8_t*>> out(kLaunches, std::vector<uint8_t*>(ranks));
            for (uint32_t launch = 0; launch < kLaunches; ++launch) {
                for (uint32_t r = 0; r < ranks; ++r) {
                    out[launch][r] = on.memories[r]->Allocate(kBlocks * kApart * 4, "out");
                    on.Submit(
                        r, [to = out[launch][r]] { Rounds(GetHcclContext<0>(), to); }, {"tp"}, kBlocks);
                }
            }
            on.Wait();
            EXPECT_EQ(on.Told(), "");
            for (uint32_t launch = 0; launch < kLaunches; ++launch) {
                for (uint32_t r = 0; r < ranks; ++r) {
                    for (uint32_t block = 0; block < kBlocks; ++block) {
                        int32_t got = 0;
                        std::memcpy(&got, out[launch][r] + block * kApart * 4, 4);
                        EXPECT_EQ(got, SumOfRounds(ranks, r, block, static_cast<int32_t>(launch * kRounds) + 1))
                            << ranks << " ranks, launch " << launch << ", rank " << r << ", block " << block;
                    }
                }
            }
            int32_t counter = 0;
            std::memcpy(&counter, on.group->Exp(ranks - 1), 4);
            EXPECT_EQ(counter, static_cast<int32_t>(kLaunches * kRounds));
        }
    }
}

TEST(Contexts, HcclTellsRanksAndWindows) {
    for (const char* chip : {kA2, kA3}) {
        OnRanks on(4, {}, chip);
        const auto pair = on.Make("pair", {3, 1});
        const TilingOfRanks tiling = TilingFor("tp"), of_pair = TilingFor("pair");
        for (const uint32_t r : {1u, 3u}) {
            const auto kernel = [&, r] {
                Hccl<HCCL_SERVER_TYPE_AICPU> all, two;
                all.InitV2(GetHcclContext<0>(), &tiling);
                two.InitV2(GetHcclContext<1>(), &of_pair);
                EXPECT_EQ(all.SetCcTilingV2(offsetof(TilingOfRanks, gather)), HCCL_SUCCESS);
                EXPECT_EQ(two.SetCcTilingV2(offsetof(TilingOfRanks, reduce)), HCCL_SUCCESS);
                EXPECT_EQ(all.GetRankId(), r);
                EXPECT_EQ(all.GetRankDim(), 4u);
                EXPECT_EQ(two.GetRankId(), r == 3 ? 0u : 1u);
                EXPECT_EQ(two.GetRankDim(), 2u);
                for (uint32_t of = 0; of < 4; ++of) {
                    EXPECT_EQ(all.GetWindowsInAddr(of), on.group->In(of));
                    EXPECT_EQ(all.GetWindowsOutAddr(of), on.group->Out(of));
                }
                EXPECT_EQ(two.GetWindowsInAddr(0), pair->In(0));
                EXPECT_EQ(two.GetWindowsOutAddr(1), pair->Out(1));
                two.Finalize();
                all.Finalize();
            };
            on.Submit(r, kernel, {"tp", "pair"}, 2);
        }
        on.Wait();
        EXPECT_EQ(on.Told(), "");
    }
}

// The older pair, with tilings in global memory; a context as an argument.
TEST(Contexts, HcclTakesAContextThatIsAnArgument) {
    OnRanks on(2);
    const TilingOfRanks tiling = TilingFor("tp");
    for (uint32_t r = 0; r < 2; ++r) {
        uint8_t* gm = on.memories[r]->Allocate(sizeof tiling, "tiling", &tiling);
        uint8_t* context = on.group->Context(r);
        on.Submit(
            r,
            [=, &on] {
                Hccl hccl;
                hccl.Init(context, gm);
                EXPECT_EQ(hccl.SetCcTiling(gm + offsetof(TilingOfRanks, gather)), HCCL_SUCCESS);
                EXPECT_EQ(hccl.GetRankId(), r);
                EXPECT_EQ(hccl.GetWindowsInAddr(1 - r), on.group->In(1 - r));
                hccl.Finalize();
            },
            {});
    }
    on.Wait();
    EXPECT_EQ(on.Told(), "");
}

// A rank that is alone in its group has collectives, which copy.
TEST(Contexts, CollectivesOfAGroupOfOneRankCopy) {
    OnRanks on(2);
    const auto alone = on.Make("alone", {1});
    const TilingOfRanks tiling = TilingFor("alone");
    uint8_t* send = on.memories[1]->Allocate(64, "send");
    uint8_t* recv = on.memories[1]->Allocate(64, "recv");
    std::memset(send, 5, 64);
    const auto kernel = [&] {
        Hccl hccl;
        hccl.InitV2(GetHcclContext<0>(), &tiling);
        hccl.SetCcTilingV2(offsetof(TilingOfRanks, gather));
        const HcclHandle handle = hccl.AllGather<true>(send, recv, 64, HCCL_DATA_TYPE_INT8, 0);
        hccl.Wait(handle);
        hccl.Finalize();
    };
    on.Submit(1, kernel, {"alone"});
    on.Wait();
    EXPECT_EQ(on.Told(), "");
    EXPECT_EQ(recv[63], 5);
}

}  // namespace
}  // namespace sfumato
