// SPDX-License-Identifier: Apache-2.0
// Wrong programs: Mmad and the registers it reads (cube.md 4).
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

constexpr MmadParams Sizes(uint16_t m, uint16_t n, uint16_t k, bool init = true) { return {m, n, k, 0, false, init}; }

// One product of tensors of 256 elements, and with a bias of 16.
template <class C, class A, class B, int kM, int kN, int kK>
__aicore__ void Product(GM_ADDR, GM_ADDR) {
    auto c = At<C>(TPosition::CO1, 256);
    auto a = At<A>(TPosition::A2, 512);
    auto b = At<B>(TPosition::B2, 512);
    Wrong(), Mmad(c, a, b, Sizes(kM, kN, kK));
}
template <class Bias, TPosition kPosition, uint32_t kOffset>
__aicore__ void WithBias(GM_ADDR, GM_ADDR) {
    auto c = At<float>(TPosition::CO1, 256);
    auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
    auto bias = At<Bias>(kPosition, 16, kOffset);
    Wrong(), Mmad(c, a, b, bias, Sizes(16, 16, 16, false));
}

}  // namespace

std::vector<Program> MmadPrograms() {
    return {
        {.name = "mmad_m_too_large", .kernel = Product<float, half, half, 4096, 16, 16>,
         .report = {.rule = "parameter-range", .instruction = "Mmad", .operand = "m",
                    .message = "Mmad: m is out of range",
                    .found = "4096", .legal = "1..4095",
                    .hint = "check how the value is computed, or split the work into several calls", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "mmad_n_too_large", .kernel = Product<float, half, half, 16, 4096, 16>,
         .report = {.rule = "parameter-range", .instruction = "Mmad", .operand = "n",
                    .message = "Mmad: n is out of range",
                    .found = "4096", .legal = "1..4095",
                    .hint = "check how the value is computed, or split the work into several calls", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "mmad_k_too_large", .kernel = Product<int32_t, int8_t, int8_t, 16, 16, 65535>,
         .report = {.rule = "parameter-range", .instruction = "Mmad", .operand = "k",
                    .message = "Mmad: k is out of range",
                    .found = "65535", .legal = "1..4095",
                    .hint = "check how the value is computed, or split the work into several calls", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "mmad_k_zero", .kernel = Product<float, half, half, 16, 16, 0>,
         .report = {.severity = Severity::kNote, .rule = "nothing-to-do", .instruction = "Mmad", .operand = "k",
                    .message = "Mmad: k is 0: nothing is done",
                    .found = "0", .legal = "1..4095", .hint = "check how the value is computed", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "mmad_m_zero", .kernel = Product<float, half, half, 0, 16, 16>,
         .report = {.severity = Severity::kNote, .rule = "nothing-to-do", .instruction = "Mmad", .operand = "m",
                    .message = "Mmad: m is 0: nothing is done",
                    .found = "0", .legal = "1..4095", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "mmad_types_half_result_on_910b", .kernel = Product<half, half, half, 16, 16, 16>,
         .report = {.rule = "mmad-types", .instruction = "Mmad", .operand = "dst",
                    .message = "Mmad: the element types are not supported on Ascend910B",
                    .found = "half x half into half",
                    .legal = "int8_t x int8_t into int32_t, int4b_t x int4b_t into int32_t, half x half into "
                             "float, bfloat16_t x bfloat16_t into float, float x float into float",
                    .hint = "this combination is there on Ascend910, Ascend310P: is the right chip chosen?",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "mmad_types_float_on_310p", .kernel = Product<float, float, float, 16, 16, 8>,
         .report = {.rule = "mmad-types", .instruction = "Mmad", .operand = "dst",
                    .message = "Mmad: the element types are not supported on Ascend310P",
                    .found = "float x float into float",
                    .legal = "uint8_t x uint8_t into int32_t, int8_t x int8_t into int32_t, uint8_t x int8_t into "
                             "int32_t, int4b_t x int4b_t into int32_t, half x half into half, half x half into float",
                    .hint = "this combination is there on Ascend910B, Ascend310B: is the right chip chosen?",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "mmad_types_bfloat16_on_910", .kernel = Product<float, bfloat16_t, bfloat16_t, 16, 16, 16>,
         .report = {.rule = "mmad-types", .instruction = "Mmad", .operand = "dst",
                    .message = "Mmad: the element types are not supported on Ascend910",
                    .found = "bfloat16_t x bfloat16_t into float",
                    .legal = "uint8_t x uint8_t into uint32_t, int8_t x int8_t into int32_t, uint8_t x int8_t "
                             "into int32_t, half x half into half, half x half into float",
                    .hint = "this combination is there on Ascend910B, Ascend310B: is the right chip chosen?",
                    .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "mmad_types_int4_on_910", .kernel = Product<int32_t, int4b_t, int4b_t, 16, 16, 64>,
         .report = {.rule = "mmad-types", .instruction = "Mmad", .operand = "dst",
                    .message = "Mmad: the element types are not supported on Ascend910",
                    .found = "int4b_t x int4b_t into int32_t",
                    .legal = "uint8_t x uint8_t into uint32_t, int8_t x int8_t into int32_t, uint8_t x int8_t "
                             "into int32_t, half x half into half, half x half into float",
                    .hint = "this combination is there on Ascend310P, Ascend910B, Ascend310B: is the right chip "
                            "chosen?", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "mmad_types_mixed", .kernel = Product<int32_t, int8_t, uint8_t, 16, 16, 32>,
         .report = {.rule = "mmad-types", .instruction = "Mmad", .operand = "dst",
                    .message = "Mmad: the element types are not supported on Ascend310P",
                    .found = "int8_t x uint8_t into int32_t",
                    .legal = "uint8_t x uint8_t into int32_t, int8_t x int8_t into int32_t, uint8_t x int8_t into "
                             "int32_t, int4b_t x int4b_t into int32_t, half x half into half, half x half into float",
                    .hint = "no other chip has this combination: convert to a legal type first", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "mmad_types_unsigned_on_310b", .kernel = Product<int32_t, uint8_t, uint8_t, 16, 16, 32>,
         .report = {.rule = "mmad-types", .instruction = "Mmad", .operand = "dst",
                    .message = "Mmad: the element types are not supported on Ascend310B",
                    .found = "uint8_t x uint8_t into int32_t",
                    .legal = "int8_t x int8_t into int32_t, int4b_t x int4b_t into int32_t, half x half into "
                             "float, bfloat16_t x bfloat16_t into float, float x float into float",
                    .hint = "this combination is there on Ascend310P: is the right chip chosen?", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "mmad_odd_k_of_int4", .kernel = Product<int32_t, int4b_t, int4b_t, 16, 16, 63>,
         .report = {.rule = "parameter-alignment", .instruction = "Mmad", .operand = "k",
                    .message = "Mmad: k is not a multiple of 2",
                    .found = "63", .legal = "a multiple of 2 (whole bytes of 4-bit elements)",
                    .hint = "take 62 or 64", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "mmad_reads_past_l0a", .kernel = Product<float, half, half, 16, 16, 33>,
         .report = {.rule = "out-of-buffer", .instruction = "Mmad", .operand = "fm",
                    .message = "Mmad: reads past the end of the tensor's buffer",
                    .found = "bytes 0..1506 of L0A, 482 bytes too many",
                    .legal = "up to byte 1024: 512 elements of half from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "mmad_writes_past_l0c", .kernel = Product<float, half, half, 32, 16, 16>,
         .report = {.rule = "out-of-buffer", .instruction = "Mmad", .operand = "dst",
                    .message = "Mmad: writes past the end of the tensor's buffer",
                    .found = "bytes 0..2048 of L0C, 1024 bytes too many",
                    .legal = "up to byte 1024: 256 elements of float from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "mmad_reads_past_l0b",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 1024);
             auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
             Wrong(), Mmad(c, a, b, Sizes(16, 32, 16));
         },
         .report = {.rule = "out-of-buffer", .instruction = "Mmad", .operand = "filter",
                    .message = "Mmad: reads past the end of the tensor's buffer",
                    .found = "bytes 0..1024 of L0B, 512 bytes too many",
                    .legal = "up to byte 512: 256 elements of half from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "mmad_c_misaligned",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 256, 512);
             auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
             Wrong(), Mmad(c, a, b, Sizes(16, 16, 16));
         },
         .report = {.rule = "l0c-alignment", .instruction = "Mmad", .operand = "dst",
                    .message = "Mmad: the destination is not aligned",
                    .found = "byte offset 512 in L0C", .legal = "a multiple of 1024",
                    .hint = "start at an index that is a multiple of 256 elements of float", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "mmad_half_c_misaligned",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto c = At<half>(TPosition::CO1, 512);
             auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
             Wrong(), Mmad(c[16], a, b, Sizes(16, 16, 16));
         },
         .report = {.rule = "l0c-alignment", .instruction = "Mmad", .operand = "dst",
                    .message = "Mmad: the destination is not aligned",
                    .found = "byte offset 32 in L0C", .legal = "a multiple of 512",
                    .hint = "start at an index that is a multiple of 256 elements of half", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "mmad_a_misaligned",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 256);
             auto a = At<half>(TPosition::A2, 512), b = At<half>(TPosition::B2, 256);
             Wrong(), Mmad(c, a[128], b, Sizes(16, 16, 16));
         },
         .report = {.rule = "l0-alignment", .instruction = "Mmad", .operand = "fm",
                    .message = "Mmad: the source is not aligned",
                    .found = "byte offset 256 in L0A", .legal = "a multiple of 512",
                    .hint = "start at an index that is a multiple of 256 elements of half", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "mmad_a_in_l1",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 256);
             auto a = At<half>(TPosition::A1, 256), b = At<half>(TPosition::B2, 256);
             Wrong(), Mmad(c, a, b, Sizes(16, 16, 16));
         },
         .report = {.rule = "memory-path", .instruction = "Mmad", .operand = "fm",
                    .message = "Mmad: the operand is in a memory the instruction cannot use",
                    .found = "byte offset 0 in L1", .legal = "L0A (A2)",
                    .hint = "load the matrix to a tensor in A2 first", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "mmad_sources_exchanged",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 256);
             auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
             Wrong(), Mmad(c, b, a, Sizes(16, 16, 16));
         },
         .report = {.rule = "memory-path", .instruction = "Mmad", .operand = "fm",
                    .message = "Mmad: the operand is in a memory the instruction cannot use",
                    .found = "byte offset 0 in L0B", .legal = "L0A (A2)",
                    .hint = "load the matrix to a tensor in A2 first", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "mmad_c_in_ub",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO2, 256);
             auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
             Wrong(), Mmad(c, a, b, Sizes(16, 16, 16));
         },
         .report = {.rule = "memory-path", .instruction = "Mmad", .operand = "dst",
                    .message = "Mmad: the operand is in a memory the instruction cannot use",
                    .found = "byte offset 0 in UB", .legal = "L0C (CO1)", .hint = "let Mmad write to a tensor in CO1",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "mmad_bias_in_l1", .kernel = WithBias<float, TPosition::C1, 0>,
         .report = {.rule = "memory-path", .instruction = "Mmad", .operand = "bias",
                    .message = "Mmad: the operand is in a memory the instruction cannot use",
                    .found = "byte offset 0 in L1", .legal = "BT (C2) or L0C (CO1)",
                    .hint = "copy the bias to a tensor in C2 first", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "mmad_bias_of_another_type", .kernel = WithBias<int32_t, TPosition::C2, 0>,
         .report = {.rule = "mmad-bias", .instruction = "Mmad", .operand = "bias",
                    .message = "Mmad: the bias cannot be used",
                    .found = "int32_t", .legal = "float, the type of dst",
                    .hint = "give the bias the type of dst; DataCopy makes float of half on the way to C2",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "mmad_bias_misaligned", .kernel = WithBias<float, TPosition::C2, 32>,
         .report = {.rule = "bt-alignment", .instruction = "Mmad", .operand = "bias",
                    .message = "Mmad: the source is not aligned",
                    .found = "byte offset 32 in BT", .legal = "a multiple of 64",
                    .hint = "start at an index that is a multiple of 16 elements of float", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "mmad_bias_tensor_on_910", .kernel = WithBias<float, TPosition::C2, 0>,
         .report = {.rule = "mmad-bias-unsupported", .instruction = "Mmad", .operand = "bias",
                    .message = "Mmad: Ascend910 has no bias table",
                    .found = "a bias tensor", .legal = "C += A * B on what CO1 holds",
                    .hint = "put the bias into CO1 and set cmatrixInitVal and cmatrixSource to false",
                    .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "mmad_bias_too_short",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 512), bias = At<float>(TPosition::C2, 16);
             auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 512);
             Wrong(), Mmad(c, a, b, bias, Sizes(16, 32, 16, false));
         },
         .report = {.rule = "out-of-buffer", .instruction = "Mmad", .operand = "bias",
                    .message = "Mmad: reads past the end of the tensor's buffer",
                    .found = "bytes 0..128 of BT, 64 bytes too many",
                    .legal = "up to byte 64: 16 elements of float from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "mmad_bias_past_its_table",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 16384);
             auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 16384);
             Wrong(), Mmad(c, a, b, {16, 512, 16, 0, true, false});
         },
         .report = {.rule = "out-of-buffer", .instruction = "Mmad", .operand = "bias",
                    .message = "Mmad: reads past the end of the tensor's buffer",
                    .found = "bytes 0..2048 of BT, 1024 bytes too many",
                    .legal = "up to byte 1024: 256 elements of float from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "mmad_bias_of_int4",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto c = At<int32_t>(TPosition::CO1, 256), bias = At<int32_t>(TPosition::C2, 16);
             auto a = At<int4b_t>(TPosition::A2, 1024), b = At<int4b_t>(TPosition::B2, 1024);
             Wrong(), Mmad(c, a, b, bias, Sizes(16, 16, 64, false));
         },
         .report = {.rule = "mmad-bias", .instruction = "Mmad", .operand = "bias",
                    .message = "Mmad: the bias cannot be used",
                    .found = "a bias with int4b_t", .legal = "no bias with this type",
                    .hint = "add the bias after the product", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "mmad_k_direction_of_half",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 256);
             auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
             MmadParams params = Sizes(16, 16, 16);
             params.kDirectionAlign = true;
             Wrong(), Mmad(c, a, b, params);
         },
         .report = {.rule = "parameter-range", .instruction = "Mmad", .operand = "kDirectionAlign",
                    .message = "Mmad: kDirectionAlign is out of range",
                    .found = "1", .legal = "0; 1 with float alone", .hint = "set kDirectionAlign to false",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "mmad_unit_flag",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 256);
             auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
             Wrong(), Mmad(c, a, b, {16, 16, 16, 1, false, true});
         },
         .report = {.rule = "parameter-range", .instruction = "Mmad", .operand = "unitFlag",
                    .message = "Mmad: unitFlag is out of range",
                    .found = "1", .legal = "0, 2 or 3", .hint = "set unitFlag to 0, which is always right",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "hf32_on_310p",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetHF32Mode(true); },
         .report = {.rule = "register-unsupported", .instruction = "SetHF32Mode",
                    .message = "SetHF32Mode: Ascend310P has no such register",
                    .found = "SetHF32Mode", .legal = "Ascend910B, Ascend310B",
                    .hint = "leave the call out on this chip", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "hf32_rounding_on_910",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetHF32TransMode(true); },
         .report = {.rule = "register-unsupported", .instruction = "SetHF32TransMode",
                    .message = "SetHF32TransMode: Ascend910 has no such register",
                    .found = "SetHF32TransMode",
                    .legal = "Ascend910B, Ascend310B",
                    .hint = "leave the call out on this chip", .core = "core0"},
         .chip = "Ascend910A"},
    };
}

}  // namespace sfumato::wrong
