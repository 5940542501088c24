// SPDX-License-Identifier: Apache-2.0
// Wrong programs: flags between cores and SyncAll without memory.
#include "wrong_cores.h"

namespace sfumato::wrong {
namespace {

__aicore__ void OnVectorCoresOnly(GM_ADDR) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    Wrong(), SyncAll();
}

__aicore__ void OnCubeCoresOnly(GM_ADDR) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    Wrong(), CrossCoreSetFlag<0, PIPE_FIX>(1);
}

}  // namespace

std::vector<CoresProgram> CrossFlagPrograms() {
    return {
        {.name = "flag_set_sixteen_times",
         .kernel = [](GM_ADDR) __aicore__ {
             for (int i = 0; i < 16; ++i) {
                 if ASCEND_IS_AIC Wrong(), CrossCoreSetFlag<2, PIPE_MTE2>(1);
             }
             for (int i = 0; i < 16; ++i) {
                 if ASCEND_IS_AIV CrossCoreWaitFlag(1);
             }
         },
         .report = {.rule = "cross-flag-overflow", .instruction = "CrossCoreSetFlag", .operand = "flagId 1",
                    .message = "CrossCoreSetFlag: the flag is set too often",
                    .found = "16 sets that aiv0.0 has not waited for",
                    .legal = "at most 15: more is an exception on the board",
                    .hint = "let aic0 wait for a flag of the other direction before it sets again", .core = "aic0"},
         .blocks = 24,
         .core = CoreChoice::kMix},
        {.name = "flag_left_between_cores",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC CrossCoreSetFlag<2, PIPE_FIX>(1), Wrong(), CrossCoreSetFlag<2, PIPE_FIX>(1);
             if ASCEND_IS_AIV CrossCoreWaitFlag(1);
         },
         .report = {.severity = Severity::kWarning, .rule = "cross-flag-left", .instruction = "CrossCoreSetFlag", .operand = "flagId 1",
                    .message = "CrossCoreSetFlag: the flag is still set when the launch ends",
                    .found = "1 set that aiv0.0 never waits for",
                    .legal = "as many waits as sets: what is left lets a wait of the next kernel pass",
                    .hint = "add the missing CrossCoreWaitFlag, or remove the CrossCoreSetFlag", .core = "aic0"},
         .core = CoreChoice::kMix},
        {.name = "flag_left_of_one_vector_core",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIV {
                 if (GetSubBlockIdx() == 1) Wrong(), CrossCoreSetFlag<2, PIPE_MTE3>(7);
             }
         },
         .report = {.severity = Severity::kWarning, .rule = "cross-flag-left", .instruction = "CrossCoreSetFlag", .operand = "flagId 7",
                    .message = "CrossCoreSetFlag: the flag is still set when the launch ends",
                    .found = "a set of mode 2 that others of aiv0.1's group never joined",
                    .legal = "as many waits as sets: what is left lets a wait of the next kernel pass",
                    .hint = "every core of the group sets the flag: all of the kind in mode 0, the vector cores of "
                            "the block in modes 1 and 2", .core = "aiv0.1"},
         .core = CoreChoice::kMix},
        {.name = "flag_id_of_a_set",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC Wrong(), CrossCoreSetFlag<2, PIPE_FIX>(16);
             if ASCEND_IS_AIV CrossCoreWaitFlag(0);
         },
         .report = {.severity = Severity::kWarning, .rule = "cross-flag-id", .instruction = "CrossCoreSetFlag", .operand = "flagId",
                    .message = "CrossCoreSetFlag: the chip reads the low 4 bits of the flag's id",
                    .found = "16, read as 0",
                    .legal = "0 to 10; 11 to 14 where SyncAll is not used",
                    .hint = "use an id up to 10", .core = "aic0"},
         .core = CoreChoice::kMix},
        {.name = "flag_id_of_a_wait",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC CrossCoreSetFlag<2, PIPE_FIX>(1);
             if ASCEND_IS_AIV Wrong(), CrossCoreWaitFlag(17);
         },
         .report = {.severity = Severity::kWarning, .rule = "cross-flag-id", .instruction = "CrossCoreWaitFlag", .operand = "flagId",
                    .message = "CrossCoreWaitFlag: the chip reads the low 4 bits of the flag's id",
                    .found = "17, read as 1",
                    .legal = "0 to 10; 11 to 14 where SyncAll is not used",
                    .hint = "use an id up to 10", .core = "aiv0.0"},
         .core = CoreChoice::kMix},
        {.name = "flag_id_of_sync_all",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC Wrong(), CrossCoreSetFlag<2, PIPE_FIX>(11);
             if ASCEND_IS_AIV CrossCoreWaitFlag(11);
             SyncAll<false>();
         },
         .report = {.severity = Severity::kWarning, .rule = "cross-flag-id", .instruction = "CrossCoreSetFlag", .operand = "flagId",
                    .message = "CrossCoreSetFlag: the flag belongs to SyncAll, which the launch calls, too",
                    .found = "11",
                    .legal = "0 to 10; 11 to 14 where SyncAll is not used",
                    .hint = "use an id up to 10", .core = "aic0"},
         .core = CoreChoice::kMix},
        {.name = "mode_2_in_a_vector_kernel",
         .kernel = [](GM_ADDR) __aicore__ { Wrong(), CrossCoreSetFlag<2, PIPE_MTE3>(1); },
         .report = {.rule = "cross-flag-mode", .instruction = "CrossCoreSetFlag", .operand = "modeId",
                    .message = "CrossCoreSetFlag: the launch has no cores that this mode joins",
                    .found = "mode 2 on aiv0, 0 cube and 1 vector cores a block",
                    .legal = "0: all cores of the kind; 1: the vector cores of a block of both kinds; 2: cube with "
                             "vector cores of the block",
                    .hint = "launch both kinds: KERNEL_TYPE_MIX_AIC_1_2 or KERNEL_TYPE_MIX_AIC_1_1"},
         .blocks = 48},
        {.name = "mode_1_in_a_vector_kernel",
         .kernel = [](GM_ADDR) __aicore__ { Wrong(), CrossCoreSetFlag<1, PIPE_MTE3>(1); },
         .report = {.rule = "cross-flag-mode", .instruction = "CrossCoreSetFlag", .operand = "modeId",
                    .message = "CrossCoreSetFlag: the launch has no cores that this mode joins",
                    .found = "mode 1 on aiv0, 0 cube and 1 vector cores a block",
                    .legal = "0: all cores of the kind; 1: the vector cores of a block of both kinds; 2: cube with "
                             "vector cores of the block",
                    .hint = "use mode 0, or launch both kinds: KERNEL_TYPE_MIX_AIC_1_2"},
         .blocks = 2},
        {.name = "mode_1_on_a_cube_core",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC Wrong(), CrossCoreSetFlag<1, PIPE_FIX>(1);
         },
         .report = {.rule = "cross-flag-mode", .instruction = "CrossCoreSetFlag", .operand = "modeId",
                    .message = "CrossCoreSetFlag: the launch has no cores that this mode joins",
                    .found = "mode 1 on aic0, 1 cube and 2 vector cores a block",
                    .legal = "0: all cores of the kind; 1: the vector cores of a block of both kinds; 2: cube with "
                             "vector cores of the block",
                    .hint = "guard the call with ASCEND_IS_AIV, or use mode 2 between the kinds", .core = "aic0"},
         .core = CoreChoice::kMix},
        {.name = "mode_3_of_the_c_call",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC Wrong(), ffts_cross_core_sync(PIPE_FIX, 3 << 4 | 1 << 8);
         },
         .report = {.rule = "cross-flag-mode", .instruction = "ffts_cross_core_sync", .operand = "modeId",
                    .message = "ffts_cross_core_sync: the launch has no cores that this mode joins",
                    .found = "mode 3 on aic0, 1 cube and 2 vector cores a block",
                    .legal = "0: all cores of the kind; 1: the vector cores of a block of both kinds; 2: cube with "
                             "vector cores of the block",
                    .hint = "put the mode into bits 4 and 5 of config, the id into bits 8 to 11", .core = "aic0"},
         .core = CoreChoice::kMix},
        {.name = "flag_set_by_the_scalar_unit",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC Wrong(), ffts_cross_core_sync(PIPE_S, 2 << 4 | 1 << 8);
         },
         .report = {.rule = "cross-flag-pipe", .instruction = "ffts_cross_core_sync", .operand = "pipe",
                    .message = "ffts_cross_core_sync: this pipe sets no flags between cores",
                    .found = "PIPE_S",
                    .legal = "PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX",
                    .hint = "name the pipe whose work the other core waits for", .core = "aic0"},
         .core = CoreChoice::kMix},
        {.name = "flag_set_by_all_pipes",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIV Wrong(), ffts_cross_core_sync(PIPE_ALL, 2 << 4 | 1 << 8);
         },
         .report = {.rule = "cross-flag-pipe", .instruction = "ffts_cross_core_sync", .operand = "pipe",
                    .message = "ffts_cross_core_sync: this pipe sets no flags between cores",
                    .found = "PIPE_ALL",
                    .legal = "PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX",
                    .hint = "name the pipe whose work the other core waits for", .core = "aiv0.0"},
         .core = CoreChoice::kMix},
        {.name = "flag_set_by_the_cube_on_a_vector_core",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIV Wrong(), CrossCoreSetFlag<2, PIPE_M>(1);
         },
         .report = {.rule = "pipe-unsupported", .instruction = "CrossCoreSetFlag", .operand = "PIPE_M",
                    .message = "CrossCoreSetFlag: this core has no PIPE_M",
                    .found = "PIPE_M on core aiv0.0",
                    .legal = "PIPE_S, PIPE_V, PIPE_MTE2, PIPE_MTE3",
                    .hint = "the pipe belongs to the cube cores: guard the call with ASCEND_IS_AIC",
                    .core = "aiv0.0"},
         .core = CoreChoice::kMix},
        {.name = "flag_set_by_the_vector_unit_on_a_cube_core",
         .kernel = [](GM_ADDR) __aicore__ {
             if ASCEND_IS_AIC Wrong(), CrossCoreSetFlag<2, PIPE_V>(1);
         },
         .report = {.rule = "pipe-unsupported", .instruction = "CrossCoreSetFlag", .operand = "PIPE_V",
                    .message = "CrossCoreSetFlag: this core has no PIPE_V",
                    .found = "PIPE_V on core aic0",
                    .legal = "PIPE_S, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX",
                    .hint = "the pipe belongs to the vector cores: guard the call with ASCEND_IS_AIV",
                    .core = "aic0"},
         .core = CoreChoice::kMix},
        {.name = "sync_all_in_a_vector_only_type",
         .kernel = OnVectorCoresOnly,
         .report = {.rule = "cross-core-unsupported", .instruction = "SyncAll",
                    .message = "SyncAll: kernels of this type have no flags between cores",
                    .found = "KERNEL_TYPE_AIV_ONLY",
                    .legal = "KERNEL_TYPE_MIX_AIV_1_0, KERNEL_TYPE_MIX_AIC_1_1, KERNEL_TYPE_MIX_AIC_1_2",
                    .hint = "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0): a scheduler of the cores "
                            "comes with it"},
         .blocks = 48,
         .function = "OnVectorCoresOnly"},
        {.name = "flag_in_a_cube_only_type",
         .kernel = OnCubeCoresOnly,
         .report = {.rule = "cross-core-unsupported", .instruction = "CrossCoreSetFlag",
                    .message = "CrossCoreSetFlag: kernels of this type have no flags between cores",
                    .found = "KERNEL_TYPE_AIC_ONLY",
                    .legal = "KERNEL_TYPE_MIX_AIC_1_0, KERNEL_TYPE_MIX_AIC_1_1, KERNEL_TYPE_MIX_AIC_1_2",
                    .hint = "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_0): a scheduler of the cores "
                            "comes with it", .core = "aic0"},
         .blocks = 24,
         .function = "OnCubeCoresOnly"},
        {.name = "sync_all_of_both_kinds_in_a_vector_kernel",
         .kernel = [](GM_ADDR) __aicore__ { Wrong(), SyncAll<false>(); },
         .report = {.rule = "sync-all-kind", .instruction = "SyncAll", .operand = "isAIVOnly",
                    .message = "SyncAll: the launch has no cube cores to wait for",
                    .found = "SyncAll<false> in a launch of vector cores alone: it hangs on the board",
                    .legal = "SyncAll<true>() on vector cores; SyncAll<false>() in launches of both kinds",
                    .hint = "call SyncAll()"},
         .blocks = 48},
        {.name = "sync_all_of_vector_cores_on_a_cube_core",
         .kernel = [](GM_ADDR) __aicore__ { Wrong(), SyncAll(); },
         .report = {.rule = "sync-all-kind", .instruction = "SyncAll", .operand = "isAIVOnly",
                    .message = "SyncAll: the vector cores meet, and this is a cube core",
                    .found = "SyncAll<true> on aic0",
                    .legal = "SyncAll<false>() on both kinds, or SyncAll<true>() on vector cores",
                    .hint = "guard the call with ASCEND_IS_AIV, or call SyncAll<false>() on every core",
                    .core = "aic0"},
         .blocks = 24,
         .core = CoreChoice::kMix},
        {.name = "flag_on_ascend310p",
         .kernel = [](GM_ADDR) __aicore__ { Wrong(), CrossCoreSetFlag<0, PIPE_MTE3>(1); },
         .report = {.rule = "cross-core-unsupported", .instruction = "CrossCoreSetFlag",
                    .message = "CrossCoreSetFlag: Ascend310P has no flags between cores",
                    .found = "Ascend310P",
                    .legal = "Ascend910B",
                    .hint = "use SyncAll, IBSet and IBWait with a workspace: they work through global memory",
                    .core = "core0"},
         .blocks = 8,
         .chip = "Ascend310P3"},
        {.name = "wait_on_ascend910",
         .kernel = [](GM_ADDR) __aicore__ { Wrong(), wait_flag_dev(1); },
         .report = {.rule = "cross-core-unsupported", .instruction = "wait_flag_dev",
                    .message = "wait_flag_dev: Ascend910 has no flags between cores",
                    .found = "Ascend910",
                    .legal = "Ascend910B",
                    .hint = "use SyncAll, IBSet and IBWait with a workspace: they work through global memory",
                    .core = "core0"},
         .blocks = 32,
         .chip = "Ascend910A"},
        {.name = "sync_all_on_ascend910",
         .kernel = [](GM_ADDR) __aicore__ { Wrong(), SyncAll(); },
         .report = {.rule = "cross-core-unsupported", .instruction = "SyncAll",
                    .message = "SyncAll: Ascend910 has no flags between cores",
                    .found = "Ascend910",
                    .legal = "Ascend910B",
                    .hint = "use SyncAll, IBSet and IBWait with a workspace: they work through global memory",
                    .core = "core0"},
         .blocks = 32,
         .chip = "Ascend910A"},
        {.name = "sync_all_on_ascend310b",
         .kernel = [](GM_ADDR) __aicore__ { Wrong(), SyncAll(); },
         .report = {.rule = "cross-core-unsupported", .instruction = "SyncAll",
                    .message = "SyncAll: Ascend310B has no flags between cores",
                    .found = "Ascend310B",
                    .legal = "Ascend910B",
                    .hint = "end the kernel where cores have to wait, and launch another one for the rest",
                    .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "set_next_task_start_twice",
         .kernel = [](GM_ADDR) __aicore__ {
             SetNextTaskStart();
             Wrong(), SetNextTaskStart();
         },
         .report = {.severity = Severity::kWarning, .rule = "task-once", .instruction = "SetNextTaskStart",
                    .message = "SetNextTaskStart: the core has called it before",
                    .found = "a second call",
                    .legal = "one call on each core of a kernel",
                    .hint = "remove the second call: it has an effect in kernels fused into one task only"},
         .blocks = 48},
        {.name = "wait_pre_task_end_twice",
         .kernel = [](GM_ADDR) __aicore__ {
             for (int i = 0; i < 2; ++i) Wrong(), WaitPreTaskEnd();
         },
         .report = {.severity = Severity::kWarning, .rule = "task-once", .instruction = "WaitPreTaskEnd",
                    .message = "WaitPreTaskEnd: the core has called it before",
                    .found = "a second call",
                    .legal = "one call on each core of a kernel",
                    .hint = "remove the second call: it has an effect in kernels fused into one task only"},
         .blocks = 2},
    };
}

}  // namespace sfumato::wrong
