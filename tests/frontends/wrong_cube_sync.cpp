// SPDX-License-Identifier: Apache-2.0
// Wrong programs: cube calls on the wrong kind of core, flags and queues between MTE2, MTE1, M and FIX.
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

// A pipe and a queue with blocks of 512 bytes.
template <TPosition position>
struct Fixture {
    explicit Fixture(uint8_t blocks) { pipe.InitBuffer(queue, blocks, 512); }
    TPipe pipe;
    TQue<position, 1> queue;
};

template <HardEvent kEvent>
__aicore__ void WaitOnly(GM_ADDR, GM_ADDR) {
    Wrong(), WaitFlag<kEvent>(0);
}

}  // namespace

std::vector<Program> CubeSyncPrograms() {
    return {
        {.name = "load2d_on_a_vector_core",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
             Wrong(), LoadData(a2, a1, {0, 1, 1, 0, 0, false, 0});
         },
         .report = {.rule = "core-kind", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: a vector core has no L0A",
                    .found = "the kernel runs on a vector core; its type is KERNEL_TYPE_AIV_ONLY, the default",
                    .legal = "a cube core of Ascend910B",
                    .hint = "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY), run with --core aic, or "
                            "guard the call with ASCEND_IS_AIC"}},
        {.name = "load3d_on_a_vector_core",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
             LoadData3DParamsV2<half> params;
             params.l1H = params.l1W = 4, params.channelSize = params.kExtension = params.mExtension = 16;
             Wrong(), LoadData(a2, a1, params);
         },
         .report = {.rule = "core-kind", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: a vector core has no L0A",
                    .found = "the kernel runs on a vector core; its type is KERNEL_TYPE_AIV_ONLY, the default",
                    .legal = "a cube core of Ascend910B",
                    .hint = "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY), run with --core aic, or "
                            "guard the call with ASCEND_IS_AIC"}},
        {.name = "mmad_on_a_vector_core",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 256);
             auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
             Wrong(), Mmad(c, a, b, {16, 16, 16, 0, false, true});
         },
         .report = {.rule = "core-kind", .instruction = "Mmad", .operand = "dst",
                    .message = "Mmad: a vector core has no L0C",
                    .found = "the kernel runs on a vector core; its type is KERNEL_TYPE_AIV_ONLY, the default",
                    .legal = "a cube core of Ascend910B",
                    .hint = "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY), run with --core aic, or "
                            "guard the call with ASCEND_IS_AIC"}},
        {.name = "fixpipe_on_a_vector_core",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 256);
             Wrong(), Fixpipe(Gm<float>(gm, 256), c, FixpipeParamsV220(16, 16, 16, 16, false));
         },
         .report = {.rule = "core-kind", .instruction = "Fixpipe", .operand = "src",
                    .message = "Fixpipe: a vector core has no L0C",
                    .found = "the kernel runs on a vector core; its type is KERNEL_TYPE_AIV_ONLY, the default",
                    .legal = "a cube core of Ascend910B",
                    .hint = "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY), run with --core aic, or "
                            "guard the call with ASCEND_IS_AIC"}},
        {.name = "copy_to_l1_on_a_vector_core",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a1 = At<half>(TPosition::A1, 256);
             Wrong(), DataCopy(a1, Gm<half>(gm, 256), 256);
         },
         .report = {.rule = "core-kind", .instruction = "DataCopy", .operand = "dst",
                    .message = "DataCopy: a vector core has no L1",
                    .found = "the kernel runs on a vector core; its type is KERNEL_TYPE_AIV_ONLY, the default",
                    .legal = "a cube core of Ascend910B",
                    .hint = "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY), run with --core aic, or "
                            "guard the call with ASCEND_IS_AIC"}},
        {.name = "fill_on_a_vector_core",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a1 = At<half>(TPosition::A1, 256);
             Wrong(), Fill(a1, {1, 1, 0, half(0)});
         },
         .report = {.rule = "core-kind", .instruction = "Fill", .operand = "dst",
                    .message = "Fill: a vector core has no L1",
                    .found = "the kernel runs on a vector core; its type is KERNEL_TYPE_AIV_ONLY, the default",
                    .legal = "a cube core of Ascend910B",
                    .hint = "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY), run with --core aic, or "
                            "guard the call with ASCEND_IS_AIC"}},
        {.name = "copy_to_ub_on_a_cube_core",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto in = At<half>(TPosition::VECIN, 256);
             Wrong(), DataCopy(in, Gm<half>(gm, 256), 256);
         },
         .report = {.rule = "core-kind", .instruction = "DataCopy", .operand = "dst",
                    .message = "DataCopy: a cube core has no UB",
                    .found = "the kernel runs on a cube core; its type is KERNEL_TYPE_AIC_ONLY, chosen by the launch",
                    .legal = "a vector core of Ascend910B",
                    .hint = "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY), run with --core aiv, or "
                            "guard the call with ASCEND_IS_AIV", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "nz2nd_on_a_cube_core",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto out = At<half>(TPosition::VECOUT, 256);
             Wrong(), DataCopy(Gm<half>(gm, 256), out, Nz2NdParamsFull(1, 16, 16, 1, 16, 16, 256));
         },
         .report = {.rule = "core-kind", .instruction = "DataCopy", .operand = "src",
                    .message = "DataCopy: a cube core has no UB",
                    .found = "the kernel runs on a cube core; its type is KERNEL_TYPE_AIC_ONLY, chosen by the launch",
                    .legal = "a vector core of Ascend910B",
                    .hint = "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY), run with --core aiv, or "
                            "guard the call with ASCEND_IS_AIV", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "add_on_a_cube_core",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto x = At<half>(TPosition::VECCALC, 256);
             Wrong(), Add(x, x, x, 256);
         },
         .report = {.rule = "core-kind", .instruction = "Add", .operand = "dst",
                    .message = "Add: a cube core has no UB",
                    .found = "the kernel runs on a cube core; its type is KERNEL_TYPE_AIC_ONLY, chosen by the launch",
                    .legal = "a vector core of Ascend910B",
                    .hint = "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY), run with --core aiv, or "
                            "guard the call with ASCEND_IS_AIV", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load_waits_for_no_copy", .kernel = WaitOnly<HardEvent::MTE2_MTE1>,
         .report = {.rule = "wait-never-satisfied", .instruction = "WaitFlag", .operand = "MTE2_MTE1 id 0",
                    .message = "WaitFlag: PIPE_MTE1 waits for ever",
                    .found = "no SetFlag<HardEvent::MTE2_MTE1>(0) that PIPE_MTE2 could still reach",
                    .legal = "every WaitFlag has one SetFlag of the same event and id",
                    .hint = "set the flag on PIPE_MTE2 after the work PIPE_MTE1 must wait for", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "mmad_waits_for_no_load", .kernel = WaitOnly<HardEvent::MTE1_M>,
         .report = {.rule = "wait-never-satisfied", .instruction = "WaitFlag", .operand = "MTE1_M id 0",
                    .message = "WaitFlag: PIPE_M waits for ever",
                    .found = "no SetFlag<HardEvent::MTE1_M>(0) that PIPE_MTE1 could still reach",
                    .legal = "every WaitFlag has one SetFlag of the same event and id",
                    .hint = "set the flag on PIPE_MTE1 after the work PIPE_M must wait for", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "fixpipe_waits_for_no_mmad", .kernel = WaitOnly<HardEvent::M_FIX>,
         .report = {.rule = "wait-never-satisfied", .instruction = "WaitFlag", .operand = "M_FIX id 0",
                    .message = "WaitFlag: PIPE_FIX waits for ever",
                    .found = "no SetFlag<HardEvent::M_FIX>(0) that PIPE_M could still reach",
                    .legal = "every WaitFlag has one SetFlag of the same event and id",
                    .hint = "set the flag on PIPE_M after the work PIPE_FIX must wait for", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "copy_out_waits_for_no_mmad", .kernel = WaitOnly<HardEvent::M_V>,
         .report = {.rule = "wait-never-satisfied", .instruction = "WaitFlag", .operand = "M_V id 0",
                    .message = "WaitFlag: PIPE_V waits for ever",
                    .found = "no SetFlag<HardEvent::M_V>(0) that PIPE_M could still reach",
                    .legal = "every WaitFlag has one SetFlag of the same event and id",
                    .hint = "set the flag on PIPE_M after the work PIPE_V must wait for", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "loads_that_wait_for_each_other",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a1 = At<half>(TPosition::A1, 256), a2 = At<half>(TPosition::A2, 256);
             Wrong(), WaitFlag<HardEvent::MTE1_MTE2>(0);
             DataCopy(a1, Gm<half>(gm, 256), 256);
             SetFlag<HardEvent::MTE2_MTE1>(0);
             WaitFlag<HardEvent::MTE2_MTE1>(0);
             LoadData(a2, a1, {0, 1, 1, 0, 0, false, 0});
             SetFlag<HardEvent::MTE1_MTE2>(0);
         },
         .report = {.rule = "wait-never-satisfied", .instruction = "WaitFlag", .operand = "MTE1_MTE2 id 0",
                    .message = "WaitFlag: PIPE_MTE2 waits for ever",
                    .found = "no SetFlag<HardEvent::MTE1_MTE2>(0) that PIPE_MTE1 could still reach",
                    .legal = "every WaitFlag has one SetFlag of the same event and id",
                    .hint = "set the flag on PIPE_MTE1 after the work PIPE_MTE2 must wait for", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load_flag_with_another_id",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             SetFlag<HardEvent::MTE1_M>(1);
             Wrong(), WaitFlag<HardEvent::MTE1_M>(0);
         },
         .report = {.rule = "wait-never-satisfied", .instruction = "WaitFlag", .operand = "MTE1_M id 0",
                    .message = "WaitFlag: PIPE_M waits for ever",
                    .found = "no SetFlag<HardEvent::MTE1_M>(0) that PIPE_MTE1 could still reach",
                    .legal = "every WaitFlag has one SetFlag of the same event and id",
                    .hint = "set the flag on PIPE_MTE1 after the work PIPE_M must wait for", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "mmad_flag_set_twice",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             Earlier(), SetFlag<HardEvent::M_FIX>(0);
             Wrong(), SetFlag<HardEvent::M_FIX>(0);
             WaitFlag<HardEvent::M_FIX>(0);
         },
         .report = {.rule = "flag-set-twice", .instruction = "SetFlag", .operand = "M_FIX id 0",
                    .message = "SetFlag: the flag is already set",
                    .found = "set at {earlier} and not waited for since",
                    .legal = "one WaitFlag between two SetFlag of the same event and id: a flag is binary",
                    .hint = "add the missing WaitFlag, or use another event id", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_flag_left_set",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::FIX_M>(2); },
         .report = {.severity = Severity::kWarning, .rule = "flag-left-set", .instruction = "SetFlag",
                    .operand = "FIX_M id 2",
                    .message = "SetFlag: the flag is still set when the kernel ends",
                    .found = "a SetFlag without its WaitFlag",
                    .legal = "every SetFlag has one WaitFlag: a flag left set lets a wait of the next kernel pass",
                    .hint = "add the WaitFlag, or remove the SetFlag", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load_flag_left_set_on_310p",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::MTE1_M>(0); },
         .report = {.severity = Severity::kWarning, .rule = "flag-left-set", .instruction = "SetFlag",
                    .operand = "MTE1_M id 0",
                    .message = "SetFlag: the flag is still set when the kernel ends",
                    .found = "a SetFlag without its WaitFlag",
                    .legal = "every SetFlag has one WaitFlag: a flag left set lets a wait of the next kernel pass",
                    .hint = "add the WaitFlag, or remove the SetFlag", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load_flag_id_of_910",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::MTE2_MTE1>(5); },
         .report = {.rule = "event-id-range", .instruction = "SetFlag", .operand = "eventID",
                    .message = "SetFlag: the event id does not exist",
                    .found = "event id 5", .legal = "0..3 on Ascend910",
                    .hint = "take ids from AllocEventID or FetchEventID", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "flag_to_the_vector_pipe_of_a_cube_core",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::M_V>(0); },
         .report = {.rule = "pipe-unsupported", .instruction = "SetFlag", .operand = "PIPE_V",
                    .message = "SetFlag: this core has no PIPE_V",
                    .found = "PIPE_V on core aic0",
                    .legal = "PIPE_S, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX",
                    .hint = "the pipe belongs to the vector cores: guard the call with ASCEND_IS_AIV", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "flag_to_the_fix_pipe_of_310p",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::M_FIX>(0); },
         .report = {.rule = "pipe-unsupported", .instruction = "SetFlag", .operand = "PIPE_FIX",
                    .message = "SetFlag: this core has no PIPE_FIX",
                    .found = "PIPE_FIX on core core0",
                    .legal = "PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3",
                    .hint = "CO1 to CO2 runs on PIPE_V here: use M_V and V_M", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "flag_from_mmad_to_the_copy_out",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), set_flag(PIPE_M, PIPE_MTE3, EVENT_ID0); },
         .report = {.rule = "event-pair", .instruction = "SetFlag",
                    .message = "SetFlag: no flag joins these two pipes",
                    .found = "PIPE_M to PIPE_MTE3",
                    .legal = "PIPE_M to PIPE_MTE1, PIPE_V, PIPE_MTE2, PIPE_FIX, PIPE_S", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "a1_queue_empty",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Fixture<TPosition::A1> a1(2); Wrong(), a1.queue.DeQue<half>(); },
         .report = {.rule = "queue-empty", .instruction = "DeQue", .operand = "A1",
                    .message = "DeQue: the queue is empty",
                    .found = "DeQue without an EnQue before it", .legal = "as many DeQue as EnQue, EnQue first",
                    .hint = "on the chip this waits for ever", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "co1_queue_without_free",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             Fixture<TPosition::CO1> co1(1);
             Earlier(), co1.queue.AllocTensor<half>();
             Wrong(), co1.queue.AllocTensor<half>();
         },
         .report = {.rule = "queue-no-idle", .instruction = "AllocTensor", .operand = "CO1",
                    .message = "AllocTensor: no block of the queue is free",
                    .found = "1 of 1 blocks in use, the oldest since {earlier}",
                    .legal = "at most as many tensors at once as InitBuffer made blocks",
                    .hint = "free a tensor first, or give the queue more blocks", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "b2_queue_full",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             Fixture<TPosition::B2> b2(2);
             auto first = b2.queue.AllocTensor<half>(), second = b2.queue.AllocTensor<half>();
             b2.queue.EnQue(first);
             Wrong(), b2.queue.EnQue(second);
         },
         .report = {.rule = "queue-full", .instruction = "EnQue", .operand = "B2",
                    .message = "EnQue: the queue is full",
                    .found = "1 tensors enqueued", .legal = "a depth of 1: so many EnQue without DeQue",
                    .hint = "DeQue first, or give the queue a larger depth", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "a2_queue_left_full",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             Fixture<TPosition::A2> a2(1);
             auto tensor = a2.queue.AllocTensor<half>();
             Wrong(), a2.queue.EnQue(tensor);
         },
         .report = {.severity = Severity::kWarning, .rule = "queue-left-full", .instruction = "EnQue",
                    .operand = "A2",
                    .message = "EnQue: a tensor is still in the queue when its TPipe ends",
                    .found = "EnQue without DeQue",
                    .legal = "AllocTensor, EnQue, DeQue and FreeTensor in equal number",
                    .hint = "add the DeQue and FreeTensor", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "a2_tensor_used_after_free",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             Fixture<TPosition::A2> a2(1);
             auto tensor = a2.queue.AllocTensor<half>();
             Earlier(), a2.queue.FreeTensor(tensor);
             Wrong(), LoadData(tensor, At<half>(TPosition::A1, 256, 4096), {0, 1, 1, 0, 0, false, 0});
         },
         .report = {.rule = "tensor-freed", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: dst was freed before",
                    .found = "freed at {earlier}", .legal = "a tensor between AllocTensor or DeQue and FreeTensor",
                    .hint = "free the tensor after its last use", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "l0a_full",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TQue<TPosition::A2, 1> queue;
             Wrong(), pipe.InitBuffer(queue, 2, 65536);
         },
         .report = {.rule = "memory-full", .instruction = "InitBuffer", .operand = "A2",
                    .message = "InitBuffer: the buffers do not fit in L0A",
                    .found = "2 x 65536 bytes asked for, 65536 bytes free",
                    .legal = "L0A has 65536 bytes on Ascend310P", .hint = "use smaller tiles or fewer buffers",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "bias_table_full",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBuf<TPosition::C2> buffer;
             Wrong(), pipe.InitBuffer(buffer, 2048);
         },
         .report = {.rule = "memory-full", .instruction = "InitBuffer", .operand = "C2",
                    .message = "InitBuffer: the buffers do not fit in BT",
                    .found = "1 x 2048 bytes asked for, 1024 bytes free", .legal = "BT has 1024 bytes on Ascend910B",
                    .hint = "use smaller tiles or fewer buffers", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "queue_of_co2_in_gm",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TQue<TPosition::CO2, 1> queue;
             pipe.InitBuffer(queue, 1, 1024);
             Wrong(), queue.AllocTensor<half>();
         },
         .report = {.rule = "position-unsupported", .instruction = "AllocTensor", .operand = "CO2",
                    .message = "AllocTensor: Ascend910B has no memory for the queue position CO2",
                    .found = "no memory behind the position",
                    .legal = "VECIN, VECOUT, VECCALC, or a cube position this chip has",
                    .hint = "CO2 is global memory here: write to a GlobalTensor", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_buffer_of_310p",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBuf<TPosition::C2PIPE2GM> buffer;
             Wrong(), pipe.InitBuffer(buffer, 1024);
         },
         .report = {.rule = "position-unsupported", .instruction = "InitBuffer", .operand = "C2PIPE2GM",
                    .message = "InitBuffer: Ascend310P has no memory for the TBuf position C2PIPE2GM",
                    .found = "no memory behind the position",
                    .legal = "VECIN, VECOUT, VECCALC, or a cube position this chip has", .core = "core0"},
         .chip = "Ascend310P3"},
    };
}

}  // namespace sfumato::wrong
