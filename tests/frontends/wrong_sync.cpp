// SPDX-License-Identifier: Apache-2.0
// Wrong programs: flags, barriers, and a kernel's own declarations and stops.
#include "wrong_programs.h"

#include <stdexcept>

namespace sfumato::wrong {

const Table<Program> kSync = {
    {"event_id_range", "event-id-range",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::MTE2_V>(8); }},
    {"event_id_range_of_chip", "event-id-range",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), WaitFlag<HardEvent::MTE2_V>(4); }, {.chip = "Ascend910A"}},
    {"event_id_beyond_a_byte", "event-id-range",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::MTE2_V>(256); }},
    {"event_id_negative", "event-id-range",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::V_MTE3>(-1); }},
    {"flag_set_twice", "flag-set-twice", [](GM_ADDR, GM_ADDR) __aicore__ {
         Earlier(), SetFlag<HardEvent::MTE2_V>(0);
         Wrong(), SetFlag<HardEvent::MTE2_V>(0);
         WaitFlag<HardEvent::MTE2_V>(0);
     }},
    {"flag_left_set", "flag-left-set", [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::MTE2_V>(3); }},
    {"wait_never_set", "wait-never-satisfied",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), WaitFlag<HardEvent::MTE2_V>(0); }},
    {"wait_never_set_on_scalar", "wait-never-satisfied",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), WaitFlag<HardEvent::V_S>(2); }},
    {"wait_with_another_id", "wait-never-satisfied", [](GM_ADDR, GM_ADDR) __aicore__ {
         SetFlag<HardEvent::V_MTE3>(0);
         Wrong(), WaitFlag<HardEvent::V_MTE3>(1);
     }},
    {"waits_of_two_pipes_for_each_other", "wait-never-satisfied", [](GM_ADDR, GM_ADDR) __aicore__ {
         Wrong(), WaitFlag<HardEvent::V_MTE2>(0);
         WaitFlag<HardEvent::MTE2_V>(0);
         SetFlag<HardEvent::MTE2_V>(0);
         SetFlag<HardEvent::V_MTE2>(0);
     }},
    {"flag_on_a_pipe_the_core_lacks", "pipe-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::M_V>(0); }},
    {"barrier_on_a_pipe_the_core_lacks", "pipe-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), PipeBarrier<PIPE_V>(); }, {.core = CoreChoice::kCube}},
    {"barrier_on_fix_pipe", "pipe-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), PipeBarrier<PIPE_FIX>(); }, {.chip = "Ascend910A"}},
    {"barrier_of_no_pipe", "barrier-pipe", [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), PipeBarrier<PIPE_MTE5>(); }},
    {"barrier_of_scalar_pipe_in_c", "barrier-pipe",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), pipe_barrier(PIPE_S); }},
    {"flag_between_no_two_pipes", "event-pair",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), set_flag(PIPE_S, PIPE_S, EVENT_ID0); }},
    {"sync_object_between_no_two_pipes", "event-pair",
     [](GM_ADDR, GM_ADDR) __aicore__ { TQueSync<PIPE_MTE3, PIPE_MTE3> sync; Wrong(), sync.WaitFlag(0); }},
};

const Table<Program> kKernel = {
    {"task_type_in_a_function_it_calls", "task-type-unforeseen", [](GM_ADDR, GM_ADDR) __aicore__ {
         const auto declare = [] { Wrong(), KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY); };
         declare();
     }},
    {"task_type_of_another_chip", "task-type-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AICORE); }},
    {"task_type_unknown_on_coupled_cores", "task-type-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), KERNEL_TASK_TYPE(0, KERNEL_TYPE_VECTORCORE); },
     {.chip = "Ascend310P3"}},
    {"trap", "trap", [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), Trap(); }},
    {"assertion", "assert", [](GM_ADDR, GM_ADDR) __aicore__ { const int n = 3; Wrong(); assert(n == 4); }},
    {"assertion_with_text", "assert",
     [](GM_ADDR, GM_ADDR) __aicore__ { const int n = 3; Wrong(); ASSERT(n == 4, "n is %d", n); }},
    {"exception", "exception",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), throw std::runtime_error("no device code does this"); }},
    {"exception_of_another_kind", "exception", [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), throw 1; }},
};

}  // namespace sfumato::wrong
