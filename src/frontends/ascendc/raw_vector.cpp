// SPDX-License-Identifier: Apache-2.0
// Raw calls of the vector unit, as the calls of AscendC they stand for (language.md 5).
#include <fmt/format.h>

#include "frontends/ascendc/framework.h"
#include "frontends/ascendc/raw.h"
#include "isa/vector_registers.h"
#include "sfumato/ascendc/calls/raw_vector.h"
#include "sfumato/ascendc/sort.h"

namespace sfumato::ascendc {
namespace {

using isa::Memory;
using isa::Opcode;

// The repeats stand in the top byte.
uint32_t Repeats(uint64_t config, const char* call, Where where) {
    ThisCore(call).Called("config", where);
    return static_cast<uint32_t>(config >> 56);
}

}  // namespace

RawStrides RawStrides::TwoSources(uint64_t w, const char* call, Where where) {
    return {Repeats(w, call, where), Field(w, 0, 8),  Field(w, 8, 8), Field(w, 16, 8),
            Field(w, 24, 8),         Field(w, 32, 8), Field(w, 40, 8)};
}
RawStrides RawStrides::OneSource(uint64_t w, const char* call, Where where) {
    return {Repeats(w, call, where), Field(w, 0, 16), Field(w, 16, 16), 1, Field(w, 32, 8), Field(w, 40, 8)};
}
RawStrides RawStrides::Results(uint64_t w, const char* call, Where where) {
    return {Repeats(w, call, where), 1, Field(w, 16, 16), 1, Field(w, 0, 16), Field(w, 32, 16)};
}

void MergeRaw(RawPointer dst, const RawPointer (&src)[4], const uint16_t (&lengths)[4], uint8_t repeat, bool suspend,
              uint8_t valid, Where where) {
    LocalView views[5] = {UbFrom(dst.address, dst.type, "vmrgsort4", where)};
    MergeCall call{.dst = {&views[0], 1, dst.type},
                   .src = {},
                   .lengths = lengths,
                   .suspend = suspend,
                   .valid = valid,
                   .repeat = repeat,
                   .where = where};
    for (size_t i = 0; i < 4; ++i) {
        // The pointers of queues that are not valid may be null.
        if ((valid >> i & 1) != 0) views[1 + i] = UbFrom(src[i].address, src[i].type, "vmrgsort4", where);
        call.src[i] = {&views[1 + i], 1, src[i].type};
    }
    // Proposals are what chips without pairs merge.
    const bool pairs = !ThisCore("vmrgsort4").chip().Has(isa::Api::kAscendC, isa::Opcode::vmrgsort4, dst.type);
    pairs ? vmrgsort(call) : vmrgsort4(call);
}

void MergeRaw(RawPointer dst, const RawPointer (&src)[4], uint64_t lengths, uint64_t config, Where where) {
    ThisCore("vmrgsort4").Called("vmrgsort4", where);
    const uint16_t each[4] = {Field(lengths, 0, 16), Field(lengths, 16, 16), Field(lengths, 32, 16),
                              Field(lengths, 48, 16)};
    MergeRaw(dst, src, each, static_cast<uint8_t>(config), (config >> 12 & 1) != 0,
             static_cast<uint8_t>(config >> 8 & 15), where);
}

namespace {

// Pointers to no type are to elements of 4 bits.
void Convert(const char* name, RawPointer dst, RawPointer src, const RawStrides& s, AscendC::RoundMode mode,
             Where where) {
    RawCall call(name, 1, where);
    call.One(Typed(dst, DataType::kInt4), Typed(src, DataType::kInt4), s);
    call.rounding = static_cast<Rounding>(mode);
    vconv(call);
}

// The word that set_deqscale left is of the kind that the call takes.
void ConvertByWords(const char* name, RawPointer dst, const int16_t* src, const RawStrides& s, bool low, bool vector,
                    CallSite where) {
    runtime::Core& core = ThisCore(name);
    isa::Control& control = core.registers().control;
    const isa::Control kept = control;
    if (vector && control.deq == isa::DeqScale::kWord) {
        control.deq = isa::DeqScale::kVector;
        control.deq_word = UbOffset(core, kept.deq_word);
        if (control.deq_word >= core.chip().Bytes(Memory::kUb)) NoAddress(core, name, where, kept.deq_word);
    }
    RawCall call(name, 1, where);
    call.One(dst, src, s);
    call.half_block = low, call.vector_deq = vector;
    vconv_deq(call);
    control = kept;
}

// name: of the raw call; the record has that of AscendC.
void Reduce(const char* name, Opcode op, void (*issue)(const ReduceCall&), RawPointer dst, RawPointer src,
            const RawStrides& s, Order_t order, Where where) {
    RawCall<ReduceCall> call(name, 1, where);
    call.One(dst, src, s);
    call.name = Info(op).ascendc;
    call.order = static_cast<AscendC::ReduceOrder>(order);
    issue(call);
}

// The list of 16 in two registers; false when it was reported.
bool TakeList(runtime::Core& core, const char* call, const char* name, ub_addr8_t reg, Where where, BlockList* list) {
    const auto& lists = Framework::Of(core).raw.lists;
    const auto first = static_cast<size_t>(reg);
    if (first + 1 >= lists.size() || !lists[first].set || !lists[first + 1].set) {
        const bool last = first + 1 >= lists.size();
        return Refuse(core, call, where,
                      {last ? Rule::kParameterRange : Rule::kBlockAddress, name,
                       last ? "a list of 16 takes a register and the one behind it" : "nothing has set the register",
                       fmt::format("VA{}", last || !lists[first].set ? first : first + 1),
                       last ? "VA0 to VA6" : "set_va_reg_sb of both registers before",
                       "write the addresses of 8 blocks into each of two registers"});
    }
    for (size_t i = 0; i < std::size(list->address); ++i) {
        list->address[i] = lists[first + i / 8].address[i % 8];
        list->room[i] = ~uint64_t{0};
    }
    return true;
}

void Scatter(const char* call, DataType type, ub_addr8_t dst, ub_addr8_t src,
             const AscendC::TransDataTo5HDParams& params, Where where) {
    runtime::Core& core = ThisCore(call);
    BlockList to, from;
    if (TakeList(core, call, "dst", dst, where, &to) && TakeList(core, call, "src", src, where, &from))
        vnchwconv(to, from, type, params, where);
}

}  // namespace
}  // namespace sfumato::ascendc

using namespace sfumato::ascendc;
using sfumato::CallSite;
using sfumato::DataType;
using sfumato::isa::Memory;
using sfumato::isa::Opcode;

#include "definitions/raw_vector.inc"

void vsel(RawPointer dst, RawPointer src0, const void* src1, uint32_t repeat, uint16_t dst_block, uint16_t src0_block,
          uint16_t src1_block, uint16_t dst_repeat, uint16_t src0_repeat, uint16_t src1_repeat, uint8_t mode,
          CallSite where) {
    RawCall<SelectCall> call("vsel", repeat, where);
    call.mode = static_cast<AscendC::SELMODE>(mode);
    call.from_register = true;
    LocalView bits;
    if (call.mode == AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE) {
        call.One(dst, src0, {repeat, dst_block, src0_block, 1, dst_repeat, src0_repeat});
        bits = UbFrom(src1, DataType::kUint8, "vsel", where);
        call.sel = {&bits, 1, DataType::kUint8, 8};
    } else {
        call.Two(dst, src0, Retyped(RawPointer(src1), src0.type),
                 {repeat, dst_block, src0_block, src1_block, dst_repeat, src0_repeat, src1_repeat});
    }
    sfumato::ascendc::vsel(call);
}

void vbrcb(RawPointer dst, RawPointer src, uint16_t dst_block, uint16_t dst_repeat, uint32_t repeat, CallSite where) {
    const LocalView to = UbFrom(dst.address, dst.type, "vbrcb", where),
                    from = UbFrom(src.address, src.type, "vbrcb", where);
    VectorCall call;
    call.dst = {&to, dst_block, dst.type, dst_repeat};
    call.src0 = {&from, 1, src.type};
    call.repeat = repeat;
    call.where = where;
    sfumato::ascendc::vbcb(call);
}

void vtranspose(RawPointer dst, RawPointer src, CallSite where) {
    const LocalView to = UbFrom(dst.address, dst.type, "vtranspose", where),
                    from = UbFrom(src.address, src.type, "vtranspose", where);
    sfumato::ascendc::Transpose({{&to, 1, dst.type}, {&from, 1, src.type}, {}, nullptr, where});
}

void vgather(RawPointer dst, const uint32_t* offsets, uint64_t base, uint16_t dst_repeat, uint32_t repeat,
             CallSite where) {
    sfumato::runtime::Core& core = ThisCore("vgather");
    core.Called("vgather", where);
    const uint64_t at = UbOffset(core, base);
    if (at >= core.chip().Bytes(Memory::kUb)) NoAddress(core, "vgather", where, base);
    const LocalView from = UbFrom(core.MemoryBase(Memory::kUb) + at, dst.type, "vgather", where);
    const LocalView to = UbFrom(dst.address, dst.type, "vgather", where),
                    list = UbFrom(offsets, DataType::kUint32, "vgather", where);
    GatherCall call;
    call.dst = {&to, 1, dst.type, dst_repeat};
    call.src0 = {&from, 1, dst.type};
    call.offsets = {&list, 1, DataType::kUint32};
    call.form = MaskForm::kRegister;
    call.repeat = repeat;
    call.where = where;
    sfumato::ascendc::vgather(call);
}

void vbitsort(RawPointer dst, RawPointer src, const uint32_t* index, uint32_t repeat, CallSite where) {
    const LocalView to = UbFrom(dst.address, dst.type, "vbitsort", where),
                    from = UbFrom(src.address, src.type, "vbitsort", where),
                    indices = UbFrom(index, DataType::kUint32, "vbitsort", where);
    SortCall call;
    call.dst = {&to, 1, dst.type};
    call.src0 = {&from, 1, src.type};
    call.src1 = {&indices, 1, DataType::kUint32};
    call.repeat = static_cast<int32_t>(repeat);
    call.where = where;
    sfumato::ascendc::vsort32(call);
}

void vreducev2(RawPointer dst, RawPointer src0, RawPointer src1, uint16_t repeat, uint8_t src0_block, uint8_t pattern,
               uint16_t src0_repeat, uint8_t src1_repeat, CallSite where) {
    sfumato::runtime::Registers& regs = ThisCore("vreducev2").registers();
    const LocalView to = UbFrom(dst.address, dst.type, "vreducev2", where),
                    from = UbFrom(src0.address, src0.type, "vreducev2", where);
    const LocalView bits = pattern == 0 ? UbFrom(src1.address, src1.type, "vreducev2", where) : LocalView{};
    GatherMaskCall call;
    call.dst = {&to, 1, dst.type};
    call.src0 = {&from, 1, src0.type};
    if (pattern == 0) call.src1 = {&bits, 1, src1.type};
    call.pattern = pattern;
    // In counter mode the register holds the elements of each repeat.
    call.counter = regs.counter_mode;
    call.mask = static_cast<uint32_t>(regs.mask[0]);
    call.params.src0BlockStride = src0_block;
    call.params.repeatTimes = repeat;
    call.params.src0RepeatStride = src0_repeat;
    call.params.src1RepeatStride = src1_repeat;
    call.where = where;
    const bool counter = regs.counter_mode;
    sfumato::ascendc::vreduce(call);
    regs.counter_mode = counter;
}

void set_va_reg_sb(ub_addr8_t reg, const uint64_t* addresses, CallSite where) {
    sfumato::runtime::Core& core = ThisCore("set_va_reg_sb");
    auto& lists = Framework::Of(core).raw.lists;
    if (static_cast<size_t>(reg) >= lists.size()) {
        Find(core, "set_va_reg_sb", where,
             {sfumato::Rule::kParameterRange, "reg", "no such register", fmt::format("{}", static_cast<int>(reg)),
              "VA0 to VA7", ""});
        return;
    }
    auto& list = lists[static_cast<size_t>(reg)];
    list.set = true;
    for (size_t i = 0; i < list.address.size(); ++i) {
        const uint64_t at = UbOffset(core, addresses[i]);
        if (at >= core.chip().Bytes(Memory::kUb)) NoAddress(core, "set_va_reg_sb", where, addresses[i]);
        list.address[i] = reinterpret_cast<uint64_t>(core.MemoryBase(Memory::kUb)) + at;
    }
}
