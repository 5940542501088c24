// SPDX-License-Identifier: Apache-2.0
// Lanes of operands as bytes.
#include "isa/parts.h"

namespace sfumato::isa {

// Lanes [first, end) of a repeat, block by block.
void AddLanes(const Walk& w, uint64_t repeat, uint32_t first, uint32_t end, Runs& runs) {
    const uint32_t per_block = 1u << w.lane_shift;
    const bool packed = w.IsPacked();
    while (first < end) {
        const uint32_t last = packed ? end : std::min(end, (first / per_block + 1) * per_block);
        const uint64_t begin = w.LaneBegin(first);
        runs.AddAt(w.start + repeat * w.repeat_pitch + begin, w.LaneEnd(last - 1) - begin);
        first = last;
    }
}

void AddActiveLanes(const Record& r, int operand, Runs& runs) {
    const uint32_t shift = LanesShift(r);
    const Walk w = WalkOf(r, operand, shift);
    if (r.mask.mode == MaskMode::kCount && w.IsPacked())
        return runs.AddAt(w.start, BytesOf(r.operand[static_cast<size_t>(operand)].type, r.mask.count));
    ForEachLaneRun(r, LanesOf(r, shift),
                   [&](uint64_t repeat, uint32_t first, uint32_t end) { AddLanes(w, repeat, first, end, runs); });
}

Span WholeRepeats(const Record& r, int operand, uint64_t repeats, uint64_t least_stride) {
    const Walk w = WalkOf(r, operand, LanesShift(r));
    if (repeats == 0) return {w.start, w.start};
    const uint64_t blocks = std::max(w.block_pitch, least_stride * kBlockBytes) * (kBlocksPerRepeat - 1) + kBlockBytes;
    return {w.start, w.start + (repeats - 1) * w.repeat_pitch + blocks};
}

void AddWholeRepeats(const Record& r, int operand, uint64_t repeats, uint64_t least_stride, Runs& runs) {
    const Walk w = WalkOf(r, operand, LanesShift(r));
    const uint64_t pitch = std::max(w.block_pitch, least_stride * kBlockBytes);
    for (uint64_t i = 0; i < repeats * kBlocksPerRepeat; ++i) {
        runs.AddAt(w.start + i / kBlocksPerRepeat * w.repeat_pitch + i % kBlocksPerRepeat * pitch, kBlockBytes);
    }
}

void PrintValue(Out out, const Record& r) { fmt::format_to(out, " value={:#x}", r.immediate); }

}  // namespace sfumato::isa
