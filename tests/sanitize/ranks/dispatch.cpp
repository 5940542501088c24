// SPDX-License-Identifier: Apache-2.0
// Wrong programs of several ranks: rows that go to other ranks and come back, and sums of all ranks, round by round.
#include "sanitize/ranks/rank_programs.h"

namespace sfumato::ranks {
namespace {

// Bytes of a window: flags of what is sent and of what comes back; counts; flags of rows; two halves of rows and sums.
uint32_t SentFlag(uint32_t rank) { return 64 * rank; }
uint32_t BackFlag(uint32_t rank) { return 1024 + 64 * rank; }
uint32_t CountAt(uint32_t rank) { return 2048 + 64 * rank; }
uint32_t RowFlag(uint32_t rank, uint32_t row) { return 4096 + 64 * (8 * rank + row); }
uint32_t HalfOf(uint32_t round, uint32_t rank) { return 8192 + 8192 * (round % 2) + 1024 * rank; }
uint32_t BackRows(uint32_t rank) { return 32768 + 1024 * rank; }
constexpr uint32_t kArrived = 3072;

void AwaitSent(Kernel& k, uint32_t flag, uint32_t value) {
    while (k.Load(k.At(k.rank, flag)) < static_cast<int32_t>(value)) {
    }
}
void Invalidate(const GlobalTensor<int32_t>& line) {
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(line);
}
// Data and then a flag with this value.
void SendRows(Kernel& k, uint32_t to, uint32_t rows, uint32_t flag, uint32_t value) {
    Kernel::Fill(k.flag, static_cast<int32_t>(value));
    Kernel::Fill(k.data, static_cast<int32_t>(100 * (k.rank + 1) + value));
    Store(k.At(to, rows, 256), k.data);
    Drain();
    Store(k.At(to, flag), k.flag);
    Drain();
}

}  // namespace

const Table kRounds(__FILE__, {
                                  {"a_sum_takes_the_half_of_the_last_round", "race-ranks",
                                   [](Kernel& k) {
                                       for (uint32_t to = 0; to < k.ranks; ++to)
                                           SendRows(k, to, HalfOf(k.round, k.rank), SentFlag(k.rank), k.round);
                                       for (uint32_t from = 0; from < k.ranks; ++from) {
                                           AwaitSent(k, SentFlag(from), k.round);
                                           const bool old = from == 1 && !k.right;
                                           k.Load(k.At(k.rank, HalfOf(old ? k.round - 1 : k.round, from), 256));
                                       }
                                   },
                                   3, 1, 3},
                                  {"two_places_are_used_as_three", "race-ranks",
                                   [](Kernel& k) {
                                       for (uint32_t i = 1; i <= 5; ++i) {
                                           if (k.rank == 0) {
                                               const uint32_t places = k.right ? 2 : 3;
                                               if (i > places) AwaitSent(k, BackFlag(1), i - places);
                                               SendRows(k, 1, HalfOf(i, 0), RowFlag(0, i), i);

                                               continue;
                                           }
                                           AwaitSent(k, RowFlag(0, i), i);
                                           k.Load(k.At(1, HalfOf(i, 0), 256));
                                           Kernel::Fill(k.flag, static_cast<int32_t>(i));
                                           Store(k.At(0, BackFlag(1)), k.flag);
                                           Drain();
                                       }
                                   }},
                                  {"a_count_of_all_ranks_but_one", "race-ranks",
                                   [](Kernel& k) {
                                       for (uint32_t to = 0; to < k.ranks; ++to)
                                           Store(k.At(to, HalfOf(0, k.rank), 256), k.data);
                                       Drain();
                                       SetAtomicAdd<int32_t>();
                                       for (uint32_t to = 0; to < k.ranks; ++to) Store(k.At(to, kArrived), k.one);
                                       SetAtomicNone();
                                       Drain();
                                       AwaitSent(k, kArrived, k.right ? k.ranks : k.ranks - 1);
                                       for (uint32_t from = 0; from < k.ranks; ++from)
                                           k.Load(k.At(k.rank, HalfOf(0, from), 256));
                                   },
                                   3},
                                  {"a_sum_is_cleared_under_the_adds_of_the_next_round", "race-ranks",
                                   [](Kernel& k) {
                                       const auto sum = HalfOf(k.right ? k.round : 0, 0);
                                       SetAtomicAdd<int32_t>();
                                       for (uint32_t to = 0; to < k.ranks; ++to) Store(k.At(to, sum, 256), k.data);
                                       Drain();
                                       SetAtomicNone();
                                       for (uint32_t to = 0; to < k.ranks; ++to)
                                           Store(k.At(to, SentFlag(k.rank)), k.flag);
                                       Drain();
                                       for (uint32_t from = 0; from < k.ranks; ++from)
                                           AwaitSent(k, SentFlag(from), k.round);
                                       k.Load(k.At(k.rank, sum, 256));
                                       Kernel::Fill(k.data, 0);
                                       Store(k.At(k.rank, sum, 256), k.data);
                                       Drain();
                                   },
                                   3, 1, 2},
                                  {"rows_that_come_back_have_the_flag_of_those_sent", "race-ranks",
                                   [](Kernel& k) {
                                       SendRows(k, k.next, HalfOf(0, k.rank), SentFlag(k.rank), 1);
                                       AwaitSent(k, SentFlag(k.before), 1);
                                       k.Load(k.At(k.rank, HalfOf(0, k.before), 256));
                                       const auto back = [&](uint32_t rank) {
                                           return k.right ? BackFlag(rank) : SentFlag(rank);
                                       };
                                       SendRows(k, k.before, BackRows(k.rank), back(k.rank), 1);
                                       AwaitSent(k, back(k.next), 1);
                                       k.Load(k.At(k.rank, BackRows(k.next), 256));
                                   }},
                              });

const Table kCounts(__FILE__, {
                                  {"counts_left_in_the_data_cache_behind_their_flag", "cache-not-cleaned",
                                   [](Kernel& k) {
                                       auto count = k.At(k.next, CountAt(k.rank), 16);
                                       count.SetValue(0, static_cast<int32_t>(k.rank + 5));
                                       if (k.right) Invalidate(count);
                                       Drain();
                                       Store(k.At(k.next, SentFlag(k.rank)), k.one);
                                       AwaitSent(k, SentFlag(k.before), 1);
                                       k.Load(k.At(k.rank, CountAt(k.before)));
                                   }},
                                  {"the_line_of_another_flag_is_invalidated", "stale-poll",
                                   [](Kernel& k) {
                                       Store(k.At(k.next, SentFlag(k.rank)), k.one);
                                       Drain();
                                       auto flag = k.At(k.rank, SentFlag(k.before), 16);
                                       while (flag.GetValue(0) != 1)
                                           Invalidate(k.At(k.rank, SentFlag(k.right ? k.before : k.rank), 16));
                                   }},
                              });

const Table kDispatchHangs(__FILE__,
                           {
                               {"counts_of_the_other_direction", "deadlock",
                                [](Kernel& k) {
                                    const auto rows = [](uint32_t from, uint32_t to) {
                                        return 1 + (2 * from + to) % 3;
                                    };
                                    for (uint32_t row = 0; row < rows(k.rank, k.next); ++row)
                                        SendRows(k, k.next, HalfOf(row, k.rank), RowFlag(k.rank, row), 1);
                                    const uint32_t expected = k.right ? rows(k.before, k.rank) : rows(k.rank, k.before);
                                    for (uint32_t row = 0; row < expected; ++row)
                                        AwaitSent(k, RowFlag(k.before, row), 1);
                                },
                                3},
                               {"rows_come_back_with_the_step_of_another_round", "deadlock",
                                [](Kernel& k) {
                                    // Of round i: 2 * i for what is sent, 2 * i + 1 for what comes back.
                                    SendRows(k, k.next, HalfOf(0, k.rank), SentFlag(k.rank), 2 * k.round);
                                    AwaitSent(k, SentFlag(k.before), 2 * k.round);
                                    SendRows(k, k.before, BackRows(k.rank), BackFlag(k.rank), 2 * k.round + 1);
                                    AwaitSent(k, BackFlag(k.next), 2 * k.round + (k.right ? 1 : 2));
                                },
                                3},
                               {"a_flag_is_cleared_when_the_next_has_come", "deadlock",
                                [](Kernel& k) {
                                    for (uint32_t i = 1; i <= 2; ++i) {
                                        if (k.rank == 0) {
                                            Store(k.At(1, SentFlag(0)), k.one);
                                            Drain();
                                            Kernel::Fill(k.flag, static_cast<int32_t>(i));
                                            Store(k.At(1, CountAt(0)), k.flag);
                                            AwaitSent(k, BackFlag(1), i);
                                            continue;
                                        }
                                        AwaitSent(k, SentFlag(0), 1);
                                        const auto clear = [&] {
                                            Kernel::Fill(k.flag, 0);
                                            Store(k.At(1, SentFlag(0)), k.flag);
                                            Drain();
                                        };
                                        if (k.right) clear();
                                        Kernel::Fill(k.flag, static_cast<int32_t>(i));
                                        Store(k.At(0, BackFlag(1)), k.flag);
                                        Drain();
                                        if (i == 1) AwaitSent(k, CountAt(0), 2);
                                        if (!k.right) clear();
                                    }
                                }},
                               {"rows_come_back_to_the_rank_behind", "deadlock",
                                [](Kernel& k) {
                                    SendRows(k, k.next, HalfOf(0, k.rank), SentFlag(k.rank), 1);
                                    AwaitSent(k, SentFlag(k.before), 1);
                                    SendRows(k, k.right ? k.before : k.next, BackRows(k.rank), BackFlag(k.rank), 1);
                                    AwaitSent(k, BackFlag(k.next), 1);
                                },
                                3},
                           });

}  // namespace sfumato::ranks
