// SPDX-License-Identifier: Apache-2.0
// The C calls below the tensors, of the vector and the scalar unit: pointers as tensors, conversions, registers as
// words (language.md 5).
#include "sfumato/ascendc/calls/raw_vector.h"

#include <fmt/format.h>

#include "frontends/ascendc/framework.h"
#include "frontends/ascendc/raw.h"
#include "isa/vector_registers.h"
#include "sfumato/ascendc/issue_copy.h"

namespace sfumato::ascendc {
namespace {

using isa::Memory;

constexpr int kHf32Bit = 46, kHf32AwayBit = 47, kInfNanBit = 48, kDirectionBit = 51, kCastBit = 53;
constexpr uint64_t Bit(int n) { return uint64_t{1} << n; }
// Bits that have no effect on values here, and are kept (language.md 5).
constexpr uint64_t kKeptBits = Bit(kDirectionBit) | Bit(kCastBit);
constexpr uint64_t kKnownBits = kKeptBits | Bit(kHf32Bit) | Bit(kHf32AwayBit) | Bit(kInfNanBit);

}  // namespace

uint64_t UbOffset(runtime::Core& core, uint64_t number) {
    const auto base = reinterpret_cast<uint64_t>(core.MemoryBase(Memory::kUb));
    const uint64_t bytes = core.chip().Bytes(Memory::kUb);
    const uint64_t low = static_cast<uint32_t>(number) - static_cast<uint32_t>(base);
    if (number - base < bytes) return number - base;
    if (number < bytes) return number;
    return number >> 32 == 0 && static_cast<uint32_t>(low) < bytes ? static_cast<uint32_t>(low) : bytes;
}

void NoAddress(runtime::Core& core, const char* call, Where where, uint64_t number) {
    Find(core, call, where,
         {Rule::kUbPointer, "", "the address does not lie in UB", fmt::format("{}", number),
          fmt::format("0 to {}, on a core that has UB", core.chip().Bytes(Memory::kUb) - 1), ""});
    core.stopping().Now();  // no memory is there, even where faults are collected
}

LocalView UbFrom(const void* pointer, DataType type, const char* call, Where where) {
    return LocalAt(ThisCore(call), Memory::kUb, pointer, type, call, where);
}

void* UbAt(uint64_t offset, const char* call, Where where) {
    runtime::Core& core = ThisCore(call);
    uint8_t* base = core.MemoryBase(Memory::kUb);
    if (base == nullptr || offset >= core.chip().Bytes(Memory::kUb)) NoAddress(core, call, where, offset);
    return base + offset;
}

int64_t AccValue(Where where) { return static_cast<int64_t>(ReducedSum(DataType::kUint64, where)); }

void DataBarrier(uint64_t number, Where where) {
    runtime::Core& core = ThisCore("dsb");
    if (number <= DSB_SEQ) {
        core.scalar().Fence();
        return core.Called("dsb", where);
    }
    Find(core, "dsb", where,
         {Rule::kParameterRange, "memory", "no such barrier", fmt::format("{}", number),
          "DSB_ALL 0, DSB_DDR 1, DSB_UB 2, DSB_SEQ 3", ""});
}

void* PastCache(RawPointer p, int64_t offset, const char* call, Where where) {
    ThisCore(call).Called(call, where);
    return static_cast<uint8_t*>(const_cast<void*>(p.address)) + offset;
}

void CleanLines(const void* pointer, uint64_t line, uint64_t to, Where where) {
    runtime::Core& core = ThisCore("dcci");
    const bool bad_line = line > ENTIRE_DATA_CACHE;
    if (bad_line || to > CACHELINE_ATOMIC) {
        Find(core, "dcci", where,
             {Rule::kParameterRange, bad_line ? "line" : "to", "no such part of the cache",
              fmt::format("{}", bad_line ? line : to),
              bad_line ? "SINGLE_CACHE_LINE 0, ENTIRE_DATA_CACHE 1"
                       : "CACHELINE_ALL 0, CACHELINE_UB 1, CACHELINE_OUT 2, CACHELINE_ATOMIC 3",
              ""});
        return;
    }
    const auto* base = core.MemoryBase(Memory::kUb);
    const auto* at = static_cast<const uint8_t*>(pointer);
    const bool in_ub = base != nullptr && at >= base && at < base + core.chip().Bytes(Memory::kUb);
    const bool one_line = line == SINGLE_CACHE_LINE;
    CleanCache(pointer, one_line, one_line ? in_ub : to == CACHELINE_UB || to == CACHELINE_ATOMIC, where);
}

}  // namespace sfumato::ascendc

using sfumato::CallSite;
using sfumato::DataType;
using sfumato::Where;
using sfumato::ascendc::ThisCore;
using sfumato::ascendc::UbFrom;

void set_vector_mask(uint64_t mask1, uint64_t mask0) {
    sfumato::runtime::Registers& regs = sfumato::ascendc::ThisCore("set_vector_mask").registers();
    regs.mask = {mask0, mask1};
    regs.Set(sfumato::runtime::kMaskState);
}
void set_cmpmask(const void* src, CallSite where) {
    const auto view = UbFrom(src, DataType::kUint8, "set_cmpmask", where);
    sfumato::ascendc::SetCmpMask({&view, 1, DataType::kUint8, 8}, where);
}
void get_cmpmask(void* dst, CallSite where) {
    const auto view = UbFrom(dst, DataType::kUint8, "get_cmpmask", where);
    sfumato::ascendc::GetCmpMask({&view, 1, DataType::kUint8, 8}, where);
}

uint64_t get_ctrl(CallSite where) {
    using namespace sfumato::ascendc;
    sfumato::runtime::Core& core = ThisCore("get_ctrl");
    const auto& regs = core.registers();
    return (GetCtrl(kInfNanBit, kInfNanBit, where) ? Bit(kInfNanBit) : 0) | (regs.hf32 ? Bit(kHf32Bit) : 0) |
           (regs.hf32_away ? Bit(kHf32AwayBit) : 0) | (Framework::Of(core).raw.ctrl & kKeptBits);
}
void set_ctrl(uint64_t word, CallSite where) {
    using namespace sfumato::ascendc;
    sfumato::runtime::Core& core = ThisCore("set_ctrl");
    if ((word & ~kKnownBits) != 0 &&
        !Find(core, "set_ctrl", where,
              {sfumato::Rule::kCtrlUnknown, "",
               "no page describes these bits of the control register, which do nothing here",
               fmt::format("{:#x}", word & ~kKnownBits),
               "bits 46 and 47: HF32; 48: inf and nan instead of saturation; 51 and 53, without effect", ""})) {
        return;
    }
    // A bit that stays as it is asks for nothing.
    const uint64_t changed = word ^ get_ctrl(where);
    const auto on = [&](int bit) { return (word & Bit(bit)) != 0; };
    if ((changed & Bit(kInfNanBit)) != 0) SetCtrl(kInfNanBit, kInfNanBit, on(kInfNanBit), where);
    if ((changed & Bit(kHf32Bit)) != 0) SetHf32(on(kHf32Bit), where);
    if ((changed & Bit(kHf32AwayBit)) != 0) SetHf32Rounding(on(kHf32AwayBit), where);
    if ((word & kKeptBits) != 0) core.Called("set_ctrl", where);
    Framework::Of(core).raw.ctrl = word & kKeptBits;
}
int64_t get_rsvd_cnt() {
    return static_cast<int64_t>(ThisCore("get_rsvd_cnt").VectorRegister(sfumato::isa::kRsvdCount));
}

using namespace sfumato::ascendc;
using sfumato::isa::Memory;

void set_nd_para(uint64_t word, CallSite where) {
    Assumes({"set_nd_para", where});
    SetFixpipeMatrices(Field(word, 0, 16), Field(word, 16, 16), Field(word, 32, 16), where);
}
// Bits 8 and up: the address of the words in units of 128 bytes; bit 63: the unit flags are cleared.
void set_fpc(uint64_t word, CallSite where) {
    Assumes({"set_fpc", where});
    constexpr uint64_t kClears = uint64_t{1} << 63;
    sfumato::runtime::Core& core = ThisCore("set_fpc");
    const uint64_t at = (word & ~kClears) >> 8 << 7;
    const uint8_t* base = core.MemoryBase(Memory::kFb);
    const bool offset = base != nullptr && at < core.chip().Bytes(Memory::kFb);
    const void* pointer = offset ? static_cast<const void*>(base + at) : reinterpret_cast<const void*>(at);
    const LocalView words = LocalAt(core, Memory::kFb, pointer, DataType::kUint64, "set_fpc", where);
    SetFixpipeWords(nullptr, words, (word & kClears) != 0, where);
}
void set_fmatrix(uint64_t word, CallSite where) {
    Assumes({"set_fmatrix", where});
    const uint8_t pads[4] = {static_cast<uint8_t>(word >> 32), static_cast<uint8_t>(word >> 40),
                             static_cast<uint8_t>(word >> 48), static_cast<uint8_t>(word >> 56)};
    SetFeatureMap(Field(word, 16, 16), Field(word, 0, 16), pads, AscendC::FmatrixMode::FMATRIX_LEFT, where);
}
void set_l3d_rpt(uint64_t word, CallSite where) {
    Assumes({"set_l3d_rpt", where});
    SetLoadRepeat({Field(word, 0, 16), static_cast<uint8_t>(word >> 16), static_cast<uint8_t>(word >> 24)}, where);
}
void set_deqscale(uint64_t word, CallSite) {
    auto& control = ThisCore("set_deqscale").registers().control;
    control.deq = sfumato::isa::DeqScale::kWord;
    control.deq_word = word;
}
