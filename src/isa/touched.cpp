// SPDX-License-Identifier: Apache-2.0
// The bytes of records of the vector unit, of moves and of the scalar unit.
#include "isa/touched.h"

#include <cstring>

#include "isa/reductions.h"
#include "isa/sorts.h"

namespace sfumato::isa {
namespace {

const Operand& OperandOf(const Record& r, int i) { return r.operand[static_cast<size_t>(i)]; }

// Calls visit(repeat, first, end) for the lanes the mask selects, as runs of lanes.
template <class Visit>
void ForEachLaneRun(const Record& r, const Lanes& lanes, const Visit& visit) {
    const auto active = [&](uint32_t lane) {
        return r.mask.mode != MaskMode::kBits || (lane < 128 && ((r.mask.bits[lane / 64] >> (lane % 64)) & 1));
    };
    for (uint64_t repeat = 0; repeat < lanes.repeats; ++repeat) {
        const uint32_t end = repeat + 1 == lanes.repeats ? lanes.last_end : lanes.end;
        for (uint32_t lane = lanes.first; lane < end;) {
            uint32_t next = lane + 1;
            if (r.mask.mode != MaskMode::kBits) {
                next = end;
            } else if (active(lane)) {
                while (next < end && active(next)) ++next;
            } else {
                lane = next;
                continue;
            }
            visit(repeat, lane, next);
            lane = next;
        }
    }
}

// Lanes [first, end) of a repeat, block by block.
void AddLanes(const Walk& w, uint64_t repeat, uint32_t first, uint32_t end, Runs& runs) {
    const uint32_t per_block = 1u << w.lane_shift;
    while (first < end) {
        const uint32_t last = std::min(end, (first / per_block + 1) * per_block);
        const uint64_t begin = w.LaneBegin(first);
        runs.AddAt(w.start + repeat * w.repeat_pitch + begin, w.LaneEnd(last - 1) - begin);
        first = last;
    }
}

void AddActiveLanes(const Record& r, int operand, Runs& runs) {
    const uint32_t shift = LanesShift(r);
    const Walk w = WalkOf(r, operand, shift);
    ForEachLaneRun(r, LanesOf(r, shift),
                   [&](uint64_t repeat, uint32_t first, uint32_t end) { AddLanes(w, repeat, first, end, runs); });
}

// All blocks of `repeats` repeats. A block stride of 0 is read as `least_stride`.
void AddWholeRepeats(const Record& r, int operand, uint64_t repeats, uint64_t least_stride, Runs& runs) {
    const Walk w = WalkOf(r, operand, LanesShift(r));
    const uint64_t pitch = std::max(w.block_pitch, least_stride * kBlockBytes);
    for (uint64_t i = 0; i < repeats * kBlocksPerRepeat; ++i) {
        runs.AddAt(w.start + i / kBlocksPerRepeat * w.repeat_pitch + i % kBlocksPerRepeat * pitch, kBlockBytes);
    }
}

void AddSpan(const Span& span, Runs& runs) { runs.AddAt(span.begin, span.end - span.begin); }

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

}  // namespace

void RunsIn(const Record& r, const Elementwise&, int operand, const uint8_t*, Runs& runs) {
    AddActiveLanes(r, operand, runs);
}

void RunsIn(const Record& r, const Blocks& m, int operand, const uint8_t*, Runs& runs) {
    if (m.block_bytes == 0) return;
    const uint64_t bytes = MoveBlockBytes(r, m, operand), pitch = operand == 0 ? m.dst_pitch : m.src_pitch;
    for (uint64_t i = 0; i < m.block_count; ++i) runs.Add(i * pitch, bytes);
}

void RunsIn(const Record& r, const ScalarStore& s, int operand, const uint8_t*, Runs& runs) {
    AddSpan(SpanIn(r, s, operand), runs);
}

void RunsIn(const Record&, const Flag&, int, const uint8_t*, Runs&) {}
void RunsIn(const Record&, const Barrier&, int, const uint8_t*, Runs&) {}
void RunsIn(const Record&, const CrossFlag&, int, const uint8_t*, Runs&) {}

void RunsIn(const Record& r, const Compare& s, int operand, const uint8_t*, Runs& runs) {
    if (operand == 0 || OperandOf(r, operand).memory == Memory::kRegister) return AddSpan(SpanIn(r, s, operand), runs);
    AddWholeRepeats(r, operand, r.op == Opcode::vcmp ? 1 : CompareRepeats(r), 0, runs);
}

void RunsIn(const Record& r, const Select& s, int operand, const uint8_t*, Runs& runs) {
    const Operand& o = OperandOf(r, operand);
    if (operand != r.operand_count - 1) return AddActiveLanes(r, operand, runs);
    if (o.memory == Memory::kRegister || s.mode == Select::Mode::kCmpMask) {
        return AddSpan(SpanIn(r, s, operand), runs);
    }
    const uint32_t shift = LanesShift(r);
    ForEachLaneRun(r, LanesOf(r, shift), [&](uint64_t repeat, uint32_t first, uint32_t end) {
        const uint64_t at = (repeat << shift) / 8;
        runs.Add(at + first / 8, (end - 1) / 8 + 1 - first / 8);
    });
}

void RunsIn(const Record& r, const RegisterMove& s, int operand, const uint8_t*, Runs& runs) {
    AddSpan(SpanIn(r, s, operand), runs);
}

void RunsIn(const Record& r, const Broadcast& s, int operand, const uint8_t*, Runs& runs) {
    operand == 0 ? AddWholeRepeats(r, 0, r.repeat, 1, runs) : AddSpan(SpanIn(r, s, operand), runs);
}

void RunsIn(const Record& r, const Padding&, int operand, const uint8_t*, Runs& runs) {
    if (operand == 0) return AddActiveLanes(r, 0, runs);
    const uint32_t shift = LanesShift(r);
    const Walk w = WalkOf(r, 1, shift);
    const uint32_t within = (1u << w.lane_shift) - 1;
    ForEachLaneRun(r, LanesOf(r, shift), [&](uint64_t repeat, uint32_t first, uint32_t end) {
        AddLanes(w, repeat, first & ~within, (end + within) & ~within, runs);
    });
}

void RunsIn(const Record& r, const Gather& s, int operand, const uint8_t* ub, Runs& runs) {
    if (operand == 0) return AddActiveLanes(r, 0, runs);
    if (operand == 2) return AddOffsetsOfLanes(r, runs);
    ub ? AddElementsAtOffsets(r, s, 1, ub, runs) : AddSpan(SpanIn(r, s, 1), runs);
}

void RunsIn(const Record& r, const Scatter& s, int operand, const uint8_t* ub, Runs& runs) {
    if (operand == 1) return AddActiveLanes(r, 1, runs);
    if (operand == 2) return AddOffsetsOfLanes(r, runs);
    ub ? AddElementsAtOffsets(r, s, 0, ub, runs) : AddSpan(SpanIn(r, s, 0), runs);
}

void RunsIn(const Record& r, const GatherBlocks& s, int operand, const uint8_t* ub, Runs& runs) {
    if (operand == 0) return AddWholeRepeats(r, 0, r.repeat, 1, runs);
    if (operand == 2 || !ub) return AddSpan(SpanIn(r, s, operand), runs);
    for (uint64_t i = 0; i < uint64_t{r.repeat} * kBlocksPerRepeat; ++i) {
        runs.Add(s.base + OffsetAt(r, ub, i), kBlockBytes);
    }
}

void RunsIn(const Record& r, const Interpolate& s, int operand, const uint8_t* ub, Runs& runs) {
    if (operand == 0) return AddActiveLanes(r, 0, runs);
    if (operand != 1 || !ub) return AddSpan(SpanIn(r, s, operand), runs);
    const uint64_t repeats = LanesOf(r, LanesShift(r)).repeats;
    for (uint64_t i = 0; i < repeats * s.horizontal * kBlocksPerRepeat; ++i) runs.Add(OffsetAt(r, ub, i), kBlockBytes);
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

void RunsIn(const Record& r, const ReduceTensor& s, int operand, const uint8_t*, Runs& runs) {
    operand == 1 ? AddActiveLanes(r, 1, runs) : AddSpan(SpanIn(r, s, operand), runs);
}

void RunsIn(const Record&, const TransposeSquares& s, int operand, const uint8_t*, Runs& runs) {
    const uint64_t stride = operand == 0 ? s.dst_stride : s.src_stride;
    for (uint64_t i = 0; i < s.repeats; ++i) runs.Add(i * stride * kFractalBytes, kFractalBytes);
}

void RunsIn(const Record& r, const TransposeBlocks& s, int operand, const uint8_t*, Runs& runs) {
    const bool half = BitsOf(r.dst().type) == 8, high = half && (operand == 0 ? s.dst_high : s.src_high);
    const uint64_t stride = uint64_t{operand == 0 ? s.dst_stride : s.src_stride} * kBlockBytes;
    for (uint64_t i = 0; i < s.repeats; ++i) {
        for (const uint32_t block : operand == 0 ? s.dst : s.src) {
            runs.AddAt(block + (s.FirstStep() + i) * stride + (high ? kBlockBytes / 2 : 0),
                       half ? kBlockBytes / 2 : kBlockBytes);
        }
    }
}

void RunsIn(const Record& r, const TransposeChannels& s, int operand, const uint8_t*, Runs& runs) {
    AddSpan(SpanIn(r, s, operand), runs);
}

void RunsIn(const Record& r, const ProposalField& s, int operand, const uint8_t*, Runs& runs) {
    const uint64_t size = BytesOf(OperandOf(r, operand).type, 1);
    const bool proposals = (operand == 0) == (r.op == Opcode::vconcat);
    for (uint64_t i = 0; i < uint64_t{s.repeats} * kProposalsPerRepeat; ++i) {
        runs.Add((proposals ? i * kProposalElements + s.field : i) * size, size);
    }
}

void RunsIn(const Record& r, const SortGroups& s, int operand, const uint8_t*, Runs& runs) {
    AddSpan(SpanIn(r, s, operand), runs);
}

void RunsIn(const Record& r, const MergeQueues& s, int operand, const uint8_t*, Runs& runs) {
    const Merged merged = MergedRecords(s);
    const uint64_t bytes = RecordBytes(r.op, r.dst().type);
    const uint64_t records = operand == 0 ? merged.written : s.lengths[static_cast<size_t>(operand - 1)];
    for (uint64_t repeat = 0; repeat < s.repeats; ++repeat) runs.Add(repeat * merged.total * bytes, records * bytes);
}

}  // namespace sfumato::isa
