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

const Table<CoresProgram> kCrossFlag = {
    {"flag_set_sixteen_times", "cross-flag-overflow", [](GM_ADDR) __aicore__ {
         for (int i = 0; i < 16; ++i) {
             if ASCEND_IS_AIC Wrong(), CrossCoreSetFlag<2, PIPE_MTE2>(1);
         }
         for (int i = 0; i < 16; ++i) {
             if ASCEND_IS_AIV CrossCoreWaitFlag(1);
         }
     }, {.blocks = 24, .core = CoreChoice::kMix, .reports = "aic0"}},
    {"flag_left_between_cores", "cross-flag-left", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC CrossCoreSetFlag<2, PIPE_FIX>(1), Wrong(), CrossCoreSetFlag<2, PIPE_FIX>(1);
         if ASCEND_IS_AIV CrossCoreWaitFlag(1);
     }, {.core = CoreChoice::kMix, .reports = "aic0"}},
    {"flag_left_of_one_vector_core", "cross-flag-left", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIV {
             if (GetSubBlockIdx() == 1) Wrong(), CrossCoreSetFlag<2, PIPE_MTE3>(7);
         }
     }, {.core = CoreChoice::kMix, .reports = "aiv0.1"}},
    {"flag_id_of_a_set", "cross-flag-id", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC Wrong(), CrossCoreSetFlag<2, PIPE_FIX>(16);
         if ASCEND_IS_AIV CrossCoreWaitFlag(0);
     }, {.core = CoreChoice::kMix, .reports = "aic0"}},
    {"flag_id_of_a_wait", "cross-flag-id", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC CrossCoreSetFlag<2, PIPE_FIX>(1);
         if ASCEND_IS_AIV Wrong(), CrossCoreWaitFlag(17);
     }, {.core = CoreChoice::kMix, .reports = "aiv0.0"}},
    {"flag_id_of_sync_all", "cross-flag-id", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC Wrong(), CrossCoreSetFlag<2, PIPE_FIX>(11);
         if ASCEND_IS_AIV CrossCoreWaitFlag(11);
         SyncAll<false>();
     }, {.core = CoreChoice::kMix, .reports = "aic0"}},
    {"mode_2_in_a_vector_kernel", "cross-flag-mode",
     [](GM_ADDR) __aicore__ { Wrong(), CrossCoreSetFlag<2, PIPE_MTE3>(1); }, {.blocks = 48}},
    {"mode_1_in_a_vector_kernel", "cross-flag-mode",
     [](GM_ADDR) __aicore__ { Wrong(), CrossCoreSetFlag<1, PIPE_MTE3>(1); }, {.blocks = 2}},
    {"mode_1_on_a_cube_core", "cross-flag-mode", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC Wrong(), CrossCoreSetFlag<1, PIPE_FIX>(1);
     }, {.core = CoreChoice::kMix, .reports = "aic0"}},
    {"mode_3_of_the_c_call", "cross-flag-mode", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC Wrong(), ffts_cross_core_sync(PIPE_FIX, 3 << 4 | 1 << 8);
     }, {.core = CoreChoice::kMix, .reports = "aic0"}},
    {"flag_set_by_the_scalar_unit", "cross-flag-pipe", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC Wrong(), ffts_cross_core_sync(PIPE_S, 2 << 4 | 1 << 8);
     }, {.core = CoreChoice::kMix, .reports = "aic0"}},
    {"flag_set_by_all_pipes", "cross-flag-pipe", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIV Wrong(), ffts_cross_core_sync(PIPE_ALL, 2 << 4 | 1 << 8);
     }, {.core = CoreChoice::kMix, .reports = "aiv0.0"}},
    {"flag_set_by_the_cube_on_a_vector_core", "pipe-unsupported", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIV Wrong(), CrossCoreSetFlag<2, PIPE_M>(1);
     }, {.core = CoreChoice::kMix, .reports = "aiv0.0"}},
    {"flag_set_by_the_vector_unit_on_a_cube_core", "pipe-unsupported", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC Wrong(), CrossCoreSetFlag<2, PIPE_V>(1);
     }, {.core = CoreChoice::kMix, .reports = "aic0"}},
    {"sync_all_in_a_vector_only_type", "cross-core-unsupported",
     OnVectorCoresOnly, {.blocks = 48, .function = "OnVectorCoresOnly"}},
    {"flag_in_a_cube_only_type", "cross-core-unsupported",
     OnCubeCoresOnly, {.blocks = 24, .function = "OnCubeCoresOnly", .reports = "aic0"}},
    {"sync_all_of_both_kinds_in_a_vector_kernel", "sync-all-kind",
     [](GM_ADDR) __aicore__ { Wrong(), SyncAll<false>(); }, {.blocks = 48}},
    {"sync_all_of_vector_cores_on_a_cube_core", "sync-all-kind",
     [](GM_ADDR) __aicore__ { Wrong(), SyncAll(); }, {.blocks = 24, .core = CoreChoice::kMix, .reports = "aic0"}},
    {"flag_on_ascend310p", "cross-core-unsupported",
     [](GM_ADDR) __aicore__ { Wrong(), CrossCoreSetFlag<0, PIPE_MTE3>(1); },
     {.blocks = 8, .chip = "Ascend310P3", .reports = "core0"}},
    {"wait_on_ascend910", "cross-core-unsupported", [](GM_ADDR) __aicore__ { Wrong(), wait_flag_dev(1); },
     {.blocks = 32, .chip = "Ascend910A", .reports = "core0"}},
    {"sync_all_on_ascend910", "cross-core-unsupported",
     [](GM_ADDR) __aicore__ { Wrong(), SyncAll(); }, {.blocks = 32, .chip = "Ascend910A", .reports = "core0"}},
    {"sync_all_on_ascend310b", "cross-core-unsupported",
     [](GM_ADDR) __aicore__ { Wrong(), SyncAll(); }, {.blocks = 2, .chip = "Ascend310B1", .reports = "core0"}},
    {"set_next_task_start_twice", "task-once", [](GM_ADDR) __aicore__ {
         SetNextTaskStart();
         Wrong(), SetNextTaskStart();
     }, {.blocks = 48}},
    {"wait_pre_task_end_twice", "task-once", [](GM_ADDR) __aicore__ {
         for (int i = 0; i < 2; ++i) Wrong(), WaitPreTaskEnd();
     }, {.blocks = 2}},
};

}  // namespace sfumato::wrong
