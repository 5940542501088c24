// SPDX-License-Identifier: Apache-2.0
// Wrong records of sorts, merges and moves of a field.
#include "check/cases.h"

namespace sfumato::check {
namespace {

using isa::MergeQueues;
using isa::ProposalField;
using isa::Record;
using isa::SortGroups;

constexpr DataType kF16 = DataType::kHalf, kF32 = DataType::kFloat, kS32 = DataType::kInt32, kU32 = DataType::kUint32;

// Four queues of 16 proposals of half, end to end.
Record Merge(const MergeQueues& shape, uint64_t second = 256) {
    return Make(Opcode::vmrgsort4, {Ub(kF16, 8192), Ub(kF16, 0), Ub(kF16, second), Ub(kF16, 512), Ub(kF16, 768)},
                shape);
}
MergeQueues Queues(uint32_t valid, uint32_t repeats, std::array<uint32_t, 4> lengths = {16, 16, 16, 16}) {
    return {.lengths = lengths, .valid = valid, .repeats = repeats};
}

}  // namespace

std::vector<Case> SortCases() {
    const Record field = Make(Opcode::vconcat, {Ub(kF16, 4096), Ub(kF16, 0)}, ProposalField{2, 6});
    return {
        {Rule::kParameterRange, "Field", "Ascend910", field},
        {Rule::kParameterRange, "FieldByTik", "Ascend310", ByTik(field)},
        {Rule::kNothingToDo, "NoRepeats", "Ascend310P",
         Make(Opcode::vrpsort16, {Ub(kF32, 4096), Ub(kF32, 0)}, SortGroups{0})},
        {Rule::kOverlapAcrossRepeats, "Extracted", "Ascend310P",
         Make(Opcode::vextract, {Ub(kF16, 512), Ub(kF16, 0)}, ProposalField{3, 4})},
        {Rule::kOperandsShare, "Concatenated", "Ascend310P",
         Make(Opcode::vconcat, {Ub(kF16, 0), Ub(kF16, 128)}, ProposalField{1, 4})},
        {Rule::kTypeMismatch, "Indices", "Ascend910B",
         Make(Opcode::vsort32, {Ub(kF32, 4096), Ub(kF32, 0), Ub(kS32, 2048)}, SortGroups{1})},
        {Rule::kOutOfBuffer, "Sorted", "Ascend910B",
         Make(Opcode::vsort32, {Ub(kF16, 4096, 4576), Ub(kF16, 0), Ub(kU32, 2048)}, SortGroups{2})},
        {Rule::kParameterRange, "Valid", "Ascend910", Merge(Queues(5, 1))},
        {Rule::kParameterRange, "Length", "Ascend910", Merge(Queues(15, 1, {16, 4096, 16, 16}))},
        {Rule::kMergeRepeat, "Lengths", "Ascend910", Merge(Queues(15, 2, {16, 15, 16, 16}))},
        {Rule::kMergeRepeat, "Apart", "Ascend310", ByTik(Merge(Queues(15, 3), 272))},
        {Rule::kUbAlignment, "Queue", "Ascend910", Merge(Queues(15, 1), 264)},
        {Rule::kUbAlignment, "Merged", "Ascend910B",
         Make(Opcode::vmrgsort, {Ub(kF32, 4104), Ub(kF32, 0), Ub(kF32, 8)}, Queues(3, 1))},
    };
}

}  // namespace sfumato::check
