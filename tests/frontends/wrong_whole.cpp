// SPDX-License-Identifier: Apache-2.0
// Wrong programs: paddings, calls made of several instructions, operators of tensors, pools of buffers.
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

constexpr TQueConfig kTwoOf256 = {.bufferLen = 256, .bufferNumber = 2};

}  // namespace

std::vector<Program> WholePrograms() {
    return {
        {.name = "padding_mode",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64), b = Ub<half>(1024, 64);
             Wrong(), VectorPadding(a, b, 3, false, 64);
         },
         .report = {.rule = "parameter-range", .instruction = "VectorPadding", .operand = "padMode",
                    .message = "VectorPadding: padMode is out of range",
                    .found = "3", .legal = "0..2", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "padding_on_part_of_its_source",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(32, 64), b = Ub<half>(0, 64);
             Wrong(), VectorPadding(a, b, 1, false, 64);
         },
         .report = {.rule = "operands-share", .instruction = "VectorPadding", .operand = "src",
                    .message = "VectorPadding: src and dst share memory",
                    .found = "bytes 0..128 and 32..160 of UB", .legal = "no byte in common",
                    .hint = "use a tensor of its own for the result", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "padding_the_chip_lacks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64), b = Ub<half>(1024, 64);
             Wrong(), VectorPadding(a, b, 1, false, 64);
         },
         .report = {.rule = "instruction-unsupported", .instruction = "VectorPadding",
                    .message = "VectorPadding: Ascend910B does not have the instruction",
                    .found = "Ascend910B", .legal = "Ascend310P",
                    .hint = "choose another chip or another instruction"}},
        {.name = "sort_the_chip_lacks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 128), b = Ub<half>(1024, 128), c = Ub<half>(2048, 128);
             auto i = Ub<uint32_t>(4096, 32);
             Wrong(), Sort<half, true>(a, b, i, c, 1);
         },
         .report = {.rule = "instruction-unsupported", .instruction = "Sort",
                    .message = "Sort: Ascend910 does not have the instruction",
                    .found = "Ascend910", .legal = "Ascend310P, Ascend910B",
                    .hint = "sort with the instructions this chip has", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "sort_repeats",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 128), b = Ub<half>(1024, 128), c = Ub<half>(2048, 128);
             auto i = Ub<uint32_t>(4096, 32);
             Wrong(), Sort<half, true>(a, b, i, c, 256);
         },
         .report = {.rule = "repeat-range", .instruction = "Sort", .operand = "repeatTime",
                    .message = "Sort: the repeat count is out of range",
                    .found = "256", .legal = "0..255", .hint = "split the call"}},
        {.name = "sort_of_nothing",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 128), b = Ub<half>(1024, 128);
             auto i = Ub<uint32_t>(4096, 32);
             Wrong(), Extract(a, i, b, 0);
         },
         .report = {.severity = Severity::kNote, .rule = "repeat-zero", .instruction = "Extract",
                    .operand = "repeatTime", .message = "Extract: the repeat count is 0: the call does nothing",
                    .found = "0", .legal = "0..255"}},
        {.name = "sort_without_room_to_merge",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 128), b = Ub<float>(1024, 64), c = Ub<float>(2048, 64);
             auto i = Ub<uint32_t>(4096, 64);
             Wrong(), Sort<float, true>(a, b, i, c, 2);
         },
         .report = {.rule = "count-exceeds-tensor", .instruction = "Sort", .operand = "tmp",
                    .message = "Sort: the tensor is too small for the repeats",
                    .found = "64 elements", .legal = "128 elements or more",
                    .hint = "GetSortLen gives the elements of sorted records"}},
        {.name = "sort_of_an_empty_handle",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 128), c = Ub<float>(2048, 128);
             LocalTensor<float> concat;
             auto i = Ub<uint32_t>(4096, 64);
             Wrong(), Sort<float, true>(a, concat, i, c, 2);
         },
         .report = {.rule = "tensor-uninitialised", .instruction = "Sort", .operand = "concat",
                    .message = "Sort: concat is a LocalTensor that was never given memory",
                    .found = "a default-constructed LocalTensor",
                    .legal = "a tensor from AllocTensor, DeQue or TBuf::Get",
                    .hint = "assign the result of AllocTensor, DeQue or Get before using it"}},
        {.name = "concat_of_too_few",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 32), tmp = Ub<half>(1024, 256);
             LocalTensor<half> concat;
             Wrong(), Concat(concat, a, tmp, 3);
         },
         .report = {.rule = "count-exceeds-tensor", .instruction = "Concat", .operand = "src",
                    .message = "Concat: the tensor is too small for the repeats",
                    .found = "32 elements", .legal = "48 elements or more",
                    .hint = "GetSortLen gives the elements of sorted records"}},
        {.name = "fill_after_buffers",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBuf<TPosition::VECCALC> buffer;
             pipe.InitBuffer(buffer, 1024);
             Wrong(), InitOutput<float>(Gm<float>(gm, 256), 256);
         },
         .report = {.severity = Severity::kWarning, .rule = "fill-after-buffers", .instruction = "InitOutput",
                    .operand = "VECCALC",
                    .message = "InitOutput: the call uses UB, and is made after InitBuffer",
                    .found = "buffers of 1024 bytes in UB", .legal = "before the first InitBuffer",
                    .hint = "call it first: on the chip it may overwrite the buffers; here it takes the rest"}},
        {.name = "fill_without_memory",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBuf<TPosition::VECCALC> buffer;
             pipe.InitBuffer(buffer, 196608);
             Wrong(), Fill(Gm<float>(gm, 256), 256, 1.0f);
         },
         .report = {.rule = "memory-full", .instruction = "Fill", .operand = "VECCALC",
                    .message = "Fill: InitBuffer left no memory for the call",
                    .found = "buffers of 196608 bytes in UB", .legal = "before the first InitBuffer",
                    .hint = "call it first: on the chip it may overwrite the buffers; here it takes the rest"}},
        {.name = "global_fill_of_bytes",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ { Wrong(), InitGlobalMemory(Gm<uint8_t>(gm, 256), 256, 1); },
         .report = {.rule = "type-unsupported", .instruction = "InitGlobalMemory", .operand = "value",
                    .message = "InitGlobalMemory: the element type is not supported on Ascend910B",
                    .found = "uint8_t", .legal = "int16_t, uint16_t, half, int32_t, uint32_t, float",
                    .hint = "fill as integers of 16 or 32 bits"}},
        {.name = "fill_past_the_tensor",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ { Wrong(), InitGlobalMemory(Gm<float>(gm, 64), 256, 1.0f); },
         .report = {.rule = "count-exceeds-tensor", .instruction = "InitGlobalMemory", .operand = "size",
                    .message = "InitGlobalMemory: the size is larger than the tensor",
                    .found = "256", .legal = "0..64", .hint = "the size counts elements, not bytes"}},
        {.name = "fill_the_chip_lacks",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ { Wrong(), InitGlobalMemory(Gm<float>(gm, 64), 64, 1.0f); },
         .report = {.rule = "instruction-unsupported", .instruction = "InitGlobalMemory",
                    .message = "InitGlobalMemory: Ascend910 does not have the instruction",
                    .found = "Ascend910", .legal = "Ascend310P, Ascend910B",
                    .hint = "move a tensor that Duplicate filled", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "sum_of_a_type_the_chip_lacks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<uint16_t>(0, 64);
             Wrong(), a = a + a;
         },
         .report = {.rule = "type-unsupported", .instruction = "Add", .operand = "dst",
                    .message = "Add: the element type is not supported on Ascend910B",
                    .found = "uint16_t", .legal = "int16_t, half, int32_t, float",
                    .hint = "no other chip has this type: convert to a legal type first"}},
        {.name = "sum_longer_than_its_sources",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64), dst = Ub<half>(1024, 128);
             Wrong(), dst = a + a;
         },
         .report = {.rule = "count-exceeds-tensor", .instruction = "Add", .operand = "src0",
                    .message = "Add: the count is larger than the tensor",
                    .found = "count 128", .legal = "at most 64, the elements of the tensor",
                    .hint = "make the tensor larger, or process fewer elements"}},
        {.name = "order_the_chip_lacks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 128);
             auto dst = Ub<uint8_t>(1024, 32);
             Wrong(), dst = a < a;
         },
         .report = {.rule = "instruction-unsupported", .instruction = "operator<",
                    .message = "operator<: Ascend310B does not have the instruction",
                    .found = "Ascend310B", .legal = "Ascend910, Ascend310P, Ascend910B", .hint = "use Compare",
                    .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "reference_the_chip_lacks",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ { auto m = Gm<int32_t>(gm, 64); Wrong(), m(3) = 1; },
         .report = {.rule = "instruction-unsupported", .instruction = "operator()",
                    .message = "operator(): Ascend310P does not have the instruction",
                    .found = "Ascend310P", .legal = "Ascend910B", .hint = "use GetValue and SetValue",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "reference_past_the_tensor",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ { auto m = Gm<int32_t>(gm, 64); Wrong(), m(64) = 1; },
         .report = {.severity = Severity::kWarning, .rule = "past-tensor", .instruction = "operator()",
                    .operand = "gm",
                    .message = "operator(): the index lies past the end of the tensor, inside its buffer",
                    .found = "index 64", .legal = "0 to 63",
                    .hint = "give SetGlobalBuffer the number of elements that the kernel uses"}},
        {.name = "address_without_position",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             LocalTensor<half> a;
             Wrong(), a.InitBuffer(0, 64), a.GetValue(0);
         },
         .report = {.rule = "static-tensor", .instruction = "LocalTensor", .operand = "?",
                    .message = "LocalTensor: Ascend910B has no on-chip memory behind the position",
                    .found = "128 bytes at byte offset 0",
                    .legal = "VECIN, VECOUT, VECCALC, or a cube position this chip has"}},
        {.name = "print_past_the_buffer",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 64); Wrong(), a.Print(65); },
         .report = {.rule = "dump-size", .instruction = "Print", .operand = "count",
                    .message = "Print: more elements than the tensor's buffer holds",
                    .found = "65 elements of half", .legal = "at most 64 elements (128 bytes)"}},
        {.name = "pool_without_memory",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBufPool<TPosition::VECCALC> pool;
             TBuf<TPosition::VECCALC> buffer;
             Wrong(), pool.InitBuffer(buffer, 64);
         },
         .report = {.rule = "pool-uninitialised", .instruction = "InitBuffer", .operand = "VECCALC",
                    .message = "InitBuffer: the TBufPool has no memory",
                    .found = "a TBufPool before InitBufPool", .legal = "InitBufPool first",
                    .hint = "call pipe.InitBufPool(pool, bytes)"}},
        {.name = "pool_with_too_many_buffers",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBufPool<TPosition::VECIN, 2> pool;
             TQue<TPosition::VECIN, 1> queue;
             pipe.InitBufPool(pool, 4096);
             Wrong(), pool.InitBuffer(queue, 3, 64);
         },
         .report = {.rule = "pool-buffers", .instruction = "InitBuffer", .operand = "VECIN",
                    .message = "InitBuffer: more buffers than the TBufPool may have",
                    .found = "3 buffers", .legal = "at most 2",
                    .hint = "give TBufPool a larger bufIDSize, at most 16"}},
        {.name = "pool_of_another_memory",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBufPool<TPosition::A1> pool;
             TBuf<TPosition::B2> buffer;
             pipe.InitBufPool(pool, 4096);
             Wrong(), pool.InitBuffer(buffer, 64);
         },
         .report = {.rule = "pool-memory", .instruction = "InitBuffer", .operand = "B2",
                    .message = "InitBuffer: the position has another memory than the pool",
                    .found = "B2 in L0B, a pool in L1", .legal = "a position in L1",
                    .hint = "make a pool for each memory", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "pool_larger_than_what_it_shares",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBufPool<TPosition::VECIN> first, second;
             pipe.InitBufPool(first, 1024);
             Wrong(), pipe.InitBufPool(second, 2048, first);
         },
         .report = {.rule = "pool-memory", .instruction = "InitBufPool", .operand = "VECIN",
                    .message = "InitBufPool: the pool does not fit in the one it shares",
                    .found = "2048 bytes in UB", .legal = "at most 1024 bytes in UB",
                    .hint = "make the larger pool first"}},
        {.name = "pool_that_is_full",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBufPool<TPosition::VECIN> pool;
             TBuf<TPosition::VECIN> buffer;
             pipe.InitBufPool(pool, 1024);
             Wrong(), pool.InitBuffer(buffer, 1056);
         },
         .report = {.rule = "memory-full", .instruction = "InitBuffer", .operand = "VECIN",
                    .message = "InitBuffer: the buffers do not fit in the pool",
                    .found = "1 x 1056 bytes asked for, 1024 bytes free", .legal = "the pool has 1024 bytes",
                    .hint = "use smaller tiles or fewer buffers"}},
        {.name = "pools_the_chip_lacks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBufPool<TPosition::VECIN> pool;
             Wrong(), pipe.InitBufPool(pool, 1024);
         },
         .report = {.rule = "instruction-unsupported", .instruction = "InitBufPool",
                    .message = "InitBufPool: Ascend310B does not have the instruction",
                    .found = "Ascend310B", .legal = "Ascend910, Ascend310P, Ascend910B",
                    .hint = "make the buffers with TPipe::InitBuffer", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "queue_other_than_configured",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TQue<TPosition::VECIN, 1, &kTwoOf256> queue;
             Wrong(), pipe.InitBuffer(queue, 1, 256);
         },
         .report = {.rule = "queue-config", .instruction = "InitBuffer", .operand = "bufferNumber",
                    .message = "InitBuffer: InitBuffer is given something else than the TQueConfig of the queue says",
                    .found = "1", .legal = "2, or 0 in the TQueConfig"}},
        {.name = "buffer_given_a_foreign_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBuf<TPosition::VECCALC> buffer, other;
             pipe.InitBuffer(buffer, 64);
             pipe.InitBuffer(other, 64);
             auto tensor = other.AllocTensor<half>();
             Wrong(), buffer.FreeTensor(tensor);
         },
         .report = {.rule = "queue-foreign-tensor", .instruction = "FreeTensor", .operand = "VECCALC",
                    .message = "FreeTensor: the tensor does not come from this TBuf",
                    .found = "a tensor of another buffer",
                    .legal = "a tensor that AllocTensor or Get of this TBuf returned"}},
    };
}

}  // namespace sfumato::wrong
