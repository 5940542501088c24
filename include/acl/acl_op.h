// SPDX-License-Identifier: Apache-2.0
// Calls of one operator by its name (docs/spec/framework.md 5.6): an operator of an installed package runs as its aclnn
// functions run it. Kernels as binaries and operators as models are refused (acl/refused.h).
#pragma once

#include "acl/acl_base.h"
#include "acl/acl_rt.h"
#include "acl/refused.h"

typedef struct aclopHandle aclopHandle;
typedef struct aclopAttr aclopAttr;
typedef struct aclopKernelDesc aclopKernelDesc;
typedef void (*aclDataDeallocator)(void* data, size_t length);
typedef enum { ACL_ENGINE_SYS = 0, ACL_ENGINE_AICORE = 1, ACL_ENGINE_VECTOR = 2 } aclopEngineType;
typedef enum { ACL_COMPILE_SYS = 0, ACL_COMPILE_UNREGISTERED = 1 } aclopCompileType;

SFUMATO_ACL aclopAttr* aclopCreateAttr(void);
SFUMATO_ACL void aclopDestroyAttr(const aclopAttr* attr);
SFUMATO_ACL aclError aclopSetAttrBool(aclopAttr* attr, const char* attrName, uint8_t attrValue);
SFUMATO_ACL aclError aclopSetAttrInt(aclopAttr* attr, const char* attrName, int64_t attrValue);
SFUMATO_ACL aclError aclopSetAttrFloat(aclopAttr* attr, const char* attrName, float attrValue);
SFUMATO_ACL aclError aclopSetAttrString(aclopAttr* attr, const char* attrName, const char* attrValue);
// The number of the type: operators read it as an int.
SFUMATO_ACL aclError aclopSetAttrDataType(aclopAttr* attr, const char* attrName, aclDataType attrValue);
SFUMATO_ACL aclError aclopSetAttrListDataType(aclopAttr* attr, const char* attrName, int numValues,
                                              const aclDataType values[]);
SFUMATO_ACL aclError aclopSetAttrListBool(aclopAttr* attr, const char* attrName, int numValues, const uint8_t* values);
SFUMATO_ACL aclError aclopSetAttrListInt(aclopAttr* attr, const char* attrName, int numValues, const int64_t* values);
SFUMATO_ACL aclError aclopSetAttrListFloat(aclopAttr* attr, const char* attrName, int numValues, const float* values);
// No operator here has a list of texts: a call that brings one is refused.
SFUMATO_ACL aclError aclopSetAttrListString(aclopAttr* attr, const char* attrName, int numValues, const char** values);
SFUMATO_ACL aclError aclopSetAttrListListInt(aclopAttr* attr, const char* attrName, int numLists, const int* numValues,
                                             const int64_t* const values[]);

// Accepted: operators come from packages, no model of the folder is read; a note says so.
SFUMATO_ACL aclError aclopSetModelDir(const char* modelDir);
SFUMATO_ACL aclError aclopSetMaxOpQueueNum(uint64_t maxOpNum);

// Inputs and outputs in the order of the declaration. Runs before it returns, whatever the stream.
SFUMATO_ACL aclError aclopExecute(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[],
                                  const aclDataBuffer* const inputs[], int numOutputs,
                                  const aclTensorDesc* const outputDesc[], aclDataBuffer* const outputs[],
                                  const aclopAttr* attr, aclrtStream stream);
// An output with dimensions that are not known gets those the operator infers.
SFUMATO_ACL aclError aclopExecuteV2(const char* opType, int numInputs, aclTensorDesc* inputDesc[],
                                    aclDataBuffer* inputs[], int numOutputs, aclTensorDesc* outputDesc[],
                                    aclDataBuffer* outputs[], aclopAttr* attr, aclrtStream stream);
// The descriptions and attributes as they are now.
SFUMATO_ACL aclError aclopCreateHandle(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[],
                                       int numOutputs, const aclTensorDesc* const outputDesc[], const aclopAttr* opAttr,
                                       aclopHandle** handle);
SFUMATO_ACL void aclopDestroyHandle(aclopHandle* handle);
SFUMATO_ACL aclError aclopExecWithHandle(aclopHandle* handle, int numInputs, const aclDataBuffer* const inputs[],
                                         int numOutputs, aclDataBuffer* const outputs[], aclrtStream stream);
// The shapes and types of the outputs; `inputs` are on the host where host code reads them.
SFUMATO_ACL aclError aclopInferShape(const char* opType, int numInputs, aclTensorDesc* inputDesc[],
                                     aclDataBuffer* inputs[], int numOutputs, aclTensorDesc* outputDesc[],
                                     aclopAttr* attr);
