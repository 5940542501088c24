// SPDX-License-Identifier: Apache-2.0
// Calls of the vendor's that programs may have and that are not here: a use of one is an error of the compiler that
// says why (docs/toolkit.md). Others of their families are unknown names.
#pragma once

#include "acl/acl_base.h"

typedef struct aclmdlDesc aclmdlDesc;
typedef struct aclmdlDataset aclmdlDataset;
typedef struct aclmdlConfigHandle aclmdlConfigHandle;
typedef struct aclmdlAIPP aclmdlAIPP;
typedef struct acltdtChannelHandle acltdtChannelHandle;
typedef struct acltdtDataItem acltdtDataItem;
typedef struct acltdtDataset acltdtDataset;

#define ACL_MAX_DIM_CNT 128
#define ACL_MAX_TENSOR_NAME_LEN 128
typedef struct aclmdlIODims {
    char name[ACL_MAX_TENSOR_NAME_LEN];
    size_t dimCount;
    int64_t dims[ACL_MAX_DIM_CNT];
} aclmdlIODims;

#if defined(__has_attribute)
#if __has_attribute(error) || __has_attribute(unavailable)
#if __has_attribute(error)
#define SFUMATO_ACL_WHY(why) __attribute__((error(why)))
#else  // clang before 14
#define SFUMATO_ACL_WHY(why) __attribute__((unavailable(why)))
#endif
#ifdef __cplusplus
#define SFUMATO_ACL_REFUSED(type, name, why) extern "C" SFUMATO_ACL_WHY(why) type name(...);
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#define SFUMATO_ACL_REFUSED(type, name, why) SFUMATO_ACL_WHY(why) type name();
#endif
#define SFUMATO_ACL_BINARY(name) \
    SFUMATO_ACL_REFUSED(         \
        aclError, name,          \
        "kernels and operators as binaries are not supported: install the operator's package and call it by its name")
#define SFUMATO_ACL_BUILT_IN(name)      \
    SFUMATO_ACL_REFUSED(aclError, name, \
                        "the toolkit's own operators are not supported: operators of installed packages run")
#define SFUMATO_ACL_MODEL(type, name) \
    SFUMATO_ACL_REFUSED(              \
        type, name,                   \
        "models (files of atc) are not supported: kernels run, and operators by aclnn<Op> or aclopCompileAndExecute")
#define SFUMATO_ACL_DVPP(type, name) SFUMATO_ACL_REFUSED(type, name, "image and video processing is not supported")
#define SFUMATO_ACL_TDT(type, name) \
    SFUMATO_ACL_REFUSED(type, name, \
                        "queues of tensors between host and device are not supported: copy with aclrtMemcpy")
SFUMATO_ACL_BINARY(aclopLoad)
SFUMATO_ACL_BINARY(aclopRegisterCompileFunc)
SFUMATO_ACL_BINARY(aclopUnregisterCompileFunc)
SFUMATO_ACL_BINARY(aclopCreateKernel)
SFUMATO_ACL_BINARY(aclopSetKernelArgs)
SFUMATO_ACL_BINARY(aclopSetKernelWorkspaceSizes)
SFUMATO_ACL_BINARY(aclopUpdateParams)
SFUMATO_ACL_BINARY(aclopStartDumpArgs)
SFUMATO_ACL_BINARY(aclopStopDumpArgs)
SFUMATO_ACL_BUILT_IN(aclopCast)
SFUMATO_ACL_BUILT_IN(aclopCreateHandleForCast)
SFUMATO_ACL_BUILT_IN(aclblasGemmEx)
SFUMATO_ACL_BUILT_IN(aclblasGemvEx)
SFUMATO_ACL_BUILT_IN(aclblasHgemm)
SFUMATO_ACL_BUILT_IN(aclblasHgemv)
SFUMATO_ACL_BUILT_IN(aclblasS8gemm)
SFUMATO_ACL_BUILT_IN(aclblasS8gemv)
SFUMATO_ACL_MODEL(aclError, aclGenGraphAndDumpForOp)
SFUMATO_ACL_MODEL(aclError, aclmdlLoadFromFile)
SFUMATO_ACL_MODEL(aclError, aclmdlLoadFromFileWithMem)
SFUMATO_ACL_MODEL(aclError, aclmdlLoadFromMem)
SFUMATO_ACL_MODEL(aclError, aclmdlLoadFromMemWithMem)
SFUMATO_ACL_MODEL(aclError, aclmdlLoadFromFileWithQ)
SFUMATO_ACL_MODEL(aclError, aclmdlLoadFromMemWithQ)
SFUMATO_ACL_MODEL(aclError, aclmdlLoadWithConfig)
SFUMATO_ACL_MODEL(aclError, aclmdlExecute)
SFUMATO_ACL_MODEL(aclError, aclmdlExecuteV2)
SFUMATO_ACL_MODEL(aclError, aclmdlExecuteAsync)
SFUMATO_ACL_MODEL(aclError, aclmdlExecuteAsyncV2)
SFUMATO_ACL_MODEL(aclError, aclmdlUnload)
SFUMATO_ACL_MODEL(aclError, aclmdlGetDesc)
SFUMATO_ACL_MODEL(aclError, aclmdlGetDescFromFile)
SFUMATO_ACL_MODEL(aclError, aclmdlQuerySize)
SFUMATO_ACL_MODEL(aclError, aclmdlQuerySizeFromMem)
SFUMATO_ACL_MODEL(aclError, aclmdlDestroyDesc)
SFUMATO_ACL_MODEL(aclError, aclmdlDestroyDataset)
SFUMATO_ACL_MODEL(aclError, aclmdlAddDatasetBuffer)
SFUMATO_ACL_MODEL(aclError, aclmdlSetDatasetTensorDesc)
SFUMATO_ACL_MODEL(aclError, aclmdlSetDynamicBatchSize)
SFUMATO_ACL_MODEL(aclError, aclmdlSetDynamicHWSize)
SFUMATO_ACL_MODEL(aclError, aclmdlSetInputDynamicDims)
SFUMATO_ACL_MODEL(aclError, aclmdlSetInputAIPP)
SFUMATO_ACL_MODEL(aclError, aclmdlInitDump)
SFUMATO_ACL_MODEL(aclError, aclmdlSetDump)
SFUMATO_ACL_MODEL(aclError, aclmdlFinalizeDump)
SFUMATO_ACL_MODEL(aclError, aclmdlSetConfigOpt)
SFUMATO_ACL_MODEL(aclError, aclmdlDestroyConfigHandle)
SFUMATO_ACL_MODEL(aclError, aclmdlGetInputDims)
SFUMATO_ACL_MODEL(aclError, aclmdlGetInputDimsV2)
SFUMATO_ACL_MODEL(aclError, aclmdlGetOutputDims)
SFUMATO_ACL_MODEL(aclError, aclmdlGetCurOutputDims)
SFUMATO_ACL_MODEL(aclError, aclmdlGetInputIndexByName)
SFUMATO_ACL_MODEL(aclError, aclmdlGetOutputIndexByName)
SFUMATO_ACL_MODEL(aclError, aclmdlGetDynamicBatch)
SFUMATO_ACL_MODEL(aclError, aclmdlGetDynamicHW)
SFUMATO_ACL_MODEL(aclError, aclmdlGetInputDynamicDims)
SFUMATO_ACL_MODEL(aclError, aclmdlGetFirstAippInfo)
SFUMATO_ACL_MODEL(aclError, aclmdlBundleLoadFromFile)
SFUMATO_ACL_MODEL(aclError, aclmdlBundleUnload)
SFUMATO_ACL_MODEL(aclError, aclmdlGetOpAttr)
SFUMATO_ACL_MODEL(size_t, aclmdlGetNumInputs)
SFUMATO_ACL_MODEL(size_t, aclmdlGetNumOutputs)
SFUMATO_ACL_MODEL(size_t, aclmdlGetInputSizeByIndex)
SFUMATO_ACL_MODEL(size_t, aclmdlGetOutputSizeByIndex)
SFUMATO_ACL_MODEL(size_t, aclmdlGetDatasetNumBuffers)
SFUMATO_ACL_MODEL(aclmdlDesc*, aclmdlCreateDesc)
SFUMATO_ACL_MODEL(aclmdlDataset*, aclmdlCreateDataset)
SFUMATO_ACL_MODEL(aclDataBuffer*, aclmdlGetDatasetBuffer)
SFUMATO_ACL_MODEL(aclmdlConfigHandle*, aclmdlCreateConfigHandle)
SFUMATO_ACL_MODEL(const char*, aclmdlGetInputNameByIndex)
SFUMATO_ACL_MODEL(const char*, aclmdlGetOutputNameByIndex)
SFUMATO_ACL_MODEL(aclTensorDesc*, aclmdlGetDatasetTensorDesc)
SFUMATO_ACL_MODEL(aclmdlAIPP*, aclmdlCreateAIPP)
SFUMATO_ACL_MODEL(aclDataType, aclmdlGetInputDataType)
SFUMATO_ACL_MODEL(aclDataType, aclmdlGetOutputDataType)
SFUMATO_ACL_MODEL(aclFormat, aclmdlGetInputFormat)
SFUMATO_ACL_MODEL(aclFormat, aclmdlGetOutputFormat)
SFUMATO_ACL_DVPP(aclError, acldvppMalloc)
SFUMATO_ACL_DVPP(aclError, acldvppFree)
SFUMATO_ACL_DVPP(aclError, acldvppCreateChannel)
SFUMATO_ACL_DVPP(aclError, acldvppDestroyChannel)
SFUMATO_ACL_DVPP(aclError, acldvppVpcResizeAsync)
SFUMATO_ACL_DVPP(aclError, acldvppVpcCropAsync)
SFUMATO_ACL_DVPP(aclError, acldvppVpcCropAndPasteAsync)
SFUMATO_ACL_DVPP(aclError, acldvppVpcConvertColorAsync)
SFUMATO_ACL_DVPP(aclError, acldvppJpegDecodeAsync)
SFUMATO_ACL_DVPP(aclError, acldvppJpegEncodeAsync)
SFUMATO_ACL_DVPP(aclError, acldvppJpegGetImageInfo)
SFUMATO_ACL_DVPP(aclError, acldvppJpegPredictDecSize)
SFUMATO_ACL_DVPP(aclError, acldvppPngDecodeAsync)
SFUMATO_ACL_DVPP(aclError, acldvppDestroyChannelDesc)
SFUMATO_ACL_DVPP(aclError, acldvppDestroyPicDesc)
SFUMATO_ACL_DVPP(aclError, acldvppSetPicDescData)
SFUMATO_ACL_DVPP(aclError, acldvppSetPicDescFormat)
SFUMATO_ACL_DVPP(aclError, acldvppSetPicDescWidth)
SFUMATO_ACL_DVPP(aclError, acldvppSetPicDescHeight)
SFUMATO_ACL_DVPP(aclError, acldvppSetPicDescSize)
SFUMATO_ACL_DVPP(void*, acldvppCreateChannelDesc)
SFUMATO_ACL_DVPP(void*, acldvppCreatePicDesc)
SFUMATO_ACL_DVPP(void*, acldvppCreateRoiConfig)
SFUMATO_ACL_DVPP(void*, acldvppCreateResizeConfig)
SFUMATO_ACL_TDT(acltdtChannelHandle*, acltdtCreateChannel)
SFUMATO_ACL_TDT(acltdtChannelHandle*, acltdtCreateChannelWithCapacity)
SFUMATO_ACL_TDT(acltdtDataItem*, acltdtCreateDataItem)
SFUMATO_ACL_TDT(acltdtDataset*, acltdtCreateDataset)
SFUMATO_ACL_TDT(aclError, acltdtDestroyChannel)
SFUMATO_ACL_TDT(aclError, acltdtStopChannel)
SFUMATO_ACL_TDT(aclError, acltdtDestroyDataItem)
SFUMATO_ACL_TDT(aclError, acltdtDestroyDataset)
SFUMATO_ACL_TDT(aclError, acltdtAddDataItem)
SFUMATO_ACL_TDT(aclError, acltdtSendTensor)
SFUMATO_ACL_TDT(aclError, acltdtReceiveTensor)
SFUMATO_ACL_TDT(aclError, acltdtCreateQueue)
SFUMATO_ACL_TDT(aclError, acltdtDestroyQueue)
SFUMATO_ACL_TDT(aclError, acltdtEnqueueData)
SFUMATO_ACL_TDT(aclError, acltdtDequeueData)
SFUMATO_ACL_TDT(aclError, acltdtGrantQueue)
SFUMATO_ACL_TDT(aclError, acltdtAttachQueue)
SFUMATO_ACL_TDT(aclError, acltdtAllocBuf)
SFUMATO_ACL_TDT(aclError, acltdtFreeBuf)
#undef SFUMATO_ACL_BINARY
#undef SFUMATO_ACL_BUILT_IN
#undef SFUMATO_ACL_MODEL
#undef SFUMATO_ACL_DVPP
#undef SFUMATO_ACL_TDT
#undef SFUMATO_ACL_REFUSED
#undef SFUMATO_ACL_WHY
#ifndef __cplusplus
#pragma GCC diagnostic pop
#endif
#endif
#endif
