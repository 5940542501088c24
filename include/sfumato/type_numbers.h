// SPDX-License-Identifier: Apache-2.0
// The numbers of element types and formats that builds compare: DT_FLOAT16, C_DT_FLOAT16, FORMAT_ND (framework.md 4.8).
#pragma once

// SFUMATO_TYPE_NUMBER(word of DT_, number, C++ type, other spellings)
#define SFUMATO_TYPE_NUMBERS(X)         \
    X(FLOAT, 0, float, "float32")       \
    X(FLOAT16, 1, half, "float16")      \
    X(INT8, 2, int8_t, "int8")          \
    X(INT32, 3, int32_t, "int32")       \
    X(UINT8, 4, uint8_t, "uint8")       \
    X(INT16, 6, int16_t, "int16")       \
    X(UINT16, 7, uint16_t, "uint16")    \
    X(UINT32, 8, uint32_t, "uint32")    \
    X(INT64, 9, int64_t, "int64")       \
    X(UINT64, 10, uint64_t, "uint64")   \
    X(DOUBLE, 11, double, "float64")    \
    X(BOOL, 12, bool, "bool")           \
    X(BF16, 27, bfloat16_t, "bfloat16") \
    X(INT4, 29, int4b_t, "int4")

// Of Ascend950: floats of 8 and 4 bits (small_float_types.h).
#define SFUMATO_SMALL_FLOAT_NUMBERS(X)                  \
    X(HIFLOAT8, 34, hifloat8_t, "hifloat8")             \
    X(FLOAT8_E5M2, 35, fp8_e5m2_t, "float8_e5m2")       \
    X(FLOAT8_E4M3FN, 36, fp8_e4m3fn_t, "float8_e4m3fn") \
    X(FLOAT8_E8M0, 37, fp8_e8m0_t, "float8_e8m0")       \
    X(FLOAT4_E2M1, 40, fp4x2_e2m1_t, "float4_e2m1")     \
    X(FLOAT4_E1M2, 41, fp4x2_e1m2_t, "float4_e1m2")

// SFUMATO_FORMAT_NUMBER(word of FORMAT_, number)
#define SFUMATO_FORMAT_NUMBERS(X) \
    X(NCHW, 0)                    \
    X(NHWC, 1)                    \
    X(ND, 2)                      \
    X(NC1HWC0, 3)                 \
    X(FRACTAL_Z, 4)               \
    X(NDHWC, 27)                  \
    X(FRACTAL_NZ, 29)             \
    X(NCDHW, 30)                  \
    X(NCL, 47)

#define C_DT_FLOAT 0
#define C_DT_FLOAT16 1
#define C_DT_INT8 2
#define C_DT_INT32 3
#define C_DT_UINT8 4
#define C_DT_INT16 6
#define C_DT_UINT16 7
#define C_DT_UINT32 8
#define C_DT_INT64 9
#define C_DT_UINT64 10
#define C_DT_DOUBLE 11
#define C_DT_BOOL 12
#define C_DT_BF16 27
#define C_DT_INT4 29
#define C_DT_HIFLOAT8 34
#define C_DT_FLOAT8_E5M2 35
#define C_DT_FLOAT8_E4M3FN 36
#define C_DT_FLOAT8_E8M0 37
#define C_DT_FLOAT4_E2M1 40
#define C_DT_FLOAT4_E1M2 41
#define C_FORMAT_NCHW 0
#define C_FORMAT_NHWC 1
#define C_FORMAT_ND 2
#define C_FORMAT_NC1HWC0 3
#define C_FORMAT_FRACTAL_Z 4
#define C_FORMAT_NDHWC 27
#define C_FORMAT_FRACTAL_NZ 29
#define C_FORMAT_NCDHW 30
#define C_FORMAT_NCL 47
