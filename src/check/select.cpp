// SPDX-License-Identifier: Apache-2.0
// Compare, Select and moves of CMPMASK (vector_instructions.md 2, 3).
#include <fmt/format.h>

#include "check/parameters.h"

namespace sfumato::check {
namespace {

using isa::Form;
using isa::MaskMode;
using isa::Memory;
using isa::Operand;
using isa::Record;

SFUMATO_COLD bool EqualOnly(const Record& r, const Context& c) {
    const Operand& o = r.operand[1];
    return Tell(
        r, c,
        {Rule::kTypeUnsupported, isa::OperandName(r, 1),
         fmt::format("{} compares this element type for equality only", c.chip->name),
         r.api == isa::Api::kTik ? std::string(TypeName(r, o.type))
                                 : fmt::format("{} of {}", Name(r.As<isa::Compare>().mode), TypeName(r, o.type)),
         Spelling(r, "EQ", "the call that ends in _eq"),
         Spelling(r, "compare with EQ, or convert to float first",
                  "use the call that ends in _eq, or convert to float32 first")});
}

SFUMATO_COLD bool ComparePart(const Record& r, const Context& c, uint64_t lanes) {
    const uint64_t whole = r.mask.count / lanes * lanes;
    return Tell(r, c,
                {Rule::kComparePart, "count", fmt::format("only the first {} elements are compared", whole),
                 fmt::format("{} elements", r.mask.count), fmt::format("a multiple of {}, whole repeats", lanes),
                 fmt::format("take {} or {}", whole, whole + lanes)});
}

SFUMATO_COLD bool Shares(const Record& r, const Context& c, int operand, isa::Span a, int other, isa::Span b) {
    return Tell(r, c,
                {Rule::kOperandsShare, isa::OperandName(r, operand),
                 fmt::format("{} and {} share memory", isa::OperandName(r, operand), isa::OperandName(r, other)),
                 fmt::format("bytes {}..{} and {}..{} of UB", a.begin, a.end, b.begin, b.end), "no byte in common",
                 "use a tensor of its own for the result"});
}

SFUMATO_COLD bool SelectMode(const Record& r, const Context& c) {
    constexpr const char* kModes[] = {"VSEL_CMPMASK_SPR", "VSEL_TENSOR_SCALAR_MODE", "VSEL_TENSOR_TENSOR_MODE"};
    const auto mode = static_cast<size_t>(r.As<isa::Select>().mode);
    const bool tik = r.api == isa::Api::kTik;
    const std::string chips =
        OtherChips(c, [&](const soc::Chip& chip) { return chip.select_by_tensor && (tik ? chip.tik : chip.ascendc); });
    return Tell(
        r, c,
        {Rule::kSelectMode, tik ? "mode" : "selMode", fmt::format("{} does not select in this mode", c.chip->name),
         tik ? fmt::format("{}", mode) : std::string(kModes[mode]), tik ? "0" : kModes[0],
         ChooseChip(chips, "this mode")});
}

bool CheckCmpMask(const Record& r, const Context& c, int operand) {
    return r.operand[static_cast<size_t>(operand)].memory == Memory::kRegister ||
           WrongMemory(r, c, operand, "the register CMPMASK", "use the form that works on UB");
}

// The first n operands in UB, aligned, on a core that has a vector unit.
bool CheckUbOperands(const Record& r, const Context& c, int n) {
    bool legal = r.core_kind != isa::CoreKind::kCube;
    for (int i = 0; i < n; ++i) {
        const Operand& o = r.operand[static_cast<size_t>(i)];
        legal &= o.memory == Memory::kUb && o.offset % isa::kBlockBytes == 0;
    }
    for (int i = 0; i < n && !legal; ++i) {
        if (!CheckUbOperand(r, c, i)) return false;
    }
    return true;
}

// TIK: dst may be a source when there is one repeat. Ascend C: when no repeat reads what an earlier one wrote, which
// packed bits at the start of the source never do unless its repeats overlap.
bool CheckCompareOverlap(const Record& r, const Context& c, int operand) {
    if (r.dst().memory != Memory::kUb || !isa::SpanOf(r, 0).Overlaps(isa::SpanOf(r, operand))) return true;
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    const uint64_t repeats = isa::CompareRepeats(r);
    const bool packed = r.mask.mode == MaskMode::kCount || (o.block_stride >= 1 && o.repeat_stride >= 8);
    const bool in_place = r.dst().offset == o.offset && (repeats == 1 || (r.api == isa::Api::kAscendC && packed));
    return in_place || CheckApart(r, c, operand, 0);
}

}  // namespace

bool CheckApart(const Record& r, const Context& c, int operand, isa::Span bytes, int other, isa::Span other_bytes) {
    return !bytes.Overlaps(other_bytes) || Shares(r, c, operand, bytes, other, other_bytes);
}

bool CheckLaneRange(const Record& r, const Context& c, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    const bool counted = r.mask.mode == MaskMode::kCount && o.elements != 0;
    if (counted && r.mask.count > o.elements) return CountExceeds(r, c, operand);
    return CheckRange(r, c, operand, isa::SpanOf(r, operand));
}

bool Check(const Record& r, const isa::Compare& s, const Context& c) {
    const bool to_register = r.op == isa::Opcode::vcmp;
    if (!CheckTypeOf(r, c, 1)) return false;
    for (int i = 2; i < r.operand_count; ++i) {
        if (!CheckSameType(r, c, i, 1)) return false;
    }
    const auto mode = s.mode;
    if (mode != isa::Compare::Mode::kEq && c.chip->EqualOnly(r.api, r.op, r.src0().type)) return EqualOnly(r, c);
    const uint32_t shift = isa::LanesShift(r);
    bool nothing = false;
    if (!CheckMask(r, c, r.operand_count, shift, &nothing) || nothing) return false;
    if (to_register && !CheckCmpMask(r, c, 0)) return false;
    const bool total = r.mask.mode == MaskMode::kCount || r.mask.mode == MaskMode::kCounter;
    if (!to_register && total && r.mask.count % (1u << shift) != 0) {
        if (!ComparePart(r, c, 1u << shift) || isa::CompareRepeats(r) == 0) return false;
    }
    for (int i = to_register ? 1 : 0; i < r.operand_count; ++i) {
        if (!CheckUbOperand(r, c, i)) return false;
        if (!(i == 0 ? CheckRange(r, c, 0, isa::SpanOf(r, 0)) : CheckLaneRange(r, c, i))) return false;
    }
    for (int i = 1; i < r.operand_count; ++i) {
        if (!CheckCompareOverlap(r, c, i)) return false;
    }
    return true;
}

bool Check(const Record& r, const isa::Select& shape, const Context& c) {
    const int sel = r.operand_count - 1;
    if (!CheckTypeOf(r, c, 0)) return false;
    for (int i = 1; i < sel; ++i) {
        if (!CheckSameType(r, c, i, 0)) return false;
    }
    if (shape.mode != isa::Select::Mode::kCmpMask && !c.chip->select_by_tensor) return SelectMode(r, c);
    const uint32_t shift = isa::LanesShift(r);
    bool nothing = false;
    if (!CheckMask(r, c, sel, shift, &nothing) || nothing) return false;
    const bool bits_in_ub = r.operand[static_cast<size_t>(sel)].memory != Memory::kRegister;
    if (!CheckUbOperands(r, c, bits_in_ub ? sel + 1 : sel)) return false;
    const isa::Lanes lanes = isa::LanesOf(r, shift);
    isa::Span dst;
    for (int i = 0; i < sel; ++i) {
        const isa::Span span = isa::OperandSpan(r, i, shift, lanes);
        if (r.mask.mode == MaskMode::kCount) {
            if (!CheckLaneRange(r, c, i)) return false;
        } else if (!CheckRange(r, c, i, span)) {
            return false;
        }
        if (i == 0) dst = span;
        const Operand& o = r.operand[static_cast<size_t>(i)];
        const bool in_place =
            lanes.repeats == 1 && o.offset == r.dst().offset && o.block_stride == r.dst().block_stride;
        if (i > 0 && dst.Overlaps(span) && !in_place && !OverlapOf(r, c, i, shift, lanes)) return false;
    }
    return !bits_in_ub || (CheckRange(r, c, sel, isa::SpanOf(r, sel)) && CheckApart(r, c, sel, 0));
}

// What it touches has been looked at access by access.
bool Check(const Record&, const isa::VectorFunction&, const Context&) { return true; }

bool Check(const Record& r, const isa::RegisterMove&, const Context& c) {
    const int tensor = r.op == isa::Opcode::get_cmpmask ? 0 : 1;
    if (!CheckCmpMask(r, c, r.op == isa::Opcode::get_cmpmask ? 1 : 0)) return false;
    if (r.operand_count == 1) return true;  // from a scalar
    return CheckTypeOf(r, c, tensor) && CheckUbOperand(r, c, tensor) &&
           CheckRange(r, c, tensor, isa::SpanOf(r, tensor));
}

}  // namespace sfumato::check
