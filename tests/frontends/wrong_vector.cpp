// SPDX-License-Identifier: Apache-2.0
// Wrong programs: types, conversions, scales, memories and overlap of vector instructions.
#include "wrong_programs.h"

namespace sfumato::wrong {

const Table<Program> kVector = {
    {"instruction_the_chip_lacks", "instruction-unsupported", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         Wrong(), DataCopyPad(a, Gm<half>(gm, 64), {1, 20, 0, 0, 0}, {false, 0, 0, half(0)});
     }, {.chip = "Ascend910A"}},
    {"type_the_chip_lacks", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<bfloat16_t>(0, 64);
         Wrong(), Duplicate(a, bfloat16_t(1), 64);
     }, {.chip = "Ascend910A"}},
    {"type_of_one_instruction", "type-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<int32_t>(0, 64); Wrong(), Muls(a, a, 3, 64); },
     {.chip = "Ascend910A"}},
    {"conversion_the_chip_lacks", "conversion-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<bfloat16_t>(0, 64);
         auto src = Ub<float>(256, 64);
         Wrong(), Cast(dst, src, RoundMode::CAST_RINT, 64);
     }, {.chip = "Ascend310P3"}},
    {"sum_without_its_scale", "deqscale-missing", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 64);
         auto src = Ub<int32_t>(256, 64);
         Wrong(), AddDeqRelu(dst, src, src, 64);
     }, {.chip = "Ascend310P3"}},
    {"conversion_deq_instruction_lacks", "instruction-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<int8_t>(0, 64);
         auto src = Ub<int16_t>(256, 64);
         Wrong(), CastDeq<int8_t, int16_t, false>(dst, src, 64);
     }, {.chip = "Ascend310B1"}},
    {"round_mode_of_conversion", "rounding-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<int32_t>(0, 64);
         auto src = Ub<half>(256, 64);
         Wrong(), Cast(dst, src, RoundMode::CAST_ODD, 64);
     }},
    {"round_mode_another_chip_has", "rounding-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 64);
         auto src = Ub<float>(256, 64);
         Wrong(), Cast(dst, src, RoundMode::CAST_RINT, 64);
     }, {.chip = "Ascend910A"}},
    {"scale_missing_half", "deqscale-missing", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 64);
         auto src = Ub<int32_t>(256, 64);
         Wrong(), Cast(dst, src, RoundMode::CAST_NONE, 64);
     }},
    {"scale_missing_word", "deqscale-missing", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<int8_t>(0, 64);
         auto src = Ub<int16_t>(256, 64);
         SetDeqScale(half(1));
         Wrong(), CastDeq<int8_t, int16_t, false>(dst, src, 64);
     }},
    {"scale_sign", "deqscale-sign", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<uint8_t>(0, 128);
         auto src = Ub<int16_t>(256, 64);
         SetDeqScale(1.0f, 0, true);
         Wrong(), CastDeq<uint8_t, int16_t, false>(dst, src, 64);
     }},
    {"scale_form_vector_wanted", "deqscale-form", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<int8_t>(0, 64);
         auto src = Ub<int16_t>(256, 64);
         SetDeqScale(1.0f, 0, true);
         Wrong(), CastDeq(dst, src, 64);
     }},
    {"scale_form_scalar_wanted", "deqscale-form", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<int8_t>(0, 64);
         auto src = Ub<int16_t>(256, 64);
         SetDeqScale(Ub<uint64_t>(512, 16), VdeqInfo());
         Wrong(), CastDeq<int8_t, int16_t, false>(dst, src, 64);
     }},
    {"scale_not_finite", "deqscale-range",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetDeqScale(__builtin_inff(), 0, true); }},
    {"scale_offset_range", "deqscale-offset",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetDeqScale(1.0f, 256, true); }},
    {"scale_tensor_small", "deqscale-tensor", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto words = Ub<uint64_t>(64, 12);
         Wrong(), SetDeqScale(words, VdeqInfo());
     }},
    {"scale_tensor_alignment", "deqscale-tensor", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto words = Ub<uint64_t>(64, 32);
         Wrong(), SetDeqScale(words[1]);
     }},
    {"vector_on_cube_core", "core-kind",
     [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 64); Wrong(), Add(a, a, a, 64); },
     {.core = CoreChoice::kCube}},
    {"vector_operand_in_l1", "memory-path", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         LocalTensor<half> l1(TPosition::A1, 64, 64);
         Wrong(), Add(a, a, l1, 64);
     }, {.chip = "Ascend310P3"}},
    {"dst_alignment", "ub-alignment",
     [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 256); Wrong(), Add(a[10], a, a, 64); }},
    {"src_alignment", "ub-alignment", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 256);
         Wrong(), Cast(a, a[65], RoundMode::CAST_RINT, 64);
     }},
    {"scalar_operand_src_alignment", "ub-alignment",
     [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<int16_t>(0, 256); Wrong(), Adds(a, a[9], 1, 16); },
     {.chip = "Ascend310B1"}},
    {"count_exceeds_tensor", "count-exceeds-tensor",
     [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<float>(0, 64); Wrong(), Add(a, a, a, 65); }},
    {"repeats_past_buffer", "out-of-buffer", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 128), b = Ub<half>(1024, 256);
         Wrong(), Add(a, b, b, uint64_t{128}, 2, BinaryRepeatParams());
     }},
    {"reads_past_buffer", "out-of-buffer", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 256);
         auto b = Ub<half>(1024, 100);
         Wrong(), Cast(a, b, RoundMode::CAST_NONE, uint64_t{64}, 2, {1, 1, 8, 4});
     }},
    {"repeats_past_tensor", "past-tensor", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<> buffer;
         pipe.InitBuffer(buffer, 1024);
         auto a = buffer.Get<int16_t>(128);
         Wrong(), Muls(a, a, 2, uint64_t{128}, 2, UnaryRepeatParams());
     }},
    {"overlap_within_repeat", "overlap-in-repeat",
     [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 256); Wrong(), Adds(a[16], a, half(1), 64); }},
    {"overlap_across_repeats", "overlap-across-repeats", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 512);
         Wrong(), Add(a[128], a, a, uint64_t{128}, 3, BinaryRepeatParams());
     }},
    {"overlap_widening_in_place", "overlap-across-repeats", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 256);
         Wrong(), Cast(a.ReinterpretCast<float>(), a, RoundMode::CAST_NONE, 128);
     }},
    {"shift_past_the_width", "shift-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int16_t>(0, 64);
         Wrong(), ShiftLeft(a, a, static_cast<int16_t>(17), 64);
     }},
    {"shift_rounds_unsigned", "shift-round", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<uint32_t>(0, 64);
         Wrong(), ShiftRight(a, a, 3u, 64, true);
     }},
    {"multiply_add_into_one_repeat", "overlap-across-repeats", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto sum = Ub<float>(0, 64), a = Ub<float>(1024, 128), b = Ub<float>(2048, 128);
         Wrong(), MulAddDst(sum, a, b, uint64_t{64}, 2, BinaryRepeatParams(1, 1, 1, 0, 8, 8));
     }},
    {"result_saturated", "saturated", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 128);
         Duplicate(a, half(60000), 128);
         Wrong(), Add(a, a, a, 128);
     }, {.of_result = true}},
};

}  // namespace sfumato::wrong
