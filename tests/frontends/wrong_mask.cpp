// SPDX-License-Identifier: Apache-2.0
// Wrong programs: masks, counts, repeats and the registers that hold them.
#include "wrong_programs.h"

namespace sfumato::wrong {

std::vector<Program> MaskPrograms() {
    return {
        {.name = "mask_more_than_lanes",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 128);
             Wrong(), Add(a, a, a, uint64_t{65}, 1, BinaryRepeatParams());
         },
         .report = {.rule = "mask-range", .instruction = "Add", .operand = "mask",
                    .message = "Add: the mask is out of range",
                    .found = "65", .legal = "1..64, the 32-bit elements a repeat of 256 bytes has",
                    .hint = "process more elements with more repeats, or use the form with an element count"}},
        {.name = "mask_left_at_the_end",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetVectorMask<half>(0, 255); },
         .report = {.severity = Severity::kNote, .rule = "mask-left", .instruction = "SetVectorMask"}},
        {.name = "mask_of_zero",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 128);
             Wrong(), Add(a, a, a, uint64_t{0}, 1, BinaryRepeatParams());
         },
         .report = {.rule = "mask-range", .instruction = "Add", .operand = "mask",
                    .message = "Add: the mask is out of range",
                    .found = "0", .legal = "1..128, the 16-bit elements a repeat of 256 bytes has",
                    .hint = "leave the call out when there is nothing to do"}},
        {.name = "count_negative",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 128); Wrong(), Add(a, a, a, -1); },
         .report = {.rule = "mask-range", .instruction = "Add", .operand = "calCount",
                    .message = "Add: the element count is out of range",
                    .found = "-1", .legal = "0..4294967295",
                    .hint = "check how the count is computed"}},
        {.name = "mask_no_bits",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 128);
             const uint64_t mask[2] = {0, 0};
             Wrong(), Adds(a, a, half(1), mask, 1, UnaryRepeatParams());
         },
         .report = {.rule = "mask-bits-zero", .instruction = "Adds", .operand = "mask",
                    .message = "Adds: the mask selects no element",
                    .found = "{0x0, 0x0} (low, high)", .legal = "at least one bit set",
                    .hint = "leave the call out when there is nothing to do"}},
        {.name = "mask_halves_swapped",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 128);
             const uint64_t mask[2] = {0, 0xFF};
             Wrong(), Adds(a, a, 1.0f, mask, 1, UnaryRepeatParams());
         },
         .report = {.rule = "mask-bits-high", .instruction = "Adds", .operand = "mask",
                    .message = "Adds: the mask has bits beyond the 64 elements of a repeat",
                    .found = "{0x0, 0xff} (low, high)", .legal = "a high half of 0 for 32-bit data",
                    .hint = "the halves look swapped: {0xff, 0} is meant"}},
        {.name = "mask_high_half_of_32_bits",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<int32_t>(0, 128);
             const uint64_t mask[2] = {0xFF, 0xFF};
             Wrong(), Add(a, a, a, mask, 1, BinaryRepeatParams());
         },
         .report = {.rule = "mask-bits-high", .instruction = "Add", .operand = "mask",
                    .message = "Add: the mask has bits beyond the 64 elements of a repeat",
                    .found = "{0xff, 0xff} (low, high)", .legal = "a high half of 0 for 32-bit data",
                    .hint = "clear the bits from 64 up"}},
        {.name = "int4_half_a_byte",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<int4b_t>(0, 64);
             auto src = Ub<half>(256, 64);
             Wrong(), Cast(dst, src, RoundMode::CAST_RINT, 63);
         },
         .report = {.rule = "mask-int4-pairs", .instruction = "Cast", .operand = "calCount",
                    .message = "Cast: int4 elements are processed in pairs, two a byte",
                    .found = "63", .legal = "an even number of elements",
                    .hint = "cover whole bytes"}},
        {.name = "int4_mask_splits_a_byte",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<int4b_t>(0, 128);
             auto src = Ub<half>(256, 128);
             const uint64_t mask[2] = {0b0111, 0};
             Wrong(), Cast(dst, src, RoundMode::CAST_RINT, mask, 1, {1, 1, 2, 8});
         },
         .report = {.rule = "mask-int4-pairs", .instruction = "Cast", .operand = "mask",
                    .message = "Cast: int4 elements are processed in pairs, two a byte",
                    .found = "{0x7, 0x0} (low, high)", .legal = "bit pairs 11 or 00",
                    .hint = "cover whole bytes"}},
        {.name = "repeat_too_large",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 65536);
             Wrong(), Adds(a, a, half(1), uint64_t{128}, 256, UnaryRepeatParams());
         },
         .report = {.rule = "repeat-range", .instruction = "Adds", .operand = "repeatTimes",
                    .message = "Adds: the repeat count is out of range",
                    .found = "256", .legal = "0..255",
                    .hint = "split the call, or use the form with an element count"}},
        {.name = "repeat_zero",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 128);
             Wrong(), Adds(a, a, half(1), uint64_t{128}, 0, UnaryRepeatParams());
         },
         .report = {.severity = Severity::kNote, .rule = "repeat-zero", .instruction = "Adds",
                    .operand = "repeatTimes",
                    .message = "Adds: the instruction does nothing",
                    .found = "0", .legal = "1..255 to process elements"}},
        {.name = "count_zero",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 128); Wrong(), Sub(a, a, a, 0); },
         .report = {.severity = Severity::kNote, .rule = "count-zero", .instruction = "Sub", .operand = "calCount",
                    .message = "Sub: the instruction does nothing",
                    .found = "0", .legal = "1 or more to process elements"}},
        {.name = "mask_register_empty",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 128);
             SetVectorMask<half>(0xFF, 0);  // lanes 64 and up, which 32-bit elements do not have
             Wrong(), Adds<float, false>(a, a, 1.0f, MASK_PLACEHOLDER, 1, UnaryRepeatParams());
         },
         .report = {.rule = "mask-bits-zero", .instruction = "Adds", .operand = "mask",
                    .message = "Adds: the mask selects no element",
                    .found = "{0x0, 0x0} (low, high)", .legal = "at least one bit set",
                    .hint = "leave the call out when there is nothing to do"}},
        {.name = "mask_length",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetVectorMask<float>(65); },
         .report = {.rule = "mask-range", .instruction = "SetVectorMask", .operand = "len",
                    .message = "SetVectorMask: the mask length is out of range",
                    .found = "65", .legal = "1 to 64"}},
        {.name = "mask_length_zero_in_counter_mode",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             SetMaskCount();
             Wrong(), (SetVectorMask<float, MaskMode::COUNTER>(0));
         },
         .report = {.rule = "mask-range", .instruction = "SetVectorMask", .operand = "len",
                    .message = "SetVectorMask: the mask length is out of range",
                    .found = "0", .legal = "1 to 2147483647"}},
        {.name = "counter_mask_high",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             SetMaskCount();
             Wrong(), (SetVectorMask<half, MaskMode::COUNTER>(1, 128));
         },
         .report = {.severity = Severity::kWarning, .rule = "mask-counter-high", .instruction = "SetVectorMask",
                    .operand = "maskHigh",
                    .message = "SetVectorMask: maskHigh has no effect in counter mode",
                    .found = "0x1", .legal = "0"},
         .others = {"mask-left"}},
        {.name = "mask_mode_named_normal_in_counter_mode",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { SetMaskCount(), Wrong(), SetVectorMask<float>(0, 100); },
         .report = {.severity = Severity::kNote, .rule = "mask-mode-named", .instruction = "SetVectorMask",
                    .operand = "MaskMode",
                    .message = "SetVectorMask: the mask mode in force is another than the one the call names; it decides",
                    .found = "MaskMode::NORMAL in counter mode", .legal = "MaskMode::COUNTER",
                    .hint = "SetMaskNorm() returns to normal mode"},
         .others = {"mask-left"}},
        {.name = "mask_mode_named_counter_in_normal_mode",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (SetVectorMask<float, MaskMode::COUNTER>(40)); },
         .report = {.severity = Severity::kNote, .rule = "mask-mode-named", .instruction = "SetVectorMask",
                    .operand = "MaskMode",
                    .message = "SetVectorMask: the mask mode in force is another than the one the call names; it decides",
                    .found = "MaskMode::COUNTER in normal mode", .legal = "MaskMode::NORMAL",
                    .hint = "SetMaskCount() begins counter mode"},
         .others = {"mask-left"}},
        {.name = "counter_never_set",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 128);
             SetMaskCount();
             Wrong(), Adds<half, false>(a, a, half(1), MASK_PLACEHOLDER, 1, UnaryRepeatParams());
         },
         .report = {.rule = "mask-range", .instruction = "Adds", .operand = "mask",
                    .message = "Adds: the element count is out of range",
                    .found = "18446744073709551615", .legal = "1..4294967295",
                    .hint = "give the number of elements with SetVectorMask: a mask of all ones counts as 2^64 - 1"}},
        {.name = "counter_mask_of_zero",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 128);
             SetMaskCount();
             Wrong(), Adds(a, a, half(1), uint64_t{0}, 1, UnaryRepeatParams());
         },
         .report = {.rule = "mask-range", .instruction = "Adds", .operand = "mask",
                    .message = "Adds: the element count is out of range",
                    .found = "0", .legal = "1..4294967295",
                    .hint = "leave the call out when there is nothing to do"}},
        {.name = "counter_mode_the_chip_lacks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetMaskCount(); },
         .report = {.rule = "mask-counter-unsupported", .instruction = "SetMaskCount",
                    .message = "SetMaskCount: Ascend910 has no counter mode",
                    .found = "SetMaskCount", .legal = "normal mode",
                    .hint = "use a mask for each repeat, or the calCount form", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "control_register_the_chip_lacks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetSaturationFlag(false); },
         .report = {.rule = "register-unsupported", .instruction = "SetSaturationFlag",
                    .message = "SetSaturationFlag: Ascend310P has no such control register",
                    .found = "SetSaturationFlag", .legal = "Ascend910B",
                    .hint = "float16 results always saturate on this chip", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "control_register_read_on_chip_without",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (GetCtrlSpr<48, 48>()); },
         .report = {.rule = "register-unsupported", .instruction = "GetCtrlSpr",
                    .message = "GetCtrlSpr: Ascend310B has no such control register",
                    .found = "GetCtrlSpr", .legal = "Ascend910B",
                    .hint = "float16 results always saturate on this chip", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "pad_register_the_chip_lacks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetPadValue<half>(half(1)); },
         .report = {.rule = "register-unsupported", .instruction = "SetPadValue",
                    .message = "SetPadValue: Ascend310B has no padding register",
                    .found = "SetPadValue", .legal = "Ascend910B",
                    .hint = "pass isPad true and a paddingValue", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "control_bits",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (SetCtrlSpr<47, 48>(1)); },
         .report = {.rule = "ctrl-bits", .instruction = "SetCtrlSpr", .operand = "<47, 48>",
                    .message = "SetCtrlSpr: this field of the control register cannot be set",
                    .found = "bits 47..48 = 1", .legal = "bit 48: 0 saturates float results, 1 gives inf and nan"}},
        {.name = "control_value",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (SetCtrlSpr<48, 48>(2)); },
         .report = {.rule = "ctrl-bits", .instruction = "SetCtrlSpr", .operand = "<48, 48>",
                    .message = "SetCtrlSpr: this field of the control register cannot be set",
                    .found = "bits 48..48 = 2", .legal = "bit 48: 0 saturates float results, 1 gives inf and nan"}},
        {.name = "control_bits_read",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (GetCtrlSpr<0, 7>()); },
         .report = {.rule = "ctrl-bits", .instruction = "GetCtrlSpr", .operand = "<0, 7>",
                    .message = "GetCtrlSpr: this field of the control register cannot be read",
                    .found = "bits 0..7", .legal = "bit 48"}},
        {.name = "integer_saturation_off",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetSaturationFlag<SaturationMode::CAST>(false); },
         .report = {.rule = "saturation-cast", .instruction = "SetSaturationFlag", .operand = "SaturationMode::CAST",
                    .message = "SetSaturationFlag: integer conversions without saturation are not documented",
                    .found = "enableSat false",
                    .legal = "true: a result outside the destination's range becomes its limit"}},
    };
}

}  // namespace sfumato::wrong
