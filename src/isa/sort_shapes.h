// SPDX-License-Identifier: Apache-2.0
// Parameters of sorts, merges and moves of a field of records (vector_instructions.md 8).
#pragma once

#include <array>
#include <cstdint>

namespace sfumato::isa {

// ProposalConcat and ProposalExtract: one field of 16 region proposals a repeat. Operands: dst, src.
struct ProposalField {
    static constexpr uint32_t kFields = 6;  // x1, y1, x2, y2, score, label; two more elements are reserved
    uint32_t repeats = 0;
    uint32_t field = 0;
};

// RpSort16 and Sort32: groups of records, each sorted by itself. Operands: dst and records, or dst, scores and indices.
struct SortGroups {
    uint32_t repeats = 0;
};

// MrgSort4 and MrgSort: sorted queues to one. Operands: dst and the queues that are valid.
struct MergeQueues {
    static constexpr uint32_t kMost = 4;
    std::array<uint32_t, kMost> lengths{};  // records
    uint32_t valid = 15;                    // a bit a queue: the first two, three or four
    bool suspend = false;                   // stop where the first queue is at its end
    uint32_t repeats = 1;
};

// Queues that the bits name; 0 when no merge takes them.
constexpr uint32_t QueuesOf(uint32_t valid) { return valid == 3 ? 2 : valid == 7 ? 3 : valid == 15 ? 4 : 0; }

}  // namespace sfumato::isa
