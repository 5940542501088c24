// SPDX-License-Identifier: Apache-2.0
// Wrong programs: arrays in local memory and numbers as its addresses, as src/jit/local_memory.cpp writes them.
#include "wrong_programs.h"

namespace sfumato::wrong {

using Row = uint8_t[65536];

const Table<Program> kLocal = {
    {"arrays_too_large", "static-array-full", [](GM_ADDR, GM_ADDR) __aicore__ {
         Row& a = SFUMATO_LOCAL_VARIABLE("a", VECCALC);
         Earlier();
         Row& b = SFUMATO_LOCAL_VARIABLE("b", VECCALC);
         uint8_t(&c)[3] = SFUMATO_LOCAL_VARIABLE("c", VECCALC);
         Wrong(), [&](Row& d) { return +a == +b || +c == +d; }(SFUMATO_LOCAL_VARIABLE("d", VECCALC));
     }},
    {"array_of_l0a_too_large", "static-array-full", [](GM_ADDR, GM_ADDR) __aicore__ {
         uint8_t(&a)[1] = SFUMATO_LOCAL_VARIABLE("a", A2);
         Wrong(), [&](Row& b) { return +a == +b; }(SFUMATO_LOCAL_VARIABLE("b", A2));
     }, {.core = CoreChoice::kCube}},
    {"dynamic_ub_too_large", "static-array-full", [](GM_ADDR, GM_ADDR) __aicore__ {
         sfumato::ascendc::SetDynamicUb(196608);
         Row& a = SFUMATO_LOCAL_VARIABLE("a", VECCALC);
         Wrong(), [&](uint8_t(&b)[]) { return +a == +b; }(SFUMATO_DYNAMIC_UB);
     }},
    {"arrays_on_310p", "static-array-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), [](Row&) {}(SFUMATO_LOCAL_VARIABLE("a", VECCALC)); },
     {.chip = "Ascend310P3"}},
    {"array_over_buffers", "static-array-and-pipe", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<> buffer;
         pipe.InitBuffer(buffer, 64);
         Wrong(), [](Row&) {}(SFUMATO_LOCAL_VARIABLE("a", VECCALC));
     }},
    {"buffers_over_array", "static-array-and-pipe", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<> buffer;
         [](Row&) {}(SFUMATO_LOCAL_VARIABLE("a", VECCALC));
         Wrong(), pipe.InitBuffer(buffer, 64);
     }},
    {"number_behind_ub", "ub-pointer", [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), (float*)(__ub)(196612); }},
    {"number_behind_l1", "ub-pointer",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), __l1_cast<half*>(uint64_t{1} << 20); },
     {.core = CoreChoice::kCube}},
};

}  // namespace sfumato::wrong
