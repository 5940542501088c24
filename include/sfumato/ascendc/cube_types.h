// SPDX-License-Identifier: Apache-2.0
// Parameter structs and enumerations of LoadData and Mmad (cube.md 3, 4): names, widths and constructor orders programs
// rely on. Members have the ranges and units of the API pages.
#pragma once

#include "sfumato/ascendc/types.h"

namespace AscendC {

// Which registers Load3D writes from its own parameters before it runs; the others keep what Set... left.
struct IsResetLoad3dConfig {
    bool isSetFMatrix = true;
    bool isSetPadding = true;
};
inline constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true, true};

enum class FmatrixMode : uint8_t { FMATRIX_LEFT = 0, FMATRIX_RIGHT = 1 };

enum class HF32Mode { ENABLE, DISABLE };
enum class HF32TransMode { NEAREST_ZERO, NEAREST_EVEN };

}  // namespace AscendC

namespace sfumato::ascendc {

// The untyped parts of LoadData3DParamsV1 and V2. padList: left, right, top, bottom.
struct Load3Dv1Params {
    uint8_t padList[4] = {};
    uint16_t l1H = 0;
    uint16_t l1W = 0;
    uint16_t c1Index = 0;
    uint8_t fetchFilterW = 0;
    uint8_t fetchFilterH = 0;
    int16_t leftTopW = 0;
    int16_t leftTopH = 0;
    uint8_t strideW = 1;
    uint8_t strideH = 1;
    uint8_t filterW = 1;
    uint8_t filterH = 1;
    uint8_t dilationFilterW = 1;
    uint8_t dilationFilterH = 1;
    uint8_t jumpStride = 1;
    uint8_t repeatMode = 0;
    uint8_t repeatTime = 0;
    uint8_t cSize = 0;
};
struct Load3Dv2Params {
    uint8_t padList[4] = {};
    uint16_t l1H = 0;
    uint16_t l1W = 0;
    uint16_t channelSize = 0;
    uint16_t kExtension = 0;
    uint16_t mExtension = 0;
    uint16_t kStartPt = 0;
    uint16_t mStartPt = 0;
    uint8_t strideW = 1;
    uint8_t strideH = 1;
    uint8_t filterW = 1;
    uint8_t filterH = 1;
    uint8_t dilationFilterW = 1;
    uint8_t dilationFilterH = 1;
    bool enTranspose = false;
    bool enSmallK = false;
    bool filterSizeW = false;
    bool filterSizeH = false;
    bool fMatrixCtrl = false;
};

}  // namespace sfumato::ascendc

namespace AscendC {

// LoadData, Load3Dv1 (table 4).
template <class T>
struct LoadData3DParamsV1 : sfumato_::Load3Dv1Params {
    constexpr LoadData3DParamsV1() = default;
    constexpr LoadData3DParamsV1(const uint8_t pads[4], uint16_t height, uint16_t width, uint16_t c1, uint8_t fetch_w,
                                 uint8_t fetch_h, int16_t left, int16_t top, uint8_t stride_w, uint8_t stride_h,
                                 uint8_t filter_w, uint8_t filter_h, uint8_t dilation_w, uint8_t dilation_h,
                                 uint8_t jump, uint8_t mode, uint8_t repeats, uint8_t c_size, T pad_value)
        : Load3Dv1Params{{pads[0], pads[1], pads[2], pads[3]},
                         height,
                         width,
                         c1,
                         fetch_w,
                         fetch_h,
                         left,
                         top,
                         stride_w,
                         stride_h,
                         filter_w,
                         filter_h,
                         dilation_w,
                         dilation_h,
                         jump,
                         mode,
                         repeats,
                         c_size},
          padValue(pad_value) {}
    T padValue = T();
};

// LoadData, Load3Dv2 (table 5).
template <class T>
struct LoadData3DParamsV2 : sfumato_::Load3Dv2Params {
    constexpr LoadData3DParamsV2() = default;
    constexpr LoadData3DParamsV2(const uint8_t pads[4], uint16_t height, uint16_t width, uint16_t channels,
                                 uint16_t k_extension, uint16_t m_extension, uint16_t k_start, uint16_t m_start,
                                 uint8_t stride_w, uint8_t stride_h, uint8_t filter_w, uint8_t filter_h,
                                 uint8_t dilation_w, uint8_t dilation_h, bool transpose, bool small_k, T pad_value)
        : LoadData3DParamsV2(pads, height, width, channels, k_extension, m_extension, k_start, m_start, stride_w,
                             stride_h, filter_w, filter_h, dilation_w, dilation_h, transpose, small_k, pad_value, false,
                             false, false) {}
    // Not a default argument each: a list of 19 is one of LoadData3DParamsV1.
    constexpr LoadData3DParamsV2(const uint8_t pads[4], uint16_t height, uint16_t width, uint16_t channels,
                                 uint16_t k_extension, uint16_t m_extension, uint16_t k_start, uint16_t m_start,
                                 uint8_t stride_w, uint8_t stride_h, uint8_t filter_w, uint8_t filter_h,
                                 uint8_t dilation_w, uint8_t dilation_h, bool transpose, bool small_k, T pad_value,
                                 bool filter_size_w, bool filter_size_h, bool fmatrix_right)
        : Load3Dv2Params{{pads[0], pads[1], pads[2], pads[3]},
                         height,
                         width,
                         channels,
                         k_extension,
                         m_extension,
                         k_start,
                         m_start,
                         stride_w,
                         stride_h,
                         filter_w,
                         filter_h,
                         dilation_w,
                         dilation_h,
                         transpose,
                         small_k,
                         filter_size_w,
                         filter_size_h,
                         fmatrix_right},
          padValue(pad_value) {}
    T padValue = T();
};

}  // namespace AscendC

#include "sfumato/ascendc/calls/cube_params.h"
