// SPDX-License-Identifier: Apache-2.0
// Fills from elements, gathers and scatters (vector_instructions.md 4.2, 5).
#include <cstring>

#include "isa/parts.h"

namespace sfumato::isa {
namespace {

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
    return At(r.src1(), lanes.first * sizeof(uint32_t),
              (((lanes.repeats - 1) << shift) + lanes.last_end) * sizeof(uint32_t));
}

// Word `index` of the offsets.
uint64_t OffsetAt(const Record& r, const uint8_t* ub, uint64_t index) {
    uint32_t offset;
    std::memcpy(&offset, ub + r.src1().offset + index * sizeof(offset), sizeof(offset));
    return offset;
}

// What the offsets of the active lanes lead to, an element each.
void AddElementsAtOffsets(const Record& r, const Offsets& s, int operand, const uint8_t* ub, Runs& runs) {
    const uint32_t shift = LanesShift(r);
    const uint64_t bytes = BytesOf(OperandOf(r, operand).type, 1);
    ForEachLaneRun(r, LanesOf(r, shift), [&](uint64_t repeat, uint32_t first, uint32_t end) {
        for (uint32_t lane = first; lane < end; ++lane)
            runs.Add(s.base + OffsetAt(r, ub, (repeat << shift) + lane), bytes);
    });
}

void AddOffsetsOfLanes(const Record& r, Runs& runs) {
    const uint32_t shift = LanesShift(r);
    ForEachLaneRun(r, LanesOf(r, shift), [&](uint64_t repeat, uint32_t first, uint32_t end) {
        runs.Add(((repeat << shift) + first) * sizeof(uint32_t), (end - first) * sizeof(uint32_t));
    });
}

void PrintBase(Out out, const Offsets& s) { fmt::format_to(out, " base={}", s.base); }

}  // namespace

Squeeze SqueezeOf(const Record& r) {
    const uint64_t n = r.mask.count;
    if (r.mask.mode == MaskMode::kContinuous) return {n ? r.repeat : 0, n, n};
    const uint32_t shift = LanesShift(r);
    const uint64_t repeats = n == 0 ? 0 : ((n - 1) >> shift) + 1;
    return {repeats, uint64_t{1} << shift, repeats == 0 ? 0 : n - ((repeats - 1) << shift)};
}

Span SpanIn(const Record& r, const Broadcast&, int operand) {
    const Operand& o = OperandOf(r, operand);
    if (r.repeat == 0) return Nothing(o);
    if (operand == 0) return WholeRepeats(r, 0, r.repeat, 1);
    return At(o, 0, BytesOf(o.type, uint64_t{r.repeat} * kBlocksPerRepeat));
}

void RunsIn(const Record& r, const Broadcast& s, int operand, const uint8_t*, Runs& runs) {
    operand == 0 ? AddWholeRepeats(r, 0, r.repeat, 1, runs) : AddSpan(SpanIn(r, s, operand), runs);
}

void PrintIn(Out, const Record&, const Broadcast&) {}

Span SpanIn(const Record& r, const Gather& s, int operand) {
    if (LanesOf(r, LanesShift(r)).repeats == 0) return Nothing(OperandOf(r, operand));
    if (operand == 1) return ToTheEnd(r.src0(), s.base);
    return operand == 2 ? OffsetsOfLanes(r) : LanesOfOperand(r, operand);
}

void RunsIn(const Record& r, const Gather& s, int operand, const uint8_t* ub, Runs& runs) {
    if (operand == 0) return AddActiveLanes(r, 0, runs);
    if (operand == 2) return AddOffsetsOfLanes(r, runs);
    ub ? AddElementsAtOffsets(r, s, 1, ub, runs) : AddSpan(SpanIn(r, s, 1), runs);
}

void PrintIn(Out out, const Record&, const Gather& s) { PrintBase(out, s); }

Span SpanIn(const Record& r, const GatherBlocks& s, int operand) {
    if (r.repeat == 0) return Nothing(OperandOf(r, operand));
    if (operand == 0) return WholeRepeats(r, 0, r.repeat, 1);
    if (operand == 1) return ToTheEnd(r.src0(), s.base);
    return At(r.src1(), 0, uint64_t{r.repeat} * kBlocksPerRepeat * sizeof(uint32_t));
}

void RunsIn(const Record& r, const GatherBlocks& s, int operand, const uint8_t* ub, Runs& runs) {
    if (operand == 0) return AddWholeRepeats(r, 0, r.repeat, 1, runs);
    if (operand == 2 || !ub) return AddSpan(SpanIn(r, s, operand), runs);
    for (uint64_t i = 0; i < uint64_t{r.repeat} * kBlocksPerRepeat; ++i) {
        runs.Add(s.base + OffsetAt(r, ub, i), kBlockBytes);
    }
}

void PrintIn(Out out, const Record&, const GatherBlocks& s) { PrintBase(out, s); }

Span SpanIn(const Record& r, const Scatter& s, int operand) {
    if (LanesOf(r, LanesShift(r)).repeats == 0) return Nothing(OperandOf(r, operand));
    if (operand == 0) return ToTheEnd(r.dst(), s.base);
    return operand == 2 ? OffsetsOfLanes(r) : LanesOfOperand(r, operand);
}

void RunsIn(const Record& r, const Scatter& s, int operand, const uint8_t* ub, Runs& runs) {
    if (operand == 1) return AddActiveLanes(r, 1, runs);
    if (operand == 2) return AddOffsetsOfLanes(r, runs);
    ub ? AddElementsAtOffsets(r, s, 0, ub, runs) : AddSpan(SpanIn(r, s, 0), runs);
}

void PrintIn(Out out, const Record&, const Scatter& s) { PrintBase(out, s); }

Span SpanIn(const Record& r, const GatherMask& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    const Squeeze squeeze = SqueezeOf(r);
    if (squeeze.repeats == 0) return Nothing(o);
    const uint64_t steps = squeeze.repeats - 1;
    if (operand == 0) {
        if (s.pattern == 0) return ToTheEnd(o, 0);
        uint64_t kept[2] = {};
        for (int i = 0; i < 2; ++i) {
            const uint64_t n = i == 0 ? squeeze.lanes : squeeze.last, period = n / 4 * 4;
            for (uint64_t k = 0; k < 4; ++k) kept[i] += IsKept(s.pattern, k) ? n / 4 : 0;
            for (uint64_t k = period; k < n; ++k) kept[i] += IsKept(s.pattern, k);
        }
        return At(o, 0, BytesOf(o.type, steps * kept[0] + kept[1]));
    }
    const uint64_t pitch = uint64_t{o.repeat_stride} * kBlockBytes;
    const auto hull = [&](auto end_of) {
        const uint64_t end = steps * pitch + end_of(squeeze.last);
        return At(o, 0, steps == 0 ? end : std::max(end, (steps - 1) * pitch + end_of(squeeze.lanes)));
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

void RunsIn(const Record& r, const GatherMask& s, int operand, const uint8_t* ub, Runs& runs) {
    const Squeeze squeeze = SqueezeOf(r);
    const Operand& o = OperandOf(r, operand);
    const Walk w = WalkOf(r, operand, LanesShift(r));
    const uint64_t pitch = uint64_t{o.repeat_stride} * kBlockBytes;
    const auto lanes_of = [&](uint64_t repeat) { return repeat + 1 == squeeze.repeats ? squeeze.last : squeeze.lanes; };
    if (operand == 0 && (s.pattern != 0 || !ub)) return AddSpan(SpanIn(r, s, 0), runs);
    uint64_t kept = 0;
    for (uint64_t repeat = 0; repeat < squeeze.repeats; ++repeat) {
        const uint64_t lanes = lanes_of(repeat);
        if (operand == 1) {
            AddLanes({o.offset, w.log2_bits, w.lane_shift, w.block_pitch, pitch}, repeat, 0,
                     static_cast<uint32_t>(lanes), runs);
        } else if (operand == 2) {
            runs.Add(repeat * pitch, (lanes + 7) / 8);
        } else {
            const uint8_t* bits = ub + r.src1().offset + repeat * r.src1().repeat_stride * kBlockBytes;
            for (uint64_t lane = 0; lane < lanes; ++lane) kept += (bits[lane / 8] >> (lane % 8)) & 1;
        }
    }
    if (operand == 0) runs.Add(0, BytesOf(o.type, kept));
}

void PrintIn(Out out, const Record&, const GatherMask& s) {
    if (s.pattern) fmt::format_to(out, " pattern={}", s.pattern);
}

Span SpanIn(const Record& r, const Interpolate& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    const uint32_t shift = LanesShift(r);
    const Lanes lanes = LanesOf(r, shift);
    const uint64_t iterations = lanes.repeats * s.horizontal;
    if (iterations == 0) return Nothing(o);
    switch (operand) {
        case 0: return VectorSpan(r, WalkOf(r, 0, shift), lanes);
        case 1: return ToTheEnd(o, 0);
        case 2: return At(o, 0, iterations * kBlocksPerRepeat * sizeof(uint32_t));
        default: return At(o, 0, BytesOf(o.type, iterations * (s.block_weights ? kBlocksPerRepeat : 1)));
    }
}

void RunsIn(const Record& r, const Interpolate& s, int operand, const uint8_t* ub, Runs& runs) {
    if (operand == 0) return AddActiveLanes(r, 0, runs);
    if (operand != 1 || !ub) return AddSpan(SpanIn(r, s, operand), runs);
    const uint64_t repeats = LanesOf(r, LanesShift(r)).repeats;
    for (uint64_t i = 0; i < repeats * s.horizontal * kBlocksPerRepeat; ++i) runs.Add(OffsetAt(r, ub, i), kBlockBytes);
}

void PrintIn(Out out, const Record&, const Interpolate& s) {
    fmt::format_to(out, " horizontal={} weights={}", s.horizontal, s.block_weights ? "blocks" : "all");
}

}  // namespace sfumato::isa
