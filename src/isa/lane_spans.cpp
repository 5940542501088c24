// SPDX-License-Identifier: Apache-2.0
// Spans of compares, selects, fills from elements, gathers and moves of CMPMASK (vector_instructions.md 2 to 5).
#include "isa/reductions.h"
#include "isa/spans.h"
#include "isa/vector_registers.h"

namespace sfumato::isa {
namespace {

const Operand& OperandOf(const Record& r, int i) { return r.operand[static_cast<size_t>(i)]; }

// Every lane of every repeat, whatever the mask says.
Span WholeRepeats(const Record& r, int operand, uint64_t repeats, uint64_t least_pitch = 0) {
    const Walk w = WalkOf(r, operand, LanesShift(r));
    if (repeats == 0) return {w.start, w.start};
    const uint64_t blocks = std::max(w.block_pitch, least_pitch) * (kBlocksPerRepeat - 1) + kBlockBytes;
    return {w.start, w.start + (repeats - 1) * w.repeat_pitch + blocks};
}

// A run of bytes from the start of an operand.
Span From(const Operand& o, uint64_t begin, uint64_t end) { return {o.offset + begin, o.offset + end}; }

Span ToTheEnd(const Operand& o, uint64_t base) {
    const uint64_t begin = o.offset + base;
    return {begin, std::max(begin, o.limit)};
}

Span LanesOfOperand(const Record& r, int operand) {
    const uint32_t shift = LanesShift(r);
    return VectorSpan(r, WalkOf(r, operand, shift), LanesOf(r, shift));
}

// A word for each lane, wherever the mask leaves gaps.
Span OffsetsOfLanes(const Record& r) {
    const uint32_t shift = LanesShift(r);
    const Lanes lanes = LanesOf(r, shift);
    return From(r.src1(), lanes.first * sizeof(uint32_t),
                (((lanes.repeats - 1) << shift) + lanes.last_end) * sizeof(uint32_t));
}

}  // namespace

uint64_t CompareRepeats(const Record& r) {
    const bool total = r.mask.mode == MaskMode::kCount || r.mask.mode == MaskMode::kCounter;
    return total ? r.mask.count >> LanesShift(r) : r.repeat;
}

Squeeze SqueezeOf(const Record& r) {
    const uint64_t n = r.mask.count;
    if (r.mask.mode == MaskMode::kContinuous) return {n ? r.repeat : 0, n, n};
    const uint32_t shift = LanesShift(r);
    const uint64_t repeats = n == 0 ? 0 : ((n - 1) >> shift) + 1;
    return {repeats, uint64_t{1} << shift, repeats == 0 ? 0 : n - ((repeats - 1) << shift)};
}

Span RegisterWritten(const Record& r) {
    switch (r.form()) {
        case Form::kGatherMask: return kRsvdCount.span();
        case Form::kReduce:
        case Form::kReduceTensor: return ReductionRegister(r);
        case Form::kMergeQueues: return kMergeCounts.span();
        default: break;
    }
    const auto* select = r.If<Select>();
    const bool loads = select && select->mode == Select::Mode::kCmpMask &&
                       OperandOf(r, r.operand_count - 1).memory != Memory::kRegister;
    return loads ? kCmpMask.span() : Span{};
}

Span SpanIn(const Record& r, const Compare&, int operand) {
    const Operand& o = OperandOf(r, operand);
    if (o.memory == Memory::kRegister) return kCmpMask.span();
    const uint64_t repeats = r.op == Opcode::vcmp ? 1 : CompareRepeats(r);
    return operand == 0 ? From(o, 0, (repeats << LanesShift(r)) / 8) : WholeRepeats(r, operand, repeats);
}

Span SpanIn(const Record& r, const Select& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    const uint32_t shift = LanesShift(r);
    const Lanes lanes = LanesOf(r, shift);
    if (operand != r.operand_count - 1) return VectorSpan(r, WalkOf(r, operand, shift), lanes);
    if (o.memory == Memory::kRegister) return kCmpMask.span();
    if (lanes.repeats == 0) return From(o, 0, 0);
    if (s.mode == Select::Mode::kCmpMask) return From(o, 0, (lanes.end + 7) / 8);
    return From(o, lanes.first / 8, ((lanes.repeats - 1) << shift) / 8 + (lanes.last_end + 7) / 8);
}

Span SpanIn(const Record& r, const RegisterMove&, int operand) {
    const Operand& o = OperandOf(r, operand);
    return From(o, 0, kCmpMaskMoved);
}

Span SpanIn(const Record& r, const Broadcast&, int operand) {
    const Operand& o = OperandOf(r, operand);
    if (r.repeat == 0) return From(o, 0, 0);
    if (operand == 0) return WholeRepeats(r, 0, r.repeat, kBlockBytes);
    return From(o, 0, BytesOf(o.type, uint64_t{r.repeat} * kBlocksPerRepeat));
}

Span SpanIn(const Record& r, const Padding&, int operand) {
    const uint32_t shift = LanesShift(r);
    const Walk w = WalkOf(r, operand, shift);
    Lanes lanes = LanesOf(r, shift);
    if (operand == 1) {  // blocks with an active lane, whole
        if (w.block_pitch == 0 && lanes.repeats != 0) {
            return {w.start, w.start + (lanes.repeats - 1) * w.repeat_pitch + kBlockBytes};
        }
        const uint32_t within = (1u << w.lane_shift) - 1;
        lanes.first &= ~within;
        lanes.end = (lanes.end + within) & ~within;
        lanes.last_end = (lanes.last_end + within) & ~within;
    }
    return VectorSpan(r, w, lanes);
}

Span SpanIn(const Record& r, const Gather& s, int operand) {
    if (LanesOf(r, LanesShift(r)).repeats == 0) return From(OperandOf(r, operand), 0, 0);
    if (operand == 1) return ToTheEnd(r.src0(), s.base);
    return operand == 2 ? OffsetsOfLanes(r) : LanesOfOperand(r, operand);
}

Span SpanIn(const Record& r, const Scatter& s, int operand) {
    if (LanesOf(r, LanesShift(r)).repeats == 0) return From(OperandOf(r, operand), 0, 0);
    if (operand == 0) return ToTheEnd(r.dst(), s.base);
    return operand == 2 ? OffsetsOfLanes(r) : LanesOfOperand(r, operand);
}

Span SpanIn(const Record& r, const GatherBlocks& s, int operand) {
    if (r.repeat == 0) return From(OperandOf(r, operand), 0, 0);
    if (operand == 0) return WholeRepeats(r, 0, r.repeat, kBlockBytes);
    if (operand == 1) return ToTheEnd(r.src0(), s.base);
    return From(r.src1(), 0, uint64_t{r.repeat} * kBlocksPerRepeat * sizeof(uint32_t));
}

Span SpanIn(const Record& r, const Interpolate& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    const uint32_t shift = LanesShift(r);
    const Lanes lanes = LanesOf(r, shift);
    const uint64_t iterations = lanes.repeats * s.horizontal;
    if (iterations == 0) return From(o, 0, 0);
    switch (operand) {
        case 0: return VectorSpan(r, WalkOf(r, 0, shift), lanes);
        case 1: return ToTheEnd(o, 0);
        case 2: return From(o, 0, iterations * kBlocksPerRepeat * sizeof(uint32_t));
        default: return From(o, 0, BytesOf(o.type, iterations * (s.block_weights ? kBlocksPerRepeat : 1)));
    }
}

Span SpanIn(const Record& r, const GatherMask& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    const Squeeze squeeze = SqueezeOf(r);
    if (squeeze.repeats == 0) return From(o, 0, 0);
    const uint64_t steps = squeeze.repeats - 1;
    if (operand == 0) {
        if (s.pattern == 0) return ToTheEnd(o, 0);
        uint64_t kept[2] = {};
        for (int i = 0; i < 2; ++i) {
            const uint64_t n = i == 0 ? squeeze.lanes : squeeze.last, period = n / 4 * 4;
            for (uint64_t k = 0; k < 4; ++k) kept[i] += IsKept(s.pattern, k) ? n / 4 : 0;
            for (uint64_t k = period; k < n; ++k) kept[i] += IsKept(s.pattern, k);
        }
        return From(o, 0, BytesOf(o.type, steps * kept[0] + kept[1]));
    }
    const uint64_t pitch = uint64_t{o.repeat_stride} * kBlockBytes;
    const auto hull = [&](auto end_of) {
        const uint64_t end = steps * pitch + end_of(squeeze.last);
        return From(o, 0, steps == 0 ? end : std::max(end, (steps - 1) * pitch + end_of(squeeze.lanes)));
    };
    if (operand == 2) return hull([](uint64_t lanes) { return (lanes + 7) / 8; });
    const Walk w = WalkOf(r, operand, LanesShift(r));
    const auto end_of = [&](uint64_t lanes) {
        // Every block lies on the first one when the block stride is 0.
        const uint64_t last = w.block_pitch == 0 ? std::min<uint64_t>(lanes, 1u << w.lane_shift) : lanes;
        return w.LaneEnd(static_cast<uint32_t>(last - 1));
    };
    return hull(end_of);
}

}  // namespace sfumato::isa
