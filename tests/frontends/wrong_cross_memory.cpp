// SPDX-License-Identifier: Apache-2.0
// Wrong programs: calls between cores through global memory, and the data cache.
#include "wrong_cores.h"

namespace sfumato::wrong {

std::vector<CoresProgram> CrossMemoryPrograms() {
    return {
        {.name = "sync_workspace_not_zero",
         .kernel = [](GM_ADDR gm) __aicore__ {
             auto slots = Slots(gm);
             if (GetBlockIdx() == 0) slots.SetValue(1, 7);
             Wrong(), SyncAll(slots, Work());
         },
         .report = {.rule = "sync-workspace", .instruction = "SyncAll", .operand = "gmWorkspace",
                    .message = "SyncAll: the workspace is not zero before its first use",
                    .found = "0x07 at byte 32772 of 'gm'",
                    .legal = "0 in every byte of a slot",
                    .hint = "clear it on the host before every launch: a core would pass before the others come"},
         .blocks = 48},
        {.name = "sync_workspace_too_small",
         .kernel = [](GM_ADDR gm) __aicore__ { Wrong(), SyncAll(Gm<int32_t>(gm, 48), Work()); },
         .report = {.rule = "sync-workspace", .instruction = "SyncAll", .operand = "gmWorkspace",
                    .message = "SyncAll: the workspace in global memory is too small",
                    .found = "192 bytes",
                    .legal = "at least 1536 bytes: 32 for each core",
                    .hint = "make it larger on the host, clear it there, and give SetGlobalBuffer its size"},
         .blocks = 48},
        {.name = "sync_workspace_on_the_host",
         .kernel = [](GM_ADDR) __aicore__ {
             Wrong(), SyncAll(Gm<int32_t>(reinterpret_cast<GM_ADDR>(0x1000), 512), Work());
         },
         .report = {.rule = "gm-pointer", .instruction = "SyncAll", .operand = "gmWorkspace",
                    .message = "SyncAll: gmWorkspace points to no global memory of this launch",
                    .found = "0x1000, which lies in no allocation",
                    .legal = "a pointer into an argument of the kernel or memory from GmAlloc",
                    .hint = "check the offset added to the argument; a host pointer is not device memory"},
         .blocks = 2},
        {.name = "sync_ub_too_small",
         .kernel = [](GM_ADDR gm) __aicore__ { Wrong(), SyncAll(Slots(gm), Ub<int32_t>(0, 8)); },
         .report = {.rule = "sync-workspace", .instruction = "SyncAll", .operand = "ubWorkspace",
                    .message = "SyncAll: the workspace in UB is too small",
                    .found = "32 bytes",
                    .legal = "at least 1536 bytes: 32 for each core",
                    .hint = "give the buffer behind it so many bytes in InitBuffer"},
         .blocks = 48},
        {.name = "sync_ub_never_allocated",
         .kernel = [](GM_ADDR gm) __aicore__ { Wrong(), SyncAll(Slots(gm), LocalTensor<int32_t>()); },
         .report = {.rule = "tensor-uninitialised", .instruction = "SyncAll", .operand = "ubWorkspace",
                    .message = "SyncAll: ubWorkspace is a LocalTensor that was never given memory",
                    .found = "a default-constructed LocalTensor",
                    .legal = "a tensor from AllocTensor, DeQue or TBuf::Get",
                    .hint = "assign the result of AllocTensor, DeQue or Get before using it"},
         .blocks = 2},
        {.name = "used_cores_above_all",
         .kernel = [](GM_ADDR gm) __aicore__ { Wrong(), SyncAll(Slots(gm), Work(), 49); },
         .report = {.rule = "sync-arguments", .instruction = "SyncAll", .operand = "usedCores",
                    .message = "SyncAll: the launch has no such cores",
                    .found = "49",
                    .legal = "0 (all) to 48, above the index of every core that calls",
                    .hint = "pass 0, or GetBlockNum()"},
         .blocks = 48},
        {.name = "used_cores_negative",
         .kernel = [](GM_ADDR gm) __aicore__ { Wrong(), SyncAll(Slots(gm), Work(), -1); },
         .report = {.rule = "sync-arguments", .instruction = "SyncAll", .operand = "usedCores",
                    .message = "SyncAll: the launch has no such cores",
                    .found = "-1",
                    .legal = "0 (all) to 2, above the index of every core that calls",
                    .hint = "pass 0, or GetBlockNum()"},
         .blocks = 2},
        {.name = "used_cores_without_the_caller",
         .kernel = [](GM_ADDR gm) __aicore__ { Wrong(), SyncAll(Slots(gm), Work(), 6); },
         .report = {.rule = "sync-arguments", .instruction = "SyncAll", .operand = "usedCores",
                    .message = "SyncAll: the core is not among the cores that meet",
                    .found = "6 on block 6",
                    .legal = "0 (all) to 8, above the index of every core that calls",
                    .hint = "let blocks from usedCores on return before the call, or count them, too",
                    .core = "aiv6"},
         .blocks = 8},
        {.name = "ib_wait_block_index",
         .kernel = [](GM_ADDR gm) __aicore__ {
             if (GetBlockIdx() == 0) Wrong(), IBWait(Slots(gm), Work(), 48, 0);
         },
         .report = {.rule = "sync-arguments", .instruction = "IBWait", .operand = "blockIdx",
                    .message = "IBWait: no core has this index",
                    .found = "48",
                    .legal = "0 to 47",
                    .hint = "the first block has none before it, the last none behind it"},
         .blocks = 48},
        {.name = "ib_wait_for_the_block_before_the_first",
         .kernel = [](GM_ADDR gm) __aicore__ {
             Wrong(), IBWait(Slots(gm), Work(), static_cast<int32_t>(GetBlockIdx()) - 1, 0);
         },
         .report = {.rule = "sync-arguments", .instruction = "IBWait", .operand = "blockIdx",
                    .message = "IBWait: no core has this index",
                    .found = "-1",
                    .legal = "0 to 1",
                    .hint = "the first block has none before it, the last none behind it"},
         .blocks = 2},
        {.name = "ib_set_negative_event",
         .kernel = [](GM_ADDR gm) __aicore__ { Wrong(), IBSet(Slots(gm), Work(), 0, -1); },
         .report = {.rule = "sync-arguments", .instruction = "IBSet", .operand = "eventID",
                    .message = "IBSet: the event is negative",
                    .found = "-1",
                    .legal = "0 and above",
                    .hint = "number events from 0: each takes a slot for every core"},
         .blocks = 2},
        {.name = "ib_workspace_too_small_for_the_event",
         .kernel = [](GM_ADDR gm) __aicore__ {
             if (GetBlockIdx() == 1) Wrong(), IBSet(Gm<int32_t>(gm, 16), Work(), 1, 3);
         },
         .report = {.rule = "sync-workspace", .instruction = "IBSet", .operand = "gmWorkspace",
                    .message = "IBSet: the workspace in global memory is too small",
                    .found = "64 bytes",
                    .legal = "at least 256 bytes: (cores x eventID + blockIdx) x 32, and 32 more",
                    .hint = "make it larger on the host, clear it there, and give SetGlobalBuffer its size",
                    .core = "aiv1"},
         .blocks = 2},
        {.name = "ib_ub_too_small",
         .kernel = [](GM_ADDR gm) __aicore__ { Wrong(), IBSet(Slots(gm), Ub<int32_t>(0, 4), 0, 0); },
         .report = {.rule = "sync-workspace", .instruction = "IBSet", .operand = "ubWorkspace",
                    .message = "IBSet: the workspace in UB is too small",
                    .found = "16 bytes",
                    .legal = "at least 32 bytes: one slot",
                    .hint = "give the buffer behind it so many bytes in InitBuffer"},
         .blocks = 2},
        {.name = "ib_workspace_not_zero",
         .kernel = [](GM_ADDR gm) __aicore__ {
             auto slots = Slots(gm);
             if (GetBlockIdx() == 0) slots.SetValue(0, 1), Wrong(), IBSet(slots, Work(), 0, 0);
         },
         .report = {.rule = "sync-workspace", .instruction = "IBSet", .operand = "gmWorkspace",
                    .message = "IBSet: the workspace is not zero before its first use",
                    .found = "0x01 at byte 32768 of 'gm'",
                    .legal = "0 in every byte of a slot",
                    .hint = "clear it on the host before every launch: a core would pass before the others come"},
         .blocks = 2},
        {.name = "sync_all_through_memory_on_a_cube_core",
         .kernel = [](GM_ADDR gm) __aicore__ { Wrong(), SyncAll(Slots(gm), Work()); },
         .report = {.rule = "cross-core-unsupported", .instruction = "SyncAll",
                    .message = "SyncAll: only vector cores wait through global memory",
                    .found = "aic0",
                    .legal = "a vector core",
                    .hint = "guard the call with ASCEND_IS_AIV; CrossCoreSetFlag and CrossCoreWaitFlag join both "
                            "kinds", .core = "aic0"},
         .blocks = 2,
         .core = CoreChoice::kMix},
        {.name = "ib_set_on_a_cube_core",
         .kernel = [](GM_ADDR gm) __aicore__ { Wrong(), IBSet(Slots(gm), Work(), 0, 0); },
         .report = {.rule = "cross-core-unsupported", .instruction = "IBSet",
                    .message = "IBSet: only vector cores wait through global memory",
                    .found = "aic0",
                    .legal = "a vector core",
                    .hint = "guard the call with ASCEND_IS_AIV; CrossCoreSetFlag and CrossCoreWaitFlag join both "
                            "kinds", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "ib_wait_in_a_chain_of_more_blocks_than_cores",
         .kernel = [](GM_ADDR gm) __aicore__ {
             const auto block = static_cast<int32_t>(GetBlockIdx());
             if (block != 0) Wrong(), IBWait(Slots(gm), Work(), block - 1, 0);
             if (block != 59) IBSet(Slots(gm), Work(), block, 0);
         },
         .report = {.severity = Severity::kWarning, .rule = "blocks-exceed-cores", .instruction = "IBWait", .operand = "blocks",
                    .message = "IBWait(blockIdx 0, eventID 0): cores wait for each other, and not all of them run at "
                               "the same time",
                    .found = "60: 12 of them start when others have ended",
                    .legal = "at most 48 on Ascend910B1",
                    .hint = "launch no more blocks than the chip has cores, and let each do more", .core = "aiv1"},
         .blocks = 60},
        {.name = "notify_next_block_without_a_wait",
         .kernel = [](GM_ADDR gm) __aicore__ {
             auto slots = Slots(gm);
             auto work = Work();
             InitDetermineComputeWorkspace(slots, work);
             Wrong(), NotifyNextBlock(slots, work);
         },
         .report = {.rule = "block-order", .instruction = "NotifyNextBlock",
                    .message = "NotifyNextBlock: the calls are out of order",
                    .found = "NotifyNextBlock without WaitPreBlock before it",
                    .legal = "InitDetermineComputeWorkspace first, then WaitPreBlock and NotifyNextBlock in turn",
                    .hint = "call WaitPreBlock first"},
         .blocks = 48},
        {.name = "wait_pre_block_twice",
         .kernel = [](GM_ADDR gm) __aicore__ {
             auto slots = Slots(gm);
             auto work = Work();
             InitDetermineComputeWorkspace(slots, work);
             if (GetBlockIdx() == 0) WaitPreBlock(slots, work), Wrong(), WaitPreBlock(slots, work);
         },
         .report = {.rule = "block-order", .instruction = "WaitPreBlock",
                    .message = "WaitPreBlock: the calls are out of order",
                    .found = "WaitPreBlock after WaitPreBlock",
                    .legal = "InitDetermineComputeWorkspace first, then WaitPreBlock and NotifyNextBlock in turn",
                    .hint = "call NotifyNextBlock before the next WaitPreBlock"},
         .blocks = 2},
        {.name = "wait_pre_block_before_init",
         .kernel = [](GM_ADDR gm) __aicore__ {
             auto slots = Slots(gm);
             auto work = Work();
             Wrong(), WaitPreBlock(slots, work);
         },
         .report = {.rule = "block-order", .instruction = "WaitPreBlock",
                    .message = "WaitPreBlock: the calls are out of order",
                    .found = "WaitPreBlock before InitDetermineComputeWorkspace",
                    .legal = "InitDetermineComputeWorkspace first, then WaitPreBlock and NotifyNextBlock in turn",
                    .hint = "call InitDetermineComputeWorkspace at the start of the kernel, on every core"},
         .blocks = 2},
        {.name = "block_order_ub_without_the_slot_more",
         .kernel = [](GM_ADDR gm) __aicore__ {
             auto slots = Slots(gm);
             auto work = Ub<int32_t>(0, 48 * 8);
             Wrong(), InitDetermineComputeWorkspace(slots, work);
         },
         .report = {.rule = "sync-workspace", .instruction = "InitDetermineComputeWorkspace", .operand = "ubWorkspace",
                    .message = "InitDetermineComputeWorkspace: the workspace in UB is too small",
                    .found = "1536 bytes",
                    .legal = "at least 1568 bytes: 32 for each core, and 32 more",
                    .hint = "give the buffer behind it so many bytes in InitBuffer"},
         .blocks = 48},
        {.name = "group_barrier_misaligned",
         .kernel = [](GM_ADDR gm) __aicore__ {
             GroupBarrier<PipeMode::MTE3_MODE> barrier(gm + 64, 2, 2);
             Wrong(), barrier.Arrive(static_cast<uint32_t>(GetBlockIdx()));
         },
         .report = {.rule = "sync-workspace", .instruction = "GroupBarrier::Arrive", .operand = "groupWorkspace",
                    .message = "GroupBarrier::Arrive: the workspace of a GroupBarrier is not aligned",
                    .found = "an address 64 bytes past a multiple of 512",
                    .legal = "a multiple of 512 bytes",
                    .hint = "start it at a multiple of 512 bytes of the workspace"},
         .blocks = 2},
        {.name = "group_barrier_index",
         .kernel = [](GM_ADDR gm) __aicore__ {
             GroupBarrier<PipeMode::MTE3_MODE> barrier(gm, 2, 6);
             Wrong(), barrier.Wait(6);
         },
         .report = {.rule = "sync-arguments", .instruction = "GroupBarrier::Wait", .operand = "index",
                    .message = "GroupBarrier::Wait: the group has no member with this index",
                    .found = "6, in a group of 6",
                    .legal = "0 to 5",
                    .hint = "number the cores of each group from 0, up to the size given to GroupBarrier"},
         .blocks = 8},
        {.name = "group_barrier_of_nobody",
         .kernel = [](GM_ADDR gm) __aicore__ {
             GroupBarrier<PipeMode::MTE3_MODE> barrier(gm, 0, 2);
             Wrong(), barrier.Arrive(0);
         },
         .report = {.rule = "sync-arguments", .instruction = "GroupBarrier::Arrive", .operand = "index",
                    .message = "GroupBarrier::Arrive: the group has no member with this index",
                    .found = "0, in a group of 0",
                    .legal = "a group of at least 1",
                    .hint = "number the cores of each group from 0, up to the size given to GroupBarrier"},
         .blocks = 2},
        {.name = "group_workspace_too_small",
         .kernel = [](GM_ADDR gm) __aicore__ {
             GroupBarrier<PipeMode::MTE3_MODE> barrier(gm + 65024, 1, 2);
             Wrong(), barrier.Wait(0);
         },
         .report = {.rule = "sync-workspace", .instruction = "GroupBarrier::Wait", .operand = "groupWorkspace",
                    .message = "GroupBarrier::Wait: the workspace in global memory is too small",
                    .found = "512 bytes",
                    .legal = "at least 1024 bytes: 512 for each core that waits",
                    .hint = "make it larger on the host, clear it there, and give SetGlobalBuffer its size"},
         .blocks = 3},
        {.name = "group_workspace_not_zero",
         .kernel = [](GM_ADDR gm) __aicore__ {
             Gm<int32_t>(gm, 128).SetValue(127, 9);
             GroupBarrier<PipeMode::MTE3_MODE> barrier(gm, 1, 1);
             Wrong(), barrier.Arrive(0);
         },
         .report = {.rule = "sync-workspace", .instruction = "GroupBarrier::Arrive", .operand = "groupWorkspace",
                    .message = "GroupBarrier::Arrive: the workspace is not zero before its first use",
                    .found = "0x09 at byte 508 of 'gm'",
                    .legal = "0 in every byte of a slot",
                    .hint = "clear it on the host before every launch: a core would pass before the others come"}},
        {.name = "sync_all_through_memory_on_ascend310b",
         .kernel = [](GM_ADDR gm) __aicore__ { Wrong(), SyncAll(Slots(gm), Work()); },
         .report = {.rule = "cross-core-unsupported", .instruction = "SyncAll",
                    .message = "SyncAll: Ascend310B has no such call",
                    .found = "Ascend310B",
                    .legal = "Ascend910, Ascend310P, Ascend910B",
                    .hint = "end the kernel where cores have to wait, and launch another one for the rest",
                    .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "ib_wait_on_ascend310b",
         .kernel = [](GM_ADDR gm) __aicore__ { Wrong(), IBWait(Slots(gm), Work(), 0, 0); },
         .report = {.rule = "cross-core-unsupported", .instruction = "IBWait",
                    .message = "IBWait: Ascend310B has no such call",
                    .found = "Ascend310B",
                    .legal = "Ascend910, Ascend310P, Ascend910B",
                    .hint = "end the kernel where cores have to wait, and launch another one for the rest",
                    .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "group_barrier_on_ascend310p",
         .kernel = [](GM_ADDR gm) __aicore__ {
             GroupBarrier<PipeMode::MTE3_MODE> barrier(gm, 1, 1);
             Wrong(), barrier.Arrive(0);
         },
         .report = {.rule = "cross-core-unsupported", .instruction = "GroupBarrier::Arrive",
                    .message = "GroupBarrier::Arrive: Ascend310P has no flags between cores",
                    .found = "Ascend310P",
                    .legal = "Ascend910B",
                    .hint = "use SyncAll, IBSet and IBWait with a workspace: they work through global memory",
                    .core = "core0"},
         .blocks = 8,
         .chip = "Ascend310P3"},
        {.name = "poll_through_the_data_cache",
         .kernel = [](GM_ADDR gm) __aicore__ {
             auto flag = Gm<int32_t>(gm, 16);
             if (GetBlockIdx() == 1) {
                 IBWait(Slots(gm), Work(), 0, 0);
                 flag.SetValue(0, 1);
                 DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flag);
             } else {
                 IBSet(Slots(gm), Work(), 0, 0);
                 while ((Wrong(), flag.GetValue(0)) == 0) continue;
             }
         },
         .report = {.severity = Severity::kWarning, .rule = "stale-poll", .instruction = "GetValue", .operand = "src",
                    .message = "GetValue: polls global memory through the data cache",
                    .found = "new bytes, which another core has written; this core has read the line before",
                    .legal = "DataCacheCleanAndInvalid between two reads of a line that others write",
                    .hint = "call DataCacheCleanAndInvalid in the loop: a board reads the old bytes for ever"},
         .blocks = 2,
         .one_worker = true},
        {.name = "cache_line_from_its_middle",
         .kernel = [](GM_ADDR gm) __aicore__ {
             auto value = Gm<int32_t>(gm, 64)[4];
             Wrong(), DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(value);
         },
         .report = {.severity = Severity::kWarning, .rule = "cache-line", .instruction = "DataCacheCleanAndInvalid", .operand = "dst",
                    .message = "DataCacheCleanAndInvalid: one cache line is cleaned, from the tensor's address to "
                               "the line's end",
                    .found = "an address 16 bytes past the start of a line of 64 bytes",
                    .legal = "an address that is a multiple of 64 bytes",
                    .hint = "clean from the line's start, or the whole cache: CacheLine::ENTIRE_DATA_CACHE"},
         .blocks = 48},
    };
}

}  // namespace sfumato::wrong
