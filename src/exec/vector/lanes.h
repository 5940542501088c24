// SPDX-License-Identifier: Apache-2.0
// Compares, selects, fills from elements, gathers and moves of CMPMASK (vector_instructions.md 2 to 5).
#pragma once

#include <algorithm>

#include "exec/meaning.h"
#include "isa/spans.h"

namespace sfumato::exec {

// The bits of `lanes` comparisons of a[i] with b[i], whole bytes from bit 0 of bits[0] on. lanes is a repeat's: 256
// bytes of elements, on both sides readable.
using CompareRun = void (*)(const void* a, const void* b, size_t lanes, uint8_t* bits);
// For the target in force; nullptr where the type is not compared.
CompareRun FindCompareRun(isa::Compare::Mode mode, DataType type);

// The lanes [0, end) of a repeat that the mask selects.
struct ActiveLanes {
    uint64_t bits[4];

    ActiveLanes(const isa::Mask& mask, uint32_t end) {
        for (uint32_t i = 0; i < 4; ++i) {
            const uint32_t low = i * 64;
            const uint64_t below = end >= low + 64 ? ~uint64_t{0} : end <= low ? 0 : (uint64_t{1} << (end - low)) - 1;
            bits[i] = below & (mask.mode != isa::MaskMode::kBits ? ~uint64_t{0} : i < 2 ? mask.bits[i] : 0);
        }
    }
    bool operator[](uint32_t lane) const { return (bits[lane / 64] >> (lane % 64)) & 1; }
};

// Calls visit(repeat, lane) for every lane the record processes, in order.
template <class Visit>
void ForEachLane(const isa::Record& r, uint32_t shift, const Visit& visit) {
    const isa::Lanes lanes = isa::LanesOf(r, shift);
    for (uint64_t repeat = 0; repeat < lanes.repeats; ++repeat) {
        const uint32_t end = repeat + 1 == lanes.repeats ? lanes.last_end : lanes.end;
        const ActiveLanes active(r.mask, end);
        for (uint32_t lane = lanes.first; lane < end; ++lane) {
            if (active[lane]) visit(repeat, lane);
        }
    }
}

// Calls visit with an unsigned integer of `bits` bits.
template <class Visit>
void WithWidth(uint32_t bits, const Visit& visit) {
    switch (bits) {
        case 8: return visit(uint8_t{});
        case 16: return visit(uint16_t{});
        case 32: return visit(uint32_t{});
        default: return visit(uint64_t{});
    }
}

}  // namespace sfumato::exec
