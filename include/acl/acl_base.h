// SPDX-License-Identifier: Apache-2.0
// Types, error codes and conversions of the runtime's C interface (docs/spec/framework.md 5.3, 5.4).
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define SFUMATO_ACL extern "C" __attribute__((visibility("default")))
#else
#define SFUMATO_ACL __attribute__((visibility("default")))
#endif

typedef int aclError;
typedef uint16_t aclFloat16;
typedef void* aclrtStream;
typedef void* aclrtEvent;
typedef void* aclrtContext;

#define SFUMATO_ACL_ERROR(name, number, words) static const aclError name __attribute__((unused)) = number;
#include "acl/error_codes.inc"
#undef SFUMATO_ACL_ERROR

typedef enum {
    ACL_DT_UNDEFINED = -1,
    ACL_FLOAT = 0,
    ACL_FLOAT16 = 1,
    ACL_INT8 = 2,
    ACL_INT32 = 3,
    ACL_UINT8 = 4,
    ACL_INT16 = 6,
    ACL_UINT16 = 7,
    ACL_UINT32 = 8,
    ACL_INT64 = 9,
    ACL_UINT64 = 10,
    ACL_DOUBLE = 11,
    ACL_BOOL = 12,
    ACL_STRING = 13,
    ACL_COMPLEX64 = 16,
    ACL_COMPLEX128 = 17,
    ACL_BF16 = 27,
    ACL_INT4 = 29,
    ACL_UINT1 = 30,
    ACL_COMPLEX32 = 33,
    ACL_HIFLOAT8 = 34,
    ACL_FLOAT8_E5M2 = 35,
    ACL_FLOAT8_E4M3FN = 36,
    ACL_FLOAT8_E8M0 = 37,
    ACL_FLOAT6_E3M2 = 38,
    ACL_FLOAT6_E2M3 = 39,
    ACL_FLOAT4_E2M1 = 40,
    ACL_FLOAT4_E1M2 = 41
} aclDataType;

typedef enum {
    ACL_FORMAT_UNDEFINED = -1,
    ACL_FORMAT_NCHW = 0,
    ACL_FORMAT_NHWC = 1,
    ACL_FORMAT_ND = 2,
    ACL_FORMAT_NC1HWC0 = 3,
    ACL_FORMAT_FRACTAL_Z = 4,
    ACL_FORMAT_NC1HWC0_C04 = 12,
    ACL_FORMAT_HWCN = 16,
    ACL_FORMAT_NDHWC = 27,
    ACL_FORMAT_FRACTAL_NZ = 29,
    ACL_FORMAT_NCDHW = 30,
    ACL_FORMAT_NDC1HWC0 = 32,
    ACL_FRACTAL_Z_3D = 33,
    ACL_FORMAT_NC = 35,
    ACL_FORMAT_NCL = 47
} aclFormat;

// Bytes of an element; 0 for types of no whole number of bytes and for undefined ones (decided).
SFUMATO_ACL size_t aclDataTypeSize(aclDataType type);
// The nearest half, ties to even, as every conversion of the chips rounds by default.
SFUMATO_ACL aclFloat16 aclFloatToFloat16(float value);
SFUMATO_ACL float aclFloat16ToFloat(aclFloat16 value);

// What went wrong in this thread since the last call, the reports included; NULL when nothing did. Valid until the
// thread calls again.
SFUMATO_ACL const char* aclGetRecentErrMsg(void);
