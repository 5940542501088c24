// SPDX-License-Identifier: Apache-2.0
// Wrong programs: cores that wait for ever for a flag of another core, or for memory that nobody changes.
#include "wrong_cores.h"

namespace sfumato::wrong {
namespace {

template <class T>
void Clean(const GlobalTensor<T>& line) {
    DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(line);
}

void AddOne(GM_ADDR gm) {
    LocalTensor<int32_t> one = Ub<int32_t>(0, 8);
    Duplicate(one, 1, 8);
    PipeBarrier<PIPE_ALL>();
    SetAtomicAdd<int32_t>();
    DataCopy(Gm<int32_t>(gm, 8), one, 8);
    SetAtomicNone();
}

}  // namespace

std::vector<CoresProgram> DeadlockFlagPrograms() {
    return {
        {.name = "flag_never_set",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC Wrong(), CrossCoreWaitFlag(3);
         },
         .report = {.rule = "deadlock", .instruction = "CrossCoreWaitFlag",
                    .message = "CrossCoreWaitFlag(3): no core of the launch can go on",
                    .found = "aic0 waits for ever: aiv0.0, aiv0.1: ended, never set flag 3",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "set flag 3 on a core named, in every branch and before it ends", .core = "aic0"},
         .core = CoreChoice::kMix},
        {.name = "flag_set_with_another_id",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC Wrong(), CrossCoreWaitFlag(3);
             if ASCEND_IS_AIV Earlier(), CrossCoreSetFlag<2, PIPE_MTE3>(4);
         },
         .report = {.rule = "deadlock", .instruction = "CrossCoreWaitFlag",
                    .message = "CrossCoreWaitFlag(3): no core of the launch can go on",
                    .found = "aic0 waits for ever: aiv0.0, aiv0.1: ended, never set flag 3, but flag 4 at {earlier}",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "use one id: flag 3 is waited for, flag 4 is set", .core = "aic0"},
         .core = CoreChoice::kMix},
        {.name = "flag_set_in_mode_1_for_2",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC Wrong(), CrossCoreWaitFlag(3);
             if ASCEND_IS_AIV Earlier(), CrossCoreSetFlag<1, PIPE_MTE3>(3);
         },
         .report = {.rule = "deadlock", .instruction = "CrossCoreWaitFlag",
                    .message = "CrossCoreWaitFlag(3): no core of the launch can go on",
                    .found = "aic0 waits for ever: aiv0.0, aiv0.1: ended, set flag 3 once in mode 1, last at "
                             "{earlier}",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "set flag 3 in mode 2, which joins cube with vector cores: mode 1 joins the vector cores "
                            "of a block", .core = "aic0"},
         .core = CoreChoice::kMix},
        {.name = "flag_set_in_mode_0_for_2",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC Wrong(), CrossCoreWaitFlag(3);
             if ASCEND_IS_AIV Earlier(), CrossCoreSetFlag<0, PIPE_MTE3>(3);
         },
         .report = {.rule = "deadlock", .instruction = "CrossCoreWaitFlag",
                    .message = "CrossCoreWaitFlag(3): no core of the launch can go on",
                    .found = "aic0 waits for ever: aiv0.0, aiv0.1: ended, set flag 3 once in mode 0, last at "
                             "{earlier}; aic1, aic2, aic3, aic4 and 19 more: waiting in CrossCoreWaitFlag(3) at "
                             "{wrong}",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "set flag 3 in mode 2, which joins cube with vector cores: mode 0 joins all cores of one "
                            "kind", .core = "aic0"},
         .blocks = 24,
         .core = CoreChoice::kMix},
        {.name = "flag_config_with_shifted_mode",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC Wrong(), wait_flag_dev(3);
             if ASCEND_IS_AIV Earlier(), ffts_cross_core_sync(PIPE_MTE3, 2 | 3 << 8);
         },
         .report = {.rule = "deadlock", .instruction = "wait_flag_dev",
                    .message = "wait_flag_dev(3): no core of the launch can go on",
                    .found = "aic0 waits for ever: aiv0.0, aiv0.1: ended, set flag 3 once in mode 0, last at "
                             "{earlier}",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "set flag 3 in mode 2, which joins cube with vector cores: mode 0 joins all cores of one "
                            "kind", .core = "aic0"},
         .core = CoreChoice::kMix},
        {.name = "flag_set_by_one_of_two_vector_cores",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC Wrong(), CrossCoreWaitFlag(3);
             if ASCEND_IS_AIV {
                 if (GetSubBlockIdx() == 0) Earlier(), CrossCoreSetFlag<2, PIPE_MTE3>(3);
             }
         },
         .report = {.rule = "deadlock", .instruction = "CrossCoreWaitFlag",
                    .message = "CrossCoreWaitFlag(3): no core of the launch can go on",
                    .found = "aic0 waits for ever: aiv0.1: ended, never set flag 3; aiv0.0: ended, set flag 3 once "
                             "in mode 2, last at {earlier}",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "set flag 3 on every core that its mode joins, in every branch: all of the kind in mode "
                            "0, the vector cores of the block in modes 1 and 2", .core = "aic0"},
         .core = CoreChoice::kMix},
        {.name = "flag_of_a_pair_set_by_one",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC return;
             if (GetBlockIdx() != 7) Earlier(), CrossCoreSetFlag<1, PIPE_MTE3>(1);
             Wrong(), CrossCoreWaitFlag(1);
         },
         .report = {.rule = "deadlock", .instruction = "CrossCoreWaitFlag",
                    .message = "CrossCoreWaitFlag(1): no core of the launch can go on",
                    .found = "aiv3.0 waits for ever: aic3: ended, never set flag 1; aiv3.1: waiting in "
                             "CrossCoreWaitFlag(1) at {wrong}, never set flag 1",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "set flag 1 on a core named, in every branch and before it ends", .core = "aiv3.0"},
         .blocks = 24,
         .core = CoreChoice::kMix},
        {.name = "flag_of_all_not_set_by_one",
         .kernel = [](GM_ADDR) __aicore__ {
             if (GetBlockIdx() != 30) Earlier(), CrossCoreSetFlag<0, PIPE_MTE3>(1);
             Wrong(), CrossCoreWaitFlag(1);
         },
         .report = {.rule = "deadlock", .instruction = "CrossCoreWaitFlag",
                    .message = "CrossCoreWaitFlag(1): no core of the launch can go on",
                    .found = "aiv0 waits for ever: aiv30: waiting in CrossCoreWaitFlag(1) at {wrong}, never set flag "
                             "1; aiv1, aiv2, aiv3, aiv4 and 42 more: waiting in CrossCoreWaitFlag(1) at {wrong}, set "
                             "flag 1 once in mode 0, last at {earlier}",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "set flag 1 on every core that its mode joins, in every branch: all of the kind in mode "
                            "0, the vector cores of the block in modes 1 and 2"},
         .blocks = 48},
        {.name = "cube_and_vector_wait_for_each_other",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC {
                 Wrong(), CrossCoreWaitFlag(1);
                 CrossCoreSetFlag<2, PIPE_FIX>(2);
             }
             if ASCEND_IS_AIV {
                 Earlier(), CrossCoreWaitFlag(2);
                 CrossCoreSetFlag<2, PIPE_MTE3>(1);
             }
         },
         .report = {.rule = "deadlock", .instruction = "CrossCoreWaitFlag",
                    .message = "CrossCoreWaitFlag(1): no core of the launch can go on",
                    .found = "aic0 waits for ever: aiv0.0, aiv0.1: waiting in CrossCoreWaitFlag(2) at {earlier}, "
                             "never set flag 1",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "set flag 1 before the wait, on this core or on one of those named", .core = "aic0"},
         .core = CoreChoice::kMix},
        {.name = "flag_set_in_one_branch",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC {
                 if (GetBlockIdx() != 2) CrossCoreSetFlag<2, PIPE_FIX>(6);
             }
             if ASCEND_IS_AIV Wrong(), CrossCoreWaitFlag(6);
         },
         .report = {.rule = "deadlock", .instruction = "CrossCoreWaitFlag",
                    .message = "CrossCoreWaitFlag(6): no core of the launch can go on",
                    .found = "aiv2.0 waits for ever: aic2: ended, never set flag 6; aiv2.1: waiting in "
                             "CrossCoreWaitFlag(6) at {wrong}, never set flag 6",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "set flag 6 on a core named, in every branch and before it ends", .core = "aiv2.0"},
         .blocks = 24,
         .core = CoreChoice::kMix},
        {.name = "flag_set_after_its_wait",
         .kernel = [](GM_ADDR) __aicore__ {
             Wrong(), CrossCoreWaitFlag(1);
             CrossCoreSetFlag<0, PIPE_MTE3>(1);
         },
         .report = {.rule = "deadlock", .instruction = "CrossCoreWaitFlag",
                    .message = "CrossCoreWaitFlag(1): no core of the launch can go on",
                    .found = "aiv0 waits for ever: aiv1, aiv2, aiv3, aiv4 and 43 more: waiting in "
                             "CrossCoreWaitFlag(1) at {wrong}, never set flag 1",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "set flag 1 before the wait, on this core or on one of those named"},
         .blocks = 48},
        {.name = "wait_one_time_too_many",
         .kernel = [](GM_ADDR) __aicore__ {
             for (int i = 0; i < 5; ++i) {
                 if ASCEND_IS_AIV Earlier(), CrossCoreSetFlag<2, PIPE_MTE3>(2);
             }
             for (int i = 0; i <= 5; ++i) {
                 if ASCEND_IS_AIC Wrong(), CrossCoreWaitFlag(2);
             }
         },
         .report = {.rule = "deadlock", .instruction = "CrossCoreWaitFlag",
                    .message = "CrossCoreWaitFlag(2): no core of the launch can go on",
                    .found = "aic0 waits for ever: aiv0.0, aiv0.1: ended, set flag 2 5 times in mode 2, last at "
                             "{earlier}",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "wait for flag 2 as often as it is set, or set it once more", .core = "aic0"},
         .core = CoreChoice::kMix},
        {.name = "event_under_its_older_name",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC Earlier(), NotifyEvent<PIPE_FIX>(1);
             if ASCEND_IS_AIV Wrong(), WaitEvent(2);
         },
         .report = {.rule = "deadlock", .instruction = "WaitEvent",
                    .message = "WaitEvent(2): no core of the launch can go on",
                    .found = "aiv0 waits for ever: aic0: ended, never set flag 2, but flag 1 at {earlier}",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "use one id: flag 2 is waited for, flag 1 is set"},
         .core = CoreChoice::kMixOneToOne},
        {.name = "set_behind_a_pipe_that_waits",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC CrossCoreWaitFlag(3);
             if ASCEND_IS_AIV {
                 Wrong(), WaitFlag<HardEvent::V_MTE3>(0);
                 CrossCoreSetFlag<2, PIPE_MTE3>(3);
             }
         },
         .report = {.rule = "wait-never-satisfied", .instruction = "WaitFlag", .operand = "V_MTE3 id 0",
                    .message = "WaitFlag: PIPE_MTE3 waits for ever",
                    .found = "no SetFlag<HardEvent::V_MTE3>(0) that PIPE_V could still reach",
                    .legal = "every WaitFlag has one SetFlag of the same event and id",
                    .hint = "set the flag on PIPE_V after the work PIPE_MTE3 must wait for", .core = "aiv0.0"},
         .core = CoreChoice::kMix},
        {.name = "poll_by_get_value",
         .kernel = [](GM_ADDR gm) __aicore__ {
             auto flag = Gm<int32_t>(gm, 16);
             while (GetBlockIdx() == 31 && (Wrong(), flag.GetValue(0)) == 0) Clean(flag);
         },
         .report = {.rule = "deadlock", .instruction = "GetValue",
                    .message = "GetValue: no core of the launch can go on",
                    .found = "aiv31 waits for ever: it reads 4 bytes at byte 0 of 'gm' again and again, and nobody "
                             "changes them",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "write these bytes on another core, on every path and before that core waits for this "
                            "one", .core = "aiv31"},
         .blocks = 48},
        {.name = "poll_by_data_copy",
         .kernel = [](GM_ADDR gm) __aicore__ {
             auto tile = Ub<int32_t>(0, 8);
             DataCopy(tile, Gm<int32_t>(gm, 8), 8);
             PipeBarrier<PIPE_ALL>();
             do {
                 Wrong(), DataCopy(tile, Gm<int32_t>(gm, 8), 8);
                 PipeBarrier<PIPE_ALL>();
             } while (tile.GetValue(0) == 0);
         },
         .report = {.rule = "deadlock", .instruction = "DataCopy",
                    .message = "DataCopy: no core of the launch can go on",
                    .found = "aiv0 waits for ever: it reads 32 bytes at byte 0 of 'gm' again and again, and nobody "
                             "changes them; aiv1, aiv2: waiting here, too",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "write these bytes on another core, on every path and before that core waits for this "
                            "one"},
         .blocks = 3},
        {.name = "poll_of_two_addresses",
         .kernel = [](GM_ADDR gm) __aicore__ {
             auto flags = Gm<int32_t>(gm, 64);
             if (GetBlockIdx() == 1) return flags.SetValue(0, 1);
             int32_t sum = 0;
             while (sum != 2) {
                 Clean(flags);
                 Clean(flags[32]);
                 Wrong(), sum = flags.GetValue(0);
                 sum += flags.GetValue(32);
             }
         },
         .report = {.rule = "deadlock", .instruction = "GetValue",
                    .message = "GetValue: no core of the launch can go on",
                    .found = "aiv0 waits for ever: it reads 4 bytes at byte 0 of 'gm' and 4 bytes at byte 128 of "
                             "'gm' again and again, and nobody changes them",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "write these bytes on another core, on every path and before that core waits for this "
                            "one"},
         .blocks = 2},
        {.name = "poll_of_a_core_that_waits_for_the_poller",
         .kernel = [](GM_ADDR gm) __aicore__ {
             auto flag = Gm<int32_t>(gm, 16);
             if (GetBlockIdx() == 0) {
                 while ((Wrong(), flag.GetValue(0)) == 0) Clean(flag);
                 IBSet(Slots(gm), Work(), 0, 0);
             } else {
                 Earlier(), IBWait(Slots(gm), Work(), 0, 0);
                 flag.SetValue(0, 1);
             }
         },
         .report = {.rule = "deadlock", .instruction = "GetValue",
                    .message = "GetValue: no core of the launch can go on",
                    .found = "aiv0 waits for ever: it reads 4 bytes at byte 0 of 'gm' again and again, and nobody "
                             "changes them; aiv1: waiting in IBWait(blockIdx 0, eventID 0) at {earlier}",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "write these bytes on another core, on every path and before that core waits for this "
                            "one"},
         .blocks = 2},
        {.name = "poll_for_an_atomic_store_that_never_comes",
         .kernel = [](GM_ADDR gm) __aicore__ {
             auto sum = Gm<int32_t>(gm, 16);
             if (GetBlockIdx() != 3) AddOne(gm);
             while (GetBlockIdx() == 0 && (Wrong(), sum.GetValue(0)) != 8) Clean(sum);
         },
         .report = {.rule = "deadlock", .instruction = "GetValue",
                    .message = "GetValue: no core of the launch can go on",
                    .found = "aiv0 waits for ever: it reads 4 bytes at byte 0 of 'gm' again and again, and nobody "
                             "changes them",
                    .legal = "a call or a store that other cores get to ends every wait",
                    .hint = "write these bytes on another core, on every path and before that core waits for this "
                            "one"},
         .blocks = 8},
    };
}

}  // namespace sfumato::wrong
