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

const Table<Program> kSort = {
    {"sort_field_of_six", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 256), src = Ub<half>(4096, 32);
         Wrong(), ProposalConcat(dst, src, 2, 6);
     }, {.chip = "Ascend910A"}},
    {"sort_field_past_the_tensor", "out-of-buffer", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(4096, 32), src = Ub<float>(0, 128);
         Wrong(), ProposalExtract(dst, src, 2, 4);
     }, {.chip = "Ascend310P3"}},
    {"sort_onto_its_indices", "operands-share", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 64), src = Ub<float>(4096, 32);
         Wrong(), Sort32(dst, src, Ub<uint32_t>(128, 32), 1);
     }},
    {"sort_proposals_where_there_are_pairs", "instruction-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 128), src = Ub<half>(4096, 128);
         Wrong(), RpSort16(dst, src, 1);
     }},
    {"merge_queues_apart_twice", "merge-repeat", [](GM_ADDR, GM_ADDR) __aicore__ {
         const uint16_t lengths[4] = {8, 8, 8, 8};
         Wrong(), MrgSort4(Ub<half>(8192, 1024), Queues(256), MrgSort4Info(lengths, false, 15, 2));
     }, {.chip = "Ascend910A"}},
    {"merge_valid_bits_with_a_gap", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         const uint16_t lengths[4] = {16, 0, 16, 0};
         Wrong(), MrgSort(Ub<half>(8192, 1024), Queues(256), MrgSort4Info(lengths, false, 5, 1));
     }},
    {"merge_result_the_chip_lacks", "register-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         uint16_t a, b, c, d;
         Wrong(), GetMrgSortResult(a, b, c, d);
     }, {.chip = "Ascend910A"}},
};

}  // namespace sfumato::wrong
