// SPDX-License-Identifier: Apache-2.0
// Parameter structs and enumerations of LoadData and Mmad (cube.md 3, 4): names, widths and constructor orders programs
// rely on. Members have the ranges and units of the API pages.
#pragma once

#include "sfumato/ascendc/types.h"

namespace AscendC {

// LoadData, Load2D (table 3).
struct LoadData2DParams {
    constexpr LoadData2DParams() = default;
    constexpr LoadData2DParams(uint16_t start, uint8_t repeats, uint16_t stride, uint8_t sid_, uint16_t gap,
                               bool transpose, uint8_t mode)
        : startIndex(start),
          dstGap(gap),
          srcStride(stride),
          ifTranspose(transpose),
          repeatTimes(repeats),
          sid(sid_),
          addrMode(mode) {}
    uint16_t startIndex = 0;
    uint16_t dstGap = 0;
    uint16_t srcStride = 0;
    bool ifTranspose = false;
    uint8_t repeatTimes = 0;
    uint8_t sid = 0;
    uint8_t addrMode = 0;
};
using LoadData2dParams = LoadData2DParams;

// LoadDataWithTranspose.
struct LoadData2dTransposeParams {
    constexpr LoadData2dTransposeParams() = default;
    constexpr LoadData2dTransposeParams(uint16_t start, uint8_t repeats, uint16_t stride, uint16_t gap,
                                        uint16_t fractal_gap, uint8_t mode = 0)
        : startIndex(start),
          repeatTimes(repeats),
          srcStride(stride),
          dstGap(gap),
          dstFracGap(fractal_gap),
          addrMode(mode) {}
    uint16_t startIndex = 0;
    uint8_t repeatTimes = 0;
    uint16_t srcStride = 0;
    uint16_t dstGap = 0;
    uint16_t dstFracGap = 0;
    uint8_t addrMode = 0;
};

// Which registers Load3D writes from its own parameters before it runs; the others keep what Set... left.
struct IsResetLoad3dConfig {
    bool isSetFMatrix = true;
    bool isSetPadding = true;
};
inline constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true, true};

enum class FmatrixMode : uint8_t { FMATRIX_LEFT = 0, FMATRIX_RIGHT = 1 };

// SetLoadDataRepeat.
struct LoadDataRepeatParam {
    constexpr LoadDataRepeatParam() = default;
    constexpr LoadDataRepeatParam(uint16_t stride, uint8_t time, uint8_t mode)
        : repeatStride(stride), repeatTime(time), repeatMode(mode) {}
    uint16_t repeatStride = 0;
    uint8_t repeatTime = 1;
    uint8_t repeatMode = 0;
};

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

// Load3Dv2 with its window and filter packed in two words; feature map and padding come from the registers.
struct LoadData3DParamsV2Pro {
    constexpr LoadData3DParamsV2Pro() = default;
    constexpr LoadData3DParamsV2Pro(uint16_t channels, bool transpose, bool small_k, bool filter_size_w,
                                    bool filter_size_h, bool fmatrix_right, uint64_t window, uint64_t filter)
        : channelSize(channels),
          enTranspose(transpose),
          enSmallK(small_k),
          filterSizeW(filter_size_w),
          filterSizeH(filter_size_h),
          fMatrixCtrl(fmatrix_right),
          extConfig(window),
          filterConfig(filter) {}
    uint16_t channelSize = 0;
    bool enTranspose = false;
    bool enSmallK = false;
    bool filterSizeW = false;
    bool filterSizeH = false;
    bool fMatrixCtrl = false;
    uint64_t extConfig = 0;                     // mStartPt, kStartPt, mExtension, kExtension: 16 bits each, high to low
    uint64_t filterConfig = 0x010101010101ull;  // dilation H, W; filter H, W; stride H, W: 8 bits each, high to low
};

struct MmadParams {
    constexpr MmadParams() = default;
    constexpr MmadParams(uint16_t m_, uint16_t n_, uint16_t k_, bool bias, int32_t fm_offset, bool sparse,
                         bool winograd_a, bool winograd_b)
        : m(m_),
          n(n_),
          k(k_),
          isBias(bias),
          fmOffset(fm_offset),
          enSsparse(sparse),
          enWinogradA(winograd_a),
          enWinogradB(winograd_b) {}
    constexpr MmadParams(uint16_t m_, uint16_t n_, uint16_t k_, uint8_t unit_flag, bool source, bool init)
        : m(m_), n(n_), k(k_), unitFlag(unit_flag), cmatrixInitVal(init), cmatrixSource(source) {}
    uint16_t m = 0;
    uint16_t n = 0;
    uint16_t k = 0;
    bool isBias = false;
    int32_t fmOffset = 0;
    bool enSsparse = false;
    bool enWinogradA = false;
    bool enWinogradB = false;
    uint8_t unitFlag = 0;
    bool kDirectionAlign = false;
    bool cmatrixInitVal = true;
    bool cmatrixSource = false;
};

}  // namespace AscendC
