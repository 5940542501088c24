// SPDX-License-Identifier: Apache-2.0
// Wrong programs of several ranks: flags that are lost, used again, or given free too early.
#include "sanitize/ranks/rank_programs.h"

namespace sfumato::ranks {
namespace {

constexpr uint32_t kReady = 0, kFree = 4096, kDone = 2048, kPayload = 8192;

void AwaitAt(Kernel& k, uint32_t flag, int32_t value) {
    while (k.Load(k.At(k.rank, flag)) < value) {
    }
}

// Three payloads of rank 0 for rank 1, which gives the window free each time. early: before its read is over.
void Stream(Kernel& k, bool early) {
    for (int32_t i = 1; i <= 3; ++i) {
        Kernel::Fill(k.flag, i);
        Kernel::Fill(k.data, 100 * i);
        if (k.rank == 0) {
            Store(k.At(1, kPayload, 256), k.data);
            PipeBarrier<PIPE_ALL>();
            Store(k.At(1, kReady), k.flag);
            PipeBarrier<PIPE_ALL>();
            AwaitAt(k, kFree, i);
        } else {
            AwaitAt(k, kReady, i);
            if (early) Store(k.At(0, kFree), k.flag);
            DataCopy(k.seen, k.At(1, kPayload, 256), 256);
            PipeBarrier<PIPE_ALL>();
            if (!early) Store(k.At(0, kFree), k.flag);
            PipeBarrier<PIPE_ALL>();
        }
    }
}

}  // namespace

const Table kGivenFree(__FILE__,
                       {
                           {"given_free_before_the_read", "flag-clear-early", [](Kernel& k) { Stream(k, !k.right); }},
                           {"given_free_while_the_read_runs", "flag-clear-early",
                            [](Kernel& k) {
                                for (int32_t i = 1; i <= 2; ++i) {
                                    Kernel::Fill(k.flag, i);
                                    Kernel::Fill(k.data, 100 * i);
                                    if (k.rank == 0) {
                                        Store(k.At(1, kPayload, 256), k.data);
                                        PipeBarrier<PIPE_ALL>();
                                        Store(k.At(1, kReady), k.flag);
                                        PipeBarrier<PIPE_ALL>();
                                        AwaitAt(k, kFree, i);
                                    } else {
                                        AwaitAt(k, kReady, i);
                                        DataCopy(k.seen, k.At(1, kPayload, 256), 256);
                                        if (k.right) {
                                            SetFlag<HardEvent::MTE2_MTE3>(0);
                                            WaitFlag<HardEvent::MTE2_MTE3>(0);
                                        }
                                        Store(k.At(0, kFree), k.flag);
                                        PipeBarrier<PIPE_ALL>();
                                    }
                                }
                            }},
                           {"cleared_before_the_rows_are_read", "flag-clear-early",
                            [](Kernel& k) {
                                // Rank 0 looks into rank 1's window for its flag to be 0 again.
                                for (int32_t i = 1; i <= 2; ++i) {
                                    Kernel::Fill(k.data, 100 * i);
                                    if (k.rank == 0) {
                                        Store(k.At(1, kPayload, 256), k.data);
                                        PipeBarrier<PIPE_ALL>();
                                        Store(k.At(1, kReady), k.one);
                                        PipeBarrier<PIPE_ALL>();
                                        while (k.Load(k.At(1, kReady)) != 0) {
                                        }
                                    } else {
                                        AwaitAt(k, kReady, 1);
                                        Kernel::Fill(k.flag, 0);
                                        if (!k.right) Store(k.At(1, kReady), k.flag);
                                        DataCopy(k.seen, k.At(1, kPayload, 256), 256);
                                        PipeBarrier<PIPE_ALL>();
                                        if (k.right) Store(k.At(1, kReady), k.flag);
                                        PipeBarrier<PIPE_ALL>();
                                    }
                                }
                            }},
                       });

const Table kUsedAgain(__FILE__, {
                                     {"a_flag_of_1_in_every_launch", "flag-reused",
                                      [](Kernel& k) {
                                          const int32_t value = k.right ? static_cast<int32_t>(k.round) : 1;
                                          Kernel::Fill(k.flag, value);
                                          Store(k.At(k.next, kReady), k.flag);
                                          Drain();
                                          AwaitAt(k, kReady, value);
                                      },
                                      2, 1, 3},
                                     {"a_flag_that_is_not_cleared", "flag-reused",
                                      [](Kernel& k) {
                                          Store(k.At(k.next, kReady), k.one);
                                          Drain();
                                          AwaitAt(k, kReady, 1);
                                          Kernel::Fill(k.flag, 0);
                                          if (k.right) Store(k.At(k.rank, kReady), k.flag);
                                          Drain();
                                          // All meet, so that a clear does not meet the next flag.
                                          Kernel::Fill(k.flag, static_cast<int32_t>(k.round));
                                          Store(k.At(k.next, kDone), k.flag);
                                          Drain();
                                          AwaitAt(k, kDone, static_cast<int32_t>(k.round));
                                      },
                                      2, 1, 3},
                                 });

const Table kLost(__FILE__, {
                                {"two_ranks_store_into_one_flag", "flag-lost",
                                 [](Kernel& k) {
                                     if (k.rank != 0) {
                                         Kernel::Fill(k.flag, static_cast<int32_t>(k.rank));
                                         Store(k.At(0, k.right ? kReady + 64 * k.rank : kReady), k.flag);
                                         Drain();
                                         Store(k.At(0, kDone + 64 * k.rank), k.one);
                                         return;
                                     }
                                     for (uint32_t from = 1; from < 3; ++from) AwaitAt(k, kDone + 64 * from, 1);
                                     for (uint32_t from = 1; from < 3; ++from)
                                         AwaitAt(k, k.right ? kReady + 64 * from : kReady, 1);
                                 },
                                 3},
                                {"two_ranks_store_into_one_flag_and_one_is_missed", "flag-lost",
                                 [](Kernel& k) {
                                     if (k.rank != 0) {
                                         Kernel::Fill(k.flag, static_cast<int32_t>(k.rank));
                                         Store(k.At(0, k.right ? kReady + 64 * k.rank : kReady), k.flag);
                                         Drain();
                                         Store(k.At(0, kDone + 64 * k.rank), k.one);
                                         return;
                                     }
                                     for (uint32_t from = 1; from < 3; ++from) AwaitAt(k, kDone + 64 * from, 1);
                                     for (uint32_t from = 1; from < 3; ++from) {
                                         while (k.Load(k.At(0, k.right ? kReady + 64 * from : kReady)) !=
                                                static_cast<int32_t>(from)) {
                                         }
                                     }
                                 },
                                 3},
                            });

const Table kOld(__FILE__, {
                               {"rows_of_the_first_round_in_all", "stale-window",
                                [](Kernel& k) {
                                    if (k.right || k.round == 1) Store(k.At(k.next, kPayload, 256), k.data);
                                    Drain();
                                    Store(k.At(k.next, kReady), k.flag);
                                    Drain();
                                    AwaitAt(k, kReady, static_cast<int32_t>(k.round));
                                    k.Load(k.At(k.rank, kPayload, 256));
                                    // All meet, so that no row meets the next one.
                                    Store(k.At(k.next, kDone), k.flag);
                                    Drain();
                                    AwaitAt(k, kDone, static_cast<int32_t>(k.round));
                                },
                                2, 1, 3, "races,init"},
                               // A store of the bytes that are there is one of this round, too.
                               {"equal_rows_of_the_first_round_in_all", "stale-window",
                                [](Kernel& k) {
                                    Kernel::Fill(k.data, 7);
                                    if (k.right || k.round == 1) Store(k.At(k.next, kPayload, 256), k.data);
                                    Drain();
                                    Store(k.At(k.next, kReady), k.flag);
                                    Drain();
                                    AwaitAt(k, kReady, static_cast<int32_t>(k.round));
                                    k.Load(k.At(k.rank, kPayload, 256));
                                    Store(k.At(k.next, kDone), k.flag);
                                    Drain();
                                    AwaitAt(k, kDone, static_cast<int32_t>(k.round));
                                },
                                2, 1, 3, "races,init"},
                           });

const Table kCached(
    __FILE__,
    {
        {"a_poll_through_the_data_cache", "stale-poll",
         [](Kernel& k) {
             Store(k.At(k.next, kReady), k.one);
             Drain();
             auto flag = k.At(k.rank, kReady, 16);
             while (flag.GetValue(0) != 1) {
                 if (k.right) {
                     DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flag);
                 }
             }
         }},
        {"a_count_beside_its_flag_by_get_value", "cache-stale",
         [](Kernel& k) {
             for (int32_t i = 1; i <= 2; ++i) {
                 Kernel::Fill(k.flag, i);
                 if (k.rank == 0) {
                     Store(k.At(1, kReady), k.flag);
                     Drain();
                     AwaitAt(k, kFree, i);
                 } else {
                     AwaitAt(k, kReady, i);
                     auto line = k.At(1, kReady, 16);
                     if (k.right)
                         DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(line);
                     const int32_t count = line.GetValue(1);
                     EXPECT_EQ(count, i);
                     Drain();
                     Store(k.At(0, kFree), k.flag);
                     Drain();
                 }
             }
         }},
        {"a_counter_beside_the_flag_of_another_rank", "cache-lost-write",
         [](Kernel& k) {
             if (k.rank == 0) {
                 Store(k.At(1, kReady), k.one);
                 Drain();
                 return;
             }
             auto counter = k.At(1, k.right ? kDone : kReady, 16);
             counter.SetValue(8, 7);
             DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(counter);
             AwaitAt(k, kReady, 1);
         }},
        {"a_flag_left_in_the_data_cache", "cache-not-cleaned",
         [](Kernel& k) {
             auto flag = k.At(k.next, kReady, 16);
             flag.SetValue(0, 1);
             if (k.right) DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flag);
             AwaitAt(k, kReady, 1);
         }},
    });

}  // namespace sfumato::ranks
