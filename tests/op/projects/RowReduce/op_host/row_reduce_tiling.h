// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(RowReduceTilingData)
TILING_DATA_FIELD_DEF(uint64_t, rows);
TILING_DATA_FIELD_DEF(uint32_t, cols);
TILING_DATA_FIELD_DEF(uint32_t, tileCols);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(RowReduce, RowReduceTilingData)
}  // namespace optiling
