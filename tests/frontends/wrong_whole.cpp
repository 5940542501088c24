// SPDX-License-Identifier: Apache-2.0
// Wrong programs: paddings, calls made of several instructions, operators of tensors, pools of buffers.
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

constexpr TQueConfig kTwoOf256 = {.bufferLen = 256, .bufferNumber = 2};

}  // namespace

const Table<Program> kWhole = {
    {"padding_mode", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64), b = Ub<half>(1024, 64);
         Wrong(), VectorPadding(a, b, 3, false, 64);
     }, {.chip = "Ascend310P3"}},
    {"padding_on_part_of_its_source", "operands-share", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(32, 64), b = Ub<half>(0, 64);
         Wrong(), VectorPadding(a, b, 1, false, 64);
     }, {.chip = "Ascend310P3"}},
    {"padding_the_chip_lacks", "instruction-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64), b = Ub<half>(1024, 64);
         Wrong(), VectorPadding(a, b, 1, false, 64);
     }},
    {"sort_the_chip_lacks", "instruction-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 128), b = Ub<half>(1024, 128), c = Ub<half>(2048, 128);
         auto i = Ub<uint32_t>(4096, 32);
         Wrong(), Sort<half, true>(a, b, i, c, 1);
     }, {.chip = "Ascend910A"}},
    {"sort_repeats", "repeat-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 128), b = Ub<half>(1024, 128), c = Ub<half>(2048, 128);
         auto i = Ub<uint32_t>(4096, 32);
         Wrong(), Sort<half, true>(a, b, i, c, 256);
     }},
    {"sort_of_nothing", "repeat-zero", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 128), b = Ub<half>(1024, 128);
         auto i = Ub<uint32_t>(4096, 32);
         Wrong(), Extract(a, i, b, 0);
     }},
    {"sort_without_room_to_merge", "count-exceeds-tensor", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 128), b = Ub<float>(1024, 64), c = Ub<float>(2048, 64);
         auto i = Ub<uint32_t>(4096, 64);
         Wrong(), Sort<float, true>(a, b, i, c, 2);
     }},
    {"sort_of_an_empty_handle", "tensor-uninitialised", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 128), c = Ub<float>(2048, 128);
         LocalTensor<float> concat;
         auto i = Ub<uint32_t>(4096, 64);
         Wrong(), Sort<float, true>(a, concat, i, c, 2);
     }},
    {"concat_of_too_few", "count-exceeds-tensor", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 32), tmp = Ub<half>(1024, 256);
         LocalTensor<half> concat;
         Wrong(), Concat(concat, a, tmp, 3);
     }},
    {"fill_after_buffers", "fill-after-buffers", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<TPosition::VECCALC> buffer;
         pipe.InitBuffer(buffer, 1024);
         Wrong(), InitOutput<float>(Gm<float>(gm, 256), 256);
     }},
    {"fill_without_memory", "memory-full", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<TPosition::VECCALC> buffer;
         pipe.InitBuffer(buffer, 196608);
         Wrong(), Fill(Gm<float>(gm, 256), 256, 1.0f);
     }},
    {"global_fill_of_bytes", "type-unsupported",
     [](GM_ADDR gm, GM_ADDR) __aicore__ { Wrong(), InitGlobalMemory(Gm<uint8_t>(gm, 256), 256, 1); }},
    {"fill_past_the_tensor", "count-exceeds-tensor",
     [](GM_ADDR gm, GM_ADDR) __aicore__ { Wrong(), InitGlobalMemory(Gm<float>(gm, 64), 256, 1.0f); }},
    {"fill_the_chip_lacks", "instruction-unsupported",
     [](GM_ADDR gm, GM_ADDR) __aicore__ { Wrong(), InitGlobalMemory(Gm<float>(gm, 64), 64, 1.0f); },
     {.chip = "Ascend910A"}},
    {"sum_of_a_type_the_chip_lacks", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<uint16_t>(0, 64);
         Wrong(), a = a + a;
     }},
    {"sum_longer_than_its_sources", "count-exceeds-tensor", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64), dst = Ub<half>(1024, 128);
         Wrong(), dst = a + a;
     }},
    {"order_the_chip_lacks", "instruction-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 128);
         auto dst = Ub<uint8_t>(1024, 32);
         Wrong(), dst = a < a;
     }, {.chip = "Ascend310B1"}},
    {"reference_the_chip_lacks", "instruction-unsupported",
     [](GM_ADDR gm, GM_ADDR) __aicore__ { auto m = Gm<int32_t>(gm, 64); Wrong(), m(3) = 1; },
     {.chip = "Ascend910A"}},
    {"reference_past_the_tensor", "past-tensor",
     [](GM_ADDR gm, GM_ADDR) __aicore__ { auto m = Gm<int32_t>(gm, 64); Wrong(), m(64) = 1; }},
    {"address_without_position", "static-tensor", [](GM_ADDR, GM_ADDR) __aicore__ {
         LocalTensor<half> a;
         Wrong(), a.InitBuffer(0, 64), a.GetValue(0);
     }},
    {"print_past_the_buffer", "dump-size",
     [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 64); Wrong(), a.Print(65); }},
    {"pool_without_memory", "pool-uninitialised", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBufPool<TPosition::VECCALC> pool;
         TBuf<TPosition::VECCALC> buffer;
         Wrong(), pool.InitBuffer(buffer, 64);
     }},
    {"pool_with_too_many_buffers", "pool-buffers", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBufPool<TPosition::VECIN, 2> pool;
         TQue<TPosition::VECIN, 1> queue;
         pipe.InitBufPool(pool, 4096);
         Wrong(), pool.InitBuffer(queue, 3, 64);
     }},
    {"pool_of_another_memory", "pool-memory", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBufPool<TPosition::A1> pool;
         TBuf<TPosition::B2> buffer;
         pipe.InitBufPool(pool, 4096);
         Wrong(), pool.InitBuffer(buffer, 64);
     }, {.chip = "Ascend310P3"}},
    {"pool_larger_than_what_it_shares", "pool-memory", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBufPool<TPosition::VECIN> first, second;
         pipe.InitBufPool(first, 1024);
         Wrong(), pipe.InitBufPool(second, 2048, first);
     }},
    {"pool_that_is_full", "memory-full", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBufPool<TPosition::VECIN> pool;
         TBuf<TPosition::VECIN> buffer;
         pipe.InitBufPool(pool, 1024);
         Wrong(), pool.InitBuffer(buffer, 1056);
     }},
    {"pools_the_chip_lacks", "instruction-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBufPool<TPosition::VECIN> pool;
         Wrong(), pipe.InitBufPool(pool, 1024);
     }, {.chip = "Ascend310B1"}},
    {"queue_other_than_configured", "queue-config", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TQue<TPosition::VECIN, 1, &kTwoOf256> queue;
         Wrong(), pipe.InitBuffer(queue, 1, 256);
     }},
    {"buffer_given_a_foreign_tensor", "queue-foreign-tensor", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<TPosition::VECCALC> buffer, other;
         pipe.InitBuffer(buffer, 64);
         pipe.InitBuffer(other, 64);
         auto tensor = other.AllocTensor<half>();
         Wrong(), buffer.FreeTensor(tensor);
     }},
};

}  // namespace sfumato::wrong
