// SPDX-License-Identifier: Apache-2.0
// Wrong programs: scalar calls a chip does not have, communication, intrinsics.
#include "wrong_programs.h"

namespace sfumato::wrong {

const Table<Program> kLanguage = {
    {"scalar_bits_on_310b", "call-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), ScalarGetCountOfValue<1>(3); }, {.chip = "Ascend310B1"}},
    {"to_float_on_310p", "call-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), ToFloat(bfloat16_t(1)); }, {.chip = "Ascend310P3"}},
    {"intrinsic_of_a_number", "ub-pointer", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto* a = reinterpret_cast<float*>(Ub<float>(0, 64).GetPhyAddr());
         auto* number = reinterpret_cast<float*>(uint64_t{0x40});
         Wrong(), vadd(a, a, number, 1, 1, 1, 1, 8, 8, 8);
     }},
    {"immediate_behind_ub", "ub-pointer",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), *(__ubuf__ uint8_t*)get_imm(196608) = 1; }},
    {"intrinsic_repeat", "repeat-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto* a = reinterpret_cast<float*>(Ub<float>(0, 64).GetPhyAddr());
         Wrong(), vadds(a, a, 1.0f, 256, 1, 1, 0, 0);
     }},
};

}  // namespace sfumato::wrong
