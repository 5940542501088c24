// SPDX-License-Identifier: Apache-2.0
// What the files of the families share. Each says for its forms which bytes an operand touches, as their hull (SpanIn)
// and exactly (RunsIn), and what a line of the log adds to the operands (PrintIn).
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "isa/touched.h"

namespace sfumato::isa {

using Out = std::back_insert_iterator<std::string>;
#define SFUMATO_FORM(form, family, ...) void PrintIn(Out out, const Record& record, const family& parameters);
#include "isa/forms.inc"
#undef SFUMATO_FORM
// The immediate.
void PrintValue(Out out, const Record& record);

inline const Operand& OperandOf(const Record& r, int i) { return r.operand[static_cast<size_t>(i)]; }

// Bytes from the start of an operand.
inline Span At(const Operand& o, uint64_t begin, uint64_t end) { return {o.offset + begin, o.offset + end}; }
inline Span Nothing(const Operand& o) { return {o.offset, o.offset}; }

// End of `count` pieces of `bytes` bytes whose starts are `pitch` apart; the last one may be shorter.
inline uint64_t Pieces(uint64_t count, uint64_t pitch, uint64_t bytes, uint64_t last_bytes) {
    const uint64_t end = (count - 1) * pitch + last_bytes;
    return count < 2 ? end : std::max(end, (count - 2) * pitch + bytes);
}

inline void AddSpan(const Span& span, Runs& runs) { runs.AddAt(span.begin, span.end - span.begin); }

// The last two for whole repeats: every lane of them, whatever the mask says. A block stride of 0 is read as
// `least_stride`.
void AddLanes(const Walk& walk, uint64_t repeat, uint32_t first, uint32_t end, Runs& runs);
void AddActiveLanes(const Record& record, int operand, Runs& runs);
Span WholeRepeats(const Record& record, int operand, uint64_t repeats, uint64_t least_stride = 0);
void AddWholeRepeats(const Record& record, int operand, uint64_t repeats, uint64_t least_stride, Runs& runs);

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

}  // namespace sfumato::isa
