// SPDX-License-Identifier: Apache-2.0
// The objects that aclnn calls take (docs/spec/clients.md 5.1). What creates one returns NULL, everything else a code,
// when an argument is wrong; aclGetRecentErrMsg has the report then.
#pragma once

#include <stdbool.h>

#include "acl/acl_base.h"

typedef int32_t aclnnStatus;
typedef struct aclTensor aclTensor;
typedef struct aclScalar aclScalar;
typedef struct aclIntArray aclIntArray;
typedef struct aclBoolArray aclBoolArray;
typedef struct aclFloatArray aclFloatArray;
typedef struct aclFp16Array aclFp16Array;
typedef struct aclBf16Array aclBf16Array;
typedef struct aclTensorList aclTensorList;
typedef struct aclScalarList aclScalarList;
typedef struct aclOpExecutor aclOpExecutor;

#define ACLNN_SUCCESS 0
#define ACLNN_ERR_PARAM_NULLPTR 161001
#define ACLNN_ERR_PARAM_INVALID 161002
#define ACLNN_ERR_RUNTIME_ERROR 361001
#define ACLNN_ERR_INNER 561000
#define ACLNN_ERR_INNER_INFERSHAPE_ERROR 561001
#define ACLNN_ERR_INNER_TILING_ERROR 561002
#define ACLNN_ERR_INNER_FIND_KERNEL_ERROR 561003
#define ACLNN_ERR_INNER_NULLPTR 561103

// A view of memory of the device: element i of each dimension is stride[i] elements further, the first one offset
// elements from tensorData. stride NULL: without gaps. storageDims: what the memory holds; NULL: as the view.
SFUMATO_ACL aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType,
                                       const int64_t* stride, int64_t offset, aclFormat format,
                                       const int64_t* storageDims, uint64_t storageDimsNum, void* tensorData);
// The value is copied; it lies on the host.
SFUMATO_ACL aclScalar* aclCreateScalar(void* value, aclDataType dataType);
SFUMATO_ACL aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size);
SFUMATO_ACL aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size);
SFUMATO_ACL aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size);
// The list owns its elements: destroying it destroys them.
SFUMATO_ACL aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size);
SFUMATO_ACL aclScalarList* aclCreateScalarList(const aclScalar* const* value, uint64_t size);

SFUMATO_ACL aclnnStatus aclDestroyTensor(const aclTensor* tensor);
SFUMATO_ACL aclnnStatus aclDestroyScalar(const aclScalar* scalar);
SFUMATO_ACL aclnnStatus aclDestroyIntArray(const aclIntArray* array);
SFUMATO_ACL aclnnStatus aclDestroyBoolArray(const aclBoolArray* array);
SFUMATO_ACL aclnnStatus aclDestroyFloatArray(const aclFloatArray* array);
SFUMATO_ACL aclnnStatus aclDestroyTensorList(const aclTensorList* array);
SFUMATO_ACL aclnnStatus aclDestroyScalarList(const aclScalarList* array);

// Arrays are new ones, for the caller to delete[].
SFUMATO_ACL aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims, uint64_t* viewDimsNum);
SFUMATO_ACL aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims, uint64_t* storageDimsNum);
SFUMATO_ACL aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** stridesValue, uint64_t* stridesNum);
SFUMATO_ACL aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset);
SFUMATO_ACL aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format);
SFUMATO_ACL aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType);
SFUMATO_ACL aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** addr);
SFUMATO_ACL aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* addr);
// Makes the tensor another one.
SFUMATO_ACL aclnnStatus aclInitTensor(aclTensor* tensor, const int64_t* viewDims, uint64_t viewDimsNum,
                                      aclDataType dataType, const int64_t* stride, int64_t offset, aclFormat format,
                                      const int64_t* storageDims, uint64_t storageDimsNum, void* tensorData);
SFUMATO_ACL aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size);
SFUMATO_ACL aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size);
SFUMATO_ACL aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size);
SFUMATO_ACL aclnnStatus aclGetTensorListSize(const aclTensorList* tensorList, uint64_t* size);
SFUMATO_ACL aclnnStatus aclGetScalarListSize(const aclScalarList* scalarList, uint64_t* size);

// Right after the first phase: the second may then be called again and again, until aclDestroyAclOpExecutor.
SFUMATO_ACL aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor);
SFUMATO_ACL aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor);
// Another address for the tensor of a repeatable executor: the index-th input, output, or of both together.
SFUMATO_ACL aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, size_t index, aclTensor* tensor, void* addr);
SFUMATO_ACL aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, size_t index, aclTensor* tensor, void* addr);
SFUMATO_ACL aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, size_t index, aclTensor* tensor, void* addr);
