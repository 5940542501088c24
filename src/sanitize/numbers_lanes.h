// SPDX-License-Identifier: Apache-2.0
// The lanes of an elementwise record as stretches that lie together in every operand.
#pragma once

#include <array>
#include <cstdint>

#include "isa/parts.h"

namespace sfumato::sanitize {

struct Stretch {
    uint64_t lanes;
    std::array<uint64_t, 5> at;  // byte offset of the first one, by operand
};

// Calls visit(stretch) for the lanes the mask selects, in order. Elements of less than 8 bits: `at` is rounded down.
template <class Visit>
void ForEachStretch(const isa::Record& r, const Visit& visit) {
    const uint32_t shift = isa::LanesShift(r);
    const isa::Lanes lanes = isa::LanesOf(r, shift);
    std::array<isa::Walk, 5> walk;
    // The lanes of a repeat that lie together in every operand, and whether repeats do, too.
    uint32_t together = 1u << shift;
    bool dense = r.mask.mode != isa::MaskMode::kBits && (lanes.repeats <= 1 || lanes.end == together);
    for (int i = 0; i < r.operand_count; ++i) {
        isa::Walk& w = walk[static_cast<size_t>(i)];
        w = isa::WalkOf(r, i, shift);
        const bool whole = w.IsPacked();
        if (!whole) together = std::min(together, 1u << w.lane_shift);
        const bool repeats = lanes.repeats <= 1 || w.repeat_pitch == (uint64_t{1} << (shift + w.log2_bits)) / 8;
        dense = dense && whole && repeats;
    }
    if (dense) {
        if (lanes.repeats == 0) return;
        Stretch all{((lanes.repeats - 1) << shift) + lanes.last_end, {}};
        for (size_t i = 0; i < r.operand_count; ++i) all.at[i] = walk[i].start;
        return visit(all);
    }
    isa::ForEachLaneRun(r, lanes, [&](uint64_t repeat, uint32_t first, uint32_t end) {
        while (first < end) {
            const uint32_t last = std::min(end, (first / together + 1) * together);
            Stretch stretch{last - first, {}};
            for (size_t i = 0; i < r.operand_count; ++i)
                stretch.at[i] = walk[i].start + repeat * walk[i].repeat_pitch + walk[i].LaneBegin(first);
            visit(stretch);
            first = last;
        }
    });
}

}  // namespace sfumato::sanitize
