// SPDX-License-Identifier: Apache-2.0
// VectorPadding: whole source blocks beside their padding (vector_instructions.md 4.4).
#include "isa/parts.h"

namespace sfumato::isa {

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

void RunsIn(const Record& r, const Padding&, int operand, const uint8_t*, Runs& runs) {
    if (operand == 0) return AddActiveLanes(r, 0, runs);
    const uint32_t shift = LanesShift(r);
    const Walk w = WalkOf(r, 1, shift);
    const uint32_t within = (1u << w.lane_shift) - 1;
    ForEachLaneRun(r, LanesOf(r, shift), [&](uint64_t repeat, uint32_t first, uint32_t end) {
        AddLanes(w, repeat, first & ~within, (end + within) & ~within, runs);
    });
}

void PrintIn(Out out, const Record&, const Padding& s) {
    fmt::format_to(out, " mode={} side={}", s.mode, s.right ? "right" : "left");
}

}  // namespace sfumato::isa
