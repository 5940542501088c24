// SPDX-License-Identifier: Apache-2.0
// Mathematical calls used wrongly: elements outside the range of the function (V6 of adv.md 1.2), and what all calls share.
#include <cmath>

#include "frontends/wrong_programs.h"

namespace sfumato::wrong {
namespace {

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

}  // namespace

const Table<Program> kAdvFunction = {
    {"sin_of_a_large_number", "input-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 64), src = Source(1.0f, 70000.0f);
         Wrong(), Sin(dst, src, 64);
     }},
    {"cos_of_infinity", "input-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 64), src = Source(half(1.0f), half(-INFINITY));
         Wrong(), Cos(dst, src, 64);
     }},
    {"asin_beyond_one", "input-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 64), src = Source(1.0f, 1.5f);
         Wrong(), Asin(dst, src, 64);
     }},
    {"acosh_below_one", "input-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 64), src = Source(1.0f, 0.5f);
         Wrong(), Acosh(dst, src, 64);
     }},
    {"atanh_of_one", "input-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 64), src = Source(0.5f, 1.0f);
         Wrong(), Atanh(dst, src, 64);
     }},
    {"power_with_a_large_exponent", "input-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<int32_t>(0, 64), src = Source(1, 2);
         Wrong(), Power(dst, src, 0x7FFFFFFF, 64);
     }, {.chip = "Ascend310P3"}},
    {"sincos_destinations_overlap", "operands-share", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst0 = Ub<float>(0, 64), dst1 = Ub<float>(128, 64), src = Ub<float>(1024, 64);
         Wrong(), SinCos(dst0, dst1, src, 64);
     }},
    {"power_tmp_on_its_source", "operands-share", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 64), src0 = Ub<float>(1024, 64), src1 = Ub<float>(2048, 64);
         auto tmp = Ub<uint8_t>(2048 + 128, 4096);
         Wrong(), Power(dst, src0, src1, tmp, 64);
     }},
    {"tanh_tmp_below_minimum", "tmp-size", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64);
         auto tmp = Ub<uint8_t>(2048, 512);
         Duplicate(src, half(1.0f), 64);
         Wrong(), Tanh(dst, src, tmp, 64);
     }},
    {"tanh_on_ascend910", "instruction-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64);
         Wrong(), Tanh(dst, src, 64);
     }, {.chip = "Ascend910A"}},
};

}  // namespace sfumato::wrong
