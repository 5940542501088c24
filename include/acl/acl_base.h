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
typedef struct aclDataBuffer aclDataBuffer;
typedef struct aclTensorDesc aclTensorDesc;

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

// Where the bytes of a tensor of a single-operator call lie.
typedef enum { ACL_MEMTYPE_DEVICE = 0, ACL_MEMTYPE_HOST = 1, ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT = 2 } aclMemType;
typedef enum { ACL_DEBUG = 0, ACL_INFO = 1, ACL_WARNING = 2, ACL_ERROR = 3 } aclLogLevel;

#define ACL_TENSOR_SHAPE_RANGE_NUM 2
#define ACL_TENSOR_VALUE_RANGE_NUM 2
#define ACL_UNKNOWN_RANK 0xFFFFFFFFFFFFFFFE

// Bytes of an element; 0 for types of no whole number of bytes and for undefined ones (decided).
SFUMATO_ACL size_t aclDataTypeSize(aclDataType type);
// The nearest half, ties to even, as every conversion of the chips rounds by default.
SFUMATO_ACL aclFloat16 aclFloatToFloat16(float value);
SFUMATO_ACL float aclFloat16ToFloat(aclFloat16 value);

// What went wrong in this thread since the last call, the reports included; NULL when nothing did. Valid until the
// thread calls again.
SFUMATO_ACL const char* aclGetRecentErrMsg(void);

// A line of the program's own log: from ACL_WARNING on to standard error.
SFUMATO_ACL void aclAppLog(aclLogLevel logLevel, const char* func, const char* file, uint32_t line, const char* fmt,
                           ...) __attribute__((format(printf, 5, 6)));
#define ACL_APP_LOG(level, fmt, ...) aclAppLog(level, __FUNCTION__, __FILE__, __LINE__, fmt, ##__VA_ARGS__)

// Memory that a single-operator call reads or writes; it stays the caller's.
SFUMATO_ACL aclDataBuffer* aclCreateDataBuffer(void* data, size_t size);
SFUMATO_ACL aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer);
SFUMATO_ACL aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size);
SFUMATO_ACL void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer);
SFUMATO_ACL uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer);
SFUMATO_ACL size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer);

// What a tensor of a single-operator call is. A dimension of -1 is not known, dims of one -2 say not even how many
// there are; ACL_DT_UNDEFINED without dimensions is an optional input that is absent. NULL after a refusal.
SFUMATO_ACL aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t* dims,
                                               aclFormat format);
SFUMATO_ACL void aclDestroyTensorDesc(const aclTensorDesc* desc);
SFUMATO_ACL aclDataType aclGetTensorDescType(const aclTensorDesc* desc);
SFUMATO_ACL aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc);
// Bytes, and elements, of the dimensions it was made with; 0 where one is not known.
SFUMATO_ACL size_t aclGetTensorDescSize(const aclTensorDesc* desc);
SFUMATO_ACL size_t aclGetTensorDescElementCount(const aclTensorDesc* desc);
SFUMATO_ACL size_t aclGetTensorDescNumDims(const aclTensorDesc* desc);
SFUMATO_ACL int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index);  // -1: there is none
SFUMATO_ACL aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* dimSize);
SFUMATO_ACL aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index, size_t dimRangeNum,
                                              int64_t* dimRange);
SFUMATO_ACL void aclSetTensorDescName(aclTensorDesc* desc, const char* name);
SFUMATO_ACL const char* aclGetTensorDescName(aclTensorDesc* desc);
SFUMATO_ACL aclError aclSetTensorShapeRange(aclTensorDesc* desc, size_t dimsCount,
                                            int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM]);
SFUMATO_ACL aclError aclSetTensorValueRange(aclTensorDesc* desc, size_t valueCount,
                                            int64_t valueRange[][ACL_TENSOR_VALUE_RANGE_NUM]);
// How the elements lie in memory, where that is not as the dimensions say; the pairs of calls are one.
SFUMATO_ACL aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format);
SFUMATO_ACL aclError aclSetTensorShape(aclTensorDesc* desc, int numDims, const int64_t* dims);
SFUMATO_ACL aclError aclSetTensorStorageFormat(aclTensorDesc* desc, aclFormat format);
SFUMATO_ACL aclError aclSetTensorStorageShape(aclTensorDesc* desc, int numDims, const int64_t* dims);
SFUMATO_ACL aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format);
SFUMATO_ACL aclError aclSetTensorOriginShape(aclTensorDesc* desc, int numDims, const int64_t* dims);
// The tensor belongs to the dynamic input of this name.
SFUMATO_ACL aclError aclSetTensorDynamicInput(aclTensorDesc* desc, const char* dynamicInputName);
// The values of an input that host code reads; they are copied.
SFUMATO_ACL aclError aclSetTensorConst(aclTensorDesc* desc, void* dataBuffer, size_t length);
SFUMATO_ACL aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memType);
