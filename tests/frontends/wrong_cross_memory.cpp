// SPDX-License-Identifier: Apache-2.0
// Wrong programs: calls between cores through global memory, and the data cache.
#include "wrong_cores.h"

namespace sfumato::wrong {

const Table<CoresProgram> kCrossMemory = {
    {"sync_workspace_not_zero", "sync-workspace", [](GM_ADDR gm) __aicore__ {
         auto slots = Slots(gm);
         if (GetBlockIdx() == 0) slots.SetValue(1, 7);
         Wrong(), SyncAll(slots, Work());
     }, {.blocks = 48}},
    {"sync_workspace_too_small", "sync-workspace",
     [](GM_ADDR gm) __aicore__ { Wrong(), SyncAll(Gm<int32_t>(gm, 48), Work()); }, {.blocks = 48}},
    {"sync_workspace_on_the_host", "gm-pointer", [](GM_ADDR) __aicore__ {
         Wrong(), SyncAll(Gm<int32_t>(reinterpret_cast<GM_ADDR>(0x1000), 512), Work());
     }, {.blocks = 2}},
    {"sync_ub_too_small", "sync-workspace",
     [](GM_ADDR gm) __aicore__ { Wrong(), SyncAll(Slots(gm), Ub<int32_t>(0, 8)); }, {.blocks = 48}},
    {"sync_ub_never_allocated", "tensor-uninitialised",
     [](GM_ADDR gm) __aicore__ { Wrong(), SyncAll(Slots(gm), LocalTensor<int32_t>()); }, {.blocks = 2}},
    {"used_cores_above_all", "sync-arguments",
     [](GM_ADDR gm) __aicore__ { Wrong(), SyncAll(Slots(gm), Work(), 49); }, {.blocks = 48}},
    {"used_cores_negative", "sync-arguments",
     [](GM_ADDR gm) __aicore__ { Wrong(), SyncAll(Slots(gm), Work(), -1); }, {.blocks = 2}},
    {"used_cores_without_the_caller", "sync-arguments",
     [](GM_ADDR gm) __aicore__ { Wrong(), SyncAll(Slots(gm), Work(), 6); }, {.blocks = 8, .reports = "aiv6"}},
    {"ib_wait_block_index", "sync-arguments", [](GM_ADDR gm) __aicore__ {
         if (GetBlockIdx() == 0) Wrong(), IBWait(Slots(gm), Work(), 48, 0);
     }, {.blocks = 48}},
    {"ib_wait_for_the_block_before_the_first", "sync-arguments", [](GM_ADDR gm) __aicore__ {
         Wrong(), IBWait(Slots(gm), Work(), static_cast<int32_t>(GetBlockIdx()) - 1, 0);
     }, {.blocks = 2}},
    {"ib_set_negative_event", "sync-arguments",
     [](GM_ADDR gm) __aicore__ { Wrong(), IBSet(Slots(gm), Work(), 0, -1); }, {.blocks = 2}},
    {"ib_workspace_too_small_for_the_event", "sync-workspace", [](GM_ADDR gm) __aicore__ {
         if (GetBlockIdx() == 1) Wrong(), IBSet(Gm<int32_t>(gm, 16), Work(), 1, 3);
     }, {.blocks = 2, .reports = "aiv1"}},
    {"ib_ub_too_small", "sync-workspace",
     [](GM_ADDR gm) __aicore__ { Wrong(), IBSet(Slots(gm), Ub<int32_t>(0, 4), 0, 0); }, {.blocks = 2}},
    {"ib_workspace_not_zero", "sync-workspace", [](GM_ADDR gm) __aicore__ {
         auto slots = Slots(gm);
         if (GetBlockIdx() == 0) slots.SetValue(0, 1), Wrong(), IBSet(slots, Work(), 0, 0);
     }, {.blocks = 2}},
    {"sync_all_through_memory_on_a_cube_core", "cross-core-unsupported",
     [](GM_ADDR gm) __aicore__ { Wrong(), SyncAll(Slots(gm), Work()); },
     {.blocks = 2, .core = CoreChoice::kMix, .reports = "aic0"}},
    {"ib_set_on_a_cube_core", "cross-core-unsupported",
     [](GM_ADDR gm) __aicore__ { Wrong(), IBSet(Slots(gm), Work(), 0, 0); },
     {.core = CoreChoice::kCube, .reports = "aic0"}},
    {"ib_wait_in_a_chain_of_more_blocks_than_cores", "blocks-exceed-cores", [](GM_ADDR gm) __aicore__ {
         const auto block = static_cast<int32_t>(GetBlockIdx());
         if (block != 0) Wrong(), IBWait(Slots(gm), Work(), block - 1, 0);
         if (block != 59) IBSet(Slots(gm), Work(), block, 0);
     }, {.blocks = 60, .reports = "aiv1"}},
    {"notify_next_block_without_a_wait", "block-order", [](GM_ADDR gm) __aicore__ {
         auto slots = Slots(gm);
         auto work = Work();
         InitDetermineComputeWorkspace(slots, work);
         Wrong(), NotifyNextBlock(slots, work);
     }, {.blocks = 48}},
    {"wait_pre_block_twice", "block-order", [](GM_ADDR gm) __aicore__ {
         auto slots = Slots(gm);
         auto work = Work();
         InitDetermineComputeWorkspace(slots, work);
         if (GetBlockIdx() == 0) WaitPreBlock(slots, work), Wrong(), WaitPreBlock(slots, work);
     }, {.blocks = 2}},
    {"wait_pre_block_before_init", "block-order", [](GM_ADDR gm) __aicore__ {
         auto slots = Slots(gm);
         auto work = Work();
         Wrong(), WaitPreBlock(slots, work);
     }, {.blocks = 2}},
    {"block_order_ub_without_the_slot_more", "sync-workspace", [](GM_ADDR gm) __aicore__ {
         auto slots = Slots(gm);
         auto work = Ub<int32_t>(0, 48 * 8);
         Wrong(), InitDetermineComputeWorkspace(slots, work);
     }, {.blocks = 48}},
    {"group_barrier_misaligned", "sync-workspace", [](GM_ADDR gm) __aicore__ {
         GroupBarrier<PipeMode::MTE3_MODE> barrier(gm + 64, 2, 2);
         Wrong(), barrier.Arrive(static_cast<uint32_t>(GetBlockIdx()));
     }, {.blocks = 2}},
    {"group_barrier_index", "sync-arguments", [](GM_ADDR gm) __aicore__ {
         GroupBarrier<PipeMode::MTE3_MODE> barrier(gm, 2, 6);
         Wrong(), barrier.Wait(6);
     }, {.blocks = 8}},
    {"group_barrier_of_nobody", "sync-arguments", [](GM_ADDR gm) __aicore__ {
         GroupBarrier<PipeMode::MTE3_MODE> barrier(gm, 0, 2);
         Wrong(), barrier.Arrive(0);
     }, {.blocks = 2}},
    {"group_workspace_too_small", "sync-workspace", [](GM_ADDR gm) __aicore__ {
         GroupBarrier<PipeMode::MTE3_MODE> barrier(gm + 65024, 1, 2);
         Wrong(), barrier.Wait(0);
     }, {.blocks = 3}},
    {"group_workspace_not_zero", "sync-workspace", [](GM_ADDR gm) __aicore__ {
         Gm<int32_t>(gm, 128).SetValue(127, 9);
         GroupBarrier<PipeMode::MTE3_MODE> barrier(gm, 1, 1);
         Wrong(), barrier.Arrive(0);
     }},
    {"sync_all_through_memory_on_ascend310b", "cross-core-unsupported",
     [](GM_ADDR gm) __aicore__ { Wrong(), SyncAll(Slots(gm), Work()); },
     {.blocks = 2, .chip = "Ascend310B1", .reports = "core0"}},
    {"ib_wait_on_ascend310b", "cross-core-unsupported",
     [](GM_ADDR gm) __aicore__ { Wrong(), IBWait(Slots(gm), Work(), 0, 0); },
     {.chip = "Ascend310B1", .reports = "core0"}},
    {"group_barrier_on_ascend310p", "cross-core-unsupported", [](GM_ADDR gm) __aicore__ {
         GroupBarrier<PipeMode::MTE3_MODE> barrier(gm, 1, 1);
         Wrong(), barrier.Arrive(0);
     }, {.blocks = 8, .chip = "Ascend310P3", .reports = "core0"}},
    {"poll_through_the_data_cache", "stale-poll", [](GM_ADDR gm) __aicore__ {
         auto flag = Gm<int32_t>(gm, 16);
         if (GetBlockIdx() == 1) {
             IBWait(Slots(gm), Work(), 0, 0);
             flag.SetValue(0, 1);
             DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flag);
         } else {
             IBSet(Slots(gm), Work(), 0, 0);
             while ((Wrong(), flag.GetValue(0)) == 0) continue;
         }
     }, {.blocks = 2, .one_worker = true}},
    {"cache_line_from_its_middle", "cache-line", [](GM_ADDR gm) __aicore__ {
         auto value = Gm<int32_t>(gm, 64)[4];
         Wrong(), DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(value);
     }, {.blocks = 48}},
};

}  // namespace sfumato::wrong
