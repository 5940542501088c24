// SPDX-License-Identifier: Apache-2.0
// Wrong programs: what the front end of LoadData and Mmad finds before there is an instruction.
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

constexpr uint8_t kNoPads[4] = {0, 0, 0, 0};
constexpr IsResetLoad3dConfig kFromRegisters = {false, false};

}  // namespace

const Table<Program> kCube = {
    {"fmatrix_unset", "fmatrix-unset", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 512), a1 = At<half>(TPosition::A1, 512);
         LoadData3DParamsV2<half> params;
         Wrong(), LoadData<half, kFromRegisters>(a2, a1, params);
     }, {.chip = "Ascend310P3"}},
    {"fmatrix_right", "fmatrix-right", [](GM_ADDR, GM_ADDR) __aicore__ {
         Wrong(), SetFmatrix(1, 16, kNoPads, FmatrixMode::FMATRIX_RIGHT);
     }, {.chip = "Ascend310P3"}},
    {"load3d_small_k", "load3d-small-k", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 512), a1 = At<half>(TPosition::A1, 512);
         LoadData3DParamsV2<half> params;
         params.enSmallK = true;
         Wrong(), LoadData(a2, a1, params);
     }, {.chip = "Ascend310P3"}},
    {"load_repeat_unsupported", "register-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetLoadDataRepeat({0, 2, 0}); }, {.chip = "Ascend310P3"}},
    {"mmad_bias_unsupported", "mmad-bias-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 256);
         auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
         Wrong(), Mmad(c, a, b, {16, 16, 16, 0, true, false});
     }, {.chip = "Ascend310P3"}},
    {"mmad_bias_init", "mmad-bias-init", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto c = At<float>(TPosition::CO1, 256), bias = At<float>(TPosition::C2, 16);
         auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
         Wrong(), Mmad(c, a, b, bias, {16, 16, 16, 0, false, true});
     }, {.chip = "Ascend310B1"}},
};

}  // namespace sfumato::wrong
