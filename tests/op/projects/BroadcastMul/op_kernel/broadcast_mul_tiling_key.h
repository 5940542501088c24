// SPDX-License-Identifier: Apache-2.0
// The kernels that there are: how y spreads over x, and whether a tile may be short.
#ifndef BROADCAST_MUL_TILING_KEY_H
#define BROADCAST_MUL_TILING_KEY_H
#include "ascendc/host_api/tiling/template_argument.h"

#define BRC_NONE 0
#define BRC_SCALAR 1
#define BRC_ROW 2

ASCENDC_TPL_ARGS_DECL(BroadcastMul,
                      ASCENDC_TPL_DATATYPE_DECL(D_T, C_DT_FLOAT, C_DT_FLOAT16, C_DT_INT32, ASCENDC_TPL_INPUT(0)),
                      ASCENDC_TPL_UINT_DECL(BRC, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_LIST, BRC_NONE, BRC_SCALAR, BRC_ROW),
                      ASCENDC_TPL_BOOL_DECL(HAS_TAIL, 0, 1), );

ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(D_T, C_DT_FLOAT, C_DT_FLOAT16, C_DT_INT32),
                                     ASCENDC_TPL_UINT_SEL(BRC, ASCENDC_TPL_UI_LIST, BRC_NONE, BRC_ROW),
                                     ASCENDC_TPL_BOOL_SEL(HAS_TAIL, 0, 1)),
                ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(D_T, C_DT_FLOAT, C_DT_FLOAT16),
                                     ASCENDC_TPL_UINT_SEL(BRC, ASCENDC_TPL_UI_LIST, BRC_SCALAR),
                                     ASCENDC_TPL_BOOL_SEL(HAS_TAIL, 1)), );
#endif
