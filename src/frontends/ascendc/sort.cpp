// SPDX-License-Identifier: Apache-2.0
// Sorts, merges and moves of a field of records (vector_instructions.md 8).
#include "sfumato/ascendc/sort.h"

#include <fmt/format.h>

#include "frontends/ascendc/vector_record.h"
#include "isa/geometry.h"
#include "isa/vector_registers.h"

namespace sfumato::ascendc {
namespace {

using isa::MergeQueues;
using isa::Opcode;
using isa::Record;

Record Start(Opcode op, const isa::Parameters& shape, Where where) {
    Record r(op);
    r.pipe = isa::Pipe::kV;
    r.Set(shape);
    r.where = where;
    return r;
}

bool SetOperand(runtime::Core& core, int i, const VectorOperand& operand, Record* r) {
    return SetOperand(core, isa::CallName(*r), isa::OperandName(*r, i), operand, r->where,
                      &r->operand[static_cast<size_t>(i)]);
}

void Issue(Opcode op, const isa::Parameters& shape, const SortCall& call) {
    runtime::Core& core = ThisCore(Info(op).ascendc);
    Record r = Start(op, shape, call.where);
    r.call = call.name;
    r.operand_count = call.src1.tensor ? 3 : 2;
    if (!SetOperand(core, 0, call.dst, &r) || !SetOperand(core, 1, call.src0, &r)) return;
    if (r.operand_count > 2 && !SetOperand(core, 2, call.src1, &r)) return;
    core.Issue(r);
}

isa::ProposalField Field(const SortCall& call) {
    return {static_cast<uint32_t>(call.repeat), static_cast<uint32_t>(call.field)};
}
isa::SortGroups Groups(const SortCall& call) { return {static_cast<uint32_t>(call.repeat)}; }

void Issue(runtime::Core& core, Opcode op, const MergeCall& call, const char* name) {
    MergeQueues shape;
    for (size_t i = 0; i < MergeQueues::kMost; ++i) shape.lengths[i] = call.lengths[i];
    shape.valid = call.valid;
    shape.suspend = call.suspend;
    shape.repeats = static_cast<uint32_t>(call.repeat);
    Record r = Start(op, shape, call.where);
    r.call = name;
    // The tensors of queues that are not valid may be empty.
    const int queues = static_cast<int>(isa::QueuesOf(call.valid));
    r.operand_count = static_cast<uint8_t>(1 + queues);
    if (!SetOperand(core, 0, call.dst, &r)) return;
    for (int i = 0; i < queues; ++i) {
        if (!SetOperand(core, 1 + i, call.src[i], &r)) return;
    }
    core.Issue(r);
}

void ReadCounts(runtime::Core& core, uint64_t* counts) {
    const uint64_t word = core.VectorRegister(isa::kMergeCounts);
    for (uint32_t i = 0; i < MergeQueues::kMost; ++i) counts[i] = (word >> (16 * i)) & 0xFFFF;
}

}  // namespace

void vconcat(const SortCall& call) { Issue(Opcode::vconcat, Field(call), call); }
void vextract(const SortCall& call) { Issue(Opcode::vextract, Field(call), call); }
void vrpsort16(const SortCall& call) { Issue(Opcode::vrpsort16, Groups(call), call); }
void vsort32(const SortCall& call) { Issue(Opcode::vsort32, Groups(call), call); }

void vmrgsort4(const MergeCall& call) { Issue(ThisCore("MrgSort4"), Opcode::vmrgsort4, call, nullptr); }
void vmrgsort(const MergeCall& call) { Issue(ThisCore("MrgSort"), Opcode::vmrgsort, call, nullptr); }

void MergeSorted(const MergeCall& call, uint32_t (&taken)[4]) {
    runtime::Core& core = ThisCore("MrgSort");
    const bool pairs = !core.chip().Has(isa::Api::kAscendC, Opcode::vmrgsort4, call.dst.type);
    Issue(core, pairs ? Opcode::vmrgsort : Opcode::vmrgsort4, call, "MrgSort");
    if (!call.suspend) return;
    uint64_t counts[4];
    ReadCounts(core, counts);
    for (int i = 0; i < 4; ++i) taken[i] = static_cast<uint32_t>(counts[i]);
}

void MergedCounts(uint16_t (&taken)[4], Where where) {
    constexpr const char* kCall = "GetMrgSortResult";
    runtime::Core& core = ThisCore(kCall);
    const auto has = [](const soc::Chip& chip) { return chip.merge_counts; };
    if (!RequireChip(core, kCall, where, has, Rule::kRegisterUnsupported,
                     "does not keep what a merge took from its queues", "merge without suspension"))
        return;
    core.Called("GetMrgSortResult", where);
    uint64_t counts[4];
    ReadCounts(core, counts);
    for (int i = 0; i < 4; ++i) taken[i] = static_cast<uint16_t>(counts[i]);
}

}  // namespace sfumato::ascendc
