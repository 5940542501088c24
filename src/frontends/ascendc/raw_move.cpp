// SPDX-License-Identifier: Apache-2.0
// Raw calls that move, load and multiply, as the calls of AscendC they stand for (language.md 5).
#include "sfumato/ascendc/calls/raw_move.h"

#include <fmt/format.h>

#include <string_view>

#include "frontends/ascendc/framework.h"
#include "frontends/ascendc/raw.h"
#include "sfumato/ascendc/issue_copy.h"

namespace sfumato::ascendc {
namespace {

using AscendC::TPosition;
using isa::Memory;

constexpr Memory kOnChip[] = {Memory::kUb,  Memory::kL1, Memory::kL0A, Memory::kL0B,
                              Memory::kL0C, Memory::kBt, Memory::kFb};

TPosition PositionOf(Memory memory) {
    switch (memory) {
        case Memory::kL1: return TPosition::A1;
        case Memory::kL0A: return TPosition::A2;
        case Memory::kL0B: return TPosition::B2;
        case Memory::kL0C: return TPosition::CO1;
        case Memory::kBt: return TPosition::C2;
        case Memory::kFb: return TPosition::C2PIPE2GM;
        default: return TPosition::VECCALC;
    }
}

bool LiesIn(runtime::Core& core, Memory memory, const void* pointer) {
    const uint8_t* base = core.chip().Bytes(memory) == 0 ? nullptr : core.MemoryBase(memory);
    return base != nullptr &&
           reinterpret_cast<uint64_t>(pointer) - reinterpret_cast<uint64_t>(base) < core.chip().Bytes(memory);
}

// The memory a pointer lies in; nullptr: in none.
const char* MemoryOf(runtime::Core& core, const void* pointer) {
    for (const Memory memory : kOnChip) {
        if (LiesIn(core, memory, pointer)) return isa::Name(memory);
    }
    return pointer != nullptr && core.FindGm(static_cast<const uint8_t*>(pointer)) >= 0 ? "GM" : nullptr;
}

}  // namespace

LocalView LocalAt(runtime::Core& core, Memory memory, const void* pointer, DataType type, const char* call,
                  Where where) {
    if (type == DataType::kCount) {
        Find(core, call, where,
             {Rule::kUbPointer, "", "the pointer does not tell the type of its elements", "void*",
              "a pointer to elements, such as __ubuf__ half*", "cast it to the type of the data"});
        core.stopping().Now();
    }
    if (!LiesIn(core, memory, pointer)) {
        const char* name = isa::Name(memory);
        const char* other = MemoryOf(core, pointer);
        const bool has = core.chip().Bytes(memory) != 0 && core.MemoryBase(memory) != nullptr;
        Find(core, call, where,
             {Rule::kUbPointer, "", fmt::format("the pointer does not point into {}", name),
              other ? fmt::format("a pointer into {}", other) : fmt::format("{}", pointer),
              has ? fmt::format("what GetPhyAddr() of a tensor in {} returns", name)
                  : fmt::format("a core with {}", name),
              other ? fmt::format("copy the data to {} first, or pass the pointer that lies there", name)
                    : fmt::format("a number is no address of {} here: take the address of a tensor", name)});
        core.stopping().Now();  // there is no operand, even where faults are collected
    }
    const uint8_t* base = core.MemoryBase(memory);
    const uint64_t offset = reinterpret_cast<uint64_t>(pointer) - reinterpret_cast<uint64_t>(base);
    LocalView view;
    view.address = core.MemoryBase(memory) + offset;
    view.room = static_cast<uint32_t>(core.chip().Bytes(memory) - offset);
    view.size = static_cast<uint32_t>(uint64_t{view.room} * 8 / BitsOf(type));
    view.position = PositionOf(memory);
    return view;
}

namespace {

// The two ends of a call, whose views it keeps. Call: MoveCall or Ends.
template <class Call>
struct RawEnds : Call {
    RawEnds(const Place& place, Memory to, RawPointer d, Memory from, RawPointer s) {
        this->dst_type = d.type;
        this->src_type = s.type;
        this->where = place.where;
        this->dst = View(place, to, d, &views_[0]);
        this->src = View(place, from, s, &views_[1]);
    }
    // Elements of one type at both ends, whatever the pointers are.
    RawEnds(const Place& place, Memory to, RawPointer d, Memory from, RawPointer s, DataType type)
        : RawEnds(place, to, Retyped(d, type), from, Retyped(s, type)) {}
    RawEnds(const RawEnds&) = delete;
    RawEnds& operator=(const RawEnds&) = delete;

private:
    const LocalView* View(const Place& place, Memory memory, RawPointer p, LocalView* view) {
        if (memory == Memory::kGm) {
            this->gm.address = static_cast<uint8_t*>(const_cast<void*>(p.address));
            return nullptr;
        }
        *view = LocalAt(ThisCore(place.call), memory, p.address, p.type, place.call, place.where);
        return view;
    }
    LocalView views_[2];
};

// What the elements of a move are: what one of the pointers says, where the width fits.
DataType ElementFrom(RawPointer a, RawPointer b, DataType fallback, uint32_t bits = 0) {
    for (const RawPointer p : {a, b}) {
        if (p.type != DataType::kCount && (bits == 0 || BitsOf(p.type) == bits)) return p.type;
    }
    return fallback;
}

// A pointer to bytes says nothing of elements: the atomic mode does, and without one the width alone counts.
DataType MovedElement(runtime::Core& core, Memory to, RawPointer dst, RawPointer src, DataType named, Where where) {
    const isa::Control& control = core.registers().control;
    const bool by_name = named != DataType::kCount;
    DataType type = by_name ? ElementFrom(dst, src, named, BitsOf(named)) : ElementFrom(dst, src, DataType::kInt8);
    const auto& raw = Framework::Of(core).raw;
    if (to == Memory::kGm && raw.atomic && control.atomic == isa::Atomic::kNone) {
        Find(core, "DataCopy", where,
             {Rule::kAtomicUnsupported, "", "an atomic operation is set, but no type", "no set_atomic_f32 and the like",
              "a type, set before the store", "call set_atomic_f32, or that of the elements"});
    }
    if (to == Memory::kGm && control.atomic != isa::Atomic::kNone && (BitsOf(type) == 8 || by_name))
        return ElementFrom(dst, src, control.atomic_type, BitsOf(control.atomic_type));
    const bool has = core.chip().Has(isa::Api::kAscendC, isa::Opcode::data_move, type);
    return has || by_name ? type : DataType::kInt8;
}

struct Bursts {
    uint16_t count = 0;
    uint32_t length = 0, src_gap = 0, dst_gap = 0;
    uint8_t left = 0, right = 0;
};

void SetBursts(const Bursts& b, MoveCall* call) {
    call->block_count = b.count, call->block_len = b.length;
    call->src_gap = b.src_gap, call->dst_gap = b.dst_gap;
    call->left = b.left, call->right = b.right;
}

void MoveBlocks(const Place& place, Memory to, RawPointer dst, Memory from, RawPointer src, const Bursts& bursts) {
    const DataType type = MovedElement(ThisCore(place.call), to, dst, src, DataType::kCount, place.where);
    RawEnds<MoveCall> call(place, to, dst, from, src, type);
    SetBursts(bursts, &call);
    data_move(call);
}

// Paddings are of the way into UB.
void MoveBytes(const Place& place, DataType named, Memory to, RawPointer dst, Memory from, RawPointer src,
               Bursts bursts) {
    const DataType type = MovedElement(ThisCore(place.call), to, dst, src, named, place.where);
    RawEnds<MoveCall> call(place, to, dst, from, src, type);
    if (to == Memory::kGm) bursts.left = bursts.right = 0;
    SetBursts(bursts, &call);
    data_move_pad(call);
}

bool RequireOlder(const Place& place, const char* form) {
    runtime::Core& core = ThisCore(place.call);
    return RequireChip(
        core, place.call, place.where, [](const soc::Chip& chip) { return !chip.split_cores; }, Rule::kCallUnsupported,
        "does not have the form of 7 arguments", form);
}

bool OfFourBits(const Place& place) { return std::string_view(place.call).ends_with("_s4"); }

void Load2D(const Place& place, Memory to, RawPointer dst, Memory from, RawPointer src,
            const AscendC::LoadData2DParams& params) {
    // A fractal has 512 bytes whatever its elements are: without a transpose those of 8 bits move the same.
    const DataType type = !OfFourBits(place)   ? ElementFrom(dst, src, DataType::kHalf)
                          : params.ifTranspose ? DataType::kInt4
                                               : DataType::kInt8;
    const RawEnds<Ends> ends(place, to, dst, from, src, type);
    if (from == Memory::kGm) Assumes({"load_gm", place.where});
    if (OfFourBits(place)) Assumes({"load_s4", place.where});
    load2d(ends, params);
}

struct Multiplied {
    RawPointer c, a, b;
};

void Multiply(const Place& place, const Multiplied& raw, const AscendC::MmadParams& params) {
    const bool s4 = OfFourBits(place);
    const Multiplied o =
        s4 ? Multiplied{Retyped(raw.c, DataType::kInt32), Retyped(raw.a, DataType::kInt4),
                        Retyped(raw.b, DataType::kInt4)}
           : Multiplied{Typed(raw.c, DataType::kFloat), Typed(raw.a, DataType::kHalf), Typed(raw.b, DataType::kHalf)};
    runtime::Core& core = ThisCore(place.call);
    const LocalView c = LocalAt(core, Memory::kL0C, o.c.address, o.c.type, place.call, place.where),
                    a = LocalAt(core, Memory::kL0A, o.a.address, o.a.type, place.call, place.where),
                    b = LocalAt(core, Memory::kL0B, o.b.address, o.b.type, place.call, place.where);
    mmad({.c = {&c, o.c.type},
          .a = {&a, o.a.type},
          .b = {&b, o.b.type},
          .bias = {},
          .params = &params,
          .where = place.where});
}

AscendC::MmadParams Product(uint16_t m, uint16_t k, uint16_t n, uint8_t unit_flag, bool align, bool source, bool zero) {
    AscendC::MmadParams p(m, n, k, unit_flag, source, zero);
    p.kDirectionAlign = align;
    return p;
}

// What Fixpipe makes in a mode, where a pointer to bytes does not tell.
DataType QuantisedTo(QuantMode_t mode, DataType from) {
    switch (mode) {
        case F322F16:
        case DEQF16:
        case VDEQF16: return DataType::kHalf;
        case F322BF16: return DataType::kBfloat16;
        case QF322B8_PRE:
        case VQF322B8_PRE:
        case REQ8:
        case VREQ8: return DataType::kInt8;
        default: return from;
    }
}

bool RequireZero(const Place& place, const char* field, uint32_t value) {
    return value == 0 || Refuse(ThisCore(place.call), place.call, place.where,
                                {Rule::kParameterRange, field, "this argument has no documented meaning",
                                 fmt::format("{}", value), "0", "pass 0"});
}

// One half of an atomic mode. Both are there, or it waits for the other.
void JoinAtomic(const Place& place, std::optional<AtomicMode> mode, std::optional<DataType> half) {
    runtime::Core& core = ThisCore(place.call);
    RawState& raw = Framework::Of(core).raw;
    if (mode) raw.atomic = static_cast<uint8_t>(*mode);
    if (half) raw.atomic_type = half;
    core.Called("set_atomic", place.where);
    const isa::Control& control = core.registers().control;
    const bool on = control.atomic != isa::Atomic::kNone;
    if (!raw.atomic && on && raw.atomic_type) return SetAtomicElement(*raw.atomic_type, place.where);
    if (!raw.atomic) return;
    const std::optional<DataType> type = raw.atomic_type ? raw.atomic_type
                                         : on            ? std::optional(control.atomic_type)
                                                         : std::nullopt;
    if (type) SetAtomic(static_cast<AtomicMode>(*raw.atomic), *type, place.where);
}

}  // namespace
}  // namespace sfumato::ascendc

using namespace sfumato::ascendc;
using sfumato::CallSite;
using sfumato::DataType;
using sfumato::Rule;
using sfumato::Where;
using sfumato::isa::Memory;

#include "definitions/raw_move.inc"

void copy_cbuf_to_bt(uint64_t dst, RawPointer src, uint16_t convert, uint16_t count, uint16_t length, uint16_t src_gap,
                     uint16_t dst_gap, CallSite where) {
    const Place place{"copy_cbuf_to_bt", where};
    sfumato::runtime::Core& core = ThisCore(place.call);
    const bool widens = convert == 1;
    if (convert > 1 && !RequireZero(place, "convControl", convert)) return;
    const uint8_t* base = core.MemoryBase(Memory::kBt);
    const bool offset = base != nullptr && dst < core.chip().Bytes(Memory::kBt);
    const RawPointer to(offset ? static_cast<const void*>(base + dst) : reinterpret_cast<const void*>(dst));
    const DataType from = ElementFrom(src, src, widens ? DataType::kHalf : DataType::kFloat);
    RawEnds<MoveCall> call(place, Memory::kBt, Retyped(to, widens ? DataType::kFloat : from), Memory::kL1,
                           Retyped(src, from));
    SetBursts({count, length, src_gap, dst_gap}, &call);
    data_move(call);
}

void copy_matrix_cc_to_gm(RawPointer dst, RawPointer src, uint8_t, uint16_t n, uint16_t m, uint32_t dst_stride,
                          uint16_t src_stride, uint8_t unit_flag, QuantMode_t quant, uint8_t relu, bool split,
                          bool nz2nd, CallSite where) {
    const RawPointer from = Typed(src, DataType::kFloat);
    const DataType made = QuantisedTo(quant, from.type);
    const bool bytes = dst.type == DataType::kCount || (BitsOf(dst.type) == 8 && BitsOf(made) != 8);
    const RawPointer to = bytes ? Retyped(dst, made) : dst;
    const RawEnds<Ends> ends({"copy_matrix_cc_to_gm", where}, Memory::kGm, to, Memory::kL0C, from);
    AscendC::DataCopyCO12DstParams p(n, m, dst_stride, src_stride, quant, relu, split, nz2nd);
    p.unitFlag = unit_flag;
    fixpipe(ends, p);
}
void copy_matrix_cc_to_ubuf(RawPointer dst, RawPointer src, uint8_t, uint16_t count, uint16_t length, uint16_t src_gap,
                            uint16_t dst_gap, ConvRelu_t mode, CallSite where) {
    const Place place{"copy_matrix_cc_to_ubuf", where};
    const RawPointer from = Typed(src, DataType::kFloat), to = Typed(dst, from.type);
    if (mode < CRMODE_NONE || mode > CRMODE_S32toF16_DEQSCALE_SPR || mode == CRMODE_F16_MUL) {
        Refuse(ThisCore(place.call), place.call, where,
               {Rule::kParameterRange, "mode", "no page describes the mode", fmt::format("{}", static_cast<int>(mode)),
                "CRMODE_NONE 0, _F32toF16_NONE 1, _F32toF16_RELU 2, _S32toF16_NONE 3, _F16toF16_RELU 4, _NONE_RELU 5, "
                "_S32toF16_DEQSCALE_SPR 7",
                ""});
        return;
    }
    AscendC::DataCopyEnhancedParams enhanced;
    enhanced.blockMode = AscendC::BlockMode::BLOCK_MODE_MATRIX;
    enhanced.isRelu = mode == CRMODE_F32toF16_RELU || mode == CRMODE_F16toF16_RELU || mode == CRMODE_NONE_RELU;
    if (mode == CRMODE_S32toF16_NONE || mode == CRMODE_S32toF16_DEQSCALE_SPR)
        enhanced.deqScale = AscendC::DeqScale::DEQ;
    const RawEnds<Ends> ends(place, Memory::kUb, to, Memory::kL0C, from);
    tensor_mov(ends, {count, length, src_gap, dst_gap}, enhanced);
}
