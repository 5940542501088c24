// SPDX-License-Identifier: Apache-2.0
// Wrong programs: cores that wait for ever where cores meet, in SyncAll, IBWait, WaitPreBlock and GroupBarrier.
#include "wrong_cores.h"

namespace sfumato::wrong {

const Table<CoresProgram> kDeadlockMeeting = {
    {"return_before_sync_all", "deadlock", [](GM_ADDR) __aicore__ {
         if (GetBlockIdx() == 17) return;
         Wrong(), SyncAll();
     }, {.blocks = 48}},
    {"sync_all_once_more_on_one_core", "deadlock", [](GM_ADDR) __aicore__ {
         SyncAll();
         if (GetBlockIdx() == 5) Wrong(), SyncAll();
     }, {.blocks = 48, .reports = "aiv5"}},
    {"sync_all_under_different_counts", "deadlock", [](GM_ADDR) __aicore__ {
         for (int i = 0; i < 3 + (GetBlockIdx() < 40); ++i) Wrong(), SyncAll();
     }, {.blocks = 48}},
    {"sync_all_of_more_blocks_than_cores", "deadlock",
     [](GM_ADDR) __aicore__ { Wrong(), SyncAll(); }, {.blocks = 64}},
    {"sync_all_on_one_vector_core_of_each_block", "deadlock", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIV {
             if (GetSubBlockIdx() == 0) Wrong(), SyncAll();
         }
     }, {.blocks = 24, .core = CoreChoice::kMix, .reports = "aiv0.0"}},
    {"sync_all_of_both_kinds_without_the_cube", "deadlock", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIV Wrong(), SyncAll<false>();
     }, {.blocks = 2, .core = CoreChoice::kMix, .reports = "aiv0.0"}},
    {"sync_all_of_both_kinds_and_of_one", "deadlock", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC Wrong(), SyncAll<false>();
         if ASCEND_IS_AIV Earlier(), SyncAll();
     }, {.blocks = 2, .core = CoreChoice::kMix, .reports = "aic0"}},
    {"sync_all_through_memory_for_too_many", "deadlock", [](GM_ADDR gm) __aicore__ {
         if (GetBlockIdx() < 6) Wrong(), SyncAll(Slots(gm), Work(), 8);
     }, {.blocks = 8}},
    {"sync_all_through_memory_with_different_counts", "deadlock", [](GM_ADDR gm) __aicore__ {
         const int32_t cores = GetBlockIdx() == 0 || GetBlockIdx() > 5 ? 8 : 6;
         Wrong(), SyncAll(Slots(gm), Work(), cores);
     }, {.blocks = 8}},
    {"sync_all_in_two_workspaces", "deadlock", [](GM_ADDR gm) __aicore__ {
         Wrong(), SyncAll(Slots(gm)[GetBlockIdx() % 2 * 1024], Work());
     }, {.blocks = 6}},
    {"sync_all_with_and_without_memory", "deadlock", [](GM_ADDR gm) __aicore__ {
         if (GetBlockIdx() == 0) {
             Wrong(), SyncAll();
         } else {
             Earlier(), SyncAll(Slots(gm), Work());
         }
     }, {.blocks = 48}},
    {"ib_wait_for_another_event", "deadlock", [](GM_ADDR gm) __aicore__ {
         if (GetBlockIdx() == 1) IBSet(Slots(gm), Work(), 1, 0);
         if (GetBlockIdx() == 0) Wrong(), IBWait(Slots(gm), Work(), 1, 1);
     }, {.blocks = 2}},
    {"ib_wait_for_another_block", "deadlock", [](GM_ADDR gm) __aicore__ {
         if (GetBlockIdx() == 3) IBSet(Slots(gm), Work(), 3, 0);
         if (GetBlockIdx() == 0) Wrong(), IBWait(Slots(gm), Work(), 2, 0);
     }, {.blocks = 48}},
    {"ib_wait_twice_for_one_set", "deadlock", [](GM_ADDR gm) __aicore__ {
         if (GetBlockIdx() == 0) return IBSet(Slots(gm), Work(), 0, 0);
         if (GetBlockIdx() == 1) IBWait(Slots(gm), Work(), 0, 0), IBSet(Slots(gm), Work(), 1, 0);
         if (GetBlockIdx() == 2) IBWait(Slots(gm), Work(), 1, 0), Wrong(), IBWait(Slots(gm), Work(), 0, 0);
     }, {.blocks = 3, .reports = "aiv2"}},
    {"ib_wait_in_a_ring", "deadlock", [](GM_ADDR gm) __aicore__ {
         const auto block = static_cast<int32_t>(GetBlockIdx());
         Wrong(), IBWait(Slots(gm), Work(), (block + 47) % 48, 0);
         IBSet(Slots(gm), Work(), block, 0);
     }, {.blocks = 48}},
    {"ib_wait_for_a_block_that_cannot_start", "deadlock", [](GM_ADDR gm) __aicore__ {
         const auto block = static_cast<int32_t>(GetBlockIdx());
         if (block != 59) Wrong(), IBWait(Slots(gm), Work(), block + 1, 0);
         IBSet(Slots(gm), Work(), block, 0);
     }, {.blocks = 60}},
    {"wait_pre_block_without_a_notification", "deadlock", [](GM_ADDR gm) __aicore__ {
         auto slots = Slots(gm);
         auto work = Work();
         InitDetermineComputeWorkspace(slots, work);
         Wrong(), WaitPreBlock(slots, work);
         if (GetBlockIdx() != 5) NotifyNextBlock(slots, work);
     }, {.blocks = 48, .reports = "aiv6"}},
    {"wait_pre_block_in_different_rounds", "deadlock", [](GM_ADDR gm) __aicore__ {
         auto slots = Slots(gm);
         auto work = Work();
         InitDetermineComputeWorkspace(slots, work);
         for (int round = 0; round < 2 + (GetBlockIdx() == 0); ++round) {
             if (GetBlockIdx() == 4 && round == 1) return;
             Wrong(), WaitPreBlock(slots, work);
             NotifyNextBlock(slots, work);
         }
     }, {.blocks = 8}},
    {"group_barrier_without_one_that_arrives", "deadlock", [](GM_ADDR gm) __aicore__ {
         GroupBarrier<PipeMode::MTE3_MODE> barrier(gm, 4, 4);
         const auto block = static_cast<uint32_t>(GetBlockIdx());
         if (block < 4 && block != 2) barrier.Arrive(block);
         if (block >= 4) Wrong(), barrier.Wait(block - 4);
     }, {.blocks = 8, .reports = "aiv4"}},
    {"group_barrier_waits_before_it_arrives", "deadlock", [](GM_ADDR gm) __aicore__ {
         GroupBarrier<PipeMode::MTE3_MODE> barrier(gm, 6, 6);
         const auto block = static_cast<uint32_t>(GetBlockIdx());
         Wrong(), barrier.Wait(block);
         barrier.Arrive(block);
     }, {.blocks = 6}},
    {"fault_of_a_core_that_others_wait_for", "event-id-range", [](GM_ADDR) __aicore__ {
         if (GetBlockIdx() == 30) Wrong(), SetFlag<HardEvent::MTE2_V>(9);
         SyncAll();
     }, {.blocks = 48, .reports = "aiv30"}},
};

}  // namespace sfumato::wrong
