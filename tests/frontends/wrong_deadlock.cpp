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

const Table<CoresProgram> kDeadlockFlag = {
    {"flag_never_set", "deadlock", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC Wrong(), CrossCoreWaitFlag(3);
     }, {.core = CoreChoice::kMix, .reports = "aic0"}},
    {"flag_set_with_another_id", "deadlock", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC Wrong(), CrossCoreWaitFlag(3);
         if ASCEND_IS_AIV Earlier(), CrossCoreSetFlag<2, PIPE_MTE3>(4);
     }, {.core = CoreChoice::kMix, .reports = "aic0"}},
    {"flag_set_in_mode_1_for_2", "deadlock", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC Wrong(), CrossCoreWaitFlag(3);
         if ASCEND_IS_AIV Earlier(), CrossCoreSetFlag<1, PIPE_MTE3>(3);
     }, {.core = CoreChoice::kMix, .reports = "aic0"}},
    {"flag_set_in_mode_0_for_2", "deadlock", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC Wrong(), CrossCoreWaitFlag(3);
         if ASCEND_IS_AIV Earlier(), CrossCoreSetFlag<0, PIPE_MTE3>(3);
     }, {.blocks = 24, .core = CoreChoice::kMix, .reports = "aic0"}},
    {"flag_config_with_shifted_mode", "deadlock", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC Wrong(), wait_flag_dev(3);
         if ASCEND_IS_AIV Earlier(), ffts_cross_core_sync(PIPE_MTE3, 2 | 3 << 8);
     }, {.core = CoreChoice::kMix, .reports = "aic0"}},
    {"flag_set_by_one_of_two_vector_cores", "deadlock", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC Wrong(), CrossCoreWaitFlag(3);
         if ASCEND_IS_AIV {
             if (GetSubBlockIdx() == 0) Earlier(), CrossCoreSetFlag<2, PIPE_MTE3>(3);
         }
     }, {.core = CoreChoice::kMix, .reports = "aic0"}},
    {"flag_of_a_pair_set_by_one", "deadlock", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC return;
         if (GetBlockIdx() != 7) Earlier(), CrossCoreSetFlag<1, PIPE_MTE3>(1);
         Wrong(), CrossCoreWaitFlag(1);
     }, {.blocks = 24, .core = CoreChoice::kMix, .reports = "aiv3.0"}},
    {"flag_of_all_not_set_by_one", "deadlock", [](GM_ADDR) __aicore__ {
         if (GetBlockIdx() != 30) Earlier(), CrossCoreSetFlag<0, PIPE_MTE3>(1);
         Wrong(), CrossCoreWaitFlag(1);
     }, {.blocks = 48}},
    {"cube_and_vector_wait_for_each_other", "deadlock", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC {
             Wrong(), CrossCoreWaitFlag(1);
             CrossCoreSetFlag<2, PIPE_FIX>(2);
         }
         if ASCEND_IS_AIV {
             Earlier(), CrossCoreWaitFlag(2);
             CrossCoreSetFlag<2, PIPE_MTE3>(1);
         }
     }, {.core = CoreChoice::kMix, .reports = "aic0"}},
    {"flag_set_in_one_branch", "deadlock", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC {
             if (GetBlockIdx() != 2) CrossCoreSetFlag<2, PIPE_FIX>(6);
         }
         if ASCEND_IS_AIV Wrong(), CrossCoreWaitFlag(6);
     }, {.blocks = 24, .core = CoreChoice::kMix, .reports = "aiv2.0"}},
    {"flag_set_after_its_wait", "deadlock", [](GM_ADDR) __aicore__ {
         Wrong(), CrossCoreWaitFlag(1);
         CrossCoreSetFlag<0, PIPE_MTE3>(1);
     }, {.blocks = 48}},
    {"wait_one_time_too_many", "deadlock", [](GM_ADDR) __aicore__ {
         for (int i = 0; i < 5; ++i) {
             if ASCEND_IS_AIV Earlier(), CrossCoreSetFlag<2, PIPE_MTE3>(2);
         }
         for (int i = 0; i <= 5; ++i) {
             if ASCEND_IS_AIC Wrong(), CrossCoreWaitFlag(2);
         }
     }, {.core = CoreChoice::kMix, .reports = "aic0"}},
    {"event_under_its_older_name", "deadlock", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC Earlier(), NotifyEvent<PIPE_FIX>(1);
         if ASCEND_IS_AIV Wrong(), WaitEvent(2);
     }, {.core = CoreChoice::kMixOneToOne}},
    {"set_behind_a_pipe_that_waits", "wait-never-satisfied", [](GM_ADDR) __aicore__ {
         if ASCEND_IS_AIC CrossCoreWaitFlag(3);
         if ASCEND_IS_AIV {
             Wrong(), WaitFlag<HardEvent::V_MTE3>(0);
             CrossCoreSetFlag<2, PIPE_MTE3>(3);
         }
     }, {.core = CoreChoice::kMix, .reports = "aiv0.0"}},
    {"poll_by_get_value", "deadlock", [](GM_ADDR gm) __aicore__ {
         auto flag = Gm<int32_t>(gm, 16);
         while (GetBlockIdx() == 31 && (Wrong(), flag.GetValue(0)) == 0) Clean(flag);
     }, {.blocks = 48, .reports = "aiv31"}},
    {"poll_by_data_copy", "deadlock", [](GM_ADDR gm) __aicore__ {
         auto tile = Ub<int32_t>(0, 8);
         DataCopy(tile, Gm<int32_t>(gm, 8), 8);
         PipeBarrier<PIPE_ALL>();
         do {
             Wrong(), DataCopy(tile, Gm<int32_t>(gm, 8), 8);
             PipeBarrier<PIPE_ALL>();
         } while (tile.GetValue(0) == 0);
     }, {.blocks = 3}},
    {"poll_of_two_addresses", "deadlock", [](GM_ADDR gm) __aicore__ {
         auto flags = Gm<int32_t>(gm, 64);
         if (GetBlockIdx() == 1) return flags.SetValue(0, 1);
         int32_t sum = 0;
         while (sum != 2) {
             Clean(flags);
             Clean(flags[32]);
             Wrong(), sum = flags.GetValue(0);
             sum += flags.GetValue(32);
         }
     }, {.blocks = 2}},
    {"poll_of_a_core_that_waits_for_the_poller", "deadlock", [](GM_ADDR gm) __aicore__ {
         auto flag = Gm<int32_t>(gm, 16);
         if (GetBlockIdx() == 0) {
             while ((Wrong(), flag.GetValue(0)) == 0) Clean(flag);
             IBSet(Slots(gm), Work(), 0, 0);
         } else {
             Earlier(), IBWait(Slots(gm), Work(), 0, 0);
             flag.SetValue(0, 1);
         }
     }, {.blocks = 2}},
    {"poll_for_an_atomic_store_that_never_comes", "deadlock", [](GM_ADDR gm) __aicore__ {
         auto sum = Gm<int32_t>(gm, 16);
         if (GetBlockIdx() != 3) AddOne(gm);
         while (GetBlockIdx() == 0 && (Wrong(), sum.GetValue(0)) != 8) Clean(sum);
     }, {.blocks = 8}},
};

}  // namespace sfumato::wrong
