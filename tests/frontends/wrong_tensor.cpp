// SPDX-License-Identifier: Apache-2.0
// Wrong programs: tensors, single elements, TPipe and TBuf.
#include "wrong_programs.h"

namespace sfumato::wrong {

const Table<Program> kTensor = {
    {"tensor_never_given_memory", "tensor-uninitialised", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         LocalTensor<half> b;
         Wrong(), Add(a, a, b, 64);
     }},
    {"tensor_offset_past_end", "tensor-offset",
     [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 64); Wrong(), a[65]; }},
    {"tensor_offset_negative", "tensor-offset",
     [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 64); Wrong(), a[-64]; }},
    {"global_offset_before_allocation", "tensor-offset",
     [](GM_ADDR gm, GM_ADDR) __aicore__ { auto m = Gm<half>(gm, 256)[64]; Wrong(), m[-65]; }},
    {"tensor_offset_inside_byte", "tensor-offset",
     [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<int4b_t>(0, 64); Wrong(), a[3]; }},
    {"static_tensor_past_memory", "static-tensor",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(); LocalTensor<half> a(TPosition::VECIN, 196608 - 64, 64); }},
    {"static_tensor_alignment", "static-tensor",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(); LocalTensor<half> a(TPosition::VECIN, 16, 64); }},
    {"static_tensor_without_memory", "static-tensor",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(); LocalTensor<half> a(TPosition::GM, 0, 64); }},
    {"static_tensor_position_max", "static-tensor",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(); LocalTensor<half> a(TPosition::MAX, 0, 64); }},
    {"shape_never_set", "shape-unset",
     [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 64); Wrong(), a.GetShapeInfo(); }},
    {"get_value_index", "scalar-index",
     [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 64); Wrong(), a.GetValue(64); }},
    {"set_value_index", "scalar-index", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         Wrong(), a.SetValue(static_cast<uint32_t>(-1), 1);
     }},
    {"element_reference_index", "scalar-index",
     [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<int32_t>(0, 8); Wrong(), a(8) = 1; }},
    {"global_value_index", "past-tensor",
     [](GM_ADDR gm, GM_ADDR) __aicore__ { auto a = Gm<int32_t>(gm, 16); Wrong(), a.SetValue(16, 1); }},
    {"global_value_negative_index", "scalar-index",
     [](GM_ADDR gm, GM_ADDR) __aicore__ { auto a = Gm<int32_t>(gm, 16); Wrong(), a.GetValue(-1); }},
    {"global_value_negative_index_of_unknown_size", "scalar-index",
     [](GM_ADDR gm, GM_ADDR) __aicore__ { auto a = Gm<int32_t>(gm, 0); Wrong(), a.GetValue(-1); }},
    {"global_value_past_allocation", "scalar-index",
     [](GM_ADDR, GM_ADDR tail) __aicore__ { auto a = Gm<int32_t>(tail, 0); Wrong(), a.GetValue(10); }},
    {"element_in_l1", "scalar-position", [](GM_ADDR, GM_ADDR) __aicore__ {
         LocalTensor<half> a(TPosition::A1, 0, 64);
         Wrong(), a.GetValue(0);
     }, {.chip = "Ascend310P3"}},
    {"element_alignment", "scalar-alignment", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<uint8_t>(0, 64)[2].ReinterpretCast<int32_t>();
         Wrong(), a.SetValue(0, 1);
     }},
    {"dump_too_long", "dump-size",
     [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 64); Wrong(), DumpTensor(a, 5, 65); }},
    {"second_pipe", "tpipe-second", [](GM_ADDR, GM_ADDR) __aicore__ { TPipe first; Wrong(); TPipe second; }},
    {"pipe_initialised_twice", "tpipe-second",
     [](GM_ADDR, GM_ADDR) __aicore__ { TPipe pipe; Wrong(), pipe.Init(); }},
    {"no_pipe", "tpipe-none", [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), GetTPipePtr(); }},
    {"pipe_after_destroy", "tpipe-none", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<> buffer;
         pipe.Destroy();
         Wrong(), pipe.InitBuffer(buffer, 64);
     }},
    {"buffer_without_memory", "buffer-uninitialised",
     [](GM_ADDR, GM_ADDR) __aicore__ { TPipe pipe; TBuf<> buffer; Wrong(), buffer.Get<half>(); }},
    {"buffer_of_ended_pipe", "buffer-uninitialised", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<> buffer;
         TQue<TPosition::VECIN, 1> queue;
         pipe.InitBuffer(buffer, 64);
         pipe.Reset();
         Earlier(), pipe.InitBuffer(queue, 1, 32);
         Wrong(), buffer.Get<half>();
     }},
    {"element_of_memory_taken", "tensor-freed", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<> first, second;
         pipe.InitBuffer(first, 64);
         LocalTensor<half> tensor = first.Get<half>();
         Duplicate(tensor, half(1), 32);
         pipe.Reset();
         Earlier(), pipe.InitBuffer(second, 64);
         Wrong(), tensor.GetValue(3);
     }},
    {"buffer_get_too_many", "buffer-get-size", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<> buffer;
         pipe.InitBuffer(buffer, 64);
         Wrong(), buffer.Get<half>(33);
     }},
    {"buffer_get_offset", "buffer-get-offset", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<> buffer;
         pipe.InitBuffer(buffer, 128);
         Wrong(), buffer.GetWithOffset<half>(16, 20);
     }},
    {"buffer_of_no_bytes", "buffer-empty",
     [](GM_ADDR, GM_ADDR) __aicore__ { TPipe pipe; TBuf<> buffer; Wrong(), pipe.InitBuffer(buffer, 0); }},
    {"buffer_at_a_position_the_chip_lacks", "position-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<TPosition::C2PIPE2GM> buffer;
         Wrong(), pipe.InitBuffer(buffer, 64);
     }, {.chip = "Ascend910A"}},
    {"memory_full", "memory-full", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<> first, second;
         pipe.InitBuffer(first, 100000);
         Wrong(), pipe.InitBuffer(second, 100000);
     }},
    {"memory_full_by_queue", "memory-full", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TQue<TPosition::VECIN, 2> queue;
         Wrong(), pipe.InitBuffer(queue, 2, 131072);
     }, {.chip = "Ascend310B1"}},
    {"buffers_per_position", "buffers-per-position", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TQue<TPosition::VECIN, 4> queue;
         Wrong(), pipe.InitBuffer(queue, 5, 32);
     }, {.chip = "Ascend910A"}},
    {"buffers_per_position_310b", "buffers-per-position", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TQue<TPosition::VECIN, 1> first, second;
         pipe.InitBuffer(first, 8, 32);
         Wrong(), pipe.InitBuffer(second, 2, 32);
     }, {.chip = "Ascend310B1"}},
    {"buffers_per_position_of_newer_chip", "buffers-per-position", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TQue<TPosition::VECIN, 8> queue;
         Wrong(), pipe.InitBuffer(queue, 9, 32);
     }},
    {"buffers_of_a_kernel", "buffers-total", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TQue<TPosition::VECIN, 2> queues[9];
         for (int i = 0; i < 8; ++i) pipe.InitBuffer(queues[i], 8, 32);
         Wrong(), pipe.InitBuffer(queues[8], 1, 32);
     }},
    {"buffer_length_rounded", "buffer-rounded", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TQue<TPosition::VECIN, 1> queue;
         Wrong(), pipe.InitBuffer(queue, 1, 100);
     }},
};

}  // namespace sfumato::wrong
