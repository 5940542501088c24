// SPDX-License-Identifier: Apache-2.0
// Device, memory, streams and events (docs/spec/framework.md 5.3). With one device everything submitted has run when
// the call returns; with several (SFUMATO_DEVICES, docs/ranks.md) what waits for other devices runs later. Every call
// that returns an aclError leaves a report for aclGetRecentErrMsg when that is not 0.
#pragma once

#include "acl/acl_base.h"

typedef enum { ACL_DEVICE = 0, ACL_HOST = 1 } aclrtRunMode;
typedef enum {
    ACL_MEMCPY_HOST_TO_HOST = 0,
    ACL_MEMCPY_HOST_TO_DEVICE = 1,
    ACL_MEMCPY_DEVICE_TO_HOST = 2,
    ACL_MEMCPY_DEVICE_TO_DEVICE = 3,
    ACL_MEMCPY_DEFAULT = 4  // what the addresses say
} aclrtMemcpyKind;
typedef enum {  // where a block lies on a board; nothing here
    ACL_MEM_MALLOC_HUGE_FIRST = 0,
    ACL_MEM_MALLOC_HUGE_ONLY = 1,
    ACL_MEM_MALLOC_NORMAL_ONLY = 2,
    ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3,
    ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4,
    ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5,
    ACL_MEM_TYPE_LOW_BAND_WIDTH = 0x0100,
    ACL_MEM_TYPE_HIGH_BAND_WIDTH = 0x1000,
    ACL_MEM_ACCESS_USER_SPACE_READONLY = 0x100000
} aclrtMemMallocPolicy;
typedef enum {
    ACL_EVENT_RECORDED_STATUS_NOT_READY = 0,
    ACL_EVENT_RECORDED_STATUS_COMPLETE = 1
} aclrtEventRecordedStatus;
typedef enum {
    ACL_RT_OVERFLOW_MODE_SATURATION = 0,
    ACL_RT_OVERFLOW_MODE_INFNAN = 1,
    ACL_RT_OVERFLOW_MODE_UNDEF = 2
} aclrtFloatOverflowMode;

typedef enum {
    ACL_DEVICE_INFO_UNDEFINED = -1,
    ACL_DEVICE_INFO_AI_CORE_NUM = 0,
    ACL_DEVICE_INFO_VECTOR_CORE_NUM = 1,
    ACL_DEVICE_INFO_L2_SIZE = 2
} aclDeviceInfo;
typedef enum {
    ACL_DEV_ATTR_AICPU_CORE_NUM = 1,
    ACL_DEV_ATTR_AICORE_CORE_NUM = 101,
    ACL_DEV_ATTR_CUBE_CORE_NUM = 102,
    ACL_DEV_ATTR_VECTOR_CORE_NUM = 201,
    ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE = 301,
    ACL_DEV_ATTR_L2_CACHE_SIZE = 302
} aclrtDevAttr;
typedef enum { ACL_DDR_MEM = 0, ACL_HBM_MEM = 1 } aclrtMemAttr;

typedef void* aclmdlRI;
typedef void* aclrtTaskGrp;
typedef enum {
    ACL_MODEL_RI_CAPTURE_MODE_GLOBAL = 0,
    ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL = 1,
    ACL_MODEL_RI_CAPTURE_MODE_RELAXED = 2
} aclmdlRICaptureMode;
typedef enum {
    ACL_MODEL_RI_CAPTURE_STATUS_NONE = 0,
    ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE = 1,
    ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED = 2
} aclmdlRICaptureStatus;

#define ACL_EVENT_SYNC 0x00000001u
#define ACL_EVENT_TIME_LINE 0x00000008u
#define ACL_EVENT_EXTERNAL 0x00000020u
#define ACL_STREAM_FAST_LAUNCH 0x00000001u
#define ACL_STREAM_FAST_SYNC 0x00000002u
#define ACL_STREAM_PERSISTENT 0x00000004u
#define ACL_STREAM_HUGE 0x00000008u
#define ACL_STREAM_CPU_SCHEDULE 0x00000010u
#define ACL_STREAM_DEVICE_USE_ONLY 0x00000020u

// Counted; every other call works before aclInit. The configuration file is not read.
SFUMATO_ACL aclError aclInit(const char* config);
SFUMATO_ACL aclError aclFinalize(void);
SFUMATO_ACL aclError aclrtGetVersion(int32_t* major, int32_t* minor, int32_t* patch);
SFUMATO_ACL aclError aclrtGetRunMode(aclrtRunMode* mode);  // ACL_HOST

// One device, which 0 to 7 name; aclrtGetDevice tells the thread's last name of it.
SFUMATO_ACL aclError aclrtSetDevice(int32_t device);
SFUMATO_ACL aclError aclrtResetDevice(int32_t device);
SFUMATO_ACL aclError aclrtGetDevice(int32_t* device);
SFUMATO_ACL aclError aclrtGetDeviceCount(uint32_t* count);
// The product, e.g. Ascend910B1: of SFUMATO_CHIP, else of the build; a family's first product.
SFUMATO_ACL const char* aclrtGetSocName(void);
// Cores of the product; the size of its L2 is not known here.
SFUMATO_ACL aclError aclGetDeviceCapability(uint32_t device, aclDeviceInfo info, int64_t* value);
// Cores of the product, and the bytes of this machine's memory.
SFUMATO_ACL aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value);
// What boards need for flags between cores: a kernel takes it and does nothing with it.
SFUMATO_ACL aclError aclrtGetHardwareSyncAddr(void** addr);
// Bytes of this machine's memory, whatever the kind.
SFUMATO_ACL aclError aclrtGetMemInfo(aclrtMemAttr attribute, size_t* free, size_t* total);
SFUMATO_ACL aclError aclrtSynchronizeDevice(void);
// How results out of range are stored by the kernels launched from now on; UNDEF is what the board's default is.
// Of several devices: kernels of the current one may touch memory of the peer. flags: 0.
SFUMATO_ACL aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId);
SFUMATO_ACL aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags);
SFUMATO_ACL aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId);
// Memory of a device by a key of 65 bytes, in this process. flags of a key: 0 for the processes of SetImportPid, 1 for
// any; of an import: 1 enables peer access.
SFUMATO_ACL aclError aclrtIpcMemGetExportKey(void* devPtr, size_t size, char* key, size_t len, uint64_t flags);
SFUMATO_ACL aclError aclrtIpcMemImportByKey(void** devPtr, const char* key, uint64_t flags);
SFUMATO_ACL aclError aclrtIpcMemClose(const char* key);
SFUMATO_ACL aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pid, size_t num);
SFUMATO_ACL aclError aclrtDeviceGetBareTgid(int32_t* pid);

SFUMATO_ACL aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode);
SFUMATO_ACL aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode);

SFUMATO_ACL aclError aclrtCreateContext(aclrtContext* context, int32_t device);
SFUMATO_ACL aclError aclrtDestroyContext(aclrtContext context);
SFUMATO_ACL aclError aclrtSetCurrentContext(aclrtContext context);
SFUMATO_ACL aclError aclrtGetCurrentContext(aclrtContext* context);

// 512-byte aligned, filled with the pattern, guard bytes around. size is not 0.
SFUMATO_ACL aclError aclrtMalloc(void** block, size_t size, aclrtMemMallocPolicy policy);
SFUMATO_ACL aclError aclrtFree(void* block);
SFUMATO_ACL aclError aclrtMallocHost(void** block, size_t size);
SFUMATO_ACL aclError aclrtFreeHost(void* block);
// count bytes; at most dest_max, and inside the blocks of the device that the addresses lie in.
SFUMATO_ACL aclError aclrtMemcpy(void* dst, size_t dest_max, const void* src, size_t count, aclrtMemcpyKind kind);
SFUMATO_ACL aclError aclrtMemcpyAsync(void* dst, size_t dest_max, const void* src, size_t count, aclrtMemcpyKind kind,
                                      aclrtStream stream);
// height rows of width bytes, a pitch apart; HOST_TO_DEVICE and DEVICE_TO_HOST only.
SFUMATO_ACL aclError aclrtMemcpy2d(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width,
                                   size_t height, aclrtMemcpyKind kind);
SFUMATO_ACL aclError aclrtMemcpy2dAsync(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width,
                                        size_t height, aclrtMemcpyKind kind, aclrtStream stream);
SFUMATO_ACL aclError aclrtMemset(void* block, size_t max_count, int32_t value, size_t count);
SFUMATO_ACL aclError aclrtMemsetAsync(void* block, size_t max_count, int32_t value, size_t count, aclrtStream stream);

SFUMATO_ACL aclError aclrtCreateStream(aclrtStream* stream);
SFUMATO_ACL aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag);
SFUMATO_ACL aclError aclrtDestroyStream(aclrtStream stream);
SFUMATO_ACL aclError aclrtDestroyStreamForce(aclrtStream stream);
// The kernel faults that no call has returned yet; NULL is the default stream.
SFUMATO_ACL aclError aclrtSynchronizeStream(aclrtStream stream);
SFUMATO_ACL aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t milliseconds);

SFUMATO_ACL aclError aclrtCreateEvent(aclrtEvent* event);
SFUMATO_ACL aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag);
SFUMATO_ACL aclError aclrtDestroyEvent(aclrtEvent event);
SFUMATO_ACL aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);
SFUMATO_ACL aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);
SFUMATO_ACL aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status);
SFUMATO_ACL aclError aclrtSynchronizeEvent(aclrtEvent event);
SFUMATO_ACL aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);
// Milliseconds between two records, from a steady clock, above 0.
SFUMATO_ACL aclError aclrtEventElapsedTime(float* milliseconds, aclrtEvent start, aclrtEvent end);

// Captures: what the stream is given from Begin to End is kept in a model and runs when the model is executed. A stream
// that waits for an event of a captured stream is captured with it and must lead back to it. While a stream is captured
// nobody waits for it, for its events or for the device, the default stream takes no work, and calls that copy at once
// are refused as the mode says. What tasks use must live until the model is destroyed. Not on Ascend310B and Ascend910.
SFUMATO_ACL aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode);
SFUMATO_ACL aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI* modelRI);
SFUMATO_ACL aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus* status, aclmdlRI* modelRI);
SFUMATO_ACL aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode);
SFUMATO_ACL aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream);
SFUMATO_ACL aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout);  // milliseconds, -1: for ever
SFUMATO_ACL aclError aclmdlRIDestroy(aclmdlRI modelRI);
// The tasks of a group are replaced by as many that a stream which is not captured is given between
// UpdateBegin and UpdateEnd.
SFUMATO_ACL aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream);
SFUMATO_ACL aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp* handle);
SFUMATO_ACL aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle);
SFUMATO_ACL aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream);
