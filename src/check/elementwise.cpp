// SPDX-License-Identifier: Apache-2.0
// Elementwise instructions (vector.md): the order of their checks, and the short way of the commonest.
#include "check/parts.h"

namespace sfumato::check {
namespace {

using isa::Record;

// One repeat that reads a source where it writes: the commonest overlap, and legal.
bool IsInPlace(const Record& r, int operand, const isa::Lanes& lanes) {
    const isa::Operand &d = r.dst(), &s = r.operand[static_cast<size_t>(operand)];
    return lanes.repeats == 1 && d.offset == s.offset && d.type == s.type && r.half_block == isa::HalfBlock::kDense &&
           (r.mask.mode == isa::MaskMode::kCount || d.block_stride == s.block_stride);
}

// The operands are of one type, which the instruction has on the chip.
template <int kOperands>
bool IsOfOneType(const Record& r, const Context& c) {
    for (size_t i = 1; i < kOperands; ++i) {
        if (r.operand[i].type != r.dst().type) return false;
    }
    return c.chip->Has(r.api, r.op, r.dst().type);
}

// A packed record of legal types breaks no rule unless an operand is too short, a stride too long, or the core without
// UB.
template <int kOperands>
bool FitsPacked(const Record& r, const Context& c) {
    const uint64_t n = r.mask.count, room = c.chip->Bytes(isa::Memory::kUb);
    const uint32_t most_stride = r.mask.mode == isa::MaskMode::kCount ? UINT32_MAX : Info(r.form()).repeat_stride;
    if (r.core_kind == isa::CoreKind::kCube) return false;
    for (size_t i = 0; i < kOperands; ++i) {
        const isa::Operand& o = r.operand[i];
        const uint64_t end = o.offset + (n << isa::Log2Bits(o.type)) / 8;
        if (end > o.limit || end > room || n - 1 > o.elements - 1) return false;  // 0 elements: unknown
        if (o.repeat_stride > most_stride) return false;
    }
    return true;
}

template <int kOperands>
bool CheckVector(const Record& r, const Context& c) {
    const bool convert = isa::Converts(r.form());
    if (convert ? !CheckConversion(r, c) : !IsOfOneType<kOperands>(r, c) && !CheckTypes(r, c)) return false;
    if (kOperands == 2 && Has(r.op, isa::kShifts) && !CheckShift(r, c)) return false;
    if (r.packed && FitsPacked<kOperands>(r, c)) [[likely]]
        return true;
    uint32_t widest = isa::Log2Bits(r.operand[0].type);
    if constexpr (kOperands > 1) widest = std::max(widest, isa::Log2Bits(r.operand[1].type));
    const uint32_t shift = isa::kLog2RepeatBits - widest;  // a third operand is no wider
    bool nothing = false;
    if (!CheckMask(r, c, kOperands, shift, &nothing) || nothing) return false;
    if (!CheckVectorMemory(r, c, kOperands)) return false;
    const isa::Lanes lanes = isa::LanesOf(r, shift);
    // Spans by name: those of an array pass through memory, in halves that are read as one before they are there.
    const auto span = [&](int i) { return i < kOperands ? isa::OperandSpan(r, i, shift, lanes) : isa::Span{}; };
    const isa::Span dst = span(0), src0 = span(1), src1 = span(2);
    const auto in_range = [&](int i, const isa::Span& s) { return i >= kOperands || CheckRange(r, c, i, s); };
    if (!in_range(0, dst) || !in_range(1, src0) || !in_range(2, src1)) return false;
    const auto apart = [&](int i, const isa::Span& src) {
        return i >= kOperands || !dst.Overlaps(src) || IsInPlace(r, i, lanes) || OverlapOf(r, c, i, shift, lanes);
    };
    if (!apart(1, src0) || !apart(2, src1)) return false;
    // dst is a source of its own: no repeat may read what an earlier one wrote.
    return !Has(r.op, isa::kReadsDst) || lanes.repeats == 1 || OverlapOf(r, c, 0, shift, lanes);
}

}  // namespace

bool Check(const Record& r, const isa::Elementwise&, const Context& c) {
    return r.operand_count == 2   ? CheckVector<2>(r, c)
           : r.operand_count == 1 ? CheckVector<1>(r, c)
                                  : CheckVector<3>(r, c);
}

}  // namespace sfumato::check
