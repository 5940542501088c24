// SPDX-License-Identifier: Apache-2.0
// What kernels build on windows (ranks.md 6.5), as it should be: nothing is told of it, under any schedule.
#include "sanitize/ranks/rank_programs.h"

namespace sfumato::ranks {
namespace {

using runtime::RankOrder;

constexpr uint32_t kState = 0, kSignals = 4096, kHalf = 16384, kIdiomRows = 8192;
uint32_t SignalOf(uint32_t rank) { return kSignals + 64 * rank; }
uint32_t RowsOf(uint32_t half, uint32_t rank) { return kIdiomRows + half * kHalf + 1024 * rank; }

void AwaitSignal(Kernel& k, uint32_t flag, int32_t value) {
    while (k.Load(k.At(k.rank, flag)) < value) {
    }
}

// All ranks meet: each tells all, by the number of the meeting.
void MeetAll(Kernel& k, uint32_t flags, int32_t number) {
    Kernel::Fill(k.flag, number);
    for (uint32_t to = 0; to < k.ranks; ++to) Store(k.At(to, flags + 64 * k.rank), k.flag);
    Drain();
    for (uint32_t from = 0; from < k.ranks; ++from) AwaitSignal(k, flags + 64 * from, number);
}

struct Idiom {
    const char* name;
    void (*kernel)(Kernel& k);
    uint32_t blocks = 1;
};

const Idiom kIdioms[] = {
    // A counter in the own window, up by one each launch; flags of counter * 2 + step; halves by counter % 2.
    {"counter_and_halves",
     [](Kernel& k) {
         const int32_t counter = k.Load(k.At(k.rank, kState)) + 1;
         Kernel::Fill(k.flag, counter);
         Store(k.At(k.rank, kState), k.flag);
         Drain();
         const auto half = static_cast<uint32_t>(counter % 2);
         for (int32_t step = 0; step < 2; ++step) {
             Kernel::Fill(k.data, 1000 * counter + step);
             Kernel::Fill(k.flag, counter * 2 + step);
             for (uint32_t to = 0; to < k.ranks; ++to) Store(k.At(to, RowsOf(half, k.rank) + 512 * step, 128), k.data);
             PipeBarrier<PIPE_MTE3>();
             for (uint32_t to = 0; to < k.ranks; ++to) Store(k.At(to, SignalOf(k.rank)), k.flag);
             Drain();
             for (uint32_t from = 0; from < k.ranks; ++from) {
                 AwaitSignal(k, SignalOf(from), counter * 2 + step);
                 EXPECT_EQ(k.Load(k.At(k.rank, RowsOf(half, from) + 512 * step, 128)), 1000 * counter + step);
             }
         }
     }},
    // A state of 0 and 1, toggled; flags at state * offset, cleared by the receiver; a meeting at the end.
    {"toggled_state_and_cleared_flags",
     [](Kernel& k) {
         const int32_t state = k.Load(k.At(k.rank, kState));
         Kernel::Fill(k.flag, 1 - state);
         Store(k.At(k.rank, kState), k.flag);
         Drain();
         const auto flags = static_cast<uint32_t>(kSignals + 1024 * state);
         for (uint32_t to = 0; to < k.ranks; ++to) Store(k.At(to, RowsOf(0, k.rank), 256), k.data);
         Drain();
         for (uint32_t to = 0; to < k.ranks; ++to) Store(k.At(to, flags + 64 * k.rank), k.one);
         Drain();
         for (uint32_t from = 0; from < k.ranks; ++from) AwaitSignal(k, flags + 64 * from, 1);
         Kernel::Fill(k.flag, 0);
         for (uint32_t from = 0; from < k.ranks; ++from) Store(k.At(k.rank, flags + 64 * from), k.flag);
         for (uint32_t from = 0; from < k.ranks; ++from)
             EXPECT_EQ(k.Load(k.At(k.rank, RowsOf(0, from), 256)), static_cast<int32_t>(100 * (from + 1) + k.round));
         Drain();
         MeetAll(k, kHalf + kIdiomRows - 2048, static_cast<int32_t>(k.round));
     }},
    // All flags by one strided copy, summed up until all are there, then cleared; a meeting at the end.
    {"summed_flags",
     [](Kernel& k) {
         for (uint32_t to = 0; to < k.ranks; ++to) Store(k.At(to, RowsOf(0, k.rank), 256), k.data);
         PipeBarrier<PIPE_MTE3>();
         for (uint32_t to = 0; to < k.ranks; ++to) Store(k.At(to, kSignals + 512 * k.rank), k.one);
         Drain();
         for (int32_t sum = 0; sum != static_cast<int32_t>(k.ranks);) {
             const DataCopyParams params{static_cast<uint16_t>(k.ranks), 1, 15, 0};
             DataCopy(k.seen, k.At(k.rank, kSignals, 128 * k.ranks), params);
             Drain();
             sum = 0;
             for (uint32_t from = 0; from < k.ranks; ++from) sum += k.seen.GetValue(8 * from);
         }
         Kernel::Fill(k.flag, 0);
         for (uint32_t from = 0; from < k.ranks; ++from) {
             EXPECT_EQ(k.Load(k.At(k.rank, RowsOf(0, from), 256)), static_cast<int32_t>(100 * (from + 1) + k.round));
             Store(k.At(k.rank, kSignals + 512 * from), k.flag);
         }
         Drain();
         MeetAll(k, kHalf + kIdiomRows - 2048, static_cast<int32_t>(k.round));
     }},
    // A count beside its flag in one unit of 32 bytes.
    {"count_and_flag_in_one_unit",
     [](Kernel& k) {
         Kernel::Fill(k.flag, static_cast<int32_t>(k.round));
         k.flag.SetValue(1, static_cast<int32_t>(7 * k.rank + k.round));
         SetFlag<HardEvent::S_MTE3>(0);
         WaitFlag<HardEvent::S_MTE3>(0);
         for (uint32_t to = 0; to < k.ranks; ++to) Store(k.At(to, SignalOf(k.rank)), k.flag);
         Drain();
         for (uint32_t from = 0; from < k.ranks; ++from) {
             AwaitSignal(k, SignalOf(from), static_cast<int32_t>(k.round));
             EXPECT_EQ(k.seen.GetValue(1), static_cast<int32_t>(7 * from + k.round));
         }
         MeetAll(k, kHalf, static_cast<int32_t>(k.round));
     }},
    // Data and flag in one block of 512 bytes, by one store; another core reads it behind SyncAll.
    {"data_and_flag_in_one_block",
     [](Kernel& k) {
         Kernel::Fill(k.data, static_cast<int32_t>(k.round));
         if (k.core == 0) {
             for (uint32_t to = 0; to < k.ranks; ++to) Store(k.At(to, kIdiomRows + 512 * k.rank, 128), k.data);
             Drain();
             for (uint32_t from = 0; from < k.ranks; ++from)
                 AwaitSignal(k, kIdiomRows + 512 * from + 480, static_cast<int32_t>(k.round));
         }
         SyncAll();
         for (uint32_t from = 0; from < k.ranks; ++from)
             EXPECT_EQ(k.Load(k.At(k.rank, kIdiomRows + 512 * from, 120)), static_cast<int32_t>(k.round));
         SyncAll();
         if (k.core == 0) MeetAll(k, kHalf, static_cast<int32_t>(k.round));
     },
     2},
    // Put and signal one way: who waits may come when all is there.
    {"put_and_signal_one_way",
     [](Kernel& k) {
         if (k.rank == 0) {
             for (uint32_t to = 1; to < k.ranks; ++to) Store(k.At(to, RowsOf(0, 0), 256), k.data);
             Drain();
             for (uint32_t to = 1; to < k.ranks; ++to) Store(k.At(to, kSignals), k.flag);
             Drain();
             for (uint32_t from = 1; from < k.ranks; ++from)
                 AwaitSignal(k, SignalOf(from), static_cast<int32_t>(k.round));
             return;
         }
         AwaitSignal(k, kSignals, static_cast<int32_t>(k.round));
         EXPECT_EQ(k.Load(k.At(k.rank, RowsOf(0, 0), 256)), static_cast<int32_t>(100 + k.round));
         Store(k.At(0, SignalOf(k.rank)), k.flag);
     }},
    // A ring: each adds its part and hands on.
    {"ring",
     [](Kernel& k) {
         for (uint32_t step = 0; step + 1 < k.ranks; ++step) {
             Kernel::Fill(k.flag, static_cast<int32_t>(16 * k.round + step));
             Store(k.At(k.next, RowsOf(k.round % 2, step), 256), k.data);
             Drain();
             Store(k.At(k.next, SignalOf(step)), k.flag);
             Drain();
             AwaitSignal(k, SignalOf(step), static_cast<int32_t>(16 * k.round + step));
             DataCopy(k.data, k.At(k.rank, RowsOf(k.round % 2, step), 256), 256);
             Drain();
         }
         MeetAll(k, kHalf, static_cast<int32_t>(k.round));
     }},
    // A sum by atomic adds, and a count of who has added.
    {"atomic_sums",
     [](Kernel& k) {
         const uint32_t row = RowsOf(0, 4 * k.round);
         SetAtomicAdd<int32_t>();
         for (uint32_t to = 0; to < k.ranks; ++to) Store(k.At(to, row, 256), k.data);
         Drain();
         for (uint32_t to = 0; to < k.ranks; ++to) Store(k.At(to, SignalOf(0)), k.one);
         Drain();
         SetAtomicNone();
         AwaitSignal(k, SignalOf(0), static_cast<int32_t>(k.ranks * k.round));
         EXPECT_EQ(k.Load(k.At(k.rank, row, 256)),
                   static_cast<int32_t>(50 * k.ranks * (k.ranks + 1) + k.ranks * k.round));
     }},
    // Who tells all tells itself: nothing waits for the flags to leave before the first look.
    {"flags_to_all_and_no_drain",
     [](Kernel& k) {
         for (uint32_t to = 0; to < k.ranks; ++to) Store(k.At(to, RowsOf(k.round % 2, k.rank), 256), k.data);
         PipeBarrier<PIPE_MTE3>();
         for (uint32_t to = 0; to < k.ranks; ++to) Store(k.At(to, SignalOf(k.rank)), k.flag);
         for (uint32_t from = 0; from < k.ranks; ++from) AwaitSignal(k, SignalOf(from), static_cast<int32_t>(k.round));
         DataCopy(k.data, k.At(k.rank, RowsOf(k.round % 2, k.before), 256), 256);
         Drain();
         MeetAll(k, kHalf, static_cast<int32_t>(k.round));
     }},
    // Rows with their flag in one block of 512 bytes, to all and itself.
    {"blocks_with_flags_to_all",
     [](Kernel& k) {
         Kernel::Fill(k.data, static_cast<int32_t>(k.round));
         for (uint32_t to = 0; to < k.ranks; ++to) Store(k.At(to, RowsOf(k.round % 2, k.rank), 128), k.data);
         for (uint32_t from = 0; from < k.ranks; ++from) {
             while (k.Load(k.At(k.rank, RowsOf(k.round % 2, from), 128)) != static_cast<int32_t>(k.round)) {
             }
         }
         MeetAll(k, kHalf, static_cast<int32_t>(k.round));
     }},
    // Pieces one after another, counted up by one flag that may be high when it is first looked at.
    {"pieces_behind_one_counter",
     [](Kernel& k) {
         constexpr int32_t kPieces = 6;
         if (k.rank != 0) {
             for (int32_t piece = 1; piece <= kPieces; ++piece) {
                 Store(k.At(k.rank - 1, RowsOf(0, piece), 256), k.data);
                 Drain();
                 Kernel::Fill(k.flag, static_cast<int32_t>(k.round) * kPieces + piece);
                 Store(k.At(k.rank - 1, SignalOf(0)), k.flag);
                 Drain();
             }
         }
         for (int32_t piece = 1; k.rank + 1 < k.ranks && piece <= kPieces; ++piece) {
             AwaitSignal(k, SignalOf(0), static_cast<int32_t>(k.round) * kPieces + piece);
             DataCopy(k.seen, k.At(k.rank, RowsOf(0, piece), 256), 256);
             Drain();
         }
         MeetAll(k, kHalf, static_cast<int32_t>(k.round));
     }},
    // A pointer of the kernel's own looks, and cleans its line for it.
    {"polls_by_a_pointer",
     [](Kernel& k) {
         Store(k.At(k.next, RowsOf(0, 0), 256), k.data);
         Drain();
         Store(k.At(k.next, SignalOf(0)), k.flag);
         Drain();
         const auto own = k.At(k.rank, SignalOf(0));
         const auto* flag = reinterpret_cast<const volatile int32_t*>(own.GetPhyAddr());
         do {
             DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE>(own);
         } while (*flag != static_cast<int32_t>(k.round));
         DataCopy(k.data, k.At(k.rank, RowsOf(0, 0), 256), 256);
         Drain();
         MeetAll(k, kHalf, static_cast<int32_t>(k.round));
     }},
};

class RankIdioms : public testing::TestWithParam<Idiom> {};

void ExpectSilence(const Idiom& idiom, uint32_t ranks, RankOrder order, const std::string& schedule) {
    Ranks on(ranks, order);
    on.adjust = [](uint32_t, LaunchOptions& options) { options.check = "races"; };
    for (uint32_t round = 1; round <= 3; ++round) {
        for (uint32_t rank = 0; rank < ranks; ++rank) {
            on.Submit(
                rank, idiom.blocks,
                [&on, &idiom, rank, round] {
                    Kernel kernel(on.windows, rank, round, true);
                    idiom.kernel(kernel);
                },
                true, schedule);
        }
    }
    on.Wait();
    EXPECT_EQ(on.Told(), "") << ranks << ' ' << static_cast<int>(order.kind) << ' ' << schedule;
}

TEST_P(RankIdioms, AreSilent) {
    using Kind = RankOrder::Kind;
    for (const uint32_t ranks : {2u, 3u, 5u}) {
        for (const RankOrder order : {RankOrder{Kind::kEager, 0},
                                      {Kind::kLate, 0},
                                      {Kind::kSkew, 0},
                                      {Kind::kSkew, 1},
                                      {Kind::kSeed, 1},
                                      {Kind::kSeed, 2}})
            ExpectSilence(GetParam(), ranks, order, "eager");
    }
    for (const char* schedule : {"late", "ahead", "seed:3"}) ExpectSilence(GetParam(), 3, {Kind::kEager, 0}, schedule);
}

INSTANTIATE_TEST_SUITE_P(Ranks, RankIdioms, testing::ValuesIn(kIdioms), [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace sfumato::ranks
