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

const Table<Program> kCubeSync = {
    {"load2d_on_a_vector_core", "core-kind", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
         Wrong(), LoadData(a2, a1, {0, 1, 1, 0, 0, false, 0});
     }},
    {"load3d_on_a_vector_core", "core-kind", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
         LoadData3DParamsV2<half> params;
         params.l1H = params.l1W = 4, params.channelSize = params.kExtension = params.mExtension = 16;
         Wrong(), LoadData(a2, a1, params);
     }},
    {"mmad_on_a_vector_core", "core-kind", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 256);
         auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
         Wrong(), Mmad(c, a, b, {16, 16, 16, 0, false, true});
     }},
    {"fixpipe_on_a_vector_core", "core-kind", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 256);
         Wrong(), Fixpipe(Gm<float>(gm, 256), c, FixpipeParamsV220(16, 16, 16, 16, false));
     }},
    {"copy_to_l1_on_a_vector_core", "core-kind", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a1 = At<half>(TPosition::A1, 256);
         Wrong(), DataCopy(a1, Gm<half>(gm, 256), 256);
     }},
    {"fill_on_a_vector_core", "core-kind", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a1 = At<half>(TPosition::A1, 256);
         Wrong(), Fill(a1, {1, 1, 0, half(0)});
     }},
    {"copy_to_ub_on_a_cube_core", "core-kind", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto in = At<half>(TPosition::VECIN, 256);
         Wrong(), DataCopy(in, Gm<half>(gm, 256), 256);
     }, {.core = CoreChoice::kCube}},
    {"nz2nd_on_a_cube_core", "core-kind", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto out = At<half>(TPosition::VECOUT, 256);
         Wrong(), DataCopy(Gm<half>(gm, 256), out, Nz2NdParamsFull(1, 16, 16, 1, 16, 16, 256));
     }, {.core = CoreChoice::kCube}},
    {"add_on_a_cube_core", "core-kind", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto x = At<half>(TPosition::VECCALC, 256);
         Wrong(), Add(x, x, x, 256);
     }, {.core = CoreChoice::kCube}},
    {"load_waits_for_no_copy", "wait-never-satisfied", WaitOnly<HardEvent::MTE2_MTE1>, {.core = CoreChoice::kCube}},
    {"mmad_waits_for_no_load", "wait-never-satisfied", WaitOnly<HardEvent::MTE1_M>, {.chip = "Ascend310P3"}},
    {"fixpipe_waits_for_no_mmad", "wait-never-satisfied", WaitOnly<HardEvent::M_FIX>, {.core = CoreChoice::kCube}},
    {"copy_out_waits_for_no_mmad", "wait-never-satisfied", WaitOnly<HardEvent::M_V>, {.chip = "Ascend910A"}},
    {"loads_that_wait_for_each_other", "wait-never-satisfied", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a1 = At<half>(TPosition::A1, 256), a2 = At<half>(TPosition::A2, 256);
         Wrong(), WaitFlag<HardEvent::MTE1_MTE2>(0);
         DataCopy(a1, Gm<half>(gm, 256), 256);
         SetFlag<HardEvent::MTE2_MTE1>(0);
         WaitFlag<HardEvent::MTE2_MTE1>(0);
         LoadData(a2, a1, {0, 1, 1, 0, 0, false, 0});
         SetFlag<HardEvent::MTE1_MTE2>(0);
     }, {.core = CoreChoice::kCube}},
    {"load_flag_with_another_id", "wait-never-satisfied", [](GM_ADDR, GM_ADDR) __aicore__ {
         SetFlag<HardEvent::MTE1_M>(1);
         Wrong(), WaitFlag<HardEvent::MTE1_M>(0);
     }, {.core = CoreChoice::kCube}},
    {"mmad_flag_set_twice", "flag-set-twice", [](GM_ADDR, GM_ADDR) __aicore__ {
         Earlier(), SetFlag<HardEvent::M_FIX>(0);
         Wrong(), SetFlag<HardEvent::M_FIX>(0);
         WaitFlag<HardEvent::M_FIX>(0);
     }, {.core = CoreChoice::kCube}},
    {"fixpipe_flag_left_set", "flag-left-set",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::FIX_M>(2); }, {.core = CoreChoice::kCube}},
    {"load_flag_left_set_on_310p", "flag-left-set",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::MTE1_M>(0); }, {.chip = "Ascend310P3"}},
    {"load_flag_id_of_910", "event-id-range",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::MTE2_MTE1>(5); }, {.chip = "Ascend910A"}},
    {"flag_to_the_vector_pipe_of_a_cube_core", "pipe-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::M_V>(0); }, {.core = CoreChoice::kCube}},
    {"flag_to_the_fix_pipe_of_310p", "pipe-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFlag<HardEvent::M_FIX>(0); }, {.chip = "Ascend310P3"}},
    {"flag_from_mmad_to_the_copy_out", "event-pair",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), set_flag(PIPE_M, PIPE_MTE3, EVENT_ID0); },
     {.core = CoreChoice::kCube}},
    {"a1_queue_empty", "queue-empty",
     [](GM_ADDR, GM_ADDR) __aicore__ { Fixture<TPosition::A1> a1(2); Wrong(), a1.queue.DeQue<half>(); },
     {.core = CoreChoice::kCube}},
    {"co1_queue_without_free", "queue-no-idle", [](GM_ADDR, GM_ADDR) __aicore__ {
         Fixture<TPosition::CO1> co1(1);
         Earlier(), co1.queue.AllocTensor<half>();
         Wrong(), co1.queue.AllocTensor<half>();
     }, {.chip = "Ascend310P3"}},
    {"b2_queue_full", "queue-full", [](GM_ADDR, GM_ADDR) __aicore__ {
         Fixture<TPosition::B2> b2(2);
         auto first = b2.queue.AllocTensor<half>(), second = b2.queue.AllocTensor<half>();
         b2.queue.EnQue(first);
         Wrong(), b2.queue.EnQue(second);
     }, {.core = CoreChoice::kCube}},
    {"a2_queue_left_full", "queue-left-full", [](GM_ADDR, GM_ADDR) __aicore__ {
         Fixture<TPosition::A2> a2(1);
         auto tensor = a2.queue.AllocTensor<half>();
         Wrong(), a2.queue.EnQue(tensor);
     }, {.core = CoreChoice::kCube}},
    {"a2_tensor_used_after_free", "tensor-freed", [](GM_ADDR, GM_ADDR) __aicore__ {
         Fixture<TPosition::A2> a2(1);
         auto tensor = a2.queue.AllocTensor<half>();
         Earlier(), a2.queue.FreeTensor(tensor);
         Wrong(), LoadData(tensor, At<half>(TPosition::A1, 256, 4096), {0, 1, 1, 0, 0, false, 0});
     }, {.core = CoreChoice::kCube}},
    {"l0a_full", "memory-full", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TQue<TPosition::A2, 1> queue;
         Wrong(), pipe.InitBuffer(queue, 2, 65536);
     }, {.chip = "Ascend310P3"}},
    {"bias_table_full", "memory-full", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<TPosition::C2> buffer;
         Wrong(), pipe.InitBuffer(buffer, 2048);
     }, {.core = CoreChoice::kCube}},
    {"queue_of_co2_in_gm", "position-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TQue<TPosition::CO2, 1> queue;
         pipe.InitBuffer(queue, 1, 1024);
         Wrong(), queue.AllocTensor<half>();
     }, {.core = CoreChoice::kCube}},
    {"fixpipe_buffer_of_310p", "position-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<TPosition::C2PIPE2GM> buffer;
         Wrong(), pipe.InitBuffer(buffer, 1024);
     }, {.chip = "Ascend310P3"}},
};

}  // namespace sfumato::wrong
