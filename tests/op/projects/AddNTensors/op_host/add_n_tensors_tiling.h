// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <register/tilingdata_base.h>

namespace optiling {
BEGIN_TILING_DATA_DEF(AddNTensorsTilingData)
TILING_DATA_FIELD_DEF(uint32_t, count);
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF(uint32_t, tile);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(AddNTensors, AddNTensorsTilingData)
}  // namespace optiling
