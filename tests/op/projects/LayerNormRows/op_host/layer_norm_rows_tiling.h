// SPDX-License-Identifier: Apache-2.0
#ifndef LAYER_NORM_ROWS_TILING_H
#define LAYER_NORM_ROWS_TILING_H
#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(LayerNormRowsTilingData)
TILING_DATA_FIELD_DEF(uint32_t, rowNum);
TILING_DATA_FIELD_DEF(uint32_t, tileRows);
TILING_DATA_FIELD_DEF(uint32_t, hidden);
TILING_DATA_FIELD_DEF(uint32_t, hiddenAlign);
TILING_DATA_FIELD_DEF(uint32_t, tmpSize);
TILING_DATA_FIELD_DEF(float, epsilon);
TILING_DATA_FIELD_DEF_STRUCT(LayerNormTiling, layernormTiling);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(LayerNormRows, LayerNormRowsTilingData)
}  // namespace optiling
#endif
