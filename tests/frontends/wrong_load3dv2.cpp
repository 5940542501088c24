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

std::vector<Program> Load3Dv2Programs() {
    using V2 = LoadData3DParamsV2<half>;
    return {
        {.name = "load3dv2_map_of_no_columns", .kernel = With<&V2::l1W, 0>,
         .report = {.severity = Severity::kNote, .rule = "nothing-to-do", .instruction = "LoadData", .operand = "l1W",
                    .message = "LoadData: l1W is 0: nothing is done",
                    .found = "0", .legal = "1..32767", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv2_no_channels", .kernel = With<&V2::channelSize, 0>,
         .report = {.severity = Severity::kNote, .rule = "nothing-to-do", .instruction = "LoadData",
                    .operand = "channelSize",
                    .message = "LoadData: channelSize is 0: nothing is done",
                    .found = "0", .legal = "1..65535", .hint = "check how the value is computed", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_window_of_no_columns", .kernel = With<&V2::kExtension, 0>,
         .report = {.severity = Severity::kNote, .rule = "nothing-to-do", .instruction = "LoadData",
                    .operand = "kExtension",
                    .message = "LoadData: kExtension is 0: nothing is done",
                    .found = "0", .legal = "1..65535", .hint = "check how the value is computed", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_window_of_no_rows", .kernel = With<&V2::mExtension, 0>,
         .report = {.severity = Severity::kNote, .rule = "nothing-to-do", .instruction = "LoadData",
                    .operand = "mExtension",
                    .message = "LoadData: mExtension is 0: nothing is done",
                    .found = "0", .legal = "1..65535", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv2_filter_zero", .kernel = With<&V2::filterW, 0>,
         .report = {.severity = Severity::kNote, .rule = "nothing-to-do", .instruction = "LoadData",
                    .operand = "filterW",
                    .message = "LoadData: filterW is 0: nothing is done",
                    .found = "0", .legal = "1..511", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv2_map_too_high", .kernel = With<&V2::l1H, 32768>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "l1H",
                    .message = "LoadData: l1H is out of range",
                    .found = "32768", .legal = "1..32767",
                    .hint = "check how the value is computed, or split the work into several calls", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_first_row", .kernel = With<&V2::mStartPt, 32768>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "mStartPt",
                    .message = "LoadData: mStartPt is out of range",
                    .found = "32768", .legal = "0..32767", .hint = "check how the value is computed", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_stride_zero", .kernel = With<&V2::strideH, 0>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "strideH",
                    .message = "LoadData: strideH is out of range",
                    .found = "0", .legal = "1..63", .hint = "check how the value is computed", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_stride_too_large", .kernel = With<&V2::strideW, 64>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "strideW",
                    .message = "LoadData: strideW is out of range",
                    .found = "64", .legal = "1..63", .hint = "check how the value is computed", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_dilation_zero", .kernel = With<&V2::dilationFilterH, 0, half, TPosition::A2, &V2::filterH, 2>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "dilationFilterH",
                    .message = "LoadData: dilationFilterH is out of range",
                    .found = "0", .legal = "1..255", .hint = "check how the value is computed", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_channels_of_half", .kernel = With<&V2::channelSize, 6>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "channelSize",
                    .message = "LoadData: channelSize is out of range",
                    .found = "6", .legal = "multiples of 16, and 4 or 8 more (half)",
                    .hint = "lay the feature map out in L1 with more channels a pixel, the rest 0", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_channels_of_int8", .kernel = With<&LoadData3DParamsV2<int8_t>::channelSize, 44, int8_t>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "channelSize",
                    .message = "LoadData: channelSize is out of range",
                    .found = "44", .legal = "multiples of 32, and 4 or 8 or 16 more (int8_t)",
                    .hint = "lay the feature map out in L1 with more channels a pixel, the rest 0", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv2_channels_of_float", .kernel = With<&LoadData3DParamsV2<float>::channelSize, 9, float>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "channelSize",
                    .message = "LoadData: channelSize is out of range",
                    .found = "9", .legal = "multiples of 8, and 4 more (float)",
                    .hint = "lay the feature map out in L1 with more channels a pixel, the rest 0", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_first_column", .kernel = With<&V2::kStartPt, 8>,
         .report = {.rule = "parameter-alignment", .instruction = "LoadData", .operand = "kStartPt",
                    .message = "LoadData: kStartPt is not a multiple of 16",
                    .found = "8", .legal = "a multiple of 16 (C0)", .hint = "take 0 or 16", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_columns_of_a_part_of_c0", .kernel = With<&V2::kExtension, 12>,
         .report = {.rule = "parameter-alignment", .instruction = "LoadData", .operand = "kExtension",
                    .message = "LoadData: kExtension is not a multiple of 16",
                    .found = "12", .legal = "a multiple of 16, unless the window reaches column 16",
                    .hint = "take 16", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_rows_of_a_part_of_a_fractal", .kernel = With<&V2::mExtension, 12>,
         .report = {.rule = "parameter-alignment", .instruction = "LoadData", .operand = "mExtension",
                    .message = "LoadData: mExtension is not a multiple of 16",
                    .found = "12", .legal = "a multiple of 16, unless the window reaches row 16", .hint = "take 16",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv2_filter_larger_than_the_map", .kernel = With<&V2::filterH, 5>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "filterH",
                    .message = "LoadData: filterH is out of range",
                    .found = "5", .legal = "at most 4: the padded feature map has 4 pixels there, the dilation is 1",
                    .hint = "check the sizes of the map and the filter, the padding and the dilation",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv2_wide_filter_on_310p", .kernel = With<&V2::filterSizeW, true>,
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "filterW",
                    .message = "LoadData: filterW is out of range",
                    .found = "257", .legal = "1..255: Ascend310P has no filterSizeW and filterSizeH",
                    .hint = "leave filterSizeW and filterSizeH false", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load3dv2_transposes_bytes",
         .kernel = With<&LoadData3DParamsV2<int8_t>::enTranspose, true, int8_t>,
         .report = {.rule = "transpose-unsupported", .instruction = "LoadData", .operand = "enTranspose",
                    .message = "LoadData: the load cannot transpose this",
                    .found = "int8_t, L1 to L0A", .legal = "16-bit and 32-bit types, L1 to L0A",
                    .hint = "use LoadDataWithTranspose", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_of_bytes_into_l0b",
         .kernel = With<&LoadData3DParamsV2<int8_t>::mExtension, 16, int8_t, TPosition::B2>,
         .report = {.rule = "type-unsupported", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: the element type cannot go to L0B",
                    .found = "int8_t", .legal = "half, bfloat16_t, int32_t, uint32_t, float",
                    .hint = "use another destination, or convert to a legal type first", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_window_past_the_matrix", .kernel = With<&V2::kExtension, 32>,
         .report = {.severity = Severity::kWarning, .rule = "load-past-matrix", .instruction = "LoadData",
                    .operand = "kExtension",
                    .message = "LoadData: whole fractals of the window lie past the matrix",
                    .found = "columns 0..32", .legal = "the 16 columns of the matrix, rounded up to whole fractals",
                    .hint = "make the window smaller", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_reads_past_its_l1_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 128);
             Wrong(), LoadData(a2, a1, OneWindow<half>());
         },
         .report = {.rule = "out-of-buffer", .instruction = "LoadData", .operand = "src",
                    .message = "LoadData: reads past the end of the tensor's buffer",
                    .found = "bytes 0..512 of L1, 256 bytes too many",
                    .legal = "up to byte 256: 128 elements of half from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_writes_past_its_l0a_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 128), a1 = At<half>(TPosition::A1, 256);
             Wrong(), LoadData(a2, a1, OneWindow<half>());
         },
         .report = {.rule = "out-of-buffer", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: writes past the end of the tensor's buffer",
                    .found = "bytes 0..512 of L0A, 256 bytes too many",
                    .legal = "up to byte 256: 128 elements of half from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_a2_misaligned",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 256, 32), a1 = At<half>(TPosition::A1, 256);
             Wrong(), LoadData(a2, a1, OneWindow<half>());
         },
         .report = {.rule = "l0-alignment", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: the destination is not aligned",
                    .found = "byte offset 32 in L0A", .legal = "a multiple of 512",
                    .hint = "start at an index that is a multiple of 256 elements of half", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_into_ub_on_310b",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto in = At<half>(TPosition::VECIN, 256), a1 = At<half>(TPosition::A1, 256);
             Wrong(), LoadData(in, a1, OneWindow<half>());
         },
         .report = {.rule = "memory-path", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: Ascend310B has no such move",
                    .found = "L1 to UB", .legal = "L1 to L0A, L1 to L0B",
                    .hint = "this path is there on Ascend310P: is the right chip chosen?", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "load3dv2_on_910",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
             Wrong(), LoadData(a2, a1, OneWindow<half>());
         },
         .report = {.rule = "instruction-unsupported", .instruction = "LoadData",
                    .message = "LoadData: Ascend910 does not have the form with LoadData3DParamsV2",
                    .found = "Ascend910", .legal = "Ascend310P, Ascend910B, Ascend310B",
                    .hint = "use LoadData3DParamsV1", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "load3dv2_of_uint16",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<uint16_t>(TPosition::A2, 256), a1 = At<uint16_t>(TPosition::A1, 256);
             Wrong(), LoadData(a2, a1, OneWindow<uint16_t>());
         },
         .report = {.rule = "type-unsupported", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: the element type is not supported on Ascend910B",
                    .found = "uint16_t",
                    .legal = "int4b_t, int8_t, uint8_t, half, bfloat16_t, int32_t, uint32_t, float",
                    .hint = "no other chip has this type: convert to a legal type first", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_boundary_before_its_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256, 4096);
             SetLoadDataBoundary(2048);
             Wrong(), LoadData(a2, a1, OneWindow<half>());
         },
         .report = {.rule = "parameter-range", .instruction = "LoadData",
                    .operand = "boundaryValue (SetLoadDataBoundary)",
                    .message = "LoadData: boundaryValue (SetLoadDataBoundary) is out of range",
                    .found = "2048", .legal = "more than 4096, the byte offset of src in L1",
                    .hint = "the value counts blocks of 32 bytes for LoadData3DParamsV1, bytes for V2",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_register_repeats_none",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
             SetLoadDataRepeat({1, 0, 0});
             Wrong(), LoadData(a2, a1, OneWindow<half>());
         },
         .report = {.severity = Severity::kNote, .rule = "nothing-to-do", .instruction = "LoadData",
                    .operand = "repeatTime (SetLoadDataRepeat)",
                    .message = "LoadData: repeatTime (SetLoadDataRepeat) is 0: nothing is done",
                    .found = "0", .legal = "1..255", .hint = "check how the value is computed", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_register_repeat_mode",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
             SetLoadDataRepeat({1, 2, 2});
             Wrong(), LoadData(a2, a1, OneWindow<half>());
         },
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "repeatMode (SetLoadDataRepeat)",
                    .message = "LoadData: repeatMode (SetLoadDataRepeat) is out of range",
                    .found = "2", .legal = "0..1", .hint = "check how the value is computed", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_right_register",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
             auto params = OneWindow<half>();
             params.fMatrixCtrl = true;
             Wrong(), LoadData(a2, a1, params);
         },
         .report = {.severity = Severity::kWarning, .rule = "fmatrix-right", .instruction = "LoadData",
                    .operand = "fMatrixCtrl",
                    .message = "LoadData: the register of FMATRIX_RIGHT is used, which the API page does not support",
                    .found = "fMatrixCtrl true", .legal = "false",
                    .hint = "use FMATRIX_LEFT for the left and the right matrix", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load3dv2_packed_without_a_feature_map",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 256), a1 = At<half>(TPosition::A1, 256);
             LoadData3DParamsV2Pro params;
             params.channelSize = 16, params.extConfig = uint64_t{16} << 16 | 16;
             Wrong(), LoadData(a2, a1, params);
         },
         .report = {.rule = "fmatrix-unset", .instruction = "LoadData", .operand = "isSetFMatrix",
                    .message = "LoadData: the feature map is taken from a register that nothing has set",
                    .found = "no SetFmatrix with FMATRIX_LEFT before",
                    .legal = "SetFmatrix, or a Load3D that sets the feature map, earlier on this core",
                    .hint = "call SetFmatrix(l1H, l1W, padList, ...) first; LoadData3DParamsV1 and V2 set it with "
                            "isSetFMatrix true", .core = "aic0"},
         .core = CoreChoice::kCube},
    };
}

}  // namespace sfumato::wrong
