// SPDX-License-Identifier: Apache-2.0
// Wrong programs: scalar calls a chip does not have, communication, intrinsics.
#include "wrong_programs.h"

namespace sfumato::wrong {

std::vector<Program> LanguagePrograms() {
    return {
        {.name = "scalar_bits_on_310b",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), ScalarGetCountOfValue<1>(3); },
         .report = {.rule = "call-unsupported"},
         .chip = "Ascend310B1"},
        {.name = "to_float_on_310p",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), ToFloat(bfloat16_t(1)); },
         .report = {.rule = "call-unsupported"},
         .chip = "Ascend310P3"},
        {.name = "intrinsic_of_a_number",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto* a = reinterpret_cast<float*>(Ub<float>(0, 64).GetPhyAddr());
             auto* number = reinterpret_cast<float*>(uint64_t{0x40});
             Wrong(), vadd(a, a, number, 1, 1, 1, 1, 8, 8, 8);
         },
         .report = {.rule = "ub-pointer"}},
        {.name = "immediate_behind_ub",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), *(__ubuf__ uint8_t*)get_imm(196608) = 1; },
         .report = {.rule = "ub-pointer"}},
        {.name = "intrinsic_repeat",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto* a = reinterpret_cast<float*>(Ub<float>(0, 64).GetPhyAddr());
             Wrong(), vadds(a, a, 1.0f, 256, 1, 1, 0, 0);
         },
         .report = {.rule = "repeat-range"}},
        {.name = "set_ctrl_bits",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), set_ctrl(sbitset1(get_ctrl(), 56)); },
         .report = {.rule = "ctrl-bits"}},
    };
}

}  // namespace sfumato::wrong
