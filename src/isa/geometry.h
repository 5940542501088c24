// SPDX-License-Identifier: Apache-2.0
// Which bytes a vector record touches: the one description of lanes, blocks and repeats that spans and checks share.
#pragma once

#include <algorithm>
#include <bit>

#include "isa/record.h"

namespace sfumato::isa {

// "dst", "src", or "src0" and "src1": what reports and the log call an operand.
inline const char* OperandName(const Record& r, int operand) {
    const FormInfo& info = Info(r.form());
    const auto api = static_cast<size_t>(r.api), i = static_cast<size_t>(operand);
    const bool fewer = info.fewer[api][0] && r.operand_count < info.operands;
    return (fewer ? info.fewer : info.names)[api][i];
}

constexpr uint32_t Log2Bits(DataType t) {
    // One hexadecimal digit a type, int4 in the lowest: a table without memory.
    return static_cast<uint32_t>(0x665554444332 >> (4 * static_cast<int>(t))) & 15;
}

constexpr uint32_t kLog2RepeatBits = 11;

// log2 of LanesPerRepeat.
inline uint32_t LanesShift(const Record& r) {
    const FormInfo& info = Info(r.form());
    if (info.lanes >= LanesOfForm::kDestination) [[unlikely]] {
        const Operand& lanes = r.operand[info.lanes == LanesOfForm::kSource ? 1 : 0];
        return std::min(kLog2RepeatBits - Log2Bits(lanes.type), uint32_t{info.most_lanes_log2});
    }
    uint32_t widest = Log2Bits(r.operand[0].type);
    for (int i = 1; i < r.operand_count; ++i)
        widest = std::max(widest, Log2Bits(r.operand[static_cast<size_t>(i)].type));
    return kLog2RepeatBits - widest;
}

// The lanes a record processes: `repeats` repeats of lanes [first, end), the last one of [first, last_end).
struct Lanes {
    uint64_t repeats = 0;
    uint32_t first = 0, end = 0, last_end = 0;
};

// shift is LanesShift(r).
inline Lanes LanesOf(const Record& r, uint32_t shift) {
    const uint32_t lanes = 1u << shift;
    const uint64_t n = r.mask.count;
    switch (r.mask.mode) {
        case MaskMode::kContinuous: {
            const uint32_t end = static_cast<uint32_t>(std::min<uint64_t>(n, lanes));
            return {end ? r.repeat : 0, 0, end, end};
        }
        case MaskMode::kBits: {
            uint64_t low = r.mask.bits[0], high = r.mask.bits[1];
            if (lanes <= 64) high = 0;
            if (lanes < 64) low &= (1ull << lanes) - 1;
            if (!(low | high)) return {};
            const uint32_t first = static_cast<uint32_t>(low ? std::countr_zero(low) : 64 + std::countr_zero(high));
            const uint32_t end =
                static_cast<uint32_t>(high ? 128 - std::countl_zero(high) : 64 - std::countl_zero(low));
            return {r.repeat, first, end, end};
        }
        default: {
            if (n == 0) return {};
            const uint64_t repeats = ((n - 1) >> shift) + 1;
            const uint32_t last = static_cast<uint32_t>(n - ((repeats - 1) << shift));
            return {repeats, 0, repeats > 1 ? lanes : last, last};
        }
    }
}

// How one operand of a vector record walks its memory. Strides are in bytes.
struct Walk {
    uint64_t start = 0;       // byte of lane 0 of repeat 0
    uint32_t log2_bits = 0;   // of an element
    uint32_t lane_shift = 0;  // log2 of the lanes a block holds
    uint64_t block_pitch = 0, repeat_pitch = 0;

    // Whether the lanes of a repeat follow each other without gaps; with a count, those of all repeats.
    bool IsPacked() const { return block_pitch == kBlockBytes && lane_shift + log2_bits == 8; }
    // Bytes [LaneBegin, LaneEnd) of a lane, from the start of its repeat.
    uint64_t LaneBegin(uint32_t lane) const {
        return (lane >> lane_shift) * block_pitch + (((lane & ((1u << lane_shift) - 1)) << log2_bits) >> 3);
    }
    uint64_t LaneEnd(uint32_t lane) const {
        return (lane >> lane_shift) * block_pitch + ((((lane & ((1u << lane_shift) - 1)) + 1) << log2_bits) + 7) / 8;
    }
};

// A 16-to-8-bit conversion into half blocks puts 16 results into each 32-byte block (conversions.md, ldst_high_half).
inline Walk WalkOf(const Record& r, int operand, uint32_t shift) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    const bool half = operand == 0 && r.half_block != HalfBlock::kDense;
    Walk w;
    w.start = o.offset + (half && r.half_block == HalfBlock::kHigh ? kBlockBytes / 2 : 0);
    w.log2_bits = Log2Bits(o.type);
    w.lane_shift = (half ? 7 : 8) - w.log2_bits;
    if (r.mask.mode == MaskMode::kCount) {
        w.block_pitch = kBlockBytes;
        w.repeat_pitch = (uint64_t{1} << (shift + w.log2_bits)) >> (half ? 2 : 3);
    } else {
        w.block_pitch = uint64_t{o.block_stride} * kBlockBytes;
        w.repeat_pitch = uint64_t{o.repeat_stride} * kBlockBytes;
    }
    return w;
}

// Bytes of one repeat's lanes [first, end), from the start of the repeat. Every block lies on the first one when the
// block stride is 0.
inline Span RepeatSpan(const Record& r, const Walk& w, uint32_t first, uint32_t end) {
    const uint32_t per_block = 1u << w.lane_shift;
    if (w.block_pitch != 0 || end <= per_block) return {w.LaneBegin(first), w.LaneEnd(end - 1)};
    if (r.mask.mode != MaskMode::kBits) return {0, w.LaneEnd(per_block - 1)};
    Span span{~0ull, 0};
    for (uint32_t lane = first; lane < end; ++lane) {
        if (!((r.mask.bits[lane / 64] >> (lane % 64)) & 1)) continue;
        span.begin = std::min(span.begin, w.LaneBegin(lane));
        span.end = std::max(span.end, w.LaneEnd(lane));
    }
    return span;
}

// SpanOf of a vector record whose lanes are known.
[[gnu::noinline]] inline Span VectorSpan(const Record& r, const Walk& w, const Lanes& lanes) {
    if (lanes.repeats == 0) return {w.start, w.start};
    const Span last = RepeatSpan(r, w, lanes.first, lanes.last_end);
    Span span{w.start + last.begin, w.start + last.end + (lanes.repeats - 1) * w.repeat_pitch};
    if (lanes.repeats > 1 && lanes.end != lanes.last_end) {
        const Span full = RepeatSpan(r, w, lanes.first, lanes.end);
        span.end = std::max(span.end, w.start + full.end + (lanes.repeats - 2) * w.repeat_pitch);
    }
    return span;
}

// SpanOf of an operand of a vector record. shift is LanesShift(r), lanes LanesOf(r, shift).
inline Span OperandSpan(const Record& r, int operand, uint32_t shift, const Lanes& lanes) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    // One packed repeat, the shape of most short calls, needs no walk.
    if (lanes.repeats == 1 && r.half_block == HalfBlock::kDense &&
        (o.block_stride == 1 || r.mask.mode == MaskMode::kCount)) {
        const uint32_t log2_bits = Log2Bits(o.type);
        return {o.offset + (lanes.first << log2_bits) / 8, o.offset + ((lanes.end << log2_bits) + 7) / 8};
    }
    return VectorSpan(r, WalkOf(r, operand, shift), lanes);
}

// The shape of most short calls, worked out once when the record is issued: the first lanes of one repeat, or a count
// of elements, packed and whole bytes, in UB, each source apart from dst or in its place.
template <int kOperands>
bool IsPacked(const Record& r) {
    const uint64_t n = r.mask.count;
    const bool counted = r.mask.mode == MaskMode::kCount;
    if (n - 1 >= UINT32_MAX || r.half_block != HalfBlock::kDense) return false;
    uint32_t widest = 0;
    for (size_t i = 0; i < kOperands; ++i) {
        const Operand& o = r.operand[i];
        const uint32_t log2_bits = Log2Bits(o.type);
        const uint64_t end = o.offset + (n << log2_bits) / 8;
        if (o.memory != Memory::kUb || (o.offset % kBlockBytes | (n << log2_bits) % 8) != 0) return false;
        if (!counted && o.block_stride != 1) return false;
        widest = std::max(widest, log2_bits);
        if (i == 0 || (o.offset == r.operand[0].offset && o.type == r.operand[0].type)) continue;
        const uint64_t dst_end = r.operand[0].offset + (n << Log2Bits(r.operand[0].type)) / 8;
        if (end > r.operand[0].offset && dst_end > o.offset) return false;
    }
    const bool one_repeat = r.mask.mode == MaskMode::kContinuous && r.repeat == 1;
    return counted || (one_repeat && (n - 1) >> (kLog2RepeatBits - widest) == 0);
}
inline bool IsPacked(const Record& r) {
    return r.operand_count == 2 ? IsPacked<2>(r) : r.operand_count == 1 ? IsPacked<1>(r) : IsPacked<3>(r);
}

// Bytes a block of a padded move fills in UB: rounded up to whole 32-byte blocks (framework.md 3.4), unless compact.
inline uint64_t PaddedBlockBytes(const Record& r, const MovePad& m) {
    if (m.compact) return m.block_bytes;
    const uint64_t bytes = BytesOf(r.dst().type, uint64_t{m.left} + m.right) + m.block_bytes;
    return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
}

// Bytes that a compact move fills behind its last block, up to a multiple of 32; 0 for every other move.
inline uint64_t CompactFiller(const Record& r, const Blocks& m) {
    const auto* padded = r.If<MovePad>();
    if (!padded || !padded->compact || r.dst().memory == Memory::kGm) return 0;
    return (kBlockBytes - m.block_count * m.block_bytes % kBlockBytes) % kBlockBytes;
}

// Bytes of one block of a move on the side of `operand`.
inline uint64_t MoveBlockBytes(const Record& r, const Blocks& m, int operand) {
    if (operand == 0 && r.dst().memory != Memory::kGm) {
        if (const auto* padded = r.If<MovePad>()) return PaddedBlockBytes(r, *padded);
    }
    // The bias table takes half as float (cube.md 4).
    if (operand != 0 || r.dst().memory != Memory::kBt) return m.block_bytes;
    return m.block_bytes * BitsOf(r.dst().type) / BitsOf(r.src0().type);
}

}  // namespace sfumato::isa
