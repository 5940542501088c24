// SPDX-License-Identifier: Apache-2.0
// Wrong programs: sorts, merges and moves of a field.
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

// Queues of `pitch` bytes each.
MrgSortSrcList<half> Queues(uint32_t pitch) {
    return {Ub<half>(0, 128), Ub<half>(pitch, 128), Ub<half>(2 * pitch, 128), Ub<half>(3 * pitch, 128)};
}

}  // namespace

std::vector<Program> SortPrograms() {
    return {
        {.name = "sort_field_of_six",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 256), src = Ub<half>(4096, 32);
             Wrong(), ProposalConcat(dst, src, 2, 6);
         },
         .report = {.rule = "parameter-range", .instruction = "ProposalConcat", .operand = "modeNumber",
                    .message = "ProposalConcat: modeNumber is out of range", .found = "6", .legal = "0..5",
                    .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "sort_field_past_the_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(4096, 32), src = Ub<float>(0, 128);
             Wrong(), ProposalExtract(dst, src, 2, 4);
         },
         .report = {.rule = "out-of-buffer", .instruction = "ProposalExtract", .operand = "src",
                    .message = "ProposalExtract: reads past the end of the tensor's buffer",
                    .found = "bytes 16..1012 of UB, 500 bytes too many",
                    .legal = "up to byte 512: 128 elements of float from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "sort_onto_its_indices",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 64), src = Ub<float>(4096, 32);
             Wrong(), Sort32(dst, src, Ub<uint32_t>(128, 32), 1);
         },
         .report = {.rule = "operands-share", .instruction = "Sort32", .operand = "src1",
                    .message = "Sort32: src1 and dst share memory", .found = "bytes 128..256 and 0..256 of UB",
                    .legal = "no byte in common", .hint = "use a tensor of its own for the result"}},
        {.name = "sort_proposals_where_there_are_pairs",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 128), src = Ub<half>(4096, 128);
             Wrong(), RpSort16(dst, src, 1);
         },
         .report = {.rule = "instruction-unsupported", .instruction = "RpSort16",
                    .message = "RpSort16: Ascend910B does not have the instruction", .found = "Ascend910B",
                    .legal = "Ascend910, Ascend310P", .hint = "choose another chip or another instruction"}},
        {.name = "merge_queues_apart_twice",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             const uint16_t lengths[4] = {8, 8, 8, 8};
             Wrong(), MrgSort4(Ub<half>(8192, 1024), Queues(256), MrgSort4Info(lengths, false, 15, 2));
         },
         .report = {.rule = "merge-repeat", .instruction = "MrgSort4", .operand = "repeatTimes",
                    .message = "MrgSort4: these queues are merged once, not several times",
                    .found = "2 repeats, src1 at byte offset 0 in UB, src2 at byte offset 256 in UB",
                    .legal = "1 repeat; several for four queues of one length, end to end, merged to their ends",
                    .hint = "call it once for each merge, or lay the queues end to end", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "merge_valid_bits_with_a_gap",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             const uint16_t lengths[4] = {16, 0, 16, 0};
             Wrong(), MrgSort(Ub<half>(8192, 1024), Queues(256), MrgSort4Info(lengths, false, 5, 1));
         },
         .report = {.rule = "parameter-range", .instruction = "MrgSort", .operand = "validBit",
                    .message = "MrgSort: validBit is out of range", .found = "5",
                    .legal = "3, 7 or 15: the first two, three or four queues",
                    .hint = "check how the value is computed"}},
        {.name = "merge_result_the_chip_lacks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             uint16_t a, b, c, d;
             Wrong(), GetMrgSortResult(a, b, c, d);
         },
         .report = {.rule = "register-unsupported", .instruction = "GetMrgSortResult",
                    .message = "GetMrgSortResult: Ascend910 does not keep what a merge took from its queues",
                    .found = "GetMrgSortResult", .legal = "Ascend310P, Ascend910B, Ascend310B",
                    .hint = "merge without suspension", .core = "core0"},
         .chip = "Ascend910A"},
    };
}

}  // namespace sfumato::wrong
