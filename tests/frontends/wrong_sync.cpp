// SPDX-License-Identifier: Apache-2.0
// Wrong programs: flags, barriers, and a kernel's own declarations and stops.
#include "wrong_programs.h"

#include <stdexcept>

namespace sfumato::wrong {

std::vector<Program> SyncPrograms() {
    return {
        {.name = "event_id_range",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::MTE2_V>(8); },
         .report = {.rule = "event-id-range", .instruction = "SetFlag", .operand = "eventID",
                    .message = "SetFlag: the event id does not exist",
                    .found = "event id 8", .legal = "0..7 on Ascend910B",
                    .hint = "take ids from AllocEventID or FetchEventID"}},
        {.name = "event_id_range_of_chip",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), WaitFlag<HardEvent::MTE2_V>(4); },
         .report = {.rule = "event-id-range", .instruction = "WaitFlag", .operand = "eventID",
                    .message = "WaitFlag: the event id does not exist",
                    .found = "event id 4", .legal = "0..3 on Ascend910",
                    .hint = "take ids from AllocEventID or FetchEventID", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "event_id_beyond_a_byte",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::MTE2_V>(256); },
         .report = {.rule = "event-id-range", .instruction = "SetFlag", .operand = "eventID",
                    .message = "SetFlag: the event id does not exist",
                    .found = "event id 256", .legal = "0..7 on Ascend910B",
                    .hint = "take ids from AllocEventID or FetchEventID"}},
        {.name = "event_id_negative",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::V_MTE3>(-1); },
         .report = {.rule = "event-id-range", .instruction = "SetFlag", .operand = "eventID",
                    .message = "SetFlag: the event id does not exist",
                    .found = "event id -1", .legal = "0..7 on Ascend910B",
                    .hint = "take ids from AllocEventID or FetchEventID"}},
        {.name = "flag_set_twice",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             Earlier(), SetFlag<HardEvent::MTE2_V>(0);
             Wrong(), SetFlag<HardEvent::MTE2_V>(0);
             WaitFlag<HardEvent::MTE2_V>(0);
         },
         .report = {.rule = "flag-set-twice", .instruction = "SetFlag", .operand = "MTE2_V id 0",
                    .message = "SetFlag: the flag is already set",
                    .found = "set at {earlier} and not waited for since",
                    .legal = "one WaitFlag between two SetFlag of the same event and id: a flag is binary",
                    .hint = "add the missing WaitFlag, or use another event id"}},
        {.name = "flag_left_set",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::MTE2_V>(3); },
         .report = {.severity = Severity::kWarning, .rule = "flag-left-set", .instruction = "SetFlag",
                    .operand = "MTE2_V id 3",
                    .message = "SetFlag: the flag is still set when the kernel ends",
                    .found = "a SetFlag without its WaitFlag",
                    .legal = "every SetFlag has one WaitFlag: a flag left set lets a wait of the next kernel pass",
                    .hint = "add the WaitFlag, or remove the SetFlag"}},
        {.name = "wait_never_set",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), WaitFlag<HardEvent::MTE2_V>(0); },
         .report = {.rule = "wait-never-satisfied", .instruction = "WaitFlag", .operand = "MTE2_V id 0",
                    .message = "WaitFlag: PIPE_V waits for ever",
                    .found = "no SetFlag<HardEvent::MTE2_V>(0) that PIPE_MTE2 could still reach",
                    .legal = "every WaitFlag has one SetFlag of the same event and id",
                    .hint = "set the flag on PIPE_MTE2 after the work PIPE_V must wait for"}},
        {.name = "wait_never_set_on_scalar",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), WaitFlag<HardEvent::V_S>(2); },
         .report = {.rule = "wait-never-satisfied", .instruction = "WaitFlag", .operand = "V_S id 2",
                    .message = "WaitFlag: PIPE_S waits for ever",
                    .found = "no SetFlag<HardEvent::V_S>(2) that PIPE_V could still reach",
                    .legal = "every WaitFlag has one SetFlag of the same event and id",
                    .hint = "set the flag on PIPE_V after the work PIPE_S must wait for"}},
        {.name = "wait_with_another_id",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             SetFlag<HardEvent::V_MTE3>(0);
             Wrong(), WaitFlag<HardEvent::V_MTE3>(1);
         },
         .report = {.rule = "wait-never-satisfied", .instruction = "WaitFlag", .operand = "V_MTE3 id 1",
                    .message = "WaitFlag: PIPE_MTE3 waits for ever",
                    .found = "no SetFlag<HardEvent::V_MTE3>(1) that PIPE_V could still reach",
                    .legal = "every WaitFlag has one SetFlag of the same event and id",
                    .hint = "set the flag on PIPE_V after the work PIPE_MTE3 must wait for"}},
        {.name = "waits_of_two_pipes_for_each_other",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             Wrong(), WaitFlag<HardEvent::V_MTE2>(0);
             WaitFlag<HardEvent::MTE2_V>(0);
             SetFlag<HardEvent::MTE2_V>(0);
             SetFlag<HardEvent::V_MTE2>(0);
         },
         .report = {.rule = "wait-never-satisfied", .instruction = "WaitFlag", .operand = "V_MTE2 id 0",
                    .message = "WaitFlag: PIPE_MTE2 waits for ever",
                    .found = "no SetFlag<HardEvent::V_MTE2>(0) that PIPE_V could still reach",
                    .legal = "every WaitFlag has one SetFlag of the same event and id",
                    .hint = "set the flag on PIPE_V after the work PIPE_MTE2 must wait for"}},
        {.name = "flag_on_a_pipe_the_core_lacks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::M_V>(0); },
         .report = {.rule = "pipe-unsupported", .instruction = "SetFlag", .operand = "PIPE_M",
                    .message = "SetFlag: this core has no PIPE_M",
                    .found = "PIPE_M on core aiv0", .legal = "PIPE_S, PIPE_V, PIPE_MTE2, PIPE_MTE3",
                    .hint = "the pipe belongs to the cube cores: guard the call with ASCEND_IS_AIC"}},
        {.name = "barrier_on_a_pipe_the_core_lacks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), PipeBarrier<PIPE_V>(); },
         .report = {.rule = "pipe-unsupported", .instruction = "PipeBarrier", .operand = "PIPE_V",
                    .message = "PipeBarrier: this core has no PIPE_V",
                    .found = "PIPE_V on core aic0",
                    .legal = "PIPE_S, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX",
                    .hint = "the pipe belongs to the vector cores: guard the call with ASCEND_IS_AIV",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "barrier_on_fix_pipe",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), PipeBarrier<PIPE_FIX>(); },
         .report = {.rule = "pipe-unsupported", .instruction = "PipeBarrier", .operand = "PIPE_FIX",
                    .message = "PipeBarrier: this core has no PIPE_FIX",
                    .found = "PIPE_FIX on core core0",
                    .legal = "PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3",
                    .hint = "CO1 to CO2 runs on PIPE_V here: use M_V and V_M", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "barrier_of_no_pipe",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), PipeBarrier<PIPE_MTE5>(); },
         .report = {.rule = "barrier-pipe", .instruction = "PipeBarrier",
                    .message = "PipeBarrier: no barrier exists for this pipe",
                    .found = "PIPE_MTE5",
                    .legal = "PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX, PIPE_ALL"}},
        {.name = "barrier_of_scalar_pipe_in_c",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), pipe_barrier(PIPE_S); },
         .report = {.rule = "barrier-pipe", .instruction = "PipeBarrier",
                    .message = "PipeBarrier: no barrier exists for this pipe",
                    .found = "PIPE_S", .legal = "PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX, PIPE_ALL"}},
        {.name = "flag_between_no_two_pipes",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), set_flag(PIPE_S, PIPE_S, EVENT_ID0); },
         .report = {.rule = "event-pair", .instruction = "SetFlag",
                    .message = "SetFlag: no flag joins these two pipes",
                    .found = "PIPE_S to PIPE_S", .legal = "PIPE_S to PIPE_V, PIPE_MTE2, PIPE_MTE3"}},
        {.name = "sync_object_between_no_two_pipes",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { TQueSync<PIPE_MTE3, PIPE_MTE3> sync; Wrong(), sync.WaitFlag(0); },
         .report = {.rule = "event-pair", .instruction = "WaitFlag",
                    .message = "WaitFlag: no flag joins these two pipes",
                    .found = "PIPE_MTE3 to PIPE_MTE3", .legal = "PIPE_MTE3 to PIPE_V, PIPE_MTE1, PIPE_MTE2, PIPE_S"}},
    };
}

std::vector<Program> KernelPrograms() {
    struct Tiling {
        uint32_t rows, columns, more[10];
    };
    return {
        {.name = "task_type_in_a_function_it_calls",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             const auto declare = [] { Wrong(), KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY); };
             declare();
         },
         .report = {.rule = "task-type-unforeseen", .instruction = "KERNEL_TASK_TYPE",
                    .operand = "KERNEL_TYPE_AIC_ONLY",
                    .message = "KERNEL_TASK_TYPE: the launch runs on other cores",
                    .found = "0 cube and 1 vector cores a block, chosen before the declaration was reached",
                    .legal = "one declaration a tiling key, in the function that is launched: it is known before the "
                             "launch",
                    .hint = "declare it there, or choose the cores: LaunchOptions::core = CoreChoice::kCube, --core "
                            "aic"}},
        {.name = "task_type_of_another_chip",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AICORE); },
         .report = {.rule = "task-type-unsupported", .instruction = "KERNEL_TASK_TYPE",
                    .message = "KERNEL_TASK_TYPE: Ascend910B does not run kernels of this type",
                    .found = "KERNEL_TYPE_AICORE",
                    .legal = "KERNEL_TYPE_AIV_ONLY, AIC_ONLY, MIX_AIV_1_0, MIX_AIC_1_0, MIX_AIC_1_1, MIX_AIC_1_2"}},
        {.name = "task_type_unknown_on_coupled_cores",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), KERNEL_TASK_TYPE(0, KERNEL_TYPE_VECTORCORE); },
         .report = {.rule = "task-type-unsupported", .instruction = "KERNEL_TASK_TYPE",
                    .message = "KERNEL_TASK_TYPE: Ascend310P does not run kernels of this type",
                    .found = "KERNEL_TYPE_VECTORCORE", .legal = "KERNEL_TYPE_AICORE, KERNEL_TYPE_MIX_VECTOR_CORE",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "tiling_too_small",
         .kernel = [](GM_ADDR, GM_ADDR tail) __aicore__ {
             Wrong(); GET_TILING_DATA_WITH_STRUCT(Tiling, tiling, tail);
             (void)tiling;
         },
         .report = {.rule = "tiling-size", .instruction = "GET_TILING_DATA", .operand = "Tiling",
                    .message = "GET_TILING_DATA: the tiling argument is smaller than the struct",
                    .found = "40 bytes", .legal = "48 bytes",
                    .hint = "pass tiling:FILE with the struct's bytes in host layout; host and kernel must agree "
                            "on the struct"}},
        {.name = "tiling_of_no_memory",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             Wrong(); GET_TILING_DATA_PTR_WITH_STRUCT(Tiling, tiling, nullptr);
             (void)tiling;
         },
         .report = {.rule = "tiling-size", .instruction = "GET_TILING_DATA", .operand = "Tiling",
                    .message = "GET_TILING_DATA: the tiling argument is smaller than the struct",
                    .found = "a pointer into no global memory", .legal = "48 bytes",
                    .hint = "pass tiling:FILE with the struct's bytes in host layout; host and kernel must agree "
                            "on the struct"}},
        {.name = "trap",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), Trap(); },
         .report = {.rule = "trap", .instruction = "Trap",
                    .message = "Trap: the kernel stopped itself",
                    .found = "Trap()"}},
        {.name = "assertion",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { const int n = 3; Wrong(); assert(n == 4); },
         .report = {.rule = "assert", .instruction = "assert", .operand = "n == 4",
                    .message = "assert: the assertion failed",
                    .found = "n == 4 is false", .legal = "true"}},
        {.name = "assertion_with_text",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { const int n = 3; Wrong(); ASSERT(n == 4, "n is %d", n); },
         .report = {.rule = "assert", .instruction = "assert", .operand = "n == 4",
                    .message = "assert: the assertion failed: n is 3",
                    .found = "n == 4 is false", .legal = "true"}},
        {.name = "exception",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { throw std::runtime_error("no device code does this"); },
         .report = {.rule = "exception",
                    .message = "the kernel threw a C++ exception",
                    .found = "no device code does this",
                    .legal = "kernels do not throw: device code has no exceptions"}},
        {.name = "exception_of_another_kind",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { throw 1; },
         .report = {.rule = "exception",
                    .message = "the kernel threw a C++ exception",
                    .found = "an exception that is not a std::exception",
                    .legal = "kernels do not throw: device code has no exceptions"}},
    };
}

}  // namespace sfumato::wrong
