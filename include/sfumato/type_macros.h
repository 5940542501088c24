// SPDX-License-Identifier: Apache-2.0
// What `#if ORIG_DTYPE_X == DT_FLOAT16` compares, for sources that a build gives types (framework.md 4.8). Macros: the
// preprocessor takes nothing else. Headers of host code have enumerators of these names: they begin with
// sfumato/type_macros_off.inc and end with this file where it was there before.
#define SFUMATO_TYPE_MACROS
#include "sfumato/type_numbers.h"

#define DT_FLOAT C_DT_FLOAT
#define DT_FLOAT16 C_DT_FLOAT16
#define DT_INT8 C_DT_INT8
#define DT_INT32 C_DT_INT32
#define DT_UINT8 C_DT_UINT8
#define DT_INT16 C_DT_INT16
#define DT_UINT16 C_DT_UINT16
#define DT_UINT32 C_DT_UINT32
#define DT_INT64 C_DT_INT64
#define DT_UINT64 C_DT_UINT64
#define DT_DOUBLE C_DT_DOUBLE
#define DT_BOOL C_DT_BOOL
#define DT_BF16 C_DT_BF16
#define DT_INT4 C_DT_INT4
#define DT_HIFLOAT8 C_DT_HIFLOAT8
#define DT_FLOAT8_E5M2 C_DT_FLOAT8_E5M2
#define DT_FLOAT8_E4M3FN C_DT_FLOAT8_E4M3FN
#define DT_FLOAT8_E8M0 C_DT_FLOAT8_E8M0
#define DT_FLOAT4_E2M1 C_DT_FLOAT4_E2M1
#define DT_FLOAT4_E1M2 C_DT_FLOAT4_E1M2
#define DT_UINT1 30  // a number alone: no build gives this type
#define FORMAT_NCHW C_FORMAT_NCHW
#define FORMAT_NHWC C_FORMAT_NHWC
#define FORMAT_ND C_FORMAT_ND
#define FORMAT_NC1HWC0 C_FORMAT_NC1HWC0
#define FORMAT_FRACTAL_Z C_FORMAT_FRACTAL_Z
#define FORMAT_NDHWC C_FORMAT_NDHWC
#define FORMAT_FRACTAL_NZ C_FORMAT_FRACTAL_NZ
#define FORMAT_NCDHW C_FORMAT_NCDHW
#define FORMAT_NCL C_FORMAT_NCL
