// SPDX-License-Identifier: Apache-2.0
#ifndef POLY_ACTIVATION_TILING_H
#define POLY_ACTIVATION_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
constexpr uint32_t MAX_COEFFS = 8;

BEGIN_TILING_DATA_DEF(PolyActivationTilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);
TILING_DATA_FIELD_DEF(uint32_t, coreLength);
TILING_DATA_FIELD_DEF(uint32_t, tileLength);
TILING_DATA_FIELD_DEF(uint32_t, coeffNum);
TILING_DATA_FIELD_DEF_ARR(float, 8, coeffs);
TILING_DATA_FIELD_DEF(int32_t, repeat);
TILING_DATA_FIELD_DEF(float, slope);
TILING_DATA_FIELD_DEF(uint8_t, clip);
TILING_DATA_FIELD_DEF(uint8_t, activation);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(PolyActivation, PolyActivationTilingData)
}  // namespace optiling
#endif
