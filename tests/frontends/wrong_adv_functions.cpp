// SPDX-License-Identifier: Apache-2.0
// Mathematical calls used wrongly: elements outside the range of the function (V6 of adv.md 1.2), and what all calls share.
#include <cmath>

#include "frontends/wrong_programs.h"

namespace sfumato::wrong {
namespace {

constexpr const char* kLimit =
    "limit the source first, e.g. with Maxs and Mins; here the result is the limit of the function, NaN where it has "
    "none";

// One element of the source, at index 9, is `wrong`; the others are `right`.
template <class T>
LocalTensor<T> Source(T right, T wrong) {
    auto src = Ub<T>(1024, 64);
    Duplicate(src, right, 64);
    SetFlag<HardEvent::V_S>(0);
    WaitFlag<HardEvent::V_S>(0);
    src.SetValue(9, wrong);
    src.SetValue(11, wrong);
    SetFlag<HardEvent::S_V>(0);
    WaitFlag<HardEvent::S_V>(0);
    return src;
}

Expected Range(const char* instruction, const char* message, const char* operand, const char* found, const char* legal) {
    return {.severity = Severity::kWarning, .rule = "input-range", .instruction = instruction, .operand = operand,
            .message = message, .found = found, .legal = legal, .hint = kLimit};
}

}  // namespace

std::vector<Program> AdvFunctionPrograms() {
    return {
        {.name = "sin_of_a_large_number",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 64), src = Source(1.0f, 70000.0f);
             Wrong(), Sin(dst, src, 64);
         },
         .report = Range("Sin: Sin", "Sin: Sin: an element lies outside the range of the function", "src",
                         "70000 at index 9 of src", "-65504 to 65504")},
        {.name = "cos_of_infinity",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 64), src = Source(half(1.0f), half(-INFINITY));
             Wrong(), Cos(dst, src, 64);
         },
         .report = Range("Cos: Cos", "Cos: Cos: an element lies outside the range of the function", "src",
                         "-inf at index 9 of src", "-65504 to 65504"),
         .others = {"saturated"}},
        {.name = "asin_beyond_one",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 64), src = Source(1.0f, 1.5f);
             Wrong(), Asin(dst, src, 64);
         },
         .report = Range("Asin: Asin", "Asin: Asin: an element lies outside the range of the function", "src",
                         "1.5 at index 9 of src", "-1 to 1")},
        {.name = "acosh_below_one",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 64), src = Source(1.0f, 0.5f);
             Wrong(), Acosh(dst, src, 64);
         },
         .report = Range("Acosh: Acosh", "Acosh: Acosh: an element lies outside the range of the function", "src",
                         "0.5 at index 9 of src", "1 or more")},
        {.name = "atanh_of_one",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 64), src = Source(0.5f, 1.0f);
             Wrong(), Atanh(dst, src, 64);
         },
         .report = Range("Atanh: Atanh", "Atanh: Atanh: an element lies outside the range of the function", "src",
                         "1 at index 9 of src", "between -1 and 1")},
        {.name = "power_with_a_large_exponent",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<int32_t>(0, 64), src = Source(1, 2);
             Wrong(), Power(dst, src, 0x7FFFFFFF, 64);
         },
         .report = {.severity = Severity::kWarning,
                    .rule = "input-range",
                    .instruction = "Power: Power",
                    .operand = "scalar",
                    .message = "Power: Power: an element lies outside the range of the function",
                    .found = "2147483647",
                    .legal = "below 2147483647",
                    .hint = kLimit,
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "sincos_destinations_overlap",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst0 = Ub<float>(0, 64), dst1 = Ub<float>(128, 64), src = Ub<float>(1024, 64);
             Wrong(), SinCos(dst0, dst1, src, 64);
         },
         .report = {.rule = "operands-share", .instruction = "SinCos", .operand = "dst1",
                    .message = "SinCos: dst0 and dst1 overlap", .found = "256 bytes of dst0, 256 of dst1, 128 apart",
                    .legal = "no common byte", .hint = "use another destination"}},
        {.name = "power_tmp_on_its_source",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 64), src0 = Ub<float>(1024, 64), src1 = Ub<float>(2048, 64);
             auto tmp = Ub<uint8_t>(2048 + 128, 4096);
             Wrong(), Power(dst, src0, src1, tmp, 64);
         },
         .report = {.rule = "operands-share",
                    .instruction = "Power",
                    .operand = "sharedTmpBuffer",
                    .message = "Power: sharedTmpBuffer and src1 overlap",
                    .found = "4096 bytes of sharedTmpBuffer, 256 of src1, 128 apart",
                    .legal = "no common byte",
                    .hint = "lend another buffer"}},
        {.name = "tanh_tmp_below_minimum",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64);
             auto tmp = Ub<uint8_t>(2048, 512);
             Duplicate(src, half(1.0f), 64);
             Wrong(), Tanh(dst, src, tmp, 64);
         },
         .report = {.severity = Severity::kWarning, .rule = "tmp-size", .instruction = "Tanh",
                    .operand = "sharedTmpBuffer",
                    .message = "Tanh: the temporary buffer is smaller than the call's minimum", .found = "512 bytes",
                    .legal = "2048 bytes or more",
                    .hint = "the host function of the call for MaxMinTmpSize gives the bytes; here the result is the "
                            "same"}},
        {.name = "tanh_on_ascend910",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64);
             Wrong(), Tanh(dst, src, 64);
         },
         .report = {.rule = "instruction-unsupported",
                    .instruction = "Tanh: Tanh",
                    .operand = "",
                    .message = "Tanh: Tanh: Ascend910 does not have the instruction",
                    .found = "Ascend910",
                    .legal = "Ascend310P, Ascend910B",
                    .hint = "choose another chip or another instruction",
                    .core = "core0"},
         .chip = "Ascend910A"},
    };
}

}  // namespace sfumato::wrong
