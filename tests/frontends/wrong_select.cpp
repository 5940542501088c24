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

std::vector<Program> SelectPrograms() {
    return {
        {.name = "compare_of_part_of_a_repeat",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 128);
             auto bits = Ub<uint8_t>(1024, 32);
             Wrong(), Compare(bits, a, a, CMPMODE::LT, 100);
         },
         .report = {.severity = Severity::kWarning, .rule = "compare-part", .instruction = "Compare",
                    .operand = "count", .message = "Compare: only the first 64 elements are compared",
                    .found = "100 elements", .legal = "a multiple of 64, whole repeats",
                    .hint = "take 64 or 128"}},
        {.name = "compare_orders_int32",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<int32_t>(0, 64);
             auto bits = Ub<uint8_t>(1024, 32);
             Wrong(), CompareScalar(bits, a, 3, CMPMODE::GT, 64);
         },
         .report = {.rule = "type-unsupported", .instruction = "CompareScalar", .operand = "src",
                    .message = "CompareScalar: Ascend910B compares this element type for equality only",
                    .found = "GT of int32_t", .legal = "EQ",
                    .hint = "compare with EQ, or convert to float first"}},
        {.name = "select_from_two_tensors_by_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 128);
             auto bits = Ub<uint8_t>(1024, 32);
             Wrong(), Select(a, bits, a, a, SELMODE::VSEL_TENSOR_TENSOR_MODE, 128);
         },
         .report = {.rule = "select-mode", .instruction = "Select", .operand = "selMode",
                    .message = "Select: Ascend910 does not select in this mode",
                    .found = "VSEL_TENSOR_TENSOR_MODE", .legal = "VSEL_CMPMASK_SPR",
                    .hint = "this mode is there on Ascend310P, Ascend910B, Ascend310B: is the right chip chosen?",
                    .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "select_a_scalar_in_the_mode_of_tensors",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 128);
             auto bits = Ub<uint8_t>(1024, 32);
             Wrong(), Select(a, bits, a, half(1), SELMODE::VSEL_TENSOR_TENSOR_MODE, 128);
         },
         .report = {.rule = "select-form", .instruction = "Select", .operand = "selMode",
                    .message = "Select: the mode and the second source disagree",
                    .found = "a scalar beside a mode that chooses from two tensors",
                    .legal = "VSEL_TENSOR_SCALAR_MODE",
                    .hint = "pass the mode of the form, or the other kind of source"}},
        {.name = "select_by_bits_nowhere",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 64);
             auto word = Ub<uint64_t>(1024, 4);
             word.SetValue(0, 77), word.SetValue(1, 0);
             SetCmpMask(word);
             SetVectorMask<float>(64);
             Wrong(), Select<float, SELMODE::VSEL_TENSOR_TENSOR_MODE>(a, a, a, 1, BinaryRepeatParams());
         },
         .report = {.rule = "select-address", .instruction = "Select", .operand = "CMPMASK",
                    .message = "Select: the register does not hold the address of the selection bits",
                    .found = "0x4d", .legal = "what GetPhyAddr() of a tensor in UB returns, or its low 32 bits",
                    .hint = "write the address into a tensor and pass that to SetCmpMask"}},
        {.name = "broadcast_onto_its_source",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 64), b = Ub<float>(32, 8);
             Wrong(), Brcb(a, b, 1, {1, 8});
         },
         .report = {.rule = "operands-share", .instruction = "Brcb", .operand = "src",
                    .message = "Brcb: src and dst share memory",
                    .found = "bytes 32..64 and 0..256 of UB", .legal = "no byte in common",
                    .hint = "use a tensor of its own for the result"}},
        {.name = "broadcast_with_stride_zero",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 64), b = Ub<float>(1024, 8);
             Wrong(), Brcb(a, b, 1, {0, 8});
         },
         .report = {.severity = Severity::kWarning, .rule = "block-stride-zero", .instruction = "Brcb",
                    .operand = "dst",
                    .message = "Brcb: the block stride of the destination is 0; it is read as 1",
                    .found = "0", .legal = "1 or more blocks of 32 bytes", .hint = "pass 1"}},
        {.name = "gather_by_element_numbers",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 64), b = Ub<float>(1024, 64);
             auto offsets = Offsets(21);
             Wrong(), Gather(a, b, offsets, 0u, 64);
         },
         .report = {.rule = "gather-alignment", .instruction = "Gather", .operand = "srcOffset",
                    .message = "Gather: an offset is not a multiple of 4",
                    .found = "offset 21 at index 5 of srcOffset", .legal = "a multiple of 4 bytes",
                    .hint = "offsets count bytes, not elements"}},
        {.name = "gather_outside_the_buffer",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 64), b = Ub<float>(1024, 64);
             auto offsets = Offsets(256);
             Wrong(), Gather(a, b, offsets, 0u, 64);
         },
         .report = {.rule = "gather-offset", .instruction = "Gather", .operand = "srcOffset",
                    .message = "Gather: an offset leads past the end of the buffer of src",
                    .found = "offset 256 at index 5 of srcOffset", .legal = "0..252 bytes",
                    .hint = "offsets count bytes, not elements"}},
        {.name = "scatter_two_elements_to_one_place",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 64), b = Ub<float>(1024, 64);
             auto offsets = Offsets(16);
             Wrong(), Scatter(a, b, offsets, 0u, 64);
         },
         .report = {.severity = Severity::kWarning, .rule = "scatter-twice", .instruction = "Scatter",
                    .operand = "dstOffset",
                    .message = "Scatter: two elements go to the same place; the last one stays",
                    .found = "offset 16 at index 5 of dstOffset", .legal = "different offsets",
                    .hint = "make the offsets different, or add the elements up before", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "gather_mask_of_all_on_ascend310p",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 64), b = Ub<float>(1024, 64);
             uint64_t count = 0;
             Wrong(), GatherMask(a, b, 7, false, 0, {1, 1, 8, 0}, count);
         },
         .report = {.rule = "gather-pattern", .instruction = "GatherMask", .operand = "src1Pattern",
                    .message = "GatherMask: Ascend310P does not have the pattern",
                    .found = "7", .legal = "1..6, or a tensor of bits", .hint = "pass the bits in a tensor",
                    .core = "core0"},
         .chip = "Ascend310P3"},
    };
}

}  // namespace sfumato::wrong
