// SPDX-License-Identifier: Apache-2.0
// Wrong programs: masks, counts, repeats and the registers that hold them.
#include "wrong_programs.h"

namespace sfumato::wrong {

const Table<Program> kMask = {
    {"mask_more_than_lanes", "mask-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 128);
         Wrong(), Add(a, a, a, uint64_t{65}, 1, BinaryRepeatParams());
     }},
    {"mask_left_at_the_end", "mask-left",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetVectorMask<half>(0, 255); }, {.note = true}},
    {"mask_of_zero", "mask-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 128);
         Wrong(), Add(a, a, a, uint64_t{0}, 1, BinaryRepeatParams());
     }},
    {"count_negative", "mask-range",
     [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 128); Wrong(), Add(a, a, a, -1); }},
    {"mask_no_bits", "mask-bits-zero", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 128);
         const uint64_t mask[2] = {0, 0};
         Wrong(), Adds(a, a, half(1), mask, 1, UnaryRepeatParams());
     }},
    {"mask_halves_swapped", "mask-bits-high", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 128);
         const uint64_t mask[2] = {0, 0xFF};
         Wrong(), Adds(a, a, 1.0f, mask, 1, UnaryRepeatParams());
     }},
    {"mask_high_half_of_32_bits", "mask-bits-high", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int32_t>(0, 128);
         const uint64_t mask[2] = {0xFF, 0xFF};
         Wrong(), Add(a, a, a, mask, 1, BinaryRepeatParams());
     }},
    {"int4_half_a_byte", "mask-int4-pairs", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<int4b_t>(0, 64);
         auto src = Ub<half>(256, 64);
         Wrong(), Cast(dst, src, RoundMode::CAST_RINT, 63);
     }},
    {"int4_mask_splits_a_byte", "mask-int4-pairs", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<int4b_t>(0, 128);
         auto src = Ub<half>(256, 128);
         const uint64_t mask[2] = {0b0111, 0};
         Wrong(), Cast(dst, src, RoundMode::CAST_RINT, mask, 1, {1, 1, 2, 8});
     }},
    {"repeat_too_large", "repeat-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 65536);
         Wrong(), Adds(a, a, half(1), uint64_t{128}, 256, UnaryRepeatParams());
     }},
    {"repeat_zero", "repeat-zero", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 128);
         Wrong(), Adds(a, a, half(1), uint64_t{128}, 0, UnaryRepeatParams());
     }},
    {"count_zero", "count-zero",
     [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 128); Wrong(), Sub(a, a, a, 0); }},
    {"mask_register_empty", "mask-bits-zero", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 128);
         SetVectorMask<half>(0xFF, 0);  // lanes 64 and up, which 32-bit elements do not have
         Wrong(), Adds<float, false>(a, a, 1.0f, MASK_PLACEHOLDER, 1, UnaryRepeatParams());
     }},
    {"mask_length", "mask-range", [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetVectorMask<float>(65); }},
    {"mask_length_zero_in_counter_mode", "mask-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         SetMaskCount();
         Wrong(), (SetVectorMask<float, MaskMode::COUNTER>(0));
     }},
    {"counter_mask_high", "mask-counter-high", [](GM_ADDR, GM_ADDR) __aicore__ {
         SetMaskCount();
         Wrong(), (SetVectorMask<half, MaskMode::COUNTER>(1, 128));
     }},
    {"mask_mode_named_normal_in_counter_mode", "mask-mode-named",
     [](GM_ADDR, GM_ADDR) __aicore__ { SetMaskCount(), Wrong(), SetVectorMask<float>(0, 100); }},
    {"mask_mode_named_counter_in_normal_mode", "mask-mode-named",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (SetVectorMask<float, MaskMode::COUNTER>(40)); }},
    {"counter_never_set", "mask-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 128);
         SetMaskCount();
         Wrong(), Adds<half, false>(a, a, half(1), MASK_PLACEHOLDER, 1, UnaryRepeatParams());
     }},
    {"counter_mask_of_zero", "mask-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 128);
         SetMaskCount();
         Wrong(), Adds(a, a, half(1), uint64_t{0}, 1, UnaryRepeatParams());
     }},
    {"counter_mode_the_chip_lacks", "mask-counter-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetMaskCount(); }, {.chip = "Ascend910A"}},
    {"control_register_the_chip_lacks", "register-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetSaturationFlag(false); }, {.chip = "Ascend310P3"}},
    {"control_register_read_on_chip_without", "register-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (GetCtrlSpr<48, 48>()); }, {.chip = "Ascend310B1"}},
    {"pad_register_the_chip_lacks", "register-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetPadValue<half>(half(1)); }, {.chip = "Ascend310B1"}},
    {"control_bits", "ctrl-bits", [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (SetCtrlSpr<47, 48>(1)); }},
    {"control_value", "ctrl-bits", [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (SetCtrlSpr<48, 48>(2)); }},
    {"control_bits_read", "ctrl-bits", [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (GetCtrlSpr<0, 7>()); }},
    {"integer_saturation_off", "saturation-cast",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetSaturationFlag<SaturationMode::CAST>(false); }},
};

}  // namespace sfumato::wrong
