// SPDX-License-Identifier: Apache-2.0
// Wrong programs: Load3Dv2 and the registers it reads (cube.md 3.5, 3.6).
#include <type_traits>

#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

// A window of one fractal on a feature map of 4 x 4 pixels, C0 channels, and a 1 x 1 filter.
template <class T>
LoadData3DParamsV2<T> OneWindow() {
    LoadData3DParamsV2<T> p;
    p.l1H = p.l1W = 4;
    p.channelSize = p.kExtension = static_cast<uint16_t>(32 / sizeof(T));
    p.mExtension = 16;
    return p;
}

// The same with one field changed, and another that makes the call use it.
template <auto kField, int kValue, class T = half, TPosition kTo = TPosition::A2, auto kOther = kField,
          int kOtherValue = kValue>
__aicore__ void With(GM_ADDR, GM_ADDR) {
    auto to = At<T>(kTo, 1024), a1 = At<T>(TPosition::A1, 256);
    auto params = OneWindow<T>();
    params.*kOther = static_cast<std::remove_reference_t<decltype(params.*kOther)>>(kOtherValue);
    params.*kField = static_cast<std::remove_reference_t<decltype(params.*kField)>>(kValue);
    Wrong(), LoadData(to, a1, params);
}

}  // namespace

using V2 = LoadData3DParamsV2<half>;

const Table<Program> kLoad3Dv2 = {
    {"load3dv2_map_of_no_columns", "nothing-to-do", With<&V2::l1W, 0>, {.chip = "Ascend310P3"}},
    {"load3dv2_no_channels", "nothing-to-do", With<&V2::channelSize, 0>, {.core = CoreChoice::kCube}},
    {"load3dv2_window_of_no_columns", "nothing-to-do", With<&V2::kExtension, 0>, {.core = CoreChoice::kCube}},
    {"load3dv2_window_of_no_rows", "nothing-to-do", With<&V2::mExtension, 0>, {.chip = "Ascend310P3"}},
    {"load3dv2_filter_zero", "nothing-to-do", With<&V2::filterW, 0>, {.chip = "Ascend310P3"}},
    {"load3dv2_map_too_high", "parameter-range", With<&V2::l1H, 32768>, {.core = CoreChoice::kCube}},
    {"load3dv2_first_row", "parameter-range", With<&V2::mStartPt, 32768>, {.core = CoreChoice::kCube}},
    {"load3dv2_stride_zero", "parameter-range", With<&V2::strideH, 0>, {.core = CoreChoice::kCube}},
    {"load3dv2_stride_too_large", "parameter-range", With<&V2::strideW, 64>, {.core = CoreChoice::kCube}},
    {"load3dv2_dilation_zero", "parameter-range",
     With<&V2::dilationFilterH, 0, half, TPosition::A2, &V2::filterH, 2>, {.core = CoreChoice::kCube}},
    {"load3dv2_channels_of_half", "parameter-range", With<&V2::channelSize, 6>, {.core = CoreChoice::kCube}},
    {"load3dv2_channels_of_int8", "parameter-range",
     With<&LoadData3DParamsV2<int8_t>::channelSize, 44, int8_t>, {.chip = "Ascend310P3"}},
    {"load3dv2_channels_of_float", "parameter-range",
     With<&LoadData3DParamsV2<float>::channelSize, 9, float>, {.core = CoreChoice::kCube}},
    {"load3dv2_first_column", "parameter-alignment", With<&V2::kStartPt, 8>, {.core = CoreChoice::kCube}},
    {"load3dv2_columns_of_a_part_of_c0", "parameter-alignment",
     With<&V2::kExtension, 12>, {.core = CoreChoice::kCube}},
    {"load3dv2_rows_of_a_part_of_a_fractal", "parameter-alignment",
     With<&V2::mExtension, 12>, {.chip = "Ascend310P3"}},
    {"load3dv2_filter_larger_than_the_map", "parameter-range", With<&V2::filterH, 5>, {.chip = "Ascend310P3"}},
    {"load3dv2_wide_filter_on_310p", "parameter-range", With<&V2::filterSizeW, true>, {.chip = "Ascend310P3"}},
    {"load3dv2_transposes_bytes", "transpose-unsupported",
     With<&LoadData3DParamsV2<int8_t>::enTranspose, true, int8_t>, {.core = CoreChoice::kCube}},
    {"load3dv2_of_bytes_into_l0b", "type-unsupported",
     With<&LoadData3DParamsV2<int8_t>::mExtension, 16, int8_t, TPosition::B2>, {.core = CoreChoice::kCube}},
    {"load3dv2_window_past_the_matrix", "load-past-matrix", With<&V2::kExtension, 32>, {.core = CoreChoice::kCube}},
    {"load3dv2_reads_past_its_l1_tensor", "out-of-buffer", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 128);
         Wrong(), LoadData(a2, a1, OneWindow<half>());
     }, {.core = CoreChoice::kCube}},
    {"load3dv2_writes_past_its_l0a_tensor", "out-of-buffer", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 128), a1 = At<half>(TPosition::A1, 256);
         Wrong(), LoadData(a2, a1, OneWindow<half>());
     }, {.core = CoreChoice::kCube}},
    {"load3dv2_a2_misaligned", "l0-alignment", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 256, 32), a1 = At<half>(TPosition::A1, 256);
         Wrong(), LoadData(a2, a1, OneWindow<half>());
     }, {.core = CoreChoice::kCube}},
    {"load3dv2_into_ub_on_310b", "memory-path", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto in = At<half>(TPosition::VECIN, 256), a1 = At<half>(TPosition::A1, 256);
         Wrong(), LoadData(in, a1, OneWindow<half>());
     }, {.chip = "Ascend310B1"}},
    {"load3dv2_on_910", "instruction-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
         Wrong(), LoadData(a2, a1, OneWindow<half>());
     }, {.chip = "Ascend910A"}},
    {"load3dv2_of_uint16", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<uint16_t>(TPosition::A2, 256), a1 = At<uint16_t>(TPosition::A1, 256);
         Wrong(), LoadData(a2, a1, OneWindow<uint16_t>());
     }, {.core = CoreChoice::kCube}},
    {"load3dv2_boundary_before_its_tensor", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256, 4096);
         SetLoadDataBoundary(2048);
         Wrong(), LoadData(a2, a1, OneWindow<half>());
     }, {.core = CoreChoice::kCube}},
    {"load3dv2_register_repeats_none", "nothing-to-do", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
         SetLoadDataRepeat({1, 0, 0});
         Wrong(), LoadData(a2, a1, OneWindow<half>());
     }, {.core = CoreChoice::kCube}},
    {"load3dv2_register_repeat_mode", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
         SetLoadDataRepeat({1, 2, 2});
         Wrong(), LoadData(a2, a1, OneWindow<half>());
     }, {.core = CoreChoice::kCube}},
    {"load3dv2_right_register", "fmatrix-right", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
         auto params = OneWindow<half>();
         params.fMatrixCtrl = true;
         Wrong(), LoadData(a2, a1, params);
     }, {.core = CoreChoice::kCube}},
    {"load3dv2_packed_without_a_feature_map", "fmatrix-unset", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
         LoadData3DParamsV2Pro params;
         params.channelSize = 16, params.extConfig = uint64_t{16} << 16 | 16;
         Wrong(), LoadData(a2, a1, params);
     }, {.core = CoreChoice::kCube}},
};

}  // namespace sfumato::wrong
