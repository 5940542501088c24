// SPDX-License-Identifier: Apache-2.0
// LoadData and LoadDataWithTranspose, and the registers Load3D reads (cube.md 3).
#pragma once

#include "sfumato/ascendc/ends.h"

namespace AscendC {

// Load2D: fractals of 512 bytes.
template <class T>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData2DParams& params, SFUMATO_AT) {
    sfumato_::load2d(sfumato_::Join<sfumato_::Ends>(dst, src, where), params);
}
template <class T>
void LoadData(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const LoadData2DParams& params, SFUMATO_AT) {
    sfumato_::load2d(sfumato_::Join<sfumato_::Ends>(dst, src, where), params);
}

// Load3D: windows of a feature map as the rows of a matrix.
template <class T, IsResetLoad3dConfig defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData3DParamsV1<T>& params, SFUMATO_AT) {
    sfumato_::load3dv1(sfumato_::Join<sfumato_::Ends>(dst, src, where), params, sfumato_::ToBits(params.padValue),
                       defaultConfig);
}
template <class T, IsResetLoad3dConfig defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData3DParamsV2<T>& params, SFUMATO_AT) {
    sfumato_::load3dv2(sfumato_::Join<sfumato_::Ends>(dst, src, where), params, sfumato_::ToBits(params.padValue),
                       defaultConfig);
}
template <class T>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData3DParamsV2Pro& params, SFUMATO_AT) {
    sfumato_::load3dv2(sfumato_::Join<sfumato_::Ends>(dst, src, where), params);
}

// Squares of 64, 32 or 16 elements a side, transposed.
template <class T>
void LoadDataWithTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                           const LoadData2dTransposeParams& params, SFUMATO_AT) {
    sfumato_::load2d_transpose(sfumato_::Join<sfumato_::Ends>(dst, src, where), params);
}

// padList: left, right, top, bottom.
inline void SetFmatrix(uint16_t l1H, uint16_t l1W, const uint8_t padList[4], const FmatrixMode& fmatrixMode,
                       SFUMATO_AT) {
    sfumato_::SetFeatureMap(l1H, l1W, padList, fmatrixMode, where);
}
template <class T>
void SetLoadDataPaddingValue(const T padValue) {
    sfumato_::SetLoadPad(sfumato_::ToBits(padValue), sizeof(T));
}
// Load3Dv1: in units of 32 bytes; Load3Dv2: in bytes. 0: none.
inline void SetLoadDataBoundary(uint32_t boundaryValue, SFUMATO_AT) { sfumato_::SetLoadBoundary(boundaryValue, where); }
inline void SetLoadDataRepeat(const LoadDataRepeatParam& params, SFUMATO_AT) { sfumato_::SetLoadRepeat(params, where); }

}  // namespace AscendC
