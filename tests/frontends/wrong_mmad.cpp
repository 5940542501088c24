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

const Table<Program> kMmad = {
    {"mmad_m_too_large", "parameter-range", Product<float, half, half, 4096, 16, 16>, {.core = CoreChoice::kCube}},
    {"mmad_n_too_large", "parameter-range", Product<float, half, half, 16, 4096, 16>, {.chip = "Ascend310P3"}},
    {"mmad_k_too_large", "parameter-range",
     Product<int32_t, int8_t, int8_t, 16, 16, 65535>, {.chip = "Ascend910A"}},
    {"mmad_k_zero", "nothing-to-do", Product<float, half, half, 16, 16, 0>, {.core = CoreChoice::kCube}},
    {"mmad_m_zero", "nothing-to-do", Product<float, half, half, 0, 16, 16>, {.chip = "Ascend310P3"}},
    {"mmad_types_half_result_on_910b", "mmad-types",
     Product<half, half, half, 16, 16, 16>, {.core = CoreChoice::kCube}},
    {"mmad_types_float_on_310p", "mmad-types", Product<float, float, float, 16, 16, 8>, {.chip = "Ascend310P3"}},
    {"mmad_types_bfloat16_on_910", "mmad-types",
     Product<float, bfloat16_t, bfloat16_t, 16, 16, 16>, {.chip = "Ascend910A"}},
    {"mmad_types_int4_on_910", "mmad-types",
     Product<int32_t, int4b_t, int4b_t, 16, 16, 64>, {.chip = "Ascend910A"}},
    {"mmad_types_mixed", "mmad-types", Product<int32_t, int8_t, uint8_t, 16, 16, 32>, {.chip = "Ascend310P3"}},
    {"mmad_types_unsigned_on_310b", "mmad-types",
     Product<int32_t, uint8_t, uint8_t, 16, 16, 32>, {.chip = "Ascend310B1"}},
    {"mmad_odd_k_of_int4", "parameter-alignment",
     Product<int32_t, int4b_t, int4b_t, 16, 16, 63>, {.core = CoreChoice::kCube}},
    {"mmad_reads_past_l0a", "out-of-buffer", Product<float, half, half, 16, 16, 33>, {.core = CoreChoice::kCube}},
    {"mmad_writes_past_l0c", "out-of-buffer", Product<float, half, half, 32, 16, 16>, {.core = CoreChoice::kCube}},
    {"mmad_reads_past_l0b", "out-of-buffer", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 1024);
         auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
         Wrong(), Mmad(c, a, b, Sizes(16, 32, 16));
     }, {.chip = "Ascend310P3"}},
    {"mmad_c_misaligned", "l0c-alignment", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 256, 512);
         auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
         Wrong(), Mmad(c, a, b, Sizes(16, 16, 16));
     }, {.core = CoreChoice::kCube}},
    {"mmad_half_c_misaligned", "l0c-alignment", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto c = At<half>(TPosition::CO1, 512);
         auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
         Wrong(), Mmad(c[16], a, b, Sizes(16, 16, 16));
     }, {.chip = "Ascend310P3"}},
    {"mmad_a_misaligned", "l0-alignment", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 256);
         auto a = At<half>(TPosition::A2, 512), b = At<half>(TPosition::B2, 256);
         Wrong(), Mmad(c, a[128], b, Sizes(16, 16, 16));
     }, {.core = CoreChoice::kCube}},
    {"mmad_a_in_l1", "memory-path", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 256);
         auto a = At<half>(TPosition::A1, 256), b = At<half>(TPosition::B2, 256);
         Wrong(), Mmad(c, a, b, Sizes(16, 16, 16));
     }, {.core = CoreChoice::kCube}},
    {"mmad_sources_exchanged", "memory-path", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 256);
         auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
         Wrong(), Mmad(c, b, a, Sizes(16, 16, 16));
     }, {.chip = "Ascend310P3"}},
    {"mmad_c_in_ub", "memory-path", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO2, 256);
         auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
         Wrong(), Mmad(c, a, b, Sizes(16, 16, 16));
     }, {.chip = "Ascend310P3"}},
    {"mmad_bias_in_l1", "memory-path", WithBias<float, TPosition::C1, 0>, {.core = CoreChoice::kCube}},
    {"mmad_bias_of_another_type", "mmad-bias", WithBias<int32_t, TPosition::C2, 0>, {.core = CoreChoice::kCube}},
    {"mmad_bias_misaligned", "bt-alignment", WithBias<float, TPosition::C2, 32>, {.core = CoreChoice::kCube}},
    {"mmad_bias_tensor_on_910", "mmad-bias-unsupported", WithBias<float, TPosition::C2, 0>, {.chip = "Ascend910A"}},
    {"mmad_bias_too_short", "out-of-buffer", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 512), bias = At<float>(TPosition::C2, 16);
         auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 512);
         Wrong(), Mmad(c, a, b, bias, Sizes(16, 32, 16, false));
     }, {.core = CoreChoice::kCube}},
    {"mmad_bias_past_its_table", "out-of-buffer", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 16384);
         auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 16384);
         Wrong(), Mmad(c, a, b, {16, 512, 16, 0, true, false});
     }, {.core = CoreChoice::kCube}},
    {"mmad_bias_of_int4", "mmad-bias", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto c = At<int32_t>(TPosition::CO1, 256), bias = At<int32_t>(TPosition::C2, 16);
         auto a = At<int4b_t>(TPosition::A2, 1024), b = At<int4b_t>(TPosition::B2, 1024);
         Wrong(), Mmad(c, a, b, bias, Sizes(16, 16, 64, false));
     }, {.chip = "Ascend310B1"}},
    {"mmad_k_direction_of_half", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 256);
         auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
         MmadParams params = Sizes(16, 16, 16);
         params.kDirectionAlign = true;
         Wrong(), Mmad(c, a, b, params);
     }, {.core = CoreChoice::kCube}},
    {"mmad_unit_flag", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 256);
         auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
         Wrong(), Mmad(c, a, b, {16, 16, 16, 1, false, true});
     }, {.core = CoreChoice::kCube}},
    {"hf32_on_310p", "register-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetHF32Mode(true); }, {.chip = "Ascend310P3"}},
    {"hf32_rounding_on_910", "register-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetHF32TransMode(true); }, {.chip = "Ascend910A"}},
};

}  // namespace sfumato::wrong
