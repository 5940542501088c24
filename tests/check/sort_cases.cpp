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
        {Rule::kParameterRange, "Field", "Ascend910", field, "modeNumber", "ProposalConcat: modeNumber is out of range",
         "6", "0..5", "check how the value is computed"},
        {Rule::kParameterRange, "FieldByTik", "Ascend310", ByTik(field), "mode_number",
         "vconcat: mode_number is out of range", "6", "0..5", "check how the value is computed"},
        {Rule::kNothingToDo, "NoRepeats", "Ascend310P",
         Make(Opcode::vrpsort16, {Ub(kF32, 4096), Ub(kF32, 0)}, SortGroups{0}), "repeatTime",
         "RpSort16: repeatTime is 0: nothing is done", "0", "1..255", "check how the value is computed"},
        {Rule::kOverlapAcrossRepeats, "Extracted", "Ascend310P",
         Make(Opcode::vextract, {Ub(kF16, 512), Ub(kF16, 0)}, ProposalField{3, 4}), "dst",
         "ProposalExtract: a repeat reads what an earlier repeat of the same call wrote",
         "repeat 2 reads bytes 520..522 of UB", "bytes no earlier repeat of the call wrote",
         "use another tensor for the results"},
        {Rule::kOperandsShare, "Concatenated", "Ascend310P",
         Make(Opcode::vconcat, {Ub(kF16, 0), Ub(kF16, 128)}, ProposalField{1, 4}), "src",
         "ProposalConcat: src and dst share memory", "bytes 128..160 and 8..250 of UB", "no byte in common",
         "use a tensor of its own for the result"},
        {Rule::kTypeMismatch, "Indices", "Ascend910B",
         Make(Opcode::vsort32, {Ub(kF32, 4096), Ub(kF32, 0), Ub(kS32, 2048)}, SortGroups{1}), "src1",
         "Sort32: src1 has the wrong element type", "int32_t", "uint32_t", "give a tensor of uint32_t"},
        {Rule::kOutOfBuffer, "Sorted", "Ascend910B",
         Make(Opcode::vsort32, {Ub(kF16, 4096, 4576), Ub(kF16, 0), Ub(kU32, 2048)}, SortGroups{2}), "dst",
         "Sort32: writes past the end of the tensor's buffer", "bytes 4096..4608 of UB, 32 bytes too many",
         "up to byte 4576: 240 elements of half from here",
         "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)"},
        {Rule::kParameterRange, "Valid", "Ascend910", Merge(Queues(5, 1)), "validBit",
         "MrgSort4: validBit is out of range", "5", "3, 7 or 15: the first two, three or four queues",
         "check how the value is computed"},
        {Rule::kParameterRange, "Length", "Ascend910", Merge(Queues(15, 1, {16, 4096, 16, 16})), "elementLengths[1]",
         "MrgSort4: elementLengths[1] is out of range", "4096", "0..4095",
         "check how the value is computed, or split the work into several calls"},
        {Rule::kMergeRepeat, "Lengths", "Ascend910", Merge(Queues(15, 2, {16, 15, 16, 16})), "repeatTimes",
         "MrgSort4: these queues are merged once, not several times", "2 repeats, queues of 16 and 15 records",
         "1 repeat; several for four queues of one length, end to end, merged to their ends",
         "call it once for each merge, or lay the queues end to end"},
        {Rule::kMergeRepeat, "Apart", "Ascend310", ByTik(Merge(Queues(15, 3), 272)), "repeat_times",
         "vmrgsort4: these queues are merged once, not several times",
         "3 repeats, src_list[0] at byte offset 0 in UB, src_list[1] at byte offset 272 in UB",
         "1 repeat; several for four queues of one length, end to end, merged to their ends",
         "call it once for each merge, or lay the queues end to end"},
        {Rule::kUbAlignment, "Queue", "Ascend910", Merge(Queues(15, 1), 264), "src2",
         "MrgSort4: the source is not aligned", "byte offset 264 in UB", "a multiple of 16",
         "start at an index that is a multiple of 8 elements of half"},
        {Rule::kUbAlignment, "Merged", "Ascend910B",
         Make(Opcode::vmrgsort, {Ub(kF32, 4104), Ub(kF32, 0), Ub(kF32, 8)}, Queues(3, 1)), "dst",
         "MrgSort: the destination is not aligned", "byte offset 4104 in UB", "a multiple of 32",
         "start at an index that is a multiple of 8 elements of float"},
    };
}

}  // namespace sfumato::check
