// SPDX-License-Identifier: Apache-2.0
// Which bytes reductions and transposes touch, and how large a work tensor is (vector_instructions.md 6 and 7).
#include "isa/reductions.h"
#include "isa/spans.h"
#include "isa/vector_registers.h"

namespace sfumato::isa {
namespace {

constexpr uint64_t kSquareBytes = 512;

Span From(uint64_t start, uint64_t begin, uint64_t end) { return {start + begin, start + end}; }

// Elements of a block and of a repeat.
uint64_t BlockElements(const Record& r) { return uint64_t{1} << (8 - Log2Bits(r.src0().type)); }

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
    const uint64_t block = BlockElements(r), per_repeat = uint64_t{1} << shift;
    if (lanes.repeats == 0) return 0;
    const uint64_t repeats = WorkRepeats(r, lanes, shift);
    // TIK asks for a place for every repeat's result, and no rounding (tik.md 3.9).
    const bool exact = r.api == Api::kTik;
    if (ReductionOf(r.op) == Reduction::kSum) {
        const uint64_t groups = shape.group == 0 ? 1 : CeilDiv(repeats, shape.group);
        if (groups == 1 && shape.group != 1) return 0;
        return exact ? groups : CeilTo(groups, block);
    }
    const uint64_t pairs = 2 * repeats;
    if (exact) return pairs;
    if (!shape.index) return CeilTo(pairs, block);
    // Each pass leaves a pair for each of its repeats.
    const uint64_t second = 2 * CeilDiv(pairs, per_repeat);
    uint64_t elements = CeilTo(pairs, block) + CeilTo(second, block);
    if (second > 2) elements += CeilTo(2 * CeilDiv(second, per_repeat), block);
    return elements;
}

Span ReductionRegister(const Record& r) {
    const auto* tensor = r.If<ReduceTensor>();
    if (ReductionOf(r.op) == Reduction::kSum) return tensor && tensor->group != 1 ? kAccVal.span() : Span{};
    return WidthOf(r.op) == ReduceWidth::kRepeat ? kMaxMinCount.span() : Span{};
}

Span SpanIn(const Record& r, const Reduce&, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    const uint32_t shift = LanesShift(r);
    const Lanes lanes = LanesOf(r, shift);
    if (operand != 0) return OperandSpan(r, operand, shift, lanes);
    if (lanes.repeats == 0) return From(o.offset, 0, 0);
    const Results results = ResultsOf(r);
    const uint64_t pitch = o.repeat_stride * results.unit;
    if (WidthOf(r.op) == ReduceWidth::kRepeat) {
        return From(o.offset, 0, (lanes.repeats - 1) * pitch + results.bytes);
    }
    const uint64_t size = BytesOf(o.type, 1);
    const auto hull = [&](uint32_t end) {
        const uint64_t stored = StoredResults(r, end);
        return Span{static_cast<uint64_t>(std::countr_zero(stored)) * size,
                    static_cast<uint64_t>(64 - std::countl_zero(stored)) * size};
    };
    const Span last = hull(lanes.last_end);
    Span span = From(o.offset, last.begin, (lanes.repeats - 1) * pitch + last.end);
    if (lanes.repeats > 1) {
        const Span full = hull(lanes.end);
        span.begin = o.offset + full.begin;
        span.end = std::max(span.end, o.offset + (lanes.repeats - 2) * pitch + full.end);
    }
    return span;
}

Span SpanIn(const Record& r, const ReduceTensor& shape, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    const uint32_t shift = LanesShift(r);
    const Lanes lanes = LanesOf(r, shift);
    if (lanes.repeats == 0) return From(o.offset, 0, 0);
    if (operand == 1) return OperandSpan(r, operand, shift, lanes);
    return From(o.offset, 0, BytesOf(o.type, operand == 0 ? (shape.index ? 2 : 1) : WorkElements(r)));
}

Span SpanIn(const Record& r, const TransposeSquares& s, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    if (s.repeats == 0) return From(o.offset, 0, 0);
    const uint64_t stride = operand == 0 ? s.dst_stride : s.src_stride;
    return From(o.offset, 0, ((s.repeats - 1) * stride + 1) * kSquareBytes);
}

Span SpanIn(const Record& r, const TransposeBlocks& s, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    if (s.repeats == 0) return From(o.offset, 0, 0);
    const auto& list = operand == 0 ? s.dst : s.src;
    const auto [low, high] = std::minmax_element(list.begin(), list.end());
    const uint64_t stride = uint64_t{operand == 0 ? s.dst_stride : s.src_stride} * kBlockBytes;
    const bool half = BitsOf(o.type) == 8, upper = half && (operand == 0 ? s.dst_high : s.src_high);
    const uint64_t begin = upper ? kBlockBytes / 2 : 0, end = half && !upper ? kBlockBytes / 2 : kBlockBytes;
    const uint64_t first = s.FirstStep() * stride;
    return {*low + first + begin, *high + first + (s.repeats - 1) * stride + end};
}

Span SpanIn(const Record& r, const TransposeChannels& s, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    return From(o.offset, 0, BytesOf(o.type, uint64_t{s.n} * s.channels * s.pixels));
}

}  // namespace sfumato::isa
