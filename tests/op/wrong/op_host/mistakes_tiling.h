// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(MistakesTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF(uint32_t, tile);
TILING_DATA_FIELD_DEF_ARR(int32_t, 4, sizes);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Mistakes, MistakesTilingData)
}  // namespace optiling
