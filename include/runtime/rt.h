// SPDX-License-Identifier: Apache-2.0
// What programs take from the runtime below acl: its status, the handle of a stream, and the address that boards need
// for flags between cores, which a kernel takes here and does nothing with. No public page describes its other calls;
// those that programs have are errors of the compiler that name the call of acl.
#pragma once

#include <stdint.h>

#include "sfumato/api.h"

typedef int32_t rtError_t;
typedef void* rtStream_t;
typedef void* rtEvent_t;
typedef void* rtContext_t;
#ifndef RT_ERROR_NONE
#define RT_ERROR_NONE 0
#endif

#ifdef __cplusplus
inline rtError_t rtGetC2cCtrlAddr(uint64_t* addr, uint32_t* len) {
    if (addr) *addr = 0;
    if (len) *len = 0;
    return RT_ERROR_NONE;
}
#define SFUMATO_RT(name, call) \
    extern "C" SFUMATO_NO_CALL("rt calls have no public page: call " call) rtError_t name(...);
SFUMATO_RT(rtSetDevice, "aclrtSetDevice")
SFUMATO_RT(rtDeviceReset, "aclrtResetDevice")
SFUMATO_RT(rtMalloc, "aclrtMalloc")
SFUMATO_RT(rtFree, "aclrtFree")
SFUMATO_RT(rtMallocHost, "aclrtMallocHost")
SFUMATO_RT(rtFreeHost, "aclrtFreeHost")
SFUMATO_RT(rtMemcpy, "aclrtMemcpy")
SFUMATO_RT(rtMemcpyAsync, "aclrtMemcpyAsync")
SFUMATO_RT(rtMemset, "aclrtMemset")
SFUMATO_RT(rtStreamCreate, "aclrtCreateStream")
SFUMATO_RT(rtStreamDestroy, "aclrtDestroyStream")
SFUMATO_RT(rtStreamSynchronize, "aclrtSynchronizeStream")
SFUMATO_RT(rtDeviceSynchronize, "aclrtSynchronizeDevice")
SFUMATO_RT(rtDevBinaryRegister, "the kernel by <<<>>> or ACLRT_LAUNCH_KERNEL: kernels are compiled where they run")
SFUMATO_RT(rtFunctionRegister, "the kernel by <<<>>> or ACLRT_LAUNCH_KERNEL: kernels are compiled where they run")
SFUMATO_RT(rtKernelLaunch, "the kernel by <<<>>> or ACLRT_LAUNCH_KERNEL")
SFUMATO_RT(rtKernelLaunchWithFlag, "the kernel by <<<>>> or ACLRT_LAUNCH_KERNEL")
#undef SFUMATO_RT
#endif
