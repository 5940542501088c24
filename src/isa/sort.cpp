// SPDX-License-Identifier: Apache-2.0
// Sorts, merges and moves of a field of records (vector_instructions.md 8).
#include <fmt/ranges.h>

#include "isa/parts.h"
#include "isa/sorts.h"

namespace sfumato::isa {

Merged MergedRecords(const MergeQueues& shape) {
    const uint32_t queues = QueuesOf(shape.valid);
    Merged merged;
    bool empty = false;
    for (uint32_t i = 0; i < queues; ++i) {
        merged.total += shape.lengths[i];
        empty = empty || shape.lengths[i] == 0;
    }
    merged.written = !shape.suspend ? merged.total : empty || queues == 0 ? 0 : merged.total - (queues - 1);
    return merged;
}

Span SpanIn(const Record& r, const ProposalField& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    const uint64_t count = uint64_t{s.repeats} * kProposalsPerRepeat;
    if (count == 0) return Nothing(o);
    const bool proposals = (operand == 0) == Has(r.op, kWritesField);
    if (!proposals) return At(o, 0, BytesOf(o.type, count));
    return At(o, BytesOf(o.type, s.field), BytesOf(o.type, (count - 1) * kProposalElements + s.field + 1));
}

void RunsIn(const Record& r, const ProposalField& s, int operand, const uint8_t*, Runs& runs) {
    const uint64_t size = BytesOf(OperandOf(r, operand).type, 1);
    const bool proposals = (operand == 0) == Has(r.op, kWritesField);
    for (uint64_t i = 0; i < uint64_t{s.repeats} * kProposalsPerRepeat; ++i) {
        runs.Add((proposals ? i * kProposalElements + s.field : i) * size, size);
    }
}

void PrintIn(Out out, const Record&, const ProposalField& s) {
    fmt::format_to(out, " repeat={} field={}", s.repeats, s.field);
}

Span SpanIn(const Record& r, const SortGroups& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    const uint64_t count = uint64_t{s.repeats} * RecordsPerRepeat(r.op);
    const bool apart = operand != 0 && SortsPairs(r.op);  // scores, indices
    return At(o, 0, count * (apart ? BytesOf(o.type, 1) : RecordBytes(r.op, r.dst().type)));
}

void RunsIn(const Record& r, const SortGroups& s, int operand, const uint8_t*, Runs& runs) {
    AddSpan(SpanIn(r, s, operand), runs);
}

void PrintIn(Out out, const Record&, const SortGroups& s) { fmt::format_to(out, " repeat={}", s.repeats); }

Span SpanIn(const Record& r, const MergeQueues& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    const Merged merged = MergedRecords(s);
    const uint64_t last = operand == 0 ? merged.written : s.lengths[static_cast<size_t>(operand - 1)];
    if (s.repeats == 0 || last == 0) return Nothing(o);
    return At(o, 0, ((uint64_t{s.repeats} - 1) * merged.total + last) * RecordBytes(r.op, r.dst().type));
}

void RunsIn(const Record& r, const MergeQueues& s, int operand, const uint8_t*, Runs& runs) {
    const Merged merged = MergedRecords(s);
    const uint64_t bytes = RecordBytes(r.op, r.dst().type);
    const uint64_t records = operand == 0 ? merged.written : s.lengths[static_cast<size_t>(operand - 1)];
    for (uint64_t repeat = 0; repeat < s.repeats; ++repeat) runs.Add(repeat * merged.total * bytes, records * bytes);
}

void PrintIn(Out out, const Record&, const MergeQueues& s) {
    fmt::format_to(out, " lengths={} valid={} repeat={}{}", fmt::join(s.lengths, ","), s.valid, s.repeats,
                   s.suspend ? " suspend" : "");
}

}  // namespace sfumato::isa
