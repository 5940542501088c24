// SPDX-License-Identifier: Apache-2.0
// Which bytes sorts, merges and moves of a field touch (vector_instructions.md 8).
#include "isa/sorts.h"
#include "isa/spans.h"

namespace sfumato::isa {
namespace {

Span From(const Operand& o, uint64_t begin, uint64_t end) { return {o.offset + begin, o.offset + end}; }
const Operand& OperandOf(const Record& r, int i) { return r.operand[static_cast<size_t>(i)]; }

}  // namespace

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
    if (count == 0) return From(o, 0, 0);
    const bool proposals = (operand == 0) == (r.op == Opcode::vconcat);
    if (!proposals) return From(o, 0, BytesOf(o.type, count));
    return From(o, BytesOf(o.type, s.field), BytesOf(o.type, (count - 1) * kProposalElements + s.field + 1));
}

Span SpanIn(const Record& r, const SortGroups& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    const uint64_t count = uint64_t{s.repeats} * RecordsPerRepeat(r.op);
    const bool apart = operand != 0 && SortsPairs(r.op);  // scores, indices
    return From(o, 0, count * (apart ? BytesOf(o.type, 1) : RecordBytes(r.op, r.dst().type)));
}

Span SpanIn(const Record& r, const MergeQueues& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    const Merged merged = MergedRecords(s);
    const uint64_t last = operand == 0 ? merged.written : s.lengths[static_cast<size_t>(operand - 1)];
    if (s.repeats == 0 || last == 0) return From(o, 0, 0);
    return From(o, 0, ((uint64_t{s.repeats} - 1) * merged.total + last) * RecordBytes(r.op, r.dst().type));
}

}  // namespace sfumato::isa
