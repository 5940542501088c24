// SPDX-License-Identifier: Apache-2.0
// Raw calls of the vector unit, as the calls of AscendC they stand for (language.md 5).
#include <fmt/format.h>

#include "frontends/ascendc/framework.h"
#include "frontends/ascendc/raw.h"
#include "isa/vector_registers.h"
#include "sfumato/ascendc/intrinsics.h"
#include "sfumato/ascendc/sort.h"

namespace sfumato::ascendc {
namespace {

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

}  // namespace sfumato::ascendc

using sfumato::CallSite;
using sfumato::DataType;
using sfumato::Where;
using sfumato::ascendc::LocalView;
using sfumato::ascendc::RawCall;
using sfumato::ascendc::RawPointer;
using sfumato::ascendc::RawStrides;
using sfumato::ascendc::ThisCore;
using sfumato::ascendc::UbFrom;

namespace {

void Convert(const char* name, RawPointer dst, RawPointer src, const RawStrides& s, AscendC::RoundMode mode,
             Where where) {
    RawCall call(name, 1, where);
    call.One(dst, src, s);
    call.rounding = static_cast<sfumato::Rounding>(mode);
    sfumato::ascendc::vconv(call);
}

RawPointer As(DataType type, const void* p) {
    RawPointer typed(p);
    typed.type = type;
    return typed;
}

}  // namespace

#define SFUMATO_STRIDES \
    uint32_t repeat, uint16_t dst_block, uint16_t src_block, uint16_t dst_repeat, uint16_t src_repeat
#define SFUMATO_GIVEN \
    { repeat, dst_block, src_block, 1, dst_repeat, src_repeat }
#define SFUMATO_TWO_STRIDES                                                                             \
    uint32_t repeat, uint16_t dst_block, uint16_t src0_block, uint16_t src1_block, uint16_t dst_repeat, \
        uint16_t src0_repeat, uint16_t src1_repeat
#define SFUMATO_TWO_GIVEN \
    { repeat, dst_block, src0_block, src1_block, dst_repeat, src0_repeat, src1_repeat }

#define SFUMATO_UNARY(Name, opcode)                                                                  \
    void opcode(RawPointer dst, RawPointer src, SFUMATO_STRIDES, CallSite where) {                   \
        RawCall call(#opcode, repeat, where);                                                        \
        sfumato::ascendc::opcode(call.One(dst, src, SFUMATO_GIVEN));                                 \
    }                                                                                                \
    void opcode(RawPointer dst, RawPointer src, uint64_t config, CallSite where) {                   \
        RawCall call(#opcode, 1, where);                                                             \
        sfumato::ascendc::opcode(call.One(dst, src, RawStrides::OneSource(config, #opcode, where))); \
    }
#define SFUMATO_COPY SFUMATO_UNARY
#define SFUMATO_BINARY(Name, opcode)                                                                         \
    void opcode(RawPointer dst, RawPointer src0, RawPointer src1, SFUMATO_TWO_STRIDES, CallSite where) {     \
        RawCall call(#opcode, repeat, where);                                                                \
        sfumato::ascendc::opcode(call.Two(dst, src0, src1, SFUMATO_TWO_GIVEN));                              \
    }                                                                                                        \
    void opcode(RawPointer dst, RawPointer src0, RawPointer src1, uint64_t config, CallSite where) {         \
        RawCall call(#opcode, 1, where);                                                                     \
        sfumato::ascendc::opcode(call.Two(dst, src0, src1, RawStrides::TwoSources(config, #opcode, where))); \
    }
#define SFUMATO_BINARY_PAIR SFUMATO_BINARY
#define SFUMATO_SCALAR(Name, opcode)
#define SFUMATO_SCALAR_PAIR(Name, opcode)
#define SFUMATO_SCALAR_ROUND(Name, opcode)
#define SFUMATO_FILL(Name, opcode)
#define SFUMATO_ROW(form, Name, opcode) SFUMATO_##form(Name, opcode)
#include "sfumato/ascendc/rows.inc"
#undef SFUMATO_ROW
#undef SFUMATO_UNARY
#undef SFUMATO_COPY
#undef SFUMATO_BINARY
#undef SFUMATO_BINARY_PAIR
#undef SFUMATO_SCALAR
#undef SFUMATO_SCALAR_PAIR
#undef SFUMATO_SCALAR_ROUND
#undef SFUMATO_FILL

#define SFUMATO_COMPARE(op, MODE)                                                                          \
    void vcmpv_##op(uint8_t* dst, RawPointer src0, RawPointer src1, SFUMATO_TWO_STRIDES, CallSite where) { \
        RawCall<sfumato::ascendc::CompareCall> call("vcmpv_" #op, repeat, where);                          \
        call.name = "Compare", call.mode = AscendC::CMPMODE::MODE;                                         \
        sfumato::ascendc::vcmpv(call.Two(dst, src0, src1, SFUMATO_TWO_GIVEN));                             \
    }                                                                                                      \
    void vcmp_##op(RawPointer src0, RawPointer src1, SFUMATO_TWO_STRIDES, CallSite where) {                \
        RawCall<sfumato::ascendc::CompareCall> call("vcmp_" #op, repeat, where);                           \
        call.mode = AscendC::CMPMODE::MODE;                                                                \
        sfumato::ascendc::vcmp(call.Two(src0, src0, src1, SFUMATO_TWO_GIVEN));                             \
    }
SFUMATO_COMPARE(eq, EQ)
SFUMATO_COMPARE(ne, NE)
SFUMATO_COMPARE(lt, LT)
SFUMATO_COMPARE(gt, GT)
SFUMATO_COMPARE(le, LE)
SFUMATO_COMPARE(ge, GE)
#undef SFUMATO_COMPARE

void vsel(RawPointer dst, RawPointer src0, const void* src1, SFUMATO_TWO_STRIDES, uint8_t mode, CallSite where) {
    RawCall<sfumato::ascendc::SelectCall> call("vsel", repeat, where);
    call.mode = static_cast<AscendC::SELMODE>(mode);
    call.from_register = true;
    LocalView bits;
    if (call.mode == AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE) {
        call.One(dst, src0, {repeat, dst_block, src0_block, 1, dst_repeat, src0_repeat});
        bits = UbFrom(src1, DataType::kUint8, "vsel", where);
        call.sel = {&bits, 1, DataType::kUint8, 8};
    } else {
        call.Two(dst, src0, As(src0.type, src1), SFUMATO_TWO_GIVEN);
    }
    sfumato::ascendc::vsel(call);
}

namespace {

using Reduction = sfumato::ascendc::ReduceCall;

// name: of the raw call; the record has that of AscendC.
void Reduce(const char* name, sfumato::isa::Opcode op, void (*issue)(const Reduction&), RawPointer dst, RawPointer src,
            const RawStrides& s, Order_t order, Where where) {
    RawCall<Reduction> call(name, 1, where);
    call.One(dst, src, s);
    call.name = Info(op).ascendc;
    call.order = static_cast<AscendC::ReduceOrder>(order);
    issue(call);
}

}  // namespace

#define SFUMATO_RESULTS \
    RawPointer dst, RawPointer src, uint32_t repeat, uint16_t dst_repeat, uint16_t src_block, uint16_t src_repeat
#define SFUMATO_REDUCE_OF(opcode, More, order)                                            \
    void opcode(SFUMATO_RESULTS, SFUMATO_ONLY More CallSite where) {                      \
        Reduce(#opcode, sfumato::isa::Opcode::opcode, sfumato::ascendc::opcode, dst, src, \
               {repeat, 1, src_block, 1, dst_repeat, src_repeat}, order, where);          \
    }                                                                                     \
    void opcode(RawPointer dst, RawPointer src, uint64_t config, CallSite where) {        \
        Reduce(#opcode, sfumato::isa::Opcode::opcode, sfumato::ascendc::opcode, dst, src, \
               RawStrides::Results(config, #opcode, where), VALUE_INDEX, where);          \
    }
#define SFUMATO_REDUCE(opcode) SFUMATO_REDUCE_OF(opcode, (), VALUE_INDEX)
SFUMATO_REDUCE_OF(vcmax, (Order_t order, ), order)
SFUMATO_REDUCE_OF(vcmin, (Order_t order, ), order)
SFUMATO_REDUCE(vcgadd)
SFUMATO_REDUCE(vcgmax)
SFUMATO_REDUCE(vcgmin)
SFUMATO_REDUCE(vcpadd)
#undef SFUMATO_REDUCE
#undef SFUMATO_REDUCE_OF
void vcadd(SFUMATO_RESULTS, bool mode, CallSite where) {
    Reduce("vcadd", sfumato::isa::Opcode::vcadd, mode ? sfumato::ascendc::AccumulateSum : sfumato::ascendc::vcadd,
           mode ? src : dst, src, {repeat, 1, src_block, 1, dst_repeat, src_repeat}, VALUE_INDEX, where);
}
void vcadd(RawPointer dst, RawPointer src, uint64_t config, CallSite where) {
    Reduce("vcadd", sfumato::isa::Opcode::vcadd, sfumato::ascendc::vcadd, dst, src,
           RawStrides::Results(config, "vcadd", where), VALUE_INDEX, where);
}
#undef SFUMATO_RESULTS

#define SFUMATO_CONVERT(name, Dst_, Src_, to, from, mode)                                                       \
    void name(Dst_* dst, const Src_* src, SFUMATO_STRIDES, CallSite where) {                                    \
        Convert(#name, to, from, SFUMATO_GIVEN, AscendC::RoundMode::mode, where);                               \
    }                                                                                                           \
    void name(Dst_* dst, const Src_* src, uint64_t config, CallSite where) {                                    \
        Convert(#name, to, from, RawStrides::OneSource(config, #name, where), AscendC::RoundMode::mode, where); \
    }
#define SFUMATO_VCONV(name, Dst_, Src_, mode) SFUMATO_CONVERT(name, Dst_, Src_, dst, src, mode)
#define SFUMATO_VCONV_TO_S4(name, Src_, mode) SFUMATO_CONVERT(name, void, Src_, As(DataType::kInt4, dst), src, mode)
#define SFUMATO_VCONV_FROM_S4(name, Dst_, mode) SFUMATO_CONVERT(name, Dst_, void, dst, As(DataType::kInt4, src), mode)
#include "sfumato/ascendc/conversion_names.inc"
SFUMATO_VCONV(vconv_deq, sfumato::half, int32_t, CAST_NONE)
#undef SFUMATO_VCONV
#undef SFUMATO_VCONV_TO_S4
#undef SFUMATO_VCONV_FROM_S4

// The word that set_deqscale left is of the kind that the call takes.
static void ConvertByWords(const char* name, RawPointer dst, const int16_t* src, const RawStrides& s, bool low,
                           bool vector, CallSite where) {
    sfumato::runtime::Core& core = ThisCore(name);
    sfumato::isa::Control& control = core.registers().control;
    const sfumato::isa::Control kept = control;
    if (vector && control.deq == sfumato::isa::DeqScale::kWord) {
        control.deq = sfumato::isa::DeqScale::kVector;
        control.deq_word = sfumato::ascendc::UbOffset(core, kept.deq_word);
        if (control.deq_word >= core.chip().Bytes(sfumato::isa::Memory::kUb))
            sfumato::ascendc::NoAddress(core, name, where, kept.deq_word);
    }
    RawCall call(name, 1, where);
    call.One(dst, src, s);
    call.half_block = low, call.vector_deq = vector;
    sfumato::ascendc::vconv_deq(call);
    control = kept;
}
#define SFUMATO_VCONV_DEQ(name, low, vector)                                         \
    void name(RawPointer dst, const int16_t* src, SFUMATO_STRIDES, CallSite where) { \
        ConvertByWords(#name, dst, src, SFUMATO_GIVEN, low, vector, where);          \
    }
SFUMATO_VCONV_DEQ(vconv_deqs162b8h, false, false)
SFUMATO_VCONV_DEQ(vconv_deqs162b8l, true, false)
SFUMATO_VCONV_DEQ(vconv_vdeqs162b8h, false, true)
SFUMATO_VCONV_DEQ(vconv_vdeqs162b8l, true, true)
#undef SFUMATO_VCONV_DEQ
#undef SFUMATO_CONVERT
#undef SFUMATO_STRIDES
#undef SFUMATO_GIVEN
#undef SFUMATO_TWO_STRIDES
#undef SFUMATO_TWO_GIVEN

void vbrcb(RawPointer dst, RawPointer src, uint16_t dst_block, uint16_t dst_repeat, uint32_t repeat, CallSite where) {
    const LocalView to = UbFrom(dst.address, dst.type, "vbrcb", where),
                    from = UbFrom(src.address, src.type, "vbrcb", where);
    sfumato::ascendc::VectorCall call;
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
    const uint64_t at = sfumato::ascendc::UbOffset(core, base);
    if (at >= core.chip().Bytes(sfumato::isa::Memory::kUb)) sfumato::ascendc::NoAddress(core, "vgather", where, base);
    const LocalView from = UbFrom(core.MemoryBase(sfumato::isa::Memory::kUb) + at, dst.type, "vgather", where);
    const LocalView to = UbFrom(dst.address, dst.type, "vgather", where),
                    list = UbFrom(offsets, DataType::kUint32, "vgather", where);
    sfumato::ascendc::GatherCall call;
    call.dst = {&to, 1, dst.type, dst_repeat};
    call.src0 = {&from, 1, dst.type};
    call.offsets = {&list, 1, DataType::kUint32};
    call.form = sfumato::ascendc::MaskForm::kRegister;
    call.repeat = repeat;
    call.where = where;
    sfumato::ascendc::vgather(call);
}

void vbitsort(RawPointer dst, RawPointer src, const uint32_t* index, uint32_t repeat, CallSite where) {
    const LocalView to = UbFrom(dst.address, dst.type, "vbitsort", where),
                    from = UbFrom(src.address, src.type, "vbitsort", where),
                    indices = UbFrom(index, DataType::kUint32, "vbitsort", where);
    sfumato::ascendc::SortCall call;
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
    sfumato::ascendc::GatherMaskCall call;
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

using sfumato::ascendc::raw_names::ub_addr8_t;

void set_va_reg_sb(ub_addr8_t reg, const uint64_t* addresses, CallSite where) {
    sfumato::runtime::Core& core = ThisCore("set_va_reg_sb");
    auto& lists = sfumato::ascendc::Framework::Of(core).raw.lists;
    if (static_cast<size_t>(reg) >= lists.size()) {
        sfumato::ascendc::Find(core, "set_va_reg_sb", where,
                               {sfumato::Rule::kParameterRange, "reg", "no such register",
                                fmt::format("{}", static_cast<int>(reg)), "VA0 to VA7", ""});
        return;
    }
    auto& list = lists[static_cast<size_t>(reg)];
    list.set = true;
    for (size_t i = 0; i < list.address.size(); ++i) {
        const uint64_t at = sfumato::ascendc::UbOffset(core, addresses[i]);
        if (at >= core.chip().Bytes(sfumato::isa::Memory::kUb))
            sfumato::ascendc::NoAddress(core, "set_va_reg_sb", where, addresses[i]);
        list.address[i] = reinterpret_cast<uint64_t>(core.MemoryBase(sfumato::isa::Memory::kUb)) + at;
    }
}

namespace {

// The list of 16 in two registers; false when it was reported.
bool TakeList(sfumato::runtime::Core& core, const char* call, const char* name, ub_addr8_t reg, Where where,
              sfumato::ascendc::BlockList* list) {
    const auto& lists = sfumato::ascendc::Framework::Of(core).raw.lists;
    const auto first = static_cast<size_t>(reg);
    if (first + 1 >= lists.size() || !lists[first].set || !lists[first + 1].set) {
        const bool last = first + 1 >= lists.size();
        return sfumato::ascendc::Refuse(
            core, call, where,
            {last ? sfumato::Rule::kParameterRange : sfumato::Rule::kBlockAddress, name,
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
    sfumato::runtime::Core& core = ThisCore(call);
    sfumato::ascendc::BlockList to, from;
    if (TakeList(core, call, "dst", dst, where, &to) && TakeList(core, call, "src", src, where, &from))
        sfumato::ascendc::vnchwconv(to, from, type, params, where);
}

}  // namespace

void scatter_vnchwconv_b8(ub_addr8_t dst, ub_addr8_t src, uint8_t repeat, uint16_t dst_stride, uint16_t src_stride,
                          bool dst_high, bool src_high, CallSite where) {
    Scatter("scatter_vnchwconv_b8", DataType::kUint8, dst, src, {dst_high, src_high, repeat, dst_stride, src_stride},
            where);
}
void scatter_vnchwconv_b16(ub_addr8_t dst, ub_addr8_t src, uint8_t repeat, uint16_t dst_stride, uint16_t src_stride,
                           CallSite where) {
    Scatter("scatter_vnchwconv_b16", DataType::kUint16, dst, src, {false, false, repeat, dst_stride, src_stride},
            where);
}
void scatter_vnchwconv_b32(ub_addr8_t dst, ub_addr8_t src, uint8_t repeat, uint16_t dst_stride, uint16_t src_stride,
                           CallSite where) {
    Scatter("scatter_vnchwconv_b32", DataType::kUint32, dst, src, {false, false, repeat, dst_stride, src_stride},
            where);
}
