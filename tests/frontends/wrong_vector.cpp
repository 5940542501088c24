// SPDX-License-Identifier: Apache-2.0
// Wrong programs: types, conversions, scales, memories and overlap of vector instructions.
#include "wrong_programs.h"

namespace sfumato::wrong {

std::vector<Program> VectorPrograms() {
    return {
        {.name = "instruction_the_chip_lacks",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             Wrong(), DataCopyPad(a, Gm<half>(gm, 64), {1, 20, 0, 0, 0}, {false, 0, 0, half(0)});
         },
         .report = {.rule = "instruction-unsupported", .instruction = "DataCopyPad",
                    .message = "DataCopyPad: Ascend910 does not have the instruction",
                    .found = "Ascend910", .legal = "Ascend910B, Ascend310B",
                    .hint = "choose another chip or another instruction", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "type_the_chip_lacks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<bfloat16_t>(0, 64);
             Wrong(), Duplicate(a, bfloat16_t(1), 64);
         },
         .report = {.rule = "type-unsupported", .instruction = "Duplicate", .operand = "dst",
                    .message = "Duplicate: the element type is not supported on Ascend910",
                    .found = "bfloat16_t", .legal = "int16_t, uint16_t, half, int32_t, uint32_t, float",
                    .hint = "this type is there on Ascend910B, Ascend310B: is the right chip chosen?",
                    .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "type_of_one_instruction",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<int32_t>(0, 64); Wrong(), Muls(a, a, 3, 64); },
         .report = {.rule = "type-unsupported", .instruction = "Muls", .operand = "dst",
                    .message = "Muls: the element type is not supported on Ascend910",
                    .found = "int32_t", .legal = "half, float",
                    .hint = "this type is there on Ascend310P, Ascend910B, Ascend310B: is the right chip chosen?",
                    .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "conversion_the_chip_lacks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<bfloat16_t>(0, 64);
             auto src = Ub<float>(256, 64);
             Wrong(), Cast(dst, src, RoundMode::CAST_RINT, 64);
         },
         .report = {.rule = "conversion-unsupported", .instruction = "Cast", .operand = "dst",
                    .message = "Cast: the conversion is not supported on Ascend310P",
                    .found = "float to bfloat16_t",
                    .legal = "from float: int32_t (CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC), "
                             "half (CAST_NONE, CAST_ODD)",
                    .hint = "this conversion is there on Ascend910B, Ascend310B: is the right chip chosen?",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "sum_without_its_scale",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 64);
             auto src = Ub<int32_t>(256, 64);
             Wrong(), AddDeqRelu(dst, src, src, 64);
         },
         .report = {.rule = "deqscale-missing", .instruction = "AddDeqRelu", .operand = "deqscale",
                    .message = "AddDeqRelu: int32_t to half needs a scale",
                    .found = "no scale", .legal = "a half scale",
                    .hint = "call SetDeqScale(half) before it",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "conversion_deq_instruction_lacks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<int8_t>(0, 64);
             auto src = Ub<int16_t>(256, 64);
             Wrong(), CastDeq<int8_t, int16_t, false>(dst, src, 64);
         },
         .report = {.rule = "instruction-unsupported", .instruction = "CastDeq",
                    .message = "CastDeq: Ascend310B does not have the instruction",
                    .found = "Ascend310B", .legal = "Ascend310P, Ascend910B",
                    .hint = "choose another chip or another instruction",
                    .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "round_mode_of_conversion",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<int32_t>(0, 64);
             auto src = Ub<half>(256, 64);
             Wrong(), Cast(dst, src, RoundMode::CAST_ODD, 64);
         },
         .report = {.rule = "rounding-unsupported", .instruction = "Cast", .operand = "roundMode",
                    .message = "Cast: half to int32_t is not supported with this round mode on Ascend910B",
                    .found = "CAST_ODD", .legal = "CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC",
                    .hint = "no other chip has this round mode"}},
        {.name = "round_mode_another_chip_has",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 64);
             auto src = Ub<float>(256, 64);
             Wrong(), Cast(dst, src, RoundMode::CAST_RINT, 64);
         },
         .report = {.rule = "rounding-unsupported", .instruction = "Cast", .operand = "roundMode",
                    .message = "Cast: float to half is not supported with this round mode on Ascend910",
                    .found = "CAST_RINT", .legal = "CAST_NONE, CAST_ODD",
                    .hint = "this round mode is there on Ascend910B, Ascend310B: is the right chip chosen?",
                    .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "scale_missing_half",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 64);
             auto src = Ub<int32_t>(256, 64);
             Wrong(), Cast(dst, src, RoundMode::CAST_NONE, 64);
         },
         .report = {.rule = "deqscale-missing", .instruction = "Cast", .operand = "deqscale",
                    .message = "Cast: int32_t to half needs a scale",
                    .found = "no scale", .legal = "a half scale",
                    .hint = "call SetDeqScale(half) before it"}},
        {.name = "scale_missing_word",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<int8_t>(0, 64);
             auto src = Ub<int16_t>(256, 64);
             SetDeqScale(half(1));
             Wrong(), CastDeq<int8_t, int16_t, false>(dst, src, 64);
         },
         .report = {.rule = "deqscale-missing", .instruction = "CastDeq", .operand = "deqscale",
                    .message = "CastDeq: int16_t to int8_t needs a scale",
                    .found = "a half scale (0x3c00)", .legal = "a 64-bit word, or 16 of them in UB",
                    .hint = "call SetDeqScale(scale, offset, signMode) before it"}},
        {.name = "scale_sign",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<uint8_t>(0, 128);
             auto src = Ub<int16_t>(256, 64);
             SetDeqScale(1.0f, 0, true);
             Wrong(), CastDeq<uint8_t, int16_t, false>(dst, src, 64);
         },
         .report = {.severity = Severity::kWarning, .rule = "deqscale-sign", .instruction = "CastDeq",
                    .operand = "deqscale",
                    .message = "CastDeq: bit 46 of the scale disagrees with dst; the type of dst decides",
                    .found = "bit 46 is 1 with a dst of uint8_t", .legal = "1 for int8, 0 for uint8",
                    .hint = "clear bit 46: signMode false"}},
        {.name = "scale_form_vector_wanted",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<int8_t>(0, 64);
             auto src = Ub<int16_t>(256, 64);
             SetDeqScale(1.0f, 0, true);
             Wrong(), CastDeq(dst, src, 64);
         },
         .report = {.rule = "deqscale-form", .instruction = "CastDeq", .operand = "isVecDeq",
                    .message = "CastDeq: isVecDeq and the form of SetDeqScale disagree",
                    .found = "isVecDeq true after SetDeqScale(scale, offset, signMode)",
                    .legal = "isVecDeq true with the tensor form, false with the scalar form"}},
        {.name = "scale_form_scalar_wanted",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<int8_t>(0, 64);
             auto src = Ub<int16_t>(256, 64);
             SetDeqScale(Ub<uint64_t>(512, 16), VdeqInfo());
             Wrong(), CastDeq<int8_t, int16_t, false>(dst, src, 64);
         },
         .report = {.rule = "deqscale-form", .instruction = "CastDeq", .operand = "isVecDeq",
                    .message = "CastDeq: isVecDeq and the form of SetDeqScale disagree",
                    .found = "isVecDeq false after SetDeqScale(tensor)",
                    .legal = "isVecDeq true with the tensor form, false with the scalar form"}},
        {.name = "scale_not_finite",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetDeqScale(__builtin_inff(), 0, true); },
         .report = {.rule = "deqscale-range", .instruction = "SetDeqScale", .operand = "scale",
                    .message = "SetDeqScale: the scale is no finite number of the 1-8-10 format",
                    .found = "inf", .legal = "a finite float"}},
        {.name = "scale_offset_range",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetDeqScale(1.0f, 256, true); },
         .report = {.rule = "deqscale-offset", .instruction = "SetDeqScale", .operand = "offset",
                    .message = "SetDeqScale: the offset does not fit 9 bits",
                    .found = "256", .legal = "-256 to 255"}},
        {.name = "scale_tensor_small",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto words = Ub<uint64_t>(64, 12);
             Wrong(), SetDeqScale(words, VdeqInfo());
         },
         .report = {.rule = "deqscale-tensor", .instruction = "SetDeqScale", .operand = "vdeq",
                    .message = "SetDeqScale: the tensor cannot hold the 16 words",
                    .found = "12 elements at byte offset 64 in UB", .legal = "16 uint64_t in UB, 32-byte aligned"}},
        {.name = "scale_tensor_alignment",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto words = Ub<uint64_t>(64, 32);
             Wrong(), SetDeqScale(words[1]);
         },
         .report = {.rule = "deqscale-tensor", .instruction = "SetDeqScale", .operand = "vdeq",
                    .message = "SetDeqScale: the tensor cannot hold the 16 words",
                    .found = "31 elements at byte offset 72 in UB", .legal = "16 uint64_t in UB, 32-byte aligned"}},
        {.name = "vector_on_cube_core",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 64); Wrong(), Add(a, a, a, 64); },
         .report = {.rule = "core-kind", .instruction = "Add", .operand = "dst",
                    .message = "Add: a cube core has no UB",
                    .found = "the kernel runs on a cube core; its type is KERNEL_TYPE_AIC_ONLY, chosen by the launch",
                    .legal = "a vector core of Ascend910B",
                    .hint = "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY), run with --core aiv, or "
                            "guard the call with ASCEND_IS_AIV",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "vector_operand_in_l1",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             LocalTensor<half> l1(TPosition::A1, 64, 64);
             Wrong(), Add(a, a, l1, 64);
         },
         .report = {.rule = "memory-path", .instruction = "Add", .operand = "src1",
                    .message = "Add: the operand is in a memory the instruction cannot use",
                    .found = "byte offset 64 in L1", .legal = "UB (VECIN, VECCALC, VECOUT)",
                    .hint = "copy the data to a tensor in VECIN, VECCALC or VECOUT first", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "dst_alignment",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 256); Wrong(), Add(a[10], a, a, 64); },
         .report = {.rule = "ub-alignment", .instruction = "Add", .operand = "dst",
                    .message = "Add: the destination is not aligned",
                    .found = "byte offset 20 in UB", .legal = "a multiple of 32",
                    .hint = "start at an index that is a multiple of 16 elements of half"}},
        {.name = "src_alignment",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 256);
             Wrong(), Cast(a, a[65], RoundMode::CAST_RINT, 64);
         },
         .report = {.rule = "ub-alignment", .instruction = "Cast", .operand = "src",
                    .message = "Cast: the source is not aligned",
                    .found = "byte offset 260 in UB", .legal = "a multiple of 32",
                    .hint = "start at an index that is a multiple of 8 elements of float"}},
        {.name = "scalar_operand_src_alignment",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<int16_t>(0, 256); Wrong(), Adds(a, a[9], 1, 16); },
         .report = {.rule = "ub-alignment", .instruction = "Adds", .operand = "src",
                    .message = "Adds: the source is not aligned",
                    .found = "byte offset 18 in UB", .legal = "a multiple of 32",
                    .hint = "start at an index that is a multiple of 16 elements of int16_t", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "count_exceeds_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<float>(0, 64); Wrong(), Add(a, a, a, 65); },
         .report = {.rule = "count-exceeds-tensor", .instruction = "Add", .operand = "dst",
                    .message = "Add: the count is larger than the tensor",
                    .found = "count 65", .legal = "at most 64, the elements of the tensor",
                    .hint = "make the tensor larger, or process fewer elements"}},
        {.name = "repeats_past_buffer",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 128), b = Ub<half>(1024, 256);
             Wrong(), Add(a, b, b, uint64_t{128}, 2, BinaryRepeatParams());
         },
         .report = {.rule = "out-of-buffer", .instruction = "Add", .operand = "dst",
                    .message = "Add: writes past the end of the tensor's buffer",
                    .found = "bytes 0..512 of UB, 256 bytes too many",
                    .legal = "up to byte 256: 128 elements of half from here",
                    .hint = "make the buffer larger, or process fewer elements (count, mask, repeats, strides)"}},
        {.name = "reads_past_buffer",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 256);
             auto b = Ub<half>(1024, 100);
             Wrong(), Cast(a, b, RoundMode::CAST_NONE, uint64_t{64}, 2, {1, 1, 8, 4});
         },
         .report = {.rule = "out-of-buffer", .instruction = "Cast", .operand = "src",
                    .message = "Cast: reads past the end of the tensor's buffer",
                    .found = "bytes 1024..1280 of UB, 56 bytes too many",
                    .legal = "up to byte 1224: 100 elements of half from here",
                    .hint = "make the buffer larger, or process fewer elements (count, mask, repeats, strides)"}},
        {.name = "repeats_past_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBuf<> buffer;
             pipe.InitBuffer(buffer, 1024);
             auto a = buffer.Get<int16_t>(128);
             Wrong(), Muls(a, a, 2, uint64_t{128}, 2, UnaryRepeatParams());
         },
         .report = {.severity = Severity::kWarning, .rule = "past-tensor", .instruction = "Muls", .operand = "dst",
                    .message = "Muls: writes past the end of the tensor, inside its buffer",
                    .found = "elements 0..255 of int16_t (bytes 0..512)", .legal = "128 elements (256 bytes)",
                    .hint = "make the tensor larger, or process fewer elements (count, mask, repeats, strides)"}},
        {.name = "overlap_within_repeat",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { auto a = Ub<half>(0, 256); Wrong(), Adds(a[16], a, half(1), 64); },
         .report = {.rule = "overlap-in-repeat", .instruction = "Adds", .operand = "src",
                    .message = "Adds: source and destination overlap partly within one repeat",
                    .found = "repeat 0 reads bytes 0..128 and writes bytes 32..160 of UB",
                    .legal = "the same bytes or none in common",
                    .hint = "use another destination, or start source and destination at the same offset with "
                            "the same strides"}},
        {.name = "overlap_across_repeats",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 512);
             Wrong(), Add(a[128], a, a, uint64_t{128}, 3, BinaryRepeatParams());
         },
         .report = {.rule = "overlap-across-repeats", .instruction = "Add", .operand = "src0",
                    .message = "Add: a repeat reads what an earlier repeat of the same call wrote",
                    .found = "repeat 1 reads bytes 256..288 of UB",
                    .legal = "bytes no earlier repeat of the call wrote",
                    .hint = "use another destination, or one call per repeat with PipeBarrier<PIPE_V> between them"}},
        {.name = "overlap_widening_in_place",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 256);
             Wrong(), Cast(a.ReinterpretCast<float>(), a, RoundMode::CAST_NONE, 128);
         },
         .report = {.rule = "overlap-across-repeats", .instruction = "Cast", .operand = "src",
                    .message = "Cast: a repeat reads what an earlier repeat of the same call wrote",
                    .found = "repeat 1 reads bytes 128..160 of UB",
                    .legal = "bytes no earlier repeat of the call wrote",
                    .hint = "use another destination, or one call per repeat with PipeBarrier<PIPE_V> between them"}},
        {.name = "shift_past_the_width",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<int16_t>(0, 64);
             Wrong(), ShiftLeft(a, a, static_cast<int16_t>(17), 64);
         },
         .report = {.rule = "shift-range", .instruction = "ShiftLeft", .operand = "scalarValue",
                    .message = "ShiftLeft: the shift distance is out of range",
                    .found = "17", .legal = "0..16, the bits of the element",
                    .hint = "check how the value is computed"}},
        {.name = "shift_rounds_unsigned",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<uint32_t>(0, 64);
             Wrong(), ShiftRight(a, a, 3u, 64, true);
         },
         .report = {.rule = "shift-round", .instruction = "ShiftRight", .operand = "roundEn",
                    .message = "ShiftRight: only what is shifted out of signed elements is rounded",
                    .found = "true for uint32_t", .legal = "false",
                    .hint = "use a signed type, or leave the argument out"}},
        {.name = "multiply_add_into_one_repeat",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto sum = Ub<float>(0, 64), a = Ub<float>(1024, 128), b = Ub<float>(2048, 128);
             Wrong(), MulAddDst(sum, a, b, uint64_t{64}, 2, BinaryRepeatParams(1, 1, 1, 0, 8, 8));
         },
         .report = {.rule = "overlap-across-repeats", .instruction = "MulAddDst", .operand = "dst",
                    .message = "MulAddDst: a repeat reads what an earlier repeat of the same call wrote",
                    .found = "repeat 1 reads bytes 0..32 of UB",
                    .legal = "bytes no earlier repeat of the call wrote",
                    .hint = "use another destination, or one call per repeat with PipeBarrier<PIPE_V> between them"}},
        {.name = "result_saturated",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 128);
             Duplicate(a, half(60000), 128);
             Wrong(), Add(a, a, a, 128);
         },
         .report = {.severity = Severity::kWarning, .rule = "saturated", .instruction = "Add", .operand = "dst",
                    .of_result = true}},
    };
}

}  // namespace sfumato::wrong
