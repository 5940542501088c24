// SPDX-License-Identifier: Apache-2.0
// Wrong programs: Fixpipe, DataCopy from CO1 through the same engine, and its registers (cube.md 5.1 to 5.3).
#include <type_traits>

#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

// 16 x 16 elements, row major: the parameters as programs write them.
FixpipeParamsV220 Square(QuantMode_t quant = NoQuant, uint64_t scalar = 0) {
    return {16, 16, 16, 16, false, quant, scalar};
}
constexpr uint64_t kOne = 0x3F800000;  // the float32 scale 1
constexpr uint64_t kSigned = uint64_t{1} << 46;

// Fixpipe of 16 x 16 elements of U to GM as T, with one thing wrong.
template <class T, class U, QuantMode_t kQuant, uint64_t kScalar>
__aicore__ void Quantised(GM_ADDR gm, GM_ADDR) {
    auto c = At<U>(TPosition::CO1, 256);
    Wrong(), Fixpipe(Gm<T>(gm, 4096 / sizeof(T)), c, Square(kQuant, kScalar));
}
template <auto kField, uint32_t kValue, const FixpipeConfig& kConfig = CFG_ROW_MAJOR, uint16_t kMatrices = 1>
__aicore__ void With(GM_ADDR gm, GM_ADDR) {
    auto c = At<float>(TPosition::CO1, 256);
    FixpipeParamsV220 params = Square();
    params.ndNum = kMatrices;
    params.*kField = static_cast<std::remove_reference_t<decltype(params.*kField)>>(kValue);
    Wrong(), Fixpipe<float, float, kConfig>(Gm<float>(gm, 1024), c, params);
}
template <auto kField>
__aicore__ void Reserved(GM_ADDR gm, GM_ADDR) {
    auto c = At<float>(TPosition::CO1, 256);
    DataCopyCO12DstParams params(16, 16, 16, 16, NoQuant, 0, false, true);
    params.*kField = 2;
    Wrong(), DataCopy(Gm<float>(gm, 256), c, params);
}

}  // namespace

using P = FixpipeParamsV220;
using Co12 = DataCopyCO12DstParams;

const Table<Program> kFixpipe = {
    {"fixpipe_on_310p", "instruction-unsupported", Quantised<float, float, NoQuant, 0>, {.chip = "Ascend310P3"}},
    {"fixpipe_on_910", "instruction-unsupported", Quantised<half, float, F322F16, 0>, {.chip = "Ascend910A"}},
    {"fixpipe_into_l0a", "memory-path", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto out = At<float>(TPosition::A2, 256), c = At<float>(TPosition::CO1, 256);
         Wrong(), Fixpipe(out, c, Square());
     }, {.chip = "Ascend310B1"}},
    {"fixpipe_from_l1", "memory-path", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::A1, 256);
         Wrong(), Fixpipe(Gm<float>(gm, 256), c, Square());
     }, {.core = CoreChoice::kCube}},
    {"fixpipe_of_no_columns", "nothing-to-do", With<&P::nSize, 0>, {.core = CoreChoice::kCube}},
    {"fixpipe_of_no_matrices", "nothing-to-do", With<&P::ndNum, 0>, {.core = CoreChoice::kCube}},
    {"fixpipe_too_many_columns", "parameter-range", With<&P::nSize, 4096>, {.core = CoreChoice::kCube}},
    {"fixpipe_too_many_rows", "parameter-range", With<&P::mSize, 8193>, {.chip = "Ascend310B1"}},
    {"fixpipe_matrices_too_far", "parameter-range",
     With<&P::srcNdStride, 513, CFG_ROW_MAJOR, 2>, {.core = CoreChoice::kCube}},
    {"fixpipe_unit_flag", "parameter-range", With<&P::unitFlag, 1>, {.core = CoreChoice::kCube}},
    {"fixpipe_nz_of_a_part_of_a_fractal", "parameter-alignment",
     With<&P::nSize, 8, CFG_NZ>, {.core = CoreChoice::kCube}},
    {"fixpipe_reads_past_l0c", "out-of-buffer", With<&P::nSize, 32>, {.core = CoreChoice::kCube}},
    {"fixpipe_writes_past_gm", "gm-out-of-range", With<&P::dstStride, 100>, {.core = CoreChoice::kCube}},
    {"fixpipe_splits_rows", "fixpipe-output", With<&P::isChannelSplit, true>, {.core = CoreChoice::kCube}},
    {"fixpipe_splits_half", "fixpipe-output", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 256);
         P params = Square(F322F16);
         params.isChannelSplit = true;
         Wrong(), Fixpipe<half, float, CFG_NZ>(Gm<half>(gm, 256), c, params);
     }, {.core = CoreChoice::kCube}},
    {"fixpipe_rows_into_l1", "fixpipe-output", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a1 = At<half>(TPosition::A1, 256);
         auto c = At<float>(TPosition::CO1, 256);
         Wrong(), Fixpipe(a1, c, Square(F322F16));
     }, {.core = CoreChoice::kCube}},
    {"fixpipe_columns", "fixpipe-layout", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         static constexpr FixpipeConfig kColumns = {CO2Layout::COLUMN_MAJOR};
         auto c = At<float>(TPosition::CO1, 256);
         Wrong(), Fixpipe<float, float, kColumns>(Gm<float>(gm, 256), c, Square());
     }, {.core = CoreChoice::kCube}},
    {"fixpipe_float_into_l1", "conversion-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a1 = At<float>(TPosition::A1, 256), c = At<float>(TPosition::CO1, 256);
         Wrong(), Fixpipe<float, float, CFG_NZ>(a1, c, Square());
     }, {.core = CoreChoice::kCube}},
    {"fixpipe_to_int16", "conversion-unsupported",
     Quantised<int16_t, int32_t, NoQuant, 0>, {.core = CoreChoice::kCube}},
    {"fixpipe_to_half_without_a_mode", "quant-mode",
     Quantised<half, float, NoQuant, 0>, {.core = CoreChoice::kCube}},
    {"fixpipe_of_int32_in_a_mode_of_float", "quant-mode",
     Quantised<half, int32_t, F322F16, 0>, {.chip = "Ascend310B1"}},
    {"fixpipe_of_float_in_a_mode_of_int32", "quant-mode",
     Quantised<int8_t, float, REQ8, kSigned | kOne>, {.core = CoreChoice::kCube}},
    {"fixpipe_mode_that_does_not_exist", "quant-mode",
     Quantised<half, float, static_cast<QuantMode_t>(12), 0>, {.core = CoreChoice::kCube}},
    {"fixpipe_without_words", "quant-words", Quantised<half, int32_t, VDEQF16, kOne>, {.core = CoreChoice::kCube}},
    {"fixpipe_words_of_a_scalar_mode", "quant-words", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto c = At<int32_t>(TPosition::CO1, 256);
         auto words = At<uint64_t>(TPosition::A1, 16);
         Wrong(), Fixpipe(Gm<half>(gm, 256), c, words, Square(DEQF16, kOne));
     }, {.core = CoreChoice::kCube}},
    {"fixpipe_words_in_ub", "memory-path", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto c = At<int32_t>(TPosition::CO1, 256);
         auto words = At<uint64_t>(TPosition::VECIN, 16);
         Wrong(), Fixpipe(Gm<half>(gm, 256), c, words, Square(VDEQF16));
     }, {.chip = "Ascend310B1"}},
    {"fixpipe_too_few_words", "out-of-buffer", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto c = At<int32_t>(TPosition::CO1, 256);
         auto words = At<uint64_t>(TPosition::A1, 12);
         Wrong(), Fixpipe(Gm<int8_t>(gm, 256), c, words, Square(VREQ8));
     }, {.core = CoreChoice::kCube}},
    {"fixpipe_scale_infinite", "quant-scale",
     Quantised<half, int32_t, DEQF16, 0x7F800000>, {.core = CoreChoice::kCube}},
    {"fixpipe_scale_subnormal", "quant-scale",
     Quantised<int8_t, float, QF322B8_PRE, kSigned | 0x00400000>, {.core = CoreChoice::kCube}},
    {"fixpipe_scale_of_another_sign", "deqscale-sign",
     Quantised<int8_t, int32_t, REQ8, kOne>, {.core = CoreChoice::kCube}},
    {"fixpipe_l0c_misaligned", "l0c-alignment", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 512, 32);
         Wrong(), Fixpipe(Gm<float>(gm, 256), c, Square());
     }, {.core = CoreChoice::kCube}},
    {"fixpipe_nz_gm_misaligned", "gm-alignment", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 256);
         Wrong(), Fixpipe<float, float, CFG_NZ>(Gm<float>(gm + 16, 512), c, {16, 16, 16, 32, false});
     }, {.core = CoreChoice::kCube}},
    {"fixpipe_l1_misaligned", "l1-alignment", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a1 = At<half>(TPosition::A1, 512);
         auto c = At<float>(TPosition::CO1, 256);
         Wrong(), Fixpipe<half, float, CFG_NZ>(a1[8], c, {16, 16, 16, 16, false, F322F16});
     }, {.core = CoreChoice::kCube}},
    {"fixpipe_of_another_type_than_the_atomic_mode", "atomic-type", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 256);
         SetAtomicAdd<float>();
         Wrong(), Fixpipe(Gm<half>(gm, 256), c, Square(F322F16));
         SetAtomicNone();
     }, {.core = CoreChoice::kCube}},
    {"copy_of_co1_with_leaky_relu", "fixpipe-field", Reserved<&Co12::reluPre>, {.core = CoreChoice::kCube}},
    {"copy_of_co1_clipped", "fixpipe-field", Reserved<&Co12::clipReluPre>, {.core = CoreChoice::kCube}},
    {"copy_of_co1_with_another_operand", "fixpipe-field", Reserved<&Co12::eltWiseOp>, {.chip = "Ascend310B1"}},
    {"copy_of_co1_without_words", "quant-words", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto c = At<int32_t>(TPosition::CO1, 256);
         Wrong(), DataCopy(Gm<half>(gm, 256), c, Co12(16, 16, 16, 16, VDEQF16, 0, false, true));
     }, {.core = CoreChoice::kCube}},
    {"copy_of_co1_without_a_scale", "quant-scale", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 256);
         SetFixpipePreQuantFlag(kSigned | 0x7FC00000);
         Wrong(), DataCopy(Gm<int8_t>(gm, 256), c, Co12(16, 16, 16, 16, QF322B8_PRE, 0, false, true));
     }, {.core = CoreChoice::kCube}},
    {"fixpipe_register_of_words_in_l1", "fixpipe-words", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto words = At<uint64_t>(TPosition::A1, 16);
         Wrong(), SetFixPipeConfig(words);
     }, {.core = CoreChoice::kCube}},
    {"fixpipe_register_of_a_relu_table", "fixpipe-field", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto relu = At<uint64_t>(TPosition::C2PIPE2GM, 16), words = At<uint64_t>(TPosition::C2PIPE2GM, 16, 128);
         Wrong(), SetFixPipeConfig(relu, words);
     }, {.core = CoreChoice::kCube}},
    {"fixpipe_register_on_310p", "register-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFixpipePreQuantFlag(kOne); }, {.chip = "Ascend310P3"}},
    {"fixpipe_matrices_on_310p", "register-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFixpipeNz2ndFlag(1, 1, 1); }, {.chip = "Ascend310P3"}},
};

}  // namespace sfumato::wrong
