// SPDX-License-Identifier: Apache-2.0
// Wrong programs of several ranks: waits that never end.
#include "sanitize/ranks/rank_programs.h"

namespace sfumato::ranks {
namespace {

// Bytes of a window: flags of ranks, a count, acknowledgements, data.
uint32_t HangFlag(uint32_t rank) { return 64 * rank; }
constexpr uint32_t kCount = 2048, kAck = 4096, kRows = 8192;

void AwaitHere(Kernel& k, uint32_t flag, int32_t value = 1) {
    while (k.Load(k.At(k.rank, flag)) < value) {
    }
}

// All ranks tell all others.
void TellAll(Kernel& k) {
    for (uint32_t to = 0; to < k.ranks; ++to) Store(k.At(to, HangFlag(k.rank)), k.one);
    Drain();
}

}  // namespace

const Table kHangs(__FILE__, {
                                 {"one_rank_never_tells", "deadlock",
                                  [](Kernel& k) {
                                      if (k.rank != 2 || k.right) TellAll(k);
                                      for (uint32_t from = 0; from < k.ranks; ++from) AwaitHere(k, HangFlag(from));
                                  },
                                  3},
                                 {"a_rank_without_rows_returns_early", "deadlock",
                                  [](Kernel& k) {
                                      const uint32_t rows = k.rank == 1 ? 0 : 8;
                                      if (rows == 0 && !k.right) return;
                                      TellAll(k);
                                      for (uint32_t from = 0; from < k.ranks; ++from) AwaitHere(k, HangFlag(from));
                                  },
                                  3},
                                 {"flag_to_the_wrong_rank", "deadlock",
                                  [](Kernel& k) {
                                      Store(k.At(k.right ? k.next : k.rank, HangFlag(k.rank)), k.one);
                                      AwaitHere(k, HangFlag(k.before));
                                  },
                                  3},
                                 {"flag_at_the_wrong_offset", "deadlock",
                                  [](Kernel& k) {
                                      Store(k.At(k.next, k.right ? HangFlag(k.rank) : 32 * k.rank), k.one);
                                      AwaitHere(k, HangFlag(k.before));
                                  },
                                  3},
                                 {"flag_with_the_number_of_the_last_round", "deadlock",
                                  [](Kernel& k) {
                                      if (!k.right) Kernel::Fill(k.flag, static_cast<int32_t>(k.round) - 1);
                                      Store(k.At(k.next, HangFlag(k.rank)), k.flag);
                                      AwaitHere(k, HangFlag(k.before), static_cast<int32_t>(k.round));
                                  },
                                  2, 1, 2},
                                 {"all_wait_before_they_tell", "deadlock",
                                  [](Kernel& k) {
                                      if (k.right) Store(k.At(k.next, HangFlag(k.rank)), k.one);
                                      AwaitHere(k, HangFlag(k.before));
                                      Store(k.At(k.next, HangFlag(k.rank)), k.one);
                                  },
                                  3},
                                 {"a_rank_never_launches", "deadlock",
                                  [](Kernel& k) {
                                      TellAll(k);
                                      for (uint32_t from = 0; from < k.ranks; ++from) AwaitHere(k, HangFlag(from));
                                  },
                                  3, 1, 1, "races", 1},
                                 {"a_ring_the_other_way_round", "deadlock",
                                  [](Kernel& k) {
                                      Store(k.At(k.next, HangFlag(0)), k.one);
                                      while (k.Load(k.At(k.right ? k.rank : k.next, HangFlag(k.right ? 0 : 1))) != 1) {
                                      }
                                  },
                                  3},
                                 {"a_count_of_one_too_many", "deadlock",
                                  [](Kernel& k) {
                                      SetAtomicAdd<int32_t>();
                                      Store(k.At(0, kCount), k.one);
                                      SetAtomicNone();
                                      Drain();
                                      if (k.rank == 0)
                                          AwaitHere(k, kCount, static_cast<int32_t>(k.ranks + (k.right ? 0 : 1)));
                                  },
                                  3},
                                 {"a_count_without_atomic_add", "deadlock",
                                  [](Kernel& k) {
                                      if (k.right) SetAtomicAdd<int32_t>();
                                      Store(k.At(0, kCount), k.one);
                                      SetAtomicNone();
                                      Drain();
                                      if (k.rank == 0) AwaitHere(k, kCount, static_cast<int32_t>(k.ranks));
                                  },
                                  3},
                                 {"one_of_two_cores_does_not_count", "deadlock",
                                  [](Kernel& k) {
                                      SetAtomicAdd<int32_t>();
                                      if (k.core == 0 || k.rank != 1 || k.right) Store(k.At(0, kCount), k.one);
                                      SetAtomicNone();
                                      Drain();
                                      if (k.rank == 0 && k.core == 0)
                                          AwaitHere(k, kCount, static_cast<int32_t>(2 * k.ranks));
                                  },
                                  3, 2},
                                 {"loop_over_one_rank_too_many", "deadlock",
                                  [](Kernel& k) {
                                      TellAll(k);
                                      for (uint32_t from = 0; from < k.ranks + (k.right ? 0 : 1); ++from)
                                          AwaitHere(k, HangFlag(from));
                                  },
                                  3},
                                 {"flags_share_a_block", "deadlock",
                                  [](Kernel& k) {
                                      // A store is of 32 bytes: each rank's undoes the others' with steps of 4.
                                      constexpr uint32_t kPlaces[] = {0, 2, 1, 3};
                                      const uint32_t step = k.right ? 32 : 4;
                                      Kernel::Fill(k.flag, 0);
                                      k.flag.SetValue(0, 1);
                                      SetFlag<HardEvent::S_MTE3>(0);
                                      WaitFlag<HardEvent::S_MTE3>(0);
                                      if (k.rank != 0) return Store(k.At(0, kCount + step * kPlaces[k.rank]), k.flag);
                                      for (const uint32_t from : {2u, 1u, 3u})
                                          AwaitHere(k, kCount + step * kPlaces[from]);
                                  },
                                  4},
                                 {"wait_in_the_window_of_the_other", "deadlock",
                                  [](Kernel& k) {
                                      Store(k.At(k.next, HangFlag(k.rank)), k.one);
                                      while (k.Load(k.At(k.right ? k.rank : k.before, HangFlag(k.before))) != 1) {
                                      }
                                  },
                                  3},
                                 {"cleared_before_the_wait", "deadlock",
                                  [](Kernel& k) {
                                      if (k.rank == 1) {
                                          Store(k.At(0, HangFlag(1)), k.one);
                                          Drain();
                                          Store(k.At(0, HangFlag(2)), k.one);
                                          return;
                                      }
                                      AwaitHere(k, HangFlag(k.right ? 1 : 2));
                                      Kernel::Fill(k.flag, 0);
                                      Store(k.At(0, HangFlag(1)), k.flag);
                                      Drain();
                                      AwaitHere(k, HangFlag(k.right ? 2 : 1));
                                  }},
                                 {"an_equality_that_is_overshot", "deadlock",
                                  [](Kernel& k) {
                                      if (k.rank == 1) {
                                          Kernel::Fill(k.flag, k.right ? 1 : 2);
                                          return Store(k.At(0, HangFlag(1)), k.flag);
                                      }
                                      while (k.Load(k.At(0, HangFlag(1))) != 1) {
                                      }
                                  }},
                                 {"credits_that_come_back_too_late", "deadlock",
                                  [](Kernel& k) {
                                      if (k.rank == 0) {
                                          for (int32_t i = 1; i <= 3; ++i) {
                                              Kernel::Fill(k.flag, i);
                                              Store(k.At(1, HangFlag(0)), k.flag);
                                              Drain();
                                              if (i > 1) AwaitHere(k, kAck, i - 1);
                                          }
                                          return;
                                      }
                                      for (int32_t i = 1; i <= 3; ++i) {
                                          AwaitHere(k, HangFlag(0), i);
                                          Kernel::Fill(k.flag, i);
                                          if (k.right || i == 3) Store(k.At(0, kAck), k.flag);
                                          Drain();
                                      }
                                  }},
                                 {"one_rank_launches_once_more", "deadlock",
                                  [](Kernel& k) {
                                      if (k.rank == 1 && k.round == 2 && !k.right) return;
                                      TellAll(k);
                                      Kernel::Fill(k.flag, static_cast<int32_t>(k.round));
                                      Store(k.At(k.next, kCount), k.flag);
                                      AwaitHere(k, kCount, static_cast<int32_t>(k.round));
                                  },
                                  2, 1, 2},
                                 {"two_ranks_wait_for_each_other", "deadlock",
                                  [](Kernel& k) {
                                      if (k.rank == 0 || k.right) Store(k.At(k.next, HangFlag(k.rank)), k.one);
                                      if (k.rank == 0) AwaitHere(k, HangFlag(1));
                                      if (k.rank == 1) AwaitHere(k, kAck);
                                      if (k.rank == 1) Store(k.At(0, HangFlag(1)), k.one);
                                      if (k.rank == 0) Store(k.At(1, kAck), k.one);
                                  }},
                                 {"a_counter_raised_twice", "deadlock",
                                  [](Kernel& k) {
                                      const int32_t step = k.rank == 1 && !k.right ? 2 : 1;
                                      const int32_t counter = k.Load(k.At(k.rank, kRows)) + step;
                                      Kernel::Fill(k.flag, counter);
                                      Store(k.At(k.rank, kRows), k.flag);
                                      Store(k.At(k.next, HangFlag(k.rank)), k.flag);
                                      AwaitHere(k, HangFlag(k.before), counter);
                                  },
                                  2, 1, 2},
                                 {"only_the_first_core_is_told", "deadlock",
                                  [](Kernel& k) {
                                      if (k.core == 0) {
                                          Store(k.At(k.next, HangFlag(0)), k.one);
                                          if (k.right) Store(k.At(k.next, HangFlag(1)), k.one);
                                      }
                                      AwaitHere(k, HangFlag(k.core));
                                  },
                                  2, 2},
                                 {"SyncAll_behind_a_wait_of_one_core", "deadlock",
                                  [](Kernel& k) {
                                      if (k.right && k.core == 1) Store(k.At(k.next, HangFlag(0)), k.one);
                                      if (k.core == 0) AwaitHere(k, HangFlag(0));
                                      SyncAll();
                                      if (k.core == 1) Store(k.At(k.next, HangFlag(0)), k.one);
                                  },
                                  2, 2},
                             });

}  // namespace sfumato::ranks
