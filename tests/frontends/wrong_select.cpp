// SPDX-License-Identifier: Apache-2.0
// Wrong programs: compares, selects, fills and gathers.
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

// 64 offsets at byte 2048: 0, 4, 8 ... and `odd` at index 5.
LocalTensor<uint32_t> Offsets(uint32_t odd) {
    auto offsets = Ub<uint32_t>(2048, 64);
    for (uint32_t i = 0; i < 64; ++i) offsets.SetValue(i, i == 5 ? odd : 4 * i);
    return offsets;
}

}  // namespace

const Table<Program> kSelect = {
    {"compare_of_part_of_a_repeat", "compare-part", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 128);
         auto bits = Ub<uint8_t>(1024, 32);
         Wrong(), Compare(bits, a, a, CMPMODE::LT, 100);
     }},
    {"compare_orders_int32", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int32_t>(0, 64);
         auto bits = Ub<uint8_t>(1024, 32);
         Wrong(), CompareScalar(bits, a, 3, CMPMODE::GT, 64);
     }},
    {"select_from_two_tensors_by_tensor", "select-mode", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 128);
         auto bits = Ub<uint8_t>(1024, 32);
         Wrong(), Select(a, bits, a, a, SELMODE::VSEL_TENSOR_TENSOR_MODE, 128);
     }, {.chip = "Ascend910A"}},
    {"select_a_scalar_in_the_mode_of_tensors", "select-form", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 128);
         auto bits = Ub<uint8_t>(1024, 32);
         Wrong(), Select(a, bits, a, half(1), SELMODE::VSEL_TENSOR_TENSOR_MODE, 128);
     }},
    {"select_by_bits_nowhere", "select-address", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 64);
         auto word = Ub<uint64_t>(1024, 4);
         word.SetValue(0, 77), word.SetValue(1, 0);
         SetCmpMask(word);
         SetVectorMask<float>(64);
         Wrong(), Select<float, SELMODE::VSEL_TENSOR_TENSOR_MODE>(a, a, a, 1, BinaryRepeatParams());
     }},
    {"broadcast_onto_its_source", "operands-share", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 64), b = Ub<float>(32, 8);
         Wrong(), Brcb(a, b, 1, {1, 8});
     }},
    {"broadcast_with_stride_zero", "block-stride-zero", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 64), b = Ub<float>(1024, 8);
         Wrong(), Brcb(a, b, 1, {0, 8});
     }},
    {"gather_by_element_numbers", "gather-alignment", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 64), b = Ub<float>(1024, 64);
         auto offsets = Offsets(21);
         Wrong(), Gather(a, b, offsets, 0u, 64);
     }},
    {"gather_outside_the_buffer", "gather-offset", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 64), b = Ub<float>(1024, 64);
         auto offsets = Offsets(256);
         Wrong(), Gather(a, b, offsets, 0u, 64);
     }},
    {"scatter_two_elements_to_one_place", "scatter-twice", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 64), b = Ub<float>(1024, 64);
         auto offsets = Offsets(16);
         Wrong(), Scatter(a, b, offsets, 0u, 64);
     }, {.chip = "Ascend310P3"}},
    {"gather_mask_of_all_on_ascend310p", "gather-pattern", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 64), b = Ub<float>(1024, 64);
         uint64_t count = 0;
         Wrong(), GatherMask(a, b, 7, false, 0, {1, 1, 8, 0}, count);
     }, {.chip = "Ascend310P3"}},
};

}  // namespace sfumato::wrong
