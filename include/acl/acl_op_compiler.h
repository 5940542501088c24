// SPDX-License-Identifier: Apache-2.0
// Calls of one operator that compile it first (docs/spec/framework.md 5.6). Kernels are compiled when they first run
// and kept in the cache, so that these are the calls of acl_op.h with an earlier place for what does not compile.
#pragma once

#include "acl/acl_base.h"
#include "acl/acl_op.h"

typedef enum {
    ACL_PRECISION_MODE = 0,
    ACL_AICORE_NUM = 1,
    ACL_AUTO_TUNE_MODE = 2,
    ACL_OP_SELECT_IMPL_MODE = 3,
    ACL_OPTYPELIST_FOR_IMPLMODE = 4,
    ACL_OP_DEBUG_LEVEL = 5,
    ACL_DEBUG_DIR = 6,
    ACL_OP_COMPILER_CACHE_MODE = 7,
    ACL_OP_COMPILER_CACHE_DIR = 8,
    ACL_OP_PERFORMANCE_MODE = 9,
    ACL_OP_JIT_COMPILE = 10,
    ACL_OP_DETERMINISTIC = 11,
    ACL_CUSTOMIZE_DTYPES = 12,
    ACL_OP_PRECISION_MODE = 13,
    ACL_ALLOW_HF32 = 14,
    ACL_PRECISION_MODE_V2 = 15,
    ACL_OP_DEBUG_OPTION = 16
} aclCompileOpt;
typedef enum { ACL_OP_COMPILE_DEFAULT = 0, ACL_OP_COMPILE_FUZZ = 1 } aclOpCompileFlag;

// engineType, compileFlag and opPath mean nothing here: the package has the operator.
SFUMATO_ACL aclError aclopCompile(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[],
                                  int numOutputs, const aclTensorDesc* const outputDesc[], const aclopAttr* attr,
                                  aclopEngineType engineType, aclopCompileType compileFlag, const char* opPath);
SFUMATO_ACL aclError aclopCompileAndExecute(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[],
                                            const aclDataBuffer* const inputs[], int numOutputs,
                                            const aclTensorDesc* const outputDesc[], aclDataBuffer* const outputs[],
                                            const aclopAttr* attr, aclopEngineType engineType,
                                            aclopCompileType compileFlag, const char* opPath, aclrtStream stream);
SFUMATO_ACL aclError aclopCompileAndExecuteV2(const char* opType, int numInputs, aclTensorDesc* inputDesc[],
                                              aclDataBuffer* inputs[], int numOutputs, aclTensorDesc* outputDesc[],
                                              aclDataBuffer* outputs[], aclopAttr* attr, aclopEngineType engineType,
                                              aclopCompileType compileFlag, const char* opPath, aclrtStream stream);
// Kept for aclGetCompileopt; none of the options changes what a kernel computes here.
SFUMATO_ACL aclError aclSetCompileopt(aclCompileOpt opt, const char* value);
SFUMATO_ACL aclError aclGetCompileopt(aclCompileOpt opt, char* value, size_t length);
SFUMATO_ACL size_t aclGetCompileoptSize(aclCompileOpt opt);  // with the zero at the end
SFUMATO_ACL aclError aclopSetCompileFlag(aclOpCompileFlag flag);
