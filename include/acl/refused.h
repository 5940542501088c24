// SPDX-License-Identifier: Apache-2.0
// Calls of the vendor's that programs may have and that are not here: a use of one is an error of the compiler that
// says why (docs/toolkit.md). Others of their families are unknown names.
#pragma once

#if defined(__cplusplus) && defined(__has_attribute)
#if __has_attribute(error)
#define SFUMATO_ACL_REFUSED(name, why) extern "C" __attribute__((error(why))) int name(...);
#define SFUMATO_ACL_OP(name) \
    SFUMATO_ACL_REFUSED(name, "operators as models are not supported: call aclnn<Op>GetWorkspaceSize and aclnn<Op>")
#define SFUMATO_ACL_MODEL(name) SFUMATO_ACL_REFUSED(name, "models are not supported: kernels and operators run")
#define SFUMATO_ACL_DVPP(name) SFUMATO_ACL_REFUSED(name, "image and video processing is not supported")
SFUMATO_ACL_OP(aclopExecuteV2)
SFUMATO_ACL_OP(aclopExecute)
SFUMATO_ACL_OP(aclopExecWithHandle)
SFUMATO_ACL_OP(aclopCompile)
SFUMATO_ACL_OP(aclopCompileAndExecute)
SFUMATO_ACL_OP(aclopCompileAndExecuteV2)
SFUMATO_ACL_OP(aclopSetModelDir)
SFUMATO_ACL_OP(aclopLoad)
SFUMATO_ACL_OP(aclopCreateAttr)
SFUMATO_ACL_OP(aclopDestroyAttr)
SFUMATO_ACL_OP(aclopUpdateParams)
SFUMATO_ACL_MODEL(aclmdlLoadFromFile)
SFUMATO_ACL_MODEL(aclmdlLoadFromFileWithMem)
SFUMATO_ACL_MODEL(aclmdlLoadFromMem)
SFUMATO_ACL_MODEL(aclmdlExecute)
SFUMATO_ACL_MODEL(aclmdlExecuteAsync)
SFUMATO_ACL_MODEL(aclmdlUnload)
SFUMATO_ACL_MODEL(aclmdlCreateDesc)
SFUMATO_ACL_MODEL(aclmdlGetDesc)
SFUMATO_ACL_MODEL(aclmdlCreateDataset)
SFUMATO_ACL_MODEL(aclmdlQuerySize)
SFUMATO_ACL_DVPP(acldvppMalloc)
SFUMATO_ACL_DVPP(acldvppFree)
SFUMATO_ACL_DVPP(acldvppCreateChannelDesc)
SFUMATO_ACL_DVPP(acldvppCreateChannel)
SFUMATO_ACL_DVPP(acldvppVpcResizeAsync)
SFUMATO_ACL_DVPP(acldvppJpegDecodeAsync)
#undef SFUMATO_ACL_OP
#undef SFUMATO_ACL_MODEL
#undef SFUMATO_ACL_DVPP
#undef SFUMATO_ACL_REFUSED
#endif
#endif
