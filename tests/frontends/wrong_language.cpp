// SPDX-License-Identifier: Apache-2.0
// Wrong programs: scalar calls a chip does not have, communication, intrinsics.
#include "wrong_programs.h"

namespace sfumato::wrong {

std::vector<Program> LanguagePrograms() {
    return {
        {.name = "scalar_bits_on_310b",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), ScalarGetCountOfValue<1>(3); },
         .report = {.rule = "call-unsupported", .instruction = "ScalarGetCountOfValue",
                    .message = "ScalarGetCountOfValue: Ascend310B does not have the call",
                    .found = "ScalarGetCountOfValue", .legal = "Ascend310P, Ascend910B",
                    .hint = "write it in C++: the scalar unit has integers, float and shifts on every chip", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "to_float_on_310p",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), ToFloat(bfloat16_t(1)); },
         .report = {.rule = "call-unsupported", .instruction = "ToFloat",
                    .message = "ToFloat: Ascend310P does not have the call",
                    .found = "ToFloat", .legal = "Ascend910B",
                    .hint = "write it in C++: the scalar unit has integers, float and shifts on every chip", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "intrinsic_of_a_number",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto* a = reinterpret_cast<float*>(Ub<float>(0, 64).GetPhyAddr());
             auto* number = reinterpret_cast<float*>(uint64_t{0x40});
             Wrong(), vadd(a, a, number, 1, 1, 1, 1, 8, 8, 8);
         },
         .report = {.rule = "ub-pointer", .instruction = "vadd",
                    .message = "vadd: the pointer does not point into UB",
                    .found = "0x40", .legal = "what GetPhyAddr() of a tensor in UB returns",
                    .hint = "a number is no address of UB here: take the address of a tensor"}},
        {.name = "immediate_behind_ub",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), *(__ubuf__ uint8_t*)get_imm(196608) = 1; },
         .report = {.rule = "ub-pointer", .instruction = "get_imm",
                    .message = "get_imm: the address does not lie in UB",
                    .found = "196608", .legal = "0 to 196607, on a core that has UB"}},
        {.name = "intrinsic_repeat",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto* a = reinterpret_cast<float*>(Ub<float>(0, 64).GetPhyAddr());
             Wrong(), vadds(a, a, 1.0f, 256, 1, 1, 0, 0);
         },
         .report = {.rule = "repeat-range", .instruction = "Adds", .operand = "repeatTimes",
                    .message = "Adds: the repeat count is out of range",
                    .found = "256", .legal = "0..255",
                    .hint = "split the call, or use the form with an element count"}},
        {.name = "set_ctrl_bits",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), set_ctrl(sbitset1(get_ctrl(), 56)); },
         .report = {.rule = "ctrl-bits", .instruction = "set_ctrl",
                    .message = "set_ctrl: these bits of the control register cannot be set",
                    .found = "0x100000000000000", .legal = "bit 48: 0 saturates float results, 1 gives inf and nan"}},
    };
}

}  // namespace sfumato::wrong
