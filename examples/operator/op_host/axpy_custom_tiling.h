// SPDX-License-Identifier: Apache-2.0
// What the host tells the kernel.
#ifndef AXPY_CUSTOM_TILING_H
#define AXPY_CUSTOM_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(AxpyCustomTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);  // elements in all
TILING_DATA_FIELD_DEF(uint32_t, share);   // elements of a block, but of the last
TILING_DATA_FIELD_DEF(uint32_t, tile);    // elements at once
TILING_DATA_FIELD_DEF(float, alpha);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(AxpyCustom, AxpyCustomTilingData)
}  // namespace optiling
#endif
