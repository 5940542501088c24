// SPDX-License-Identifier: Apache-2.0
// Wrong programs: tensors, single elements, TPipe and TBuf.
#include "wrong_programs.h"

namespace sfumato::wrong {

std::vector<Program> TensorPrograms() {
    return {
        {.name = "tensor_never_given_memory",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             LocalTensor<half> b;
             Wrong(), Add(a, a, b, 64);
         },
         .report = {.rule = "tensor-uninitialised", .instruction = "Add", .operand = "src1",
                    .message = "Add: src1 is a LocalTensor that was never given memory",
                    .found = "a default-constructed LocalTensor",
                    .legal = "a tensor from AllocTensor, DeQue or TBuf::Get",
                    .hint = "assign the result of AllocTensor, DeQue or Get before using it"}},
        {.name = "tensor_offset_past_end",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 64); Wrong(), a[65]; },
         .report = {.rule = "tensor-offset", .instruction = "operator[]", .operand = "offset",
                    .message = "operator[]: the offset lies past the end of the tensor",
                    .found = "element 65", .legal = "0 to 64"}},
        {.name = "tensor_offset_negative",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 64); Wrong(), a[-64]; },
         .report = {.rule = "tensor-offset", .instruction = "operator[]", .operand = "offset",
                    .message = "operator[]: the offset lies past the end of the tensor",
                    .found = "element -64", .legal = "0 to 64"}},
        {.name = "global_offset_before_allocation",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ { auto m = Gm<half>(gm, 256)[64]; Wrong(), m[-65]; },
         .report = {.rule = "tensor-offset", .instruction = "operator[]", .operand = "gm",
                    .message = "operator[]: the offset leads before the start of the global memory",
                    .found = "element -65", .legal = "'gm' begins 64 elements before the tensor",
                    .hint = "check how the offset is computed"}},
        {.name = "tensor_offset_inside_byte",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<int4b_t>(0, 64); Wrong(), a[3]; },
         .report = {.rule = "tensor-offset", .instruction = "operator[]", .operand = "offset",
                    .message = "operator[]: an int4b_t tensor starts at whole bytes",
                    .found = "element 3", .legal = "an even offset"}},
        {.name = "static_tensor_past_memory",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(); LocalTensor<half> a(TPosition::VECIN, 196608 - 64, 64); },
         .report = {.rule = "static-tensor", .instruction = "LocalTensor", .operand = "VECIN",
                    .message = "LocalTensor: the tensor does not fit the memory behind its position",
                    .found = "128 bytes at byte offset 196544",
                    .legal = "a multiple of 32, at most 196608 bytes in all"}},
        {.name = "static_tensor_alignment",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(); LocalTensor<half> a(TPosition::VECIN, 16, 64); },
         .report = {.rule = "static-tensor", .instruction = "LocalTensor", .operand = "VECIN",
                    .message = "LocalTensor: the byte offset is not aligned",
                    .found = "128 bytes at byte offset 16", .legal = "a multiple of 32, at most 196608 bytes in all"}},
        {.name = "static_tensor_without_memory",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(); LocalTensor<half> a(TPosition::GM, 0, 64); },
         .report = {.rule = "static-tensor", .instruction = "LocalTensor", .operand = "GM",
                    .message = "LocalTensor: Ascend910B has no on-chip memory behind the position",
                    .found = "128 bytes at byte offset 0",
                    .legal = "VECIN, VECOUT, VECCALC, or a cube position this chip has"}},
        {.name = "static_tensor_position_max",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(); LocalTensor<half> a(TPosition::MAX, 0, 64); },
         .report = {.rule = "static-tensor", .instruction = "LocalTensor", .operand = "?",
                    .message = "LocalTensor: Ascend910B has no on-chip memory behind the position",
                    .found = "128 bytes at byte offset 0",
                    .legal = "VECIN, VECOUT, VECCALC, or a cube position this chip has"}},
        {.name = "shape_never_set",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 64); Wrong(), a.GetShapeInfo(); },
         .report = {.rule = "shape-unset", .instruction = "GetShapeInfo",
                    .message = "GetShapeInfo: the tensor has no shape",
                    .found = "GetShapeInfo before SetShapeInfo", .legal = "SetShapeInfo first"}},
        {.name = "get_value_index",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 64); Wrong(), a.GetValue(64); },
         .report = {.rule = "scalar-index", .instruction = "GetValue", .operand = "index",
                    .message = "GetValue: the index lies outside the tensor",
                    .found = "index 64", .legal = "0 to 63"}},
        {.name = "set_value_index",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             Wrong(), a.SetValue(static_cast<uint32_t>(-1), 1);
         },
         .report = {.rule = "scalar-index", .instruction = "SetValue", .operand = "index",
                    .message = "SetValue: the index lies outside the tensor",
                    .found = "index -1", .legal = "0 to 63"}},
        {.name = "element_reference_index",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<int32_t>(0, 8); Wrong(), a(8) = 1; },
         .report = {.rule = "scalar-index", .instruction = "operator()", .operand = "index",
                    .message = "operator(): the index lies outside the tensor",
                    .found = "index 8", .legal = "0 to 7"}},
        {.name = "global_value_index",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ { auto a = Gm<int32_t>(gm, 16); Wrong(), a.SetValue(16, 1); },
         .report = {.severity = Severity::kWarning, .rule = "past-tensor", .instruction = "SetValue",
                    .operand = "gm",
                    .message = "SetValue: the index lies past the end of the tensor, inside its buffer",
                    .found = "index 16", .legal = "0 to 15",
                    .hint = "give SetGlobalBuffer the number of elements that the kernel uses"}},
        {.name = "global_value_negative_index",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ { auto a = Gm<int32_t>(gm, 16); Wrong(), a.GetValue(-1); },
         .report = {.rule = "scalar-index", .instruction = "GetValue", .operand = "gm",
                    .message = "GetValue: the index lies outside the tensor",
                    .found = "index -1", .legal = "'gm' has 4096 bytes from the tensor's start"}},
        {.name = "global_value_negative_index_of_unknown_size",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ { auto a = Gm<int32_t>(gm, 0); Wrong(), a.GetValue(-1); },
         .report = {.rule = "scalar-index", .instruction = "GetValue", .operand = "gm",
                    .message = "GetValue: the index lies outside the tensor",
                    .found = "index -1", .legal = "'gm' has 4096 bytes from the tensor's start"}},
        {.name = "global_value_past_allocation",
         .kernel = [](GM_ADDR, GM_ADDR tail) __aicore__ { auto a = Gm<int32_t>(tail, 0); Wrong(), a.GetValue(10); },
         .report = {.rule = "scalar-index", .instruction = "GetValue", .operand = "tail",
                    .message = "GetValue: the index lies outside the tensor",
                    .found = "index 10", .legal = "'tail' has 40 bytes from the tensor's start"}},
        {.name = "element_in_l1",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             LocalTensor<half> a(TPosition::A1, 0, 64);
             Wrong(), a.GetValue(0);
         },
         .report = {.rule = "scalar-position", .instruction = "GetValue", .operand = "tensor",
                    .message = "GetValue: the scalar unit cannot reach this memory",
                    .found = "A1", .legal = "VECIN, VECOUT and VECCALC", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "element_alignment",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<uint8_t>(0, 64)[2].ReinterpretCast<int32_t>();
             Wrong(), a.SetValue(0, 1);
         },
         .report = {.rule = "scalar-alignment", .instruction = "SetValue", .operand = "dst",
                    .message = "SetValue: the destination is not aligned",
                    .found = "byte offset 2 in UB", .legal = "a multiple of 4",
                    .hint = "start at byte offset 0 or 4"}},
        {.name = "dump_too_long",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 64); Wrong(), DumpTensor(a, 5, 65); },
         .report = {.rule = "dump-size", .instruction = "DumpTensor", .operand = "dumpSize",
                    .message = "DumpTensor: more elements than the tensor's buffer holds",
                    .found = "65 elements of half", .legal = "at most 64 elements (128 bytes)"}},
        {.name = "second_pipe",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { TPipe first; Wrong(); TPipe second; },
         .report = {.rule = "tpipe-second", .instruction = "TPipe",
                    .message = "TPipe: a second TPipe is made while one is alive",
                    .found = "two live TPipe objects on one core",
                    .legal = "one TPipe at a time: on the chip a second one hangs",
                    .hint = "keep one TPipe for the kernel and pass it on, or call Destroy() on the first"}},
        {.name = "pipe_initialised_twice",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { TPipe pipe; Wrong(), pipe.Init(); },
         .report = {.rule = "tpipe-second", .instruction = "TPipe",
                    .message = "TPipe: Init is called on a TPipe that is already initialised",
                    .found = "Init without Destroy before it",
                    .legal = "one TPipe at a time: on the chip a second one hangs",
                    .hint = "keep one TPipe for the kernel and pass it on, or call Destroy() on the first"}},
        {.name = "no_pipe",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), GetTPipePtr(); },
         .report = {.rule = "tpipe-none", .instruction = "GetTPipePtr",
                    .message = "GetTPipePtr: there is no TPipe",
                    .found = "no live TPipe on this core", .legal = "a TPipe made earlier in the kernel",
                    .hint = "declare a TPipe before calling GetTPipePtr()"}},
        {.name = "pipe_after_destroy",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBuf<> buffer;
             pipe.Destroy();
             Wrong(), pipe.InitBuffer(buffer, 64);
         },
         .report = {.rule = "tpipe-none", .instruction = "InitBuffer",
                    .message = "InitBuffer: the TPipe is not the core's live TPipe",
                    .found = "a TPipe after Destroy()", .legal = "the live TPipe",
                    .hint = "call Init() after Destroy(), or use the TPipe that is alive"}},
        {.name = "buffer_without_memory",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { TPipe pipe; TBuf<> buffer; Wrong(), buffer.Get<half>(); },
         .report = {.rule = "buffer-uninitialised", .instruction = "TBuf::Get", .operand = "VECCALC",
                    .message = "TBuf::Get: the TBuf has no memory",
                    .found = "Get before InitBuffer", .legal = "InitBuffer first",
                    .hint = "call pipe.InitBuffer(buf, bytes)"}},
        {.name = "buffer_of_ended_pipe",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBuf<> buffer;
             TQue<TPosition::VECIN, 1> queue;
             pipe.InitBuffer(buffer, 64);
             pipe.Reset();
             Earlier(), pipe.InitBuffer(queue, 1, 32);
             Wrong(), buffer.Get<half>();
         },
         .report = {.rule = "buffer-uninitialised", .instruction = "TBuf::Get", .operand = "VECCALC",
                    .message = "TBuf::Get: the TBuf has no memory",
                    .found = "its TPipe has ended or was reset, and InitBuffer at {earlier} took the memory",
                    .legal = "InitBuffer first",
                    .hint = "call pipe.InitBuffer(buf, bytes)"}},
        {.name = "element_of_memory_taken",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBuf<> first, second;
             pipe.InitBuffer(first, 64);
             LocalTensor<half> tensor = first.Get<half>();
             Duplicate(tensor, half(1), 32);
             pipe.Reset();
             Earlier(), pipe.InitBuffer(second, 64);
             Wrong(), tensor.GetValue(3);
         },
         .report = {.rule = "tensor-freed", .instruction = "GetValue", .operand = "tensor"}},
        {.name = "buffer_get_too_many",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBuf<> buffer;
             pipe.InitBuffer(buffer, 64);
             Wrong(), buffer.Get<half>(33);
         },
         .report = {.rule = "buffer-get-size", .instruction = "TBuf::Get", .operand = "VECCALC",
                    .message = "TBuf::Get: more elements than the TBuf holds",
                    .found = "33 x half at byte offset 0", .legal = "64 bytes in all"}},
        {.name = "buffer_get_offset",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBuf<> buffer;
             pipe.InitBuffer(buffer, 128);
             Wrong(), buffer.GetWithOffset<half>(16, 20);
         },
         .report = {.rule = "buffer-get-offset", .instruction = "TBuf::Get", .operand = "VECCALC",
                    .message = "TBuf::Get: the offset is not a multiple of 32",
                    .found = "16 x half at byte offset 20", .legal = "a multiple of 32"}},
        {.name = "buffer_of_no_bytes",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { TPipe pipe; TBuf<> buffer; Wrong(), pipe.InitBuffer(buffer, 0); },
         .report = {.rule = "buffer-empty", .instruction = "InitBuffer", .operand = "VECCALC",
                    .message = "InitBuffer: a TBuf needs at least one byte",
                    .found = "0 bytes", .legal = "len >= 1"}},
        {.name = "buffer_at_a_position_the_chip_lacks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBuf<TPosition::C2PIPE2GM> buffer;
             Wrong(), pipe.InitBuffer(buffer, 64);
         },
         .report = {.rule = "position-unsupported", .instruction = "InitBuffer", .operand = "C2PIPE2GM",
                    .message = "InitBuffer: Ascend910 has no memory for the TBuf position C2PIPE2GM",
                    .found = "no memory behind the position",
                    .legal = "VECIN, VECOUT, VECCALC, or a cube position this chip has", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "memory_full",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBuf<> first, second;
             pipe.InitBuffer(first, 100000);
             Wrong(), pipe.InitBuffer(second, 100000);
         },
         .report = {.rule = "memory-full", .instruction = "InitBuffer", .operand = "VECCALC",
                    .message = "InitBuffer: the buffers do not fit in UB",
                    .found = "1 x 100000 bytes asked for, 96608 bytes free",
                    .legal = "UB has 196608 bytes on Ascend910B",
                    .hint = "use smaller tiles or fewer buffers"}},
        {.name = "memory_full_by_queue",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TQue<TPosition::VECIN, 2> queue;
             Wrong(), pipe.InitBuffer(queue, 2, 131072);
         },
         .report = {.rule = "memory-full", .instruction = "InitBuffer", .operand = "VECIN",
                    .message = "InitBuffer: the buffers do not fit in UB",
                    .found = "2 x 131072 bytes asked for, 253952 bytes free",
                    .legal = "UB has 253952 bytes on Ascend310B",
                    .hint = "use smaller tiles or fewer buffers", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "buffers_per_position",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TQue<TPosition::VECIN, 4> queue;
             Wrong(), pipe.InitBuffer(queue, 5, 32);
         },
         .report = {.rule = "position-full", .instruction = "InitBuffer", .operand = "VECIN",
                    .message = "InitBuffer: more buffers than VECIN allows",
                    .found = "5 buffers at VECIN", .legal = "at most 4 on Ascend910",
                    .hint = "use fewer queues, or a buffer number of 1", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "buffers_per_position_of_newer_chip",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TQue<TPosition::VECIN, 8> queue;
             Wrong(), pipe.InitBuffer(queue, 9, 32);
         },
         .report = {.severity = Severity::kWarning, .rule = "buffers-per-position", .instruction = "InitBuffer",
                    .operand = "VECIN",
                    .message = "InitBuffer: more buffers than VECIN allows",
                    .found = "9 buffers at VECIN", .legal = "at most 8 on Ascend910B",
                    .hint = "older toolkits hang here; use fewer queues or single buffers"}},
        {.name = "buffers_of_a_kernel",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TQue<TPosition::VECIN, 2> queues[9];
             for (int i = 0; i < 8; ++i) pipe.InitBuffer(queues[i], 8, 32);
             Wrong(), pipe.InitBuffer(queues[8], 1, 32);
         },
         .report = {.rule = "buffers-total", .instruction = "InitBuffer", .operand = "VECIN",
                    .message = "InitBuffer: more buffers than a kernel may have",
                    .found = "65 buffers", .legal = "at most 64"},
         .others = {"buffers-per-position"}},
        {.name = "buffer_length_rounded",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TQue<TPosition::VECIN, 1> queue;
             Wrong(), pipe.InitBuffer(queue, 1, 100);
         },
         .report = {.severity = Severity::kNote, .rule = "buffer-rounded", .instruction = "InitBuffer",
                    .operand = "VECIN",
                    .message = "InitBuffer: the length is rounded up to a multiple of 32",
                    .found = "100 bytes", .legal = "128 bytes are reserved"}},
    };
}

}  // namespace sfumato::wrong
