// SPDX-License-Identifier: Apache-2.0
// Wrong programs: how Mmad hands C over to Fixpipe, by unit flags, and to the next Mmad (cube.md 4).
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

constexpr uint8_t kWaits = 2, kHandsOver = 3;
constexpr MmadParams Unit(uint8_t flag, bool init = true) { return {16, 16, 16, flag, false, init}; }

__aicore__ inline FixpipeParamsV220 Out(uint8_t flag) {
    FixpipeParamsV220 p(16, 16, 16, 16, false);
    p.unitFlag = flag;
    return p;
}

struct HandedOver {
    LocalTensor<half> a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
    LocalTensor<float> c = At<float>(TPosition::CO1, 256);
    GlobalTensor<float> gm;
    explicit __aicore__ HandedOver(GM_ADDR out) { gm.SetGlobalBuffer((__gm__ float*)out, 256); }
};

}  // namespace

const Table<Program> kHandover = {
    {"product_on_a_result_that_nobody_took", "unit-flag-wait", [](GM_ADDR out, GM_ADDR) __aicore__ {
         HandedOver t(out);
         Mmad(t.c, t.a, t.b, Unit(kHandsOver));
         Wrong(), Mmad(t.c, t.a, t.b, Unit(kHandsOver, false));
     }, {.core = CoreChoice::kCube}},
    {"product_that_waits_for_one_fractal_of_four", "unit-flag-wait", [](GM_ADDR out, GM_ADDR) __aicore__ {
         HandedOver t(out);
         auto c = At<float>(TPosition::CO1, 1024);
         auto a = At<half>(TPosition::A2, 512), b = At<half>(TPosition::B2, 512);
         Mmad(t.c, t.a, t.b, Unit(kHandsOver));
         Wrong(), Mmad(c, a, b, {32, 32, 16, kWaits, false, true});
     }, {.core = CoreChoice::kCube}},
    {"result_that_no_product_hands_over", "unit-flag-wait", [](GM_ADDR out, GM_ADDR) __aicore__ {
         HandedOver t(out);
         Mmad(t.c, t.a, t.b, Unit(kWaits));
         Wrong(), Fixpipe(t.gm, t.c, Out(kHandsOver));
     }, {.core = CoreChoice::kCube}},
    {"result_taken_without_its_flag", "unit-flag-left", [](GM_ADDR out, GM_ADDR) __aicore__ {
         HandedOver t(out);
         Mmad(t.c, t.a, t.b, Unit(kHandsOver));
         PipeBarrier<PIPE_ALL>();
         Wrong(), Fixpipe(t.gm, t.c, Out(0));
     }, {.core = CoreChoice::kCube}},
    {"bias_elsewhere_in_co1", "mmad-bias", [](GM_ADDR out, GM_ADDR) __aicore__ {
         HandedOver t(out);
         Wrong(), Mmad(t.c, t.a, t.b, At<float>(TPosition::CO1, 256, 1024), Unit(0, false));
     }, {.core = CoreChoice::kCube}},
    {"bias_of_another_type_in_co1", "mmad-bias", [](GM_ADDR out, GM_ADDR) __aicore__ {
         HandedOver t(out);
         Wrong(), Mmad(t.c, t.a, t.b, At<int32_t>(TPosition::CO1, 256), Unit(0, false));
     }, {.core = CoreChoice::kCube}},
};

}  // namespace sfumato::wrong
