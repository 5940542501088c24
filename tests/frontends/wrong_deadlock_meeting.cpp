// SPDX-License-Identifier: Apache-2.0
// Wrong programs: cores that wait for ever where cores meet, in SyncAll, IBWait, WaitPreBlock and GroupBarrier.
#include "wrong_cores.h"

namespace sfumato::wrong {

std::vector<CoresProgram> DeadlockMeetingPrograms() {
    return {
        {.name = "return_before_sync_all",
         .kernel = [](GM_ADDR) __aicore__ {
             if (GetBlockIdx() == 17) return;
             Wrong(), SyncAll();
         },
         .report = {.rule = "deadlock", .instruction = "SyncAll",
                    .message = "SyncAll: no core of the launch can go on",
                    .found = "aiv0 waits for ever: aiv17: ended, came 0 of 1 times; aiv1, aiv2, aiv3, aiv4 and 42 "
                             "more: waiting here, too",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call it equally often, in one form, on every core that meets: no return, branch or "
                            "shorter loop before it"},
         .blocks = 48},
        {.name = "sync_all_once_more_on_one_core",
         .kernel = [](GM_ADDR) __aicore__ {
             SyncAll();
             if (GetBlockIdx() == 5) Wrong(), SyncAll();
         },
         .report = {.rule = "deadlock", .instruction = "SyncAll",
                    .message = "SyncAll: no core of the launch can go on",
                    .found = "aiv5 waits for ever: aiv0, aiv1, aiv2, aiv3 and 43 more: ended, came 1 of 2 times",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call it equally often, in one form, on every core that meets: no return, branch or "
                            "shorter loop before it", .core = "aiv5"},
         .blocks = 48},
        {.name = "sync_all_under_different_counts",
         .kernel = [](GM_ADDR) __aicore__ {
             for (int i = 0; i < 3 + (GetBlockIdx() < 40); ++i) Wrong(), SyncAll();
         },
         .report = {.rule = "deadlock", .instruction = "SyncAll",
                    .message = "SyncAll: no core of the launch can go on",
                    .found = "aiv0 waits for ever: aiv40, aiv41, aiv42, aiv43 and 4 more: ended, came 3 of 4 times; "
                             "aiv1, aiv2, aiv3, aiv4 and 35 more: waiting here, too",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call it equally often, in one form, on every core that meets: no return, branch or "
                            "shorter loop before it"},
         .blocks = 48},
        {.name = "sync_all_of_more_blocks_than_cores",
         .kernel = [](GM_ADDR) __aicore__ { Wrong(), SyncAll(); },
         .report = {.rule = "deadlock", .instruction = "SyncAll",
                    .message = "SyncAll: no core of the launch can go on",
                    .found = "aiv0 waits for ever: aiv48, aiv49, aiv50, aiv51 and 12 more: not started, came 0 of 1 "
                             "times; aiv1, aiv2, aiv3, aiv4 and 43 more: waiting here, too",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "launch at most 48 blocks: the others start when these have ended"},
         .blocks = 64,
         .others = {"blocks-exceed-cores"}},
        {.name = "sync_all_on_one_vector_core_of_each_block",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIV {
                 if (GetSubBlockIdx() == 0) Wrong(), SyncAll();
             }
         },
         .report = {.rule = "deadlock", .instruction = "SyncAll",
                    .message = "SyncAll: no core of the launch can go on",
                    .found = "aiv0.0 waits for ever: aiv0.1, aiv1.1, aiv2.1, aiv3.1 and 20 more: ended, came 0 of 1 "
                             "times; aiv1.0, aiv2.0, aiv3.0, aiv4.0 and 19 more: waiting here, too",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call it equally often, in one form, on every core that meets: no return, branch or "
                            "shorter loop before it", .core = "aiv0.0"},
         .blocks = 24,
         .core = CoreChoice::kMix},
        {.name = "sync_all_of_both_kinds_without_the_cube",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIV Wrong(), SyncAll<false>();
         },
         .report = {.rule = "deadlock", .instruction = "SyncAll<false>",
                    .message = "SyncAll<false>: no core of the launch can go on",
                    .found = "aiv0.0 waits for ever: aic0, aic1: ended, came 0 of 1 times; aiv0.1, aiv1.0, aiv1.1: "
                             "waiting here, too",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call it equally often, in one form, on every core that meets: no return, branch or "
                            "shorter loop before it", .core = "aiv0.0"},
         .blocks = 2,
         .core = CoreChoice::kMix},
        {.name = "sync_all_of_both_kinds_and_of_one",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC Wrong(), SyncAll<false>();
             if ASCEND_IS_AIV Earlier(), SyncAll();
         },
         .report = {.rule = "deadlock", .instruction = "SyncAll<false>",
                    .message = "SyncAll<false>: no core of the launch can go on",
                    .found = "aic0 waits for ever: aiv0.0, aiv0.1, aiv1.0, aiv1.1: ended, came 0 of 1 times; aic1: "
                             "waiting here, too",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call it equally often, in one form, on every core that meets: no return, branch or "
                            "shorter loop before it", .core = "aic0"},
         .blocks = 2,
         .core = CoreChoice::kMix},
        {.name = "sync_all_through_memory_for_too_many",
         .kernel = [](GM_ADDR gm) __aicore__ {
             if (GetBlockIdx() < 6) Wrong(), SyncAll(Slots(gm), Work(), 8);
         },
         .report = {.rule = "deadlock", .instruction = "SyncAll",
                    .message = "SyncAll(usedCores 8): no core of the launch can go on",
                    .found = "aiv0 waits for ever: aiv6, aiv7: ended, came 0 of 1 times; aiv1, aiv2, aiv3, aiv4 and "
                             "1 more: waiting here, too",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call it equally often, with one workspace and one usedCores, on every core that meets"},
         .blocks = 8},
        {.name = "sync_all_through_memory_with_different_counts",
         .kernel = [](GM_ADDR gm) __aicore__ {
             const int32_t cores = GetBlockIdx() == 0 || GetBlockIdx() > 5 ? 8 : 6;
             Wrong(), SyncAll(Slots(gm), Work(), cores);
         },
         .report = {.rule = "deadlock", .instruction = "SyncAll",
                    .message = "SyncAll(usedCores 8): no core of the launch can go on",
                    .found = "aiv0 waits for ever: aiv1, aiv2, aiv3, aiv4 and 1 more: waiting in SyncAll(usedCores "
                             "6) at {wrong}, came 0 of 1 times; aiv6, aiv7: waiting here, too",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call it equally often, with one workspace and one usedCores, on every core that meets"},
         .blocks = 8},
        {.name = "sync_all_in_two_workspaces",
         .kernel = [](GM_ADDR gm) __aicore__ {
             Wrong(), SyncAll(Slots(gm)[GetBlockIdx() % 2 * 1024], Work());
         },
         .report = {.rule = "deadlock", .instruction = "SyncAll",
                    .message = "SyncAll(usedCores 0): no core of the launch can go on",
                    .found = "aiv0 waits for ever: aiv1, aiv3, aiv5: waiting in SyncAll(usedCores 0) at {wrong}, "
                             "came 0 of 1 times; aiv2, aiv4: waiting here, too",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call it equally often, with one workspace and one usedCores, on every core that meets"},
         .blocks = 6},
        {.name = "sync_all_with_and_without_memory",
         .kernel = [](GM_ADDR gm) __aicore__ {
             if (GetBlockIdx() == 0) {
                 Wrong(), SyncAll();
             } else {
                 Earlier(), SyncAll(Slots(gm), Work());
             }
         },
         .report = {.rule = "deadlock", .instruction = "SyncAll",
                    .message = "SyncAll: no core of the launch can go on",
                    .found = "aiv0 waits for ever: aiv1, aiv2, aiv3, aiv4 and 43 more: waiting in SyncAll(usedCores "
                             "0) at {earlier}, came 0 of 1 times",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call it equally often, in one form, on every core that meets: no return, branch or "
                            "shorter loop before it"},
         .blocks = 48},
        {.name = "ib_wait_for_another_event",
         .kernel = [](GM_ADDR gm) __aicore__ {
             if (GetBlockIdx() == 1) IBSet(Slots(gm), Work(), 1, 0);
             if (GetBlockIdx() == 0) Wrong(), IBWait(Slots(gm), Work(), 1, 1);
         },
         .report = {.rule = "deadlock", .instruction = "IBWait",
                    .message = "IBWait(blockIdx 1, eventID 1): no core of the launch can go on",
                    .found = "aiv0 waits for ever: IBSet(blockIdx 1, eventID 1) was called never; aiv1: ended",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call IBSet(blockIdx 1, eventID 1) in the same workspace, on another core and before "
                            "that core waits itself"},
         .blocks = 2},
        {.name = "ib_wait_for_another_block",
         .kernel = [](GM_ADDR gm) __aicore__ {
             if (GetBlockIdx() == 3) IBSet(Slots(gm), Work(), 3, 0);
             if (GetBlockIdx() == 0) Wrong(), IBWait(Slots(gm), Work(), 2, 0);
         },
         .report = {.rule = "deadlock", .instruction = "IBWait",
                    .message = "IBWait(blockIdx 2, eventID 0): no core of the launch can go on",
                    .found = "aiv0 waits for ever: IBSet(blockIdx 2, eventID 0) was called never; aiv2: ended",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call IBSet(blockIdx 2, eventID 0) in the same workspace, on another core and before "
                            "that core waits itself"},
         .blocks = 48},
        {.name = "ib_wait_twice_for_one_set",
         .kernel = [](GM_ADDR gm) __aicore__ {
             if (GetBlockIdx() == 0) return IBSet(Slots(gm), Work(), 0, 0);
             if (GetBlockIdx() == 1) IBWait(Slots(gm), Work(), 0, 0), IBSet(Slots(gm), Work(), 1, 0);
             if (GetBlockIdx() == 2) IBWait(Slots(gm), Work(), 1, 0), Wrong(), IBWait(Slots(gm), Work(), 0, 0);
         },
         .report = {.rule = "deadlock", .instruction = "IBWait",
                    .message = "IBWait(blockIdx 0, eventID 0): no core of the launch can go on",
                    .found = "aiv2 waits for ever: IBSet(blockIdx 0, eventID 0) was called once; aiv0: ended",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call IBSet(blockIdx 0, eventID 0) in the same workspace, on another core and before "
                            "that core waits itself", .core = "aiv2"},
         .blocks = 3},
        {.name = "ib_wait_in_a_ring",
         .kernel = [](GM_ADDR gm) __aicore__ {
             const auto block = static_cast<int32_t>(GetBlockIdx());
             Wrong(), IBWait(Slots(gm), Work(), (block + 47) % 48, 0);
             IBSet(Slots(gm), Work(), block, 0);
         },
         .report = {.rule = "deadlock", .instruction = "IBWait",
                    .message = "IBWait(blockIdx 47, eventID 0): no core of the launch can go on",
                    .found = "aiv0 waits for ever: IBSet(blockIdx 47, eventID 0) was called never; aiv47: waiting in "
                             "IBWait(blockIdx 46, eventID 0) at {wrong}; aiv1: waiting in IBWait(blockIdx 0, eventID "
                             "0) at {wrong}; aiv2: waiting in IBWait(blockIdx 1, eventID 0) at {wrong}; aiv3: "
                             "waiting in IBWait(blockIdx 2, eventID 0) at {wrong}; and 43 cores more",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call IBSet(blockIdx 47, eventID 0) in the same workspace, on another core and before "
                            "that core waits itself"},
         .blocks = 48},
        {.name = "ib_wait_for_a_block_that_cannot_start",
         .kernel = [](GM_ADDR gm) __aicore__ {
             const auto block = static_cast<int32_t>(GetBlockIdx());
             if (block != 59) Wrong(), IBWait(Slots(gm), Work(), block + 1, 0);
             IBSet(Slots(gm), Work(), block, 0);
         },
         .report = {.rule = "deadlock", .instruction = "IBWait",
                    .message = "IBWait(blockIdx 1, eventID 0): no core of the launch can go on",
                    .found = "aiv0 waits for ever: IBSet(blockIdx 1, eventID 0) was called never; aiv1: waiting in "
                             "IBWait(blockIdx 2, eventID 0) at {wrong}; aiv2: waiting in IBWait(blockIdx 3, eventID "
                             "0) at {wrong}; aiv3: waiting in IBWait(blockIdx 4, eventID 0) at {wrong}; aiv4: "
                             "waiting in IBWait(blockIdx 5, eventID 0) at {wrong}; and 43 cores more",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "launch at most 48 blocks: the others start when these have ended"},
         .blocks = 60,
         .others = {"blocks-exceed-cores"}},
        {.name = "wait_pre_block_without_a_notification",
         .kernel = [](GM_ADDR gm) __aicore__ {
             auto slots = Slots(gm);
             auto work = Work();
             InitDetermineComputeWorkspace(slots, work);
             Wrong(), WaitPreBlock(slots, work);
             if (GetBlockIdx() != 5) NotifyNextBlock(slots, work);
         },
         .report = {.rule = "deadlock", .instruction = "WaitPreBlock",
                    .message = "WaitPreBlock: no core of the launch can go on",
                    .found = "aiv6 waits for ever: NotifyNextBlock was called 5 times; aiv5: ended; aiv7, aiv8, "
                             "aiv9, aiv10 and 37 more: waiting here, too",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call NotifyNextBlock after every WaitPreBlock, equally often on every core",
                    .core = "aiv6"},
         .blocks = 48},
        {.name = "wait_pre_block_in_different_rounds",
         .kernel = [](GM_ADDR gm) __aicore__ {
             auto slots = Slots(gm);
             auto work = Work();
             InitDetermineComputeWorkspace(slots, work);
             for (int round = 0; round < 2 + (GetBlockIdx() == 0); ++round) {
                 if (GetBlockIdx() == 4 && round == 1) return;
                 Wrong(), WaitPreBlock(slots, work);
                 NotifyNextBlock(slots, work);
             }
         },
         .report = {.rule = "deadlock", .instruction = "WaitPreBlock",
                    .message = "WaitPreBlock: no core of the launch can go on",
                    .found = "aiv0 waits for ever: NotifyNextBlock was called 12 times; aiv7: waiting here, too; "
                             "aiv5, aiv6: waiting here, too",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call NotifyNextBlock after every WaitPreBlock, equally often on every core"},
         .blocks = 8},
        {.name = "group_barrier_without_one_that_arrives",
         .kernel = [](GM_ADDR gm) __aicore__ {
             GroupBarrier<PipeMode::MTE3_MODE> barrier(gm, 4, 4);
             const auto block = static_cast<uint32_t>(GetBlockIdx());
             if (block < 4 && block != 2) barrier.Arrive(block);
             if (block >= 4) Wrong(), barrier.Wait(block - 4);
         },
         .report = {.rule = "deadlock", .instruction = "GroupBarrier::Wait",
                    .message = "GroupBarrier::Wait: no core of the launch can go on",
                    .found = "aiv4 waits for ever: Arrive(2) was called never; aiv0, aiv1, aiv2, aiv3: ended; aiv5, "
                             "aiv6, aiv7: waiting here, too",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call Arrive(2) on a core that does not wait before", .core = "aiv4"},
         .blocks = 8},
        {.name = "group_barrier_waits_before_it_arrives",
         .kernel = [](GM_ADDR gm) __aicore__ {
             GroupBarrier<PipeMode::MTE3_MODE> barrier(gm, 6, 6);
             const auto block = static_cast<uint32_t>(GetBlockIdx());
             Wrong(), barrier.Wait(block);
             barrier.Arrive(block);
         },
         .report = {.rule = "deadlock", .instruction = "GroupBarrier::Wait",
                    .message = "GroupBarrier::Wait: no core of the launch can go on",
                    .found = "aiv0 waits for ever: Arrive(0) was called never; aiv1, aiv2, aiv3, aiv4 and 1 more: "
                             "waiting here, too",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "call Arrive(0) on a core that does not wait before"},
         .blocks = 6},
        {.name = "fault_of_a_core_that_others_wait_for",
         .kernel = [](GM_ADDR) __aicore__ {
             if (GetBlockIdx() == 30) Wrong(), SetFlag<HardEvent::MTE2_V>(9);
             SyncAll();
         },
         .report = {.rule = "event-id-range", .instruction = "SetFlag", .operand = "eventID",
                    .message = "SetFlag: the event id does not exist",
                    .found = "event id 9",
                    .legal = "0..7 on Ascend910B",
                    .hint = "take ids from AllocEventID or FetchEventID", .core = "aiv30"},
         .blocks = 48},
    };
}

}  // namespace sfumato::wrong
