// SPDX-License-Identifier: Apache-2.0
// What the host and the kernels of tiling.cpp agree on.
#pragma once

#include "ascendc/host_api/tiling/template_argument.h"
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ScaleTiling)
TILING_DATA_FIELD_DEF(uint32_t, rows);
TILING_DATA_FIELD_DEF(uint32_t, columns);
TILING_DATA_FIELD_DEF(float, factor);
TILING_DATA_FIELD_DEF(float, offset);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Scale, ScaleTiling)
}  // namespace optiling

ASCENDC_TPL_ARGS_DECL(Combine, ASCENDC_TPL_DATATYPE_DECL(T, C_DT_FLOAT, C_DT_FLOAT16, C_DT_INT32),
                      ASCENDC_TPL_UINT_DECL(OPERATION, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_LIST, 0, 1, 2),
                      ASCENDC_TPL_BOOL_DECL(NEGATE, 0, 1));

ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(T, C_DT_FLOAT, C_DT_FLOAT16, C_DT_INT32),
                                     ASCENDC_TPL_UINT_SEL(OPERATION, ASCENDC_TPL_UI_LIST, 0, 1, 2),
                                     ASCENDC_TPL_BOOL_SEL(NEGATE, 0, 1)));
