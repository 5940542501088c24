// SPDX-License-Identifier: Apache-2.0
// Reductions, and how large a work tensor is (vector_instructions.md 7).
#include "isa/reductions.h"
#include "isa/parts.h"
#include "isa/vector_registers.h"

namespace sfumato::isa {
namespace {

// Repeats that size the work tensor: the pages divide without rounding (7.6), so a last partial repeat needs no place.
uint64_t WorkRepeats(const Record& r, const Lanes& lanes, uint32_t shift) {
    if (r.mask.mode != MaskMode::kCount) return lanes.repeats;
    return std::max<uint64_t>(1, r.mask.count >> shift);
}

}  // namespace

uint64_t ActiveResults(const Record& r, uint32_t end) {
    const uint32_t group = WidthShift(WidthOf(r.op), Log2Bits(r.src0().type));
    if (r.mask.mode != MaskMode::kBits) return FirstResults(((end - 1) >> group) + 1);
    uint64_t results = 0;
    for (uint32_t lane = 0; lane < end; ++lane) {
        results |= ((r.mask.bits[lane / 64] >> (lane % 64)) & 1) << (lane >> group);
    }
    return results;
}

uint64_t WorkElements(const Record& r) {
    const auto& shape = r.As<ReduceTensor>();
    const uint32_t shift = LanesShift(r);
    const Lanes lanes = LanesOf(r, shift);
    const uint64_t block = BlockElements(r.src0().type), per_repeat = uint64_t{1} << shift;
    if (lanes.repeats == 0) return 0;
    const uint64_t repeats = WorkRepeats(r, lanes, shift);
    // TIK asks for a place for every repeat's result, and no rounding (tik.md 3.9).
    const bool exact = r.api == Api::kTik;
    if (ReductionOf(r.op) == Reduction::kSum) {
        const uint64_t groups = shape.group == 0 ? 1 : CeilDiv(repeats, shape.group);
        if (groups == 1 && shape.group != 1) return 0;
        return exact ? groups : RoundUpTo(groups, block);
    }
    const uint64_t pairs = 2 * repeats;
    if (exact) return pairs;
    if (!shape.index) return RoundUpTo(pairs, block);
    // Each pass leaves a pair for each of its repeats.
    const uint64_t second = 2 * CeilDiv(pairs, per_repeat);
    uint64_t elements = RoundUpTo(pairs, block) + RoundUpTo(second, block);
    if (second > 2) elements += RoundUpTo(2 * CeilDiv(second, per_repeat), block);
    return elements;
}

Span ReductionRegister(const Record& r) {
    const auto* tensor = r.If<ReduceTensor>();
    if (ReductionOf(r.op) == Reduction::kSum) return tensor && tensor->group != 1 ? kAccVal.span() : Span{};
    return WidthOf(r.op) == ReduceWidth::kRepeat ? kMaxMinCount.span() : Span{};
}

Span SpanIn(const Record& r, const Reduce&, int operand) {
    const Operand& o = OperandOf(r, operand);
    const uint32_t shift = LanesShift(r);
    const Lanes lanes = LanesOf(r, shift);
    if (operand != 0) return OperandSpan(r, operand, shift, lanes);
    if (lanes.repeats == 0) return Nothing(o);
    const Results results = ResultsOf(r);
    const uint64_t pitch = o.repeat_stride * results.unit;
    if (WidthOf(r.op) == ReduceWidth::kRepeat) {
        return At(o, 0, (lanes.repeats - 1) * pitch + results.bytes);
    }
    const uint64_t size = BytesOf(o.type, 1);
    const auto hull = [&](uint32_t end) {
        const uint64_t stored = StoredResults(r, end);
        return Span{static_cast<uint64_t>(std::countr_zero(stored)) * size,
                    static_cast<uint64_t>(64 - std::countl_zero(stored)) * size};
    };
    const Span last = hull(lanes.last_end);
    Span span = At(o, last.begin, (lanes.repeats - 1) * pitch + last.end);
    if (lanes.repeats > 1) {
        const Span full = hull(lanes.end);
        span.begin = o.offset + full.begin;
        span.end = std::max(span.end, o.offset + (lanes.repeats - 2) * pitch + full.end);
    }
    return span;
}

void RunsIn(const Record& r, const Reduce&, int operand, const uint8_t*, Runs& runs) {
    if (operand != 0) return AddActiveLanes(r, operand, runs);
    const Lanes lanes = LanesOf(r, LanesShift(r));
    const Results results = ResultsOf(r);
    const uint64_t pitch = r.dst().repeat_stride * results.unit, size = BytesOf(r.dst().type, 1);
    const bool whole = WidthOf(r.op) == ReduceWidth::kRepeat;
    for (uint64_t repeat = 0; repeat < lanes.repeats; ++repeat) {
        if (whole) {
            runs.Add(repeat * pitch, results.bytes);
            continue;
        }
        const uint64_t stored = StoredResults(r, repeat + 1 == lanes.repeats ? lanes.last_end : lanes.end);
        for (uint64_t i = 0; i < 64; ++i) {
            if ((stored >> i) & 1) runs.Add(repeat * pitch + i * size, size);
        }
    }
}

void PrintIn(Out out, const Record&, const Reduce& s) {
    if (s.order != ReduceOrder::kValueIndex) fmt::format_to(out, " {}", Name(s.order));
    if (s.fill_masked) fmt::format_to(out, " fillmasked");
}

Span SpanIn(const Record& r, const ReduceTensor& shape, int operand) {
    const Operand& o = OperandOf(r, operand);
    const uint32_t shift = LanesShift(r);
    const Lanes lanes = LanesOf(r, shift);
    if (lanes.repeats == 0) return Nothing(o);
    if (operand == 1) return OperandSpan(r, operand, shift, lanes);
    return At(o, 0, BytesOf(o.type, operand == 0 ? (shape.index ? 2 : 1) : WorkElements(r)));
}

void RunsIn(const Record& r, const ReduceTensor& s, int operand, const uint8_t*, Runs& runs) {
    operand == 1 ? AddActiveLanes(r, 1, runs) : AddSpan(SpanIn(r, s, operand), runs);
}

void PrintIn(Out out, const Record&, const ReduceTensor& s) {
    if (s.index) fmt::format_to(out, " index");
    if (s.group != 1) fmt::format_to(out, " group={}", s.group);
}

}  // namespace sfumato::isa
