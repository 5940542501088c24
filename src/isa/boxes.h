// SPDX-License-Identifier: Apache-2.0
// The box of NDDMA, row by row (arch950.md 1.3).
#pragma once

#include <algorithm>

#include "isa/shapes.h"

namespace sfumato::isa {

// A row of the padded box along its innermost dimension, in elements from the starts of the operands. `src` is the
// element at the row's first place behind its pads, or the nearest one where the row lies among the pads of another
// dimension.
struct BoxRow {
    uint64_t dst = 0, src = 0;
    bool inside = true;
};

// Whether the padded box has at least one place in each dimension, and at most so many.
inline bool HasPlaces(const NdDma& s, uint64_t most) {
    uint64_t places = 1;
    for (uint32_t i = 0; i < std::min(s.count, NdDma::kMostLoops); ++i) {
        const uint64_t in_loop = s.loops[i].places();
        if (s.loops[i].size == 0 || in_loop > most / places) return false;
        places *= in_loop;
    }
    return s.count >= 1 && s.count <= NdDma::kMostLoops;
}

// Calls visit(row) for the rows of a box whose sizes are not 0, for as long as it returns true.
template <class Visit>
void ForEachBoxRow(const NdDma& s, const Visit& visit) {
    std::array<uint64_t, NdDma::kMostLoops> at{};
    for (;;) {
        BoxRow row;
        for (uint32_t i = 1; i < s.count; ++i) {
            const NdDma::Loop& loop = s.loops[i];
            const uint64_t place = at[i] - std::min<uint64_t>(at[i], loop.before);
            row.inside = row.inside && at[i] >= loop.before && place < loop.size;
            row.dst += at[i] * loop.dst_stride;
            row.src += std::min<uint64_t>(place, loop.size - 1) * loop.src_stride;
        }
        if (!visit(row)) return;
        uint32_t i = 1;
        while (i < s.count && ++at[i] == s.loops[i].places()) at[i++] = 0;
        if (i >= s.count) return;
    }
}

}  // namespace sfumato::isa
