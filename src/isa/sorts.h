// SPDX-License-Identifier: Apache-2.0
// Records that sorts move (vector_instructions.md 8.1): what spans, checks and exec share.
#pragma once

#include "isa/record.h"

namespace sfumato::isa {

constexpr uint32_t kScoreField = 4;        // of a proposal
constexpr uint32_t kProposalElements = 8;  // x1, y1, x2, y2, score, label, two reserved
constexpr uint32_t kProposalsPerRepeat = 16, kPairsPerRepeat = 32;
constexpr uint32_t kPairBytes = 8, kPairIndexAt = 4;  // a score, then a uint32 index

// Pairs of score and index; else region proposals.
constexpr bool SortsPairs(Opcode op) { return Has(op, kSortsPairs); }

constexpr uint64_t RecordBytes(Opcode op, DataType type) {
    return SortsPairs(op) ? kPairBytes : kProposalElements * BytesOf(type, 1);
}
// Byte of the score in a record.
constexpr uint64_t ScoreAt(Opcode op, DataType type) { return SortsPairs(op) ? 0 : kScoreField * BytesOf(type, 1); }

constexpr uint32_t RecordsPerRepeat(Opcode op) { return SortsPairs(op) ? kPairsPerRepeat : kProposalsPerRepeat; }

// Calls visit(bytes of dst) for the elements of region proposals that no field has, of a record that kWritesField.
template <class Visit>
inline void ForEachReserved(const Record& r, const Visit& visit) {
    const uint64_t size = BytesOf(r.dst().type, 1), pitch = kProposalElements * size;
    const uint64_t count = uint64_t{r.As<ProposalField>().repeats} * kProposalsPerRepeat;
    for (uint64_t at = r.dst().offset, end = at + count * pitch; at < end; at += pitch)
        visit(Span{at + ProposalField::kFields * size, at + pitch});
}

// Records that one repeat of a merge takes from all queues, and the most that its last one writes: with suspension, the
// other queues keep one at least.
struct Merged {
    uint64_t total = 0, written = 0;
};
Merged MergedRecords(const MergeQueues& shape);

}  // namespace sfumato::isa
