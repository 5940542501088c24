// SPDX-License-Identifier: Apache-2.0
// Wrong programs: Load3Dv1 and the registers it reads (cube.md 3.4, 3.6).
#include <type_traits>

#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

constexpr IsResetLoad3dConfig kFromRegisters = {false, false};

// One fractal of a feature map of 4 x 4 pixels, 16 channels, and a 1 x 1 filter.
using V1 = LoadData3DParamsV1<half>;
V1 OneTap() {
    V1 p;
    p.l1H = p.l1W = 4;
    p.repeatTime = 1;
    return p;
}

// The same with one field changed, and another that makes the call use it.
template <auto kField, int kValue, auto kOther = kField, int kOtherValue = kValue>
__aicore__ void With(GM_ADDR, GM_ADDR) {
    auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
    V1 params = OneTap();
    params.*kOther = static_cast<std::remove_reference_t<decltype(params.*kOther)>>(kOtherValue);
    params.*kField = static_cast<std::remove_reference_t<decltype(params.*kField)>>(kValue);
    Wrong(), LoadData(a2, a1, params);
}

}  // namespace

std::vector<Program> Load3Dv1Programs() {
    return {
        {.name = "load3dv1_no_repeats", .kernel = With<&V1::repeatTime, 0>,
         .report = {.severity = Severity::kNote, .rule = "nothing-to-do", .instruction = "LoadData",
                    .operand = "repeatTime",
                    .message = "LoadData: repeatTime is 0: nothing is done",
                    .found = "0", .legal = "1..255", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv1_map_of_no_rows", .kernel = With<&V1::l1H, 0>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "l1H",
                    .message = "LoadData: l1H is out of range",
                    .found = "0", .legal = "1..32767", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv1_map_too_wide", .kernel = With<&V1::l1W, 32768>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "l1W",
                    .message = "LoadData: l1W is out of range",
                    .found = "32768", .legal = "1..32767", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv1_c1_index", .kernel = With<&V1::c1Index, 4096>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "c1Index",
                    .message = "LoadData: c1Index is out of range",
                    .found = "4096", .legal = "0..4095", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "load3dv1_fetch_filter", .kernel = With<&V1::fetchFilterW, 255>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "fetchFilterW",
                    .message = "LoadData: fetchFilterW is out of range",
                    .found = "255", .legal = "0..254", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv1_left_top", .kernel = With<&V1::leftTopW, -256>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "leftTopW",
                    .message = "LoadData: leftTopW is out of range",
                    .found = "-256", .legal = "-255..32767", .hint = "check how the value is computed",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv1_stride_zero", .kernel = With<&V1::strideW, 0>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "strideW",
                    .message = "LoadData: strideW is out of range",
                    .found = "0", .legal = "1..63", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv1_stride_too_large", .kernel = With<&V1::strideH, 64>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "strideH",
                    .message = "LoadData: strideH is out of range",
                    .found = "64", .legal = "1..63", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv1_filter_zero", .kernel = With<&V1::filterH, 0>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "filterH",
                    .message = "LoadData: filterH is out of range",
                    .found = "0", .legal = "1..255", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv1_dilation_zero", .kernel = With<&V1::dilationFilterW, 0, &V1::filterW, 2>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "dilationFilterW",
                    .message = "LoadData: dilationFilterW is out of range",
                    .found = "0", .legal = "1..255", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv1_jump_zero", .kernel = With<&V1::jumpStride, 0, &V1::repeatTime, 2>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "jumpStride",
                    .message = "LoadData: jumpStride is out of range",
                    .found = "0", .legal = "1..127", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv1_jump_too_large", .kernel = With<&V1::jumpStride, 128, &V1::repeatTime, 2>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "jumpStride",
                    .message = "LoadData: jumpStride is out of range",
                    .found = "128", .legal = "1..127", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "load3dv1_repeat_mode", .kernel = With<&V1::repeatMode, 2, &V1::repeatTime, 2>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "repeatMode",
                    .message = "LoadData: repeatMode is out of range",
                    .found = "2", .legal = "0..1", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv1_reads_past_its_l1_tensor", .kernel = With<&V1::c1Index, 1>,
         .report = {.rule = "out-of-buffer", .instruction = "LoadData", .operand = "src",
                    .message = "LoadData: reads past the end of the tensor's buffer",
                    .found = "bytes 512..1024 of L1, 512 bytes too many",
                    .legal = "up to byte 512: 256 elements of half from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv1_writes_past_its_l0a_tensor", .kernel = With<&V1::repeatTime, 2>,
         .report = {.rule = "out-of-buffer", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: writes past the end of the tensor's buffer",
                    .found = "bytes 0..1024 of L0A, 512 bytes too many",
                    .legal = "up to byte 512: 256 elements of half from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv1_on_910b", .kernel = With<&V1::repeatTime, 1>,
         .report = {.rule = "instruction-unsupported", .instruction = "LoadData",
                    .message = "LoadData: Ascend910B does not have the form with LoadData3DParamsV1",
                    .found = "Ascend910B", .legal = "Ascend910, Ascend310P", .hint = "use LoadData3DParamsV2",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv1_of_int16",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<int16_t>(TPosition::A2, 256), a1 = At<int16_t>(TPosition::A1, 256);
             LoadData3DParamsV1<int16_t> params;
             params.l1H = params.l1W = 4, params.repeatTime = 1;
             Wrong(), LoadData(a2, a1, params);
         },
         .report = {.rule = "type-unsupported", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: the element type is not supported on Ascend910",
                    .found = "int16_t", .legal = "int8_t, uint8_t, half",
                    .hint = "no other chip has this type: convert to a legal type first", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "load3dv1_into_l0c",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto co1 = At<half>(TPosition::CO1, 256), a1 = At<half>(TPosition::A1, 256);
             Wrong(), LoadData(co1, a1, OneTap());
         },
         .report = {.rule = "memory-path", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: Ascend310P has no such move",
                    .found = "L1 to L0C", .legal = "L1 to UB, L1 to L0A, L1 to L0B",
                    .hint = "check the positions of the two tensors", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv1_boundary_too_small",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
             SetLoadDataBoundary(16);
             Wrong(), LoadData(a2, a1, OneTap());
         },
         .report = {.rule = "parameter-range", .instruction = "LoadData",
                    .operand = "boundaryValue (SetLoadDataBoundary)",
                    .message = "LoadData: boundaryValue (SetLoadDataBoundary) is out of range",
                    .found = "512", .legal = "0, or 1024 bytes and more",
                    .hint = "the value counts blocks of 32 bytes for LoadData3DParamsV1, bytes for V2",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv1_without_a_feature_map",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
             V1 params = OneTap();
             Wrong(), LoadData<half, kFromRegisters>(a2, a1, params);
         },
         .report = {.rule = "fmatrix-unset", .instruction = "LoadData", .operand = "isSetFMatrix",
                    .message = "LoadData: the feature map is taken from a register that nothing has set",
                    .found = "no SetFmatrix with FMATRIX_LEFT before",
                    .legal = "SetFmatrix, or a Load3D that sets the feature map, earlier on this core",
                    .hint = "call SetFmatrix(l1H, l1W, padList, ...) first; LoadData3DParamsV1 and V2 set it with "
                            "isSetFMatrix true", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "load_boundary_on_910",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetLoadDataBoundary(1024); },
         .report = {.rule = "register-unsupported", .instruction = "SetLoadDataBoundary",
                    .message = "SetLoadDataBoundary: Ascend910 has no such register",
                    .found = "SetLoadDataBoundary", .legal = "Ascend310P, Ascend910B",
                    .hint = "leave the call out on this chip", .core = "core0"},
         .chip = "Ascend910A"},
    };
}

}  // namespace sfumato::wrong
