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

const Table<Program> kLoad3Dv1 = {
    {"load3dv1_no_repeats", "nothing-to-do", With<&V1::repeatTime, 0>, {.chip = "Ascend310P3"}},
    {"load3dv1_map_of_no_rows", "parameter-range", With<&V1::l1H, 0>, {.chip = "Ascend310P3"}},
    {"load3dv1_map_too_wide", "parameter-range", With<&V1::l1W, 32768>, {.chip = "Ascend310P3"}},
    {"load3dv1_c1_index", "parameter-range", With<&V1::c1Index, 4096>, {.chip = "Ascend910A"}},
    {"load3dv1_fetch_filter", "parameter-range", With<&V1::fetchFilterW, 255>, {.chip = "Ascend310P3"}},
    {"load3dv1_left_top", "parameter-range", With<&V1::leftTopW, -256>, {.chip = "Ascend310P3"}},
    {"load3dv1_stride_zero", "parameter-range", With<&V1::strideW, 0>, {.chip = "Ascend310P3"}},
    {"load3dv1_stride_too_large", "parameter-range", With<&V1::strideH, 64>, {.chip = "Ascend310P3"}},
    {"load3dv1_filter_zero", "parameter-range", With<&V1::filterH, 0>, {.chip = "Ascend310P3"}},
    {"load3dv1_dilation_zero", "parameter-range",
     With<&V1::dilationFilterW, 0, &V1::filterW, 2>, {.chip = "Ascend310P3"}},
    {"load3dv1_jump_zero", "parameter-range",
     With<&V1::jumpStride, 0, &V1::repeatTime, 2>, {.chip = "Ascend310P3"}},
    {"load3dv1_jump_too_large", "parameter-range",
     With<&V1::jumpStride, 128, &V1::repeatTime, 2>, {.chip = "Ascend910A"}},
    {"load3dv1_repeat_mode", "parameter-range",
     With<&V1::repeatMode, 2, &V1::repeatTime, 2>, {.chip = "Ascend310P3"}},
    {"load3dv1_reads_past_its_l1_tensor", "out-of-buffer", With<&V1::c1Index, 1>, {.chip = "Ascend310P3"}},
    {"load3dv1_writes_past_its_l0a_tensor", "out-of-buffer", With<&V1::repeatTime, 2>, {.chip = "Ascend310P3"}},
    {"load3dv1_on_910b", "instruction-unsupported", With<&V1::repeatTime, 1>, {.core = CoreChoice::kCube}},
    {"load3dv1_of_int16", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<int16_t>(TPosition::A2, 256), a1 = At<int16_t>(TPosition::A1, 256);
         LoadData3DParamsV1<int16_t> params;
         params.l1H = params.l1W = 4, params.repeatTime = 1;
         Wrong(), LoadData(a2, a1, params);
     }, {.chip = "Ascend910A"}},
    {"load3dv1_into_l0c", "memory-path", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto co1 = At<half>(TPosition::CO1, 256), a1 = At<half>(TPosition::A1, 256);
         Wrong(), LoadData(co1, a1, OneTap());
     }, {.chip = "Ascend310P3"}},
    {"load3dv1_boundary_too_small", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
         SetLoadDataBoundary(16);
         Wrong(), LoadData(a2, a1, OneTap());
     }, {.chip = "Ascend310P3"}},
    {"load3dv1_without_a_feature_map", "fmatrix-unset", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
         V1 params = OneTap();
         Wrong(), LoadData<half, kFromRegisters>(a2, a1, params);
     }, {.chip = "Ascend910A"}},
    {"load_boundary_on_910", "register-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetLoadDataBoundary(1024); }, {.chip = "Ascend910A"}},
};

}  // namespace sfumato::wrong
