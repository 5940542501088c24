// SPDX-License-Identifier: Apache-2.0
// Wrong programs: what the front end of LoadData and Mmad finds before there is an instruction.
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

constexpr uint8_t kNoPads[4] = {0, 0, 0, 0};
constexpr IsResetLoad3dConfig kFromRegisters = {false, false};

}  // namespace

std::vector<Program> CubePrograms() {
    return {
        {.name = "fmatrix_unset",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 512), a1 = At<half>(TPosition::A1, 512);
             LoadData3DParamsV2<half> params;
             Wrong(), LoadData<half, kFromRegisters>(a2, a1, params);
         },
         .report = {.rule = "fmatrix-unset", .instruction = "LoadData", .operand = "isSetFMatrix",
                    .message = "LoadData: the feature map is taken from a register that nothing has set",
                    .found = "no SetFmatrix with FMATRIX_LEFT before",
                    .legal = "SetFmatrix, or a Load3D that sets the feature map, earlier on this core",
                    .hint = "call SetFmatrix(l1H, l1W, padList, ...) first; LoadData3DParamsV1 and V2 set it with "
                            "isSetFMatrix true", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "fmatrix_right",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             Wrong(), SetFmatrix(1, 16, kNoPads, FmatrixMode::FMATRIX_RIGHT);
         },
         .report = {.severity = Severity::kWarning, .rule = "fmatrix-right", .instruction = "SetFmatrix",
                    .operand = "fmatrixMode",
                    .message = "SetFmatrix: the API page supports the left register only",
                    .found = "FMATRIX_RIGHT", .legal = "FMATRIX_LEFT",
                    .hint = "LoadData reads the left register for the left and the right matrix", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3d_small_k",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 512), a1 = At<half>(TPosition::A1, 512);
             LoadData3DParamsV2<half> params;
             params.enSmallK = true;
             Wrong(), LoadData(a2, a1, params);
         },
         .report = {.rule = "load3d-small-k", .instruction = "LoadData", .operand = "enSmallK",
                    .message = "LoadData: no chip has fractals of 16 x 4 any more",
                    .found = "enSmallK true", .legal = "false", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load_repeat_unsupported",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetLoadDataRepeat({0, 2, 0}); },
         .report = {.rule = "register-unsupported", .instruction = "SetLoadDataRepeat",
                    .message = "SetLoadDataRepeat: Ascend310P has no such register",
                    .found = "SetLoadDataRepeat", .legal = "Ascend910B, Ascend310B",
                    .hint = "leave the call out on this chip", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "mmad_bias_unsupported",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 256);
             auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
             Wrong(), Mmad(c, a, b, {16, 16, 16, 0, true, false});
         },
         .report = {.rule = "mmad-bias-unsupported", .instruction = "Mmad", .operand = "cmatrixSource",
                    .message = "Mmad: Ascend310P has no bias table",
                    .found = "cmatrixSource true", .legal = "C += A * B on what CO1 holds",
                    .hint = "put the bias into CO1 and set cmatrixInitVal and cmatrixSource to false",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "mmad_bias_init",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 256), bias = At<float>(TPosition::C2, 16);
             auto a = At<half>(TPosition::A2, 256), b = At<half>(TPosition::B2, 256);
             Wrong(), Mmad(c, a, b, bias, {16, 16, 16, 0, false, true});
         },
         .report = {.severity = Severity::kWarning, .rule = "mmad-bias-init", .instruction = "Mmad",
                    .operand = "cmatrixInitVal",
                    .message = "Mmad: a bias and a zero start are both asked for; the bias is used",
                    .found = "cmatrixInitVal true with a bias tensor", .legal = "cmatrixInitVal false",
                    .hint = "set cmatrixInitVal to false: the API page does not say which of the two the chip takes",
                    .core = "core0"},
         .chip = "Ascend310B1"},
    };
}

}  // namespace sfumato::wrong
