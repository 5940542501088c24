// SPDX-License-Identifier: Apache-2.0
// Wrong programs of several ranks: accesses that nothing orders.
#include "sanitize/ranks/rank_programs.h"

namespace sfumato::ranks {
namespace {

// Bytes of a window: flags of ranks, 64 bytes each; and data of ranks, 1024 bytes each.
constexpr uint32_t kFlags = 0, kAcks = 4096, kData = 8192;
uint32_t FlagOf(uint32_t rank) { return kFlags + 64 * rank; }
uint32_t AckOf(uint32_t rank) { return kAcks + 64 * rank; }
uint32_t DataOf(uint32_t rank) { return kData + 1024 * rank; }

// Data and flag to the next rank, as it should be.
void Send(Kernel& k) {
    Store(k.At(k.next, DataOf(k.rank), 256), k.data);
    Drain();
    Store(k.At(k.next, FlagOf(k.rank)), k.flag);
    Drain();
}
void Await(Kernel& k, uint32_t flag) {
    while (k.Load(k.At(k.rank, flag)) < static_cast<int32_t>(k.round)) {
    }
}

}  // namespace

const Table kRaces(__FILE__,
                   {
                       {"read_without_wait", "race-ranks",
                        [](Kernel& k) {
                            Send(k);
                            if (k.right) Await(k, FlagOf(k.before));
                            k.Load(k.At(k.rank, DataOf(k.before), 256));
                        }},
                       {"wait_for_the_flag_of_another_rank", "race-ranks",
                        [](Kernel& k) {
                            Send(k);
                            Store(k.At((k.rank + 2) % 3, FlagOf(k.rank)), k.flag);
                            Await(k, FlagOf(k.right ? k.before : k.next));
                            k.Load(k.At(k.rank, DataOf(k.before), 256));
                        },
                        3},
                       {"flag_stored_before_the_data", "race-ranks",
                        [](Kernel& k) {
                            if (!k.right) Store(k.At(k.next, FlagOf(k.rank)), k.flag);
                            Store(k.At(k.next, DataOf(k.rank), 256), k.data);
                            Drain();
                            if (k.right) Store(k.At(k.next, FlagOf(k.rank)), k.flag);
                            Await(k, FlagOf(k.before));
                            k.Load(k.At(k.rank, DataOf(k.before), 256));
                        }},
                       {"two_ranks_store_to_one_part", "race-ranks",
                        [](Kernel& k) { Store(k.At(0, DataOf(k.right ? k.rank : 0), 256), k.data); }, 3},
                       {"parts_overlap_by_a_block", "race-ranks",
                        [](Kernel& k) { Store(k.At(0, kData + 512 * k.rank, k.right ? 128 : 136), k.data); }, 3},
                       {"next_round_over_unread_data", "race-ranks",
                        [](Kernel& k) {
                            Send(k);
                            Await(k, FlagOf(k.before));
                            k.Load(k.At(k.rank, DataOf(k.before), 256));
                            if (!k.right) return;
                            Store(k.At(k.before, AckOf(k.rank)), k.flag);
                            Drain();
                            Await(k, AckOf(k.next));
                        },
                        2, 1, 2},
                       {"two_halves_used_without_acknowledgement", "race-ranks",
                        [](Kernel& k) {
                            const uint32_t data = DataOf(4 * (k.round % 2) + k.rank);
                            Store(k.At(k.next, data, 256), k.data);
                            Drain();
                            Store(k.At(k.next, FlagOf(k.rank)), k.flag);
                            if (k.rank == 0 && !k.right) return;
                            while (k.Load(k.At(k.rank, FlagOf(k.before))) < static_cast<int32_t>(k.round)) {
                            }
                            k.Load(k.At(k.rank, DataOf(4 * (k.round % 2) + k.before), 256));
                            Drain();
                        },
                        2, 1, 3},
                       {"another_core_reads_without_SyncAll", "race-ranks",
                        [](Kernel& k) {
                            if (k.core == 0) {
                                Send(k);
                                Await(k, FlagOf(k.before));
                            }
                            if (k.right) SyncAll();
                            if (k.core == 1) k.Load(k.At(k.rank, DataOf(k.before), 256));
                        },
                        2, 2},
                       {"plain_store_beside_atomic_adds", "race-ranks",
                        [](Kernel& k) {
                            if (k.rank != 0 || k.right) SetAtomicAdd<int32_t>();
                            Store(k.At(0, kData, 8), k.data);
                            SetAtomicNone();
                        },
                        3},
                       {"sum_read_without_wait", "race-ranks",
                        [](Kernel& k) {
                            SetAtomicAdd<int32_t>();
                            Store(k.At(0, kData, 128), k.data);
                            Drain();
                            Store(k.At(0, kFlags), k.one);
                            SetAtomicNone();
                            Drain();
                            if (k.rank != 0) return;
                            if (k.right) {
                                while (k.Load(k.At(0, kFlags)) != static_cast<int32_t>(k.ranks)) {
                                }
                            }
                            k.Load(k.At(0, kData, 128));
                        },
                        3},
                       {"get_before_the_owner_is_ready", "race-ranks",
                        [](Kernel& k) {
                            Store(k.At(k.rank, DataOf(k.rank), 256), k.data);
                            Drain();
                            Store(k.At(k.next, FlagOf(k.rank)), k.flag);
                            if (k.right) Await(k, FlagOf(k.before));
                            k.Load(k.At(k.before, DataOf(k.before), 256));
                        }},
                       {"own_data_overwritten_under_a_get", "race-ranks",
                        [](Kernel& k) {
                            Store(k.At(k.rank, DataOf(k.rank), 256), k.data);
                            Drain();
                            Store(k.At(k.next, FlagOf(k.rank)), k.flag);
                            Await(k, FlagOf(k.before));
                            k.Load(k.At(k.before, DataOf(k.before), 256));
                            Store(k.At(k.before, AckOf(k.rank)), k.flag);
                            if (k.right) Await(k, AckOf(k.next));
                            Kernel::Fill(k.data, 7);
                            Store(k.At(k.rank, DataOf(k.rank), 256), k.data);
                        }},
                       {"wait_for_one_of_two_senders", "race-ranks",
                        [](Kernel& k) {
                            if (k.rank != 0) {
                                Store(k.At(0, DataOf(k.rank), 256), k.data);
                                Drain();
                                Store(k.At(0, FlagOf(k.rank)), k.flag);
                                return;
                            }
                            for (uint32_t from = 1; from < (k.right ? 3 : 2); ++from) Await(k, FlagOf(from));
                            for (uint32_t from = 1; from < 3; ++from) k.Load(k.At(0, DataOf(from), 256));
                        },
                        3},
                       {"scalar_read_without_wait", "race-ranks",
                        [](Kernel& k) {
                            Send(k);
                            if (k.right) Await(k, FlagOf(k.before));
                            Taken(k.At(k.rank, DataOf(k.before), 16), 0);
                        }},
                   });

const Table kFlags(__FILE__, {
                                 {"no_barrier_before_the_flag", "flag-before-data",
                                  [](Kernel& k) {
                                      Store(k.At(k.next, DataOf(k.rank), 256), k.data);
                                      if (k.right) PipeBarrier<PIPE_MTE3>();
                                      Store(k.At(k.next, FlagOf(k.rank)), k.flag);
                                      Await(k, FlagOf(k.before));
                                      k.Load(k.At(k.rank, DataOf(k.before), 256));
                                  }},
                                 {"barrier_of_another_pipe", "flag-before-data",
                                  [](Kernel& k) {
                                      Store(k.At(k.next, DataOf(k.rank), 256), k.data);
                                      if (k.right) {
                                          PipeBarrier<PIPE_MTE3>();
                                      } else {
                                          PipeBarrier<PIPE_MTE2>();
                                      }
                                      Store(k.At(k.next, FlagOf(k.rank)), k.flag);
                                      Await(k, FlagOf(k.before));
                                      k.Load(k.At(k.rank, DataOf(k.before), 256));
                                  }},
                                 {"barrier_between_two_parts_only", "flag-before-data",
                                  [](Kernel& k) {
                                      Store(k.At(k.next, DataOf(k.rank), 128), k.data);
                                      PipeBarrier<PIPE_MTE3>();
                                      Store(k.At(k.next, DataOf(k.rank) + 512, 128), k.data);
                                      if (k.right) PipeBarrier<PIPE_MTE3>();
                                      Store(k.At(k.next, FlagOf(k.rank)), k.flag);
                                      Await(k, FlagOf(k.before));
                                      k.Load(k.At(k.rank, DataOf(k.before), 256));
                                  }},
                                 {"count_added_before_the_data_is_there", "flag-before-data",
                                  [](Kernel& k) {
                                      Store(k.At(k.next, DataOf(k.rank), 256), k.data);
                                      if (k.right) PipeBarrier<PIPE_MTE3>();
                                      SetAtomicAdd<int32_t>();
                                      Store(k.At(k.next, FlagOf(k.rank)), k.one);
                                      SetAtomicNone();
                                      Await(k, FlagOf(k.before));
                                      k.Load(k.At(k.rank, DataOf(k.before), 256));
                                  }},
                                 {"scalar_flag_beside_a_move", "flag-before-data",
                                  [](Kernel& k) {
                                      Store(k.At(k.next, DataOf(k.rank), 256), k.data);
                                      if (k.right) {
                                          SetFlag<HardEvent::MTE3_S>(0);
                                          WaitFlag<HardEvent::MTE3_S>(0);
                                      }
                                      Put(k.At(k.next, FlagOf(k.rank), 16), 0, 1);
                                      Await(k, FlagOf(k.before));
                                      k.Load(k.At(k.rank, DataOf(k.before), 256));
                                  }},
                                 {"flag_behind_the_data_of_another_core", "race-ranks",
                                  [](Kernel& k) {
                                      if (k.core == 1) Store(k.At(k.next, DataOf(k.rank), 256), k.data);
                                      if (k.right) SyncAll();
                                      if (k.core == 1) return;
                                      Store(k.At(k.next, FlagOf(k.rank)), k.flag);
                                      Await(k, FlagOf(k.before));
                                      k.Load(k.At(k.rank, DataOf(k.before), 256));
                                  },
                                  2, 2},
                                 {"rows_stored_again_while_the_reader_stores_nothing", "race-ranks",
                                  [](Kernel& k) {
                                      for (int32_t i = 1; i <= 3; ++i) {
                                          const uint32_t rows = k.right ? DataOf(i) : DataOf(0), flag = FlagOf(i);
                                          if (k.rank == 0) {
                                              Kernel::Fill(k.data, 100 * i);
                                              Store(k.At(1, rows, 256), k.data);
                                              Drain();
                                              Store(k.At(1, flag), k.one);
                                              Drain();
                                          } else {
                                              Await(k, flag);
                                              k.Load(k.At(1, rows, 256));
                                          }
                                      }
                                  }},
                                 {"own_rows_read_before_they_have_left", "race",
                                  [](Kernel& k) {
                                      Store(k.At(k.rank, DataOf(k.rank), 128), k.data);
                                      if (k.right) PipeBarrier<PIPE_ALL>();
                                      k.Load(k.At(k.rank, DataOf(k.rank), 128));
                                  }},
                                 {"flag_and_data_of_one_store", "torn-read",
                                  [](Kernel& k) {
                                      Kernel::Fill(k.data, 1);
                                      Store(k.At(k.next, DataOf(k.rank), k.right ? 128 : 256), k.data);
                                      const uint32_t flag = DataOf(k.before) + (k.right ? 480 : 992);
                                      while (k.Load(k.At(k.rank, flag)) != 1) {
                                      }
                                      k.Load(k.At(k.rank, DataOf(k.before), 120));
                                  }},
                             });

}  // namespace sfumato::ranks
