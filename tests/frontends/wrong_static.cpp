// SPDX-License-Identifier: Apache-2.0
// Wrong programs without a TPipe (static.md 2).
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

constexpr uint32_t kUbOf910B = 192 * 1024 - 256;
const UnaryRepeatParams kWhole;

// The end of a kernel that has waited for its pipes.
void End() { PipeBarrier<PIPE_ALL>(); }

}  // namespace

const Table<Program> kStatic = {
    {"state_never_set", "soc-state-unset", [](GM_ADDR, GM_ADDR) __aicore__ {
         LocalTensor<half> a(TPosition::VECCALC, 0, 128);
         Wrong(), Adds(a, a, half(1), 128, 1, kWhole);
         End();
     }, {.of_result = true}},
    {"state_set_behind_the_first_instruction", "soc-state-unset", [](GM_ADDR, GM_ADDR) __aicore__ {
         LocalMemAllocator ub;
         auto a = ub.Alloc<half, 128>();
         Wrong(), Adds<half, false>(a, a, half(1), 128, 1, kWhole);
         InitSocState();
         End();
     }, {.of_result = true}},
    {"atomic_mode_before_the_pipe", "atomic-dropped", [](GM_ADDR, GM_ADDR) __aicore__ {
         Earlier(), SetAtomicAdd<float>();
         Wrong(); TPipe pipe;
     }},
    {"allocator_twice", "allocator-twice", [](GM_ADDR, GM_ADDR) __aicore__ {
         InitSocState();
         LocalMemAllocator first, second;
         auto a = first.Alloc<half, 128>();
         Wrong(); auto b = second.Alloc<half, 128>();
     }},
    {"allocator_copied", "allocator-twice", [](GM_ADDR, GM_ADDR) __aicore__ {
         InitSocState();
         LocalMemAllocator<Hardware::L1> l1;
         auto a = l1.Alloc<TPosition::B1, half>(100);
         LocalMemAllocator<Hardware::L1> copy = l1;
         auto b = l1.Alloc<half>(100);
         Wrong(); auto c = copy.Alloc<half>(100);
     }, {.core = CoreChoice::kCube}},
    {"allocator_in_the_memory_of_a_pipe", "allocator-twice", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<> buffer;
         pipe.InitBuffer(buffer, 1024);
         LocalMemAllocator ub;
         Wrong(); auto a = ub.Alloc<half, 128>();
     }},
    {"pipe_in_the_memory_of_an_allocator", "allocator-twice", [](GM_ADDR, GM_ADDR) __aicore__ {
         LocalMemAllocator ub;
         auto a = ub.Alloc<half, 128>();
         TPipe pipe;
         TBuf<> buffer;
         Wrong(), pipe.InitBuffer(buffer, 1024);
     }},
    {"allocator_full", "allocator-full", [](GM_ADDR, GM_ADDR) __aicore__ {
         InitSocState();
         LocalMemAllocator ub;
         auto a = ub.Alloc<uint8_t, kUbOf910B - 32>();
         Wrong(); auto b = ub.Alloc<half>(17);
     }},
    {"allocator_full_of_bt", "allocator-full", [](GM_ADDR, GM_ADDR) __aicore__ {
         InitSocState();
         LocalMemAllocator<Hardware::BIAS> bt;
         Wrong(); auto b = bt.Alloc<float, 257>();
     }, {.core = CoreChoice::kCube}},
    {"allocator_of_no_memory", "allocator-full", [](GM_ADDR, GM_ADDR) __aicore__ {
         LocalMemAllocator<Hardware::BIAS> bt;
         Wrong(); auto b = bt.Alloc<float, 8>();
     }, {.chip = "Ascend310P3"}},
    {"allocator_position", "static-tensor", [](GM_ADDR, GM_ADDR) __aicore__ {
         InitSocState();
         LocalMemAllocator ub;
         Wrong(); auto a = ub.Alloc<TPosition::A1, half, 128>();
     }},
    {"reserved_end_of_ub_select", "reserved-memory", [](GM_ADDR, GM_ADDR) __aicore__ {
         InitSocState();
         LocalMemAllocator ub;
         auto dst = ub.Alloc<half, 128>(), a = ub.Alloc<half, 128>(), b = ub.Alloc<half, 128>();
         auto bits = ub.Alloc<uint8_t, 32>();
         Earlier(); auto end = ub.Alloc<uint8_t>(kUbOf910B - ub.GetCurAddr());
         Duplicate(bits.ReinterpretCast<half>(), half(0), 16);
         Wrong(), Select(dst, bits, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, 128);
         End();
     }},
    {"reserved_end_of_ub_power", "reserved-memory", [](GM_ADDR, GM_ADDR) __aicore__ {
         InitSocState();
         LocalMemAllocator ub;
         auto dst = ub.Alloc<float, 64>(), a = ub.Alloc<float, 64>();
         auto tmp = ub.Alloc<uint8_t, 16384>();
         Earlier(); auto end = ub.Alloc<uint8_t>(kUbOf910B - ub.GetCurAddr());
         Wrong(), Power(dst, a, 2.0f, tmp, 64);
         End();
     }, {.of_result = true}},
    {"call_that_needs_a_pipe", "static-tensor-call", [](GM_ADDR, GM_ADDR) __aicore__ {
         InitSocState();
         LocalMemAllocator ub;
         auto dst = ub.Alloc<float, 8>(), src = ub.Alloc<float, 64>(), work = ub.Alloc<float, 64>();
         Wrong(), ReduceSum(dst, src, work, 64);
         End();
     }, {.of_result = true}},
    {"library_call_that_needs_a_pipe", "static-tensor-call", [](GM_ADDR, GM_ADDR) __aicore__ {
         InitSocState();
         LocalMemAllocator ub;
         auto dst = ub.Alloc<float, 64>(), src = ub.Alloc<float, 64>();
         auto tmp = ub.Alloc<uint8_t, 8192>();
         Wrong(), Sigmoid(dst, src, tmp, 64);
         Sigmoid(dst, src, tmp, 64);
         End();
     }, {.of_result = true}},
    {"event_id_of_the_library", "event-id-held", [](GM_ADDR, GM_ADDR) __aicore__ {
         InitSocState();
         LocalTensor<half> a(TPosition::VECIN, 0, 128);
         Wrong(), SetFlag<HardEvent::V_MTE2>(6);
         WaitFlag<HardEvent::V_MTE2>(6);
     }},
    {"no_barrier_at_the_end", "kernel-end-unfenced", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         InitSocState();
         LocalTensor<half> a(TPosition::VECIN, 0, 128);
         Wrong(), DataCopy(a, Gm<half>(gm, 128), 128);
     }, {.of_result = true}},
    {"no_call_that_sets_the_state", "call-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), InitSocState(); }, {.chip = "Ascend310B1"}},
    {"no_allocator_on_the_chip", "call-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         LocalMemAllocator ub;
         Wrong(); auto a = ub.Alloc<half, 128>();
     }, {.chip = "Ascend910A"}},
    {"no_barrier_of_data_on_the_chip", "call-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), DataSyncBarrier<MemDsbT::DDR>(); }, {.chip = "Ascend310P3"}},
};

}  // namespace sfumato::wrong
