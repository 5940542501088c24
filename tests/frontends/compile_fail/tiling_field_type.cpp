// SPDX-License-Identifier: Apache-2.0
// framework.md 6.4 Y10.
// expect: TILING_DATA_FIELD_DEF: a field is bool, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t or float
#include "register/tilingdata_base.h"

BEGIN_TILING_DATA_DEF(Data)
#ifdef WRONG
TILING_DATA_FIELD_DEF(double, flag);
#else
TILING_DATA_FIELD_DEF(uint8_t, flag);
#endif
END_TILING_DATA_DEF;
