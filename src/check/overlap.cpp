// SPDX-License-Identifier: Apache-2.0
// Overlap of destination and sources (vector.md, Overlap), exact to the byte.
//
// Within a repeat the ranges must be the same or disjoint. "The same" for operands of two widths: both packed, with the
// same start (narrowing in place) or the same end (the last repeat of a widening out of the upper part). Across repeats
// no repeat may read what an earlier one wrote. Forms with a count are repeats of 256 bytes in order.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "check/parts.h"

namespace sfumato::check {
namespace {

using isa::Lanes;
using isa::Operand;
using isa::Record;
using isa::Span;
using isa::Walk;

// A destination and one source of a record.
struct Pair {
    const Record& record;
    const Lanes& lanes;
    Walk dst, src;
    int operand;        // of the source
    bool same = false;  // block b of a repeat is read and written at the same place
    bool accumulates = false;

    uint32_t End(uint64_t repeat) const { return repeat + 1 == lanes.repeats ? lanes.last_end : lanes.end; }
    // Bytes between the first and the last lane of one repeat.
    Span Hull(const Walk& w, uint64_t repeat) const {
        const Span s = isa::RepeatSpan(record, w, lanes.first, End(repeat));
        const uint64_t at = w.start + repeat * w.repeat_pitch;
        return {at + s.begin, at + s.end};
    }
};

SFUMATO_COLD bool InRepeat(const Pair& p, const Context& c, uint64_t repeat) {
    const Span dst = p.Hull(p.dst, repeat), src = p.Hull(p.src, repeat);
    return Tell(p.record, c,
                {Rule::kOverlapInRepeat, isa::OperandName(p.record, p.operand),
                 "source and destination overlap partly within one repeat",
                 fmt::format("repeat {} reads bytes {}..{} and writes bytes {}..{} of UB", repeat, src.begin, src.end,
                             dst.begin, dst.end),
                 "the same bytes or none in common",
                 "use another destination, or start source and destination at the same offset with the same strides"});
}

SFUMATO_COLD bool AcrossRepeats(const Pair& p, const Context& c, uint64_t repeat, const Span& bytes) {
    return Tell(
        p.record, c,
        {Rule::kOverlapAcrossRepeats, isa::OperandName(p.record, p.operand),
         "a repeat reads what an earlier repeat of the same call wrote",
         fmt::format("repeat {} reads bytes {}..{} of UB", repeat, bytes.begin, bytes.end),
         "bytes no earlier repeat of the call wrote",
         Spelling(p.record, "use another destination, or one call per repeat with PipeBarrier<PIPE_V> between them",
                  "use another destination, or one call per repeat")});
}

// Bytes of a repeat as (block of UB, bits of its bytes).
struct BlockBytes {
    uint64_t block;
    uint32_t bytes;
};

int BlocksOf(const Pair& p, const Walk& w, uint64_t repeat, BlockBytes* out) {
    const uint32_t end = p.End(repeat), per_block = 1u << w.lane_shift;
    const uint64_t start = w.start + repeat * w.repeat_pitch;
    int n = 0;
    for (uint32_t first = p.lanes.first / per_block * per_block; first < end; first += per_block, ++n) {
        const uint64_t at = start + w.LaneBegin(first);
        out[n] = {at / isa::kBlockBytes, 0};
        for (uint32_t lane = first; lane < std::min(first + per_block, end); ++lane) {
            const auto& bits = p.record.mask.bits;
            if (p.record.mask.mode == isa::MaskMode::kBits && !((bits[lane / 64] >> (lane % 64)) & 1)) continue;
            // start may stand in the middle of a block: the high half of half-block results.
            const uint64_t begin = (start + w.LaneBegin(lane)) % isa::kBlockBytes;
            const uint64_t bytes = w.LaneEnd(lane) - w.LaneBegin(lane);
            out[n].bytes |= static_cast<uint32_t>(((uint64_t{1} << bytes) - 1) << begin);
        }
    }
    return n;
}

// True: same start or same end of packed operands of two widths.
bool IsPackedTogether(const Pair& p, uint64_t repeat, const Span& dst, const Span& src) {
    // The forms that read dst too allow no overlap of two types (vector_instructions.md 9.2).
    if (p.dst.log2_bits == p.src.log2_bits || Has(p.record.op, isa::kReadsDst)) return false;
    const uint64_t dst_at = p.dst.start + repeat * p.dst.repeat_pitch,
                   src_at = p.src.start + repeat * p.src.repeat_pitch;
    return p.dst.block_pitch == isa::kBlockBytes && p.src.block_pitch == isa::kBlockBytes &&
           (dst_at == src_at || dst.end == src.end);
}

// Byte by byte, repeat by repeat. Only reached when the hulls meet.
SFUMATO_COLD bool CheckExact(const Pair& p, const Context& c) {
    const Operand& d = p.record.dst();
    const uint64_t base = d.offset / isa::kBlockBytes;
    const Span all = isa::VectorSpan(p.record, p.dst, p.lanes);
    std::vector<uint32_t> written(all.end / isa::kBlockBytes + 1 - base);
    BlockBytes dst[64], src[64];
    for (uint64_t r = 0; r < p.lanes.repeats; ++r) {
        const int dst_count = BlocksOf(p, p.dst, r, dst), src_count = BlocksOf(p, p.src, r, src);
        for (int i = 0; i < src_count && !p.accumulates; ++i) {
            if (src[i].block < base || src[i].block - base >= written.size()) continue;
            if (const uint32_t hit = written[src[i].block - base] & src[i].bytes) {
                const uint64_t at = src[i].block * isa::kBlockBytes;
                return AcrossRepeats(p, c, r,
                                     {at + static_cast<uint64_t>(std::countr_zero(hit)),
                                      at + static_cast<uint64_t>(32 - std::countl_zero(hit))});
            }
        }
        const bool at_one_place =
            p.same && d.offset + r * p.dst.repeat_pitch ==
                          p.record.operand[static_cast<size_t>(p.operand)].offset + r * p.src.repeat_pitch;
        if (!at_one_place && !IsPackedTogether(p, r, p.Hull(p.dst, r), p.Hull(p.src, r))) {
            for (int i = 0; i < src_count; ++i) {
                for (int j = 0; j < dst_count; ++j) {
                    if (src[i].block == dst[j].block && (src[i].bytes & dst[j].bytes)) return InRepeat(p, c, r);
                }
            }
        }
        for (int j = 0; j < dst_count; ++j) written[dst[j].block - base] |= dst[j].bytes;
    }
    return true;
}

// Repeats whose hulls keep clear of everything written before are legal without looking at bytes.
SFUMATO_COLD bool CheckPair(const Pair& p, const Context& c) {
    Span written{~0ull, 0};
    for (uint64_t r = 0; r < p.lanes.repeats; ++r) {
        const Span dst = p.Hull(p.dst, r), src = p.Hull(p.src, r);
        if (written.Overlaps(src)) return CheckExact(p, c);
        if (dst.Overlaps(src) && !IsPackedTogether(p, r, dst, src)) return CheckExact(p, c);
        written = {std::min(written.begin, dst.begin), std::max(written.end, dst.end)};
    }
    return true;
}

// The documented idiom dst = src1 with repeat stride 0: every repeat adds to the same block.
bool IsAccumulation(const Record& r, int operand) {
    return Has(r.op, isa::kAccumulates) && operand == 2 && r.dst().offset == r.src1().offset &&
           r.mask.mode != isa::MaskMode::kCount && r.dst().repeat_stride == 0 && r.src1().repeat_stride == 0;
}

SFUMATO_COLD bool BlockOverlap(const Record& r, const isa::Blocks& m, const Context& c, uint64_t block) {
    return Tell(r, c,
                {Rule::kOverlapInMove, "src", "the move reads what it wrote before",
                 fmt::format("block {} reads bytes {}..{} of UB", block, r.src0().offset + block * m.src_pitch,
                             r.src0().offset + block * m.src_pitch + m.block_bytes),
                 "bytes the call did not write before", "use another destination, or split the move"});
}

}  // namespace

bool OverlapOf(const Record& r, const Context& c, int operand, uint32_t shift, const Lanes& lanes) {
    const Operand &d = r.dst(), &s = r.operand[static_cast<size_t>(operand)];
    Pair p{r, lanes, isa::WalkOf(r, 0, shift), isa::WalkOf(r, operand, shift), operand};
    const bool one_block = lanes.end <= (1u << p.dst.lane_shift);
    p.same = p.dst.lane_shift == p.src.lane_shift && (one_block || p.dst.block_pitch == p.src.block_pitch);
    p.accumulates = IsAccumulation(r, operand);
    if (p.same && d.offset == s.offset) {
        if (lanes.repeats == 1 || p.accumulates) return true;
        const uint64_t extent = isa::RepeatSpan(r, p.src, 0, lanes.end).end;
        // Repeats behind one another, or all of them between a block and the next: each has its own bytes.
        const uint64_t blocks_extent = (lanes.repeats - 1) * p.src.repeat_pitch + isa::kBlockBytes;
        const bool apart = p.src.repeat_pitch >= extent ||
                           (p.src.repeat_pitch >= isa::kBlockBytes && p.src.block_pitch >= blocks_extent);
        if (p.dst.repeat_pitch == p.src.repeat_pitch && apart) return true;
    }
    return CheckPair(p, c);
}

bool CheckMoveOverlap(const Record& r, const isa::Blocks& m, const Context& c) {
    if (r.dst().memory != r.src0().memory || r.dst().memory == isa::Memory::kGm) return true;
    if (!isa::SpanOf(r, 0).Overlaps(isa::SpanOf(r, 1))) return true;
    const uint64_t dst = r.dst().offset;
    for (uint64_t i = 0; i < m.block_count; ++i) {
        const uint64_t begin = r.src0().offset + i * m.src_pitch, end = begin + m.block_bytes;
        if (end <= dst) continue;
        // The first written block that ends after `begin`: blocks are in order and apart (gap-range).
        const uint64_t pitch = m.block_count > 1 ? m.dst_pitch : m.block_bytes;
        const uint64_t j = begin < dst + m.block_bytes ? 0 : (begin - dst - m.block_bytes) / pitch + 1;
        const bool onto_itself = j == i && begin == dst + i * m.dst_pitch;
        if (j <= i && j < m.block_count && dst + j * pitch < end && !onto_itself) return BlockOverlap(r, m, c, i);
    }
    return true;
}

}  // namespace sfumato::check
