// SPDX-License-Identifier: Apache-2.0
// Cores that wait for each other, and the data cache between them (framework.md 2.7, 2.8).
#pragma once

#include "sfumato/ascendc/tensor.h"

namespace sfumato::ascendc {

constexpr bool SetsCrossFlags(::pipe_t pipe) {
    return pipe == PIPE_V || pipe == PIPE_M || pipe == PIPE_MTE1 || pipe == PIPE_MTE2 || pipe == PIPE_MTE3 ||
           pipe == PIPE_FIX;
}
// The memory of a call between cores.
struct SyncMemory {
    GlobalView gm;
    LocalView ub;
};

// name: of the call as the program spells it.
SFUMATO_API void ffts_cross_core_sync(::pipe_t pipe, uint8_t mode, uint64_t id, const char* name, Where where);
SFUMATO_API void wait_flag_dev(uint64_t id, const char* name, Where where);
// Where the flags lie was told; a note where a raw call sets one before.
SFUMATO_API void SetFlagBase();
SFUMATO_API void RequireFlagBase(Where where);
SFUMATO_API void SyncAllCores(bool vector_only, Where where);
SFUMATO_API void SyncAllCores(const SyncMemory& memory, int32_t used_cores, Where where);
SFUMATO_API void IbSet(const SyncMemory& memory, int32_t block, int32_t event, Where where);
SFUMATO_API void IbWait(const SyncMemory& memory, int32_t block, int32_t event, Where where);
enum class BlockOrderStep : uint8_t { kInit, kWait, kNotify };
SFUMATO_API void BlockOrder(const SyncMemory& memory, BlockOrderStep step, Where where);
SFUMATO_API void GroupArrive(uint8_t* gm, uint32_t arrive_size, uint32_t wait_size, uint32_t index, Where where);
SFUMATO_API void GroupWait(uint8_t* gm, uint32_t arrive_size, uint32_t wait_size, uint32_t index, Where where);
// once: 0 SetNextTaskStart, 1 WaitPreTaskEnd.
SFUMATO_API void TaskOnce(int once, Where where);
// The scalar unit reads or writes an address past its cache.
SFUMATO_API void PassCache(const void* address);
SFUMATO_API void CleanCache(const void* address, bool one_line, bool of_ub, Where where);

// One element at an address of global memory.
template <class T>
AscendC::GlobalTensor<T> Element(void* address, Where where) {
    AscendC::GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(static_cast<T*>(address), 1, where);
    return tensor;
}

}  // namespace sfumato::ascendc

namespace AscendC {

enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };

enum class PipeMode : uint8_t { SCALAR_MODE = 0, MTE3_MODE = 1, MAX };

// waitSize vector cores wait for arriveSize others. groupWorkspace: 512-byte aligned, zero, waitSize x 512 bytes.
template <PipeMode pipeMode>
class GroupBarrier {
    static_assert(pipeMode == PipeMode::MTE3_MODE, "GroupBarrier: the only legal mode is PipeMode::MTE3_MODE");

public:
    GroupBarrier(uint8_t* groupWorkspace, uint32_t arriveSizeIn, uint32_t waitSizeIn)
        : gm_(groupWorkspace), arrive_size_(arriveSizeIn), wait_size_(waitSizeIn) {}
    void Arrive(uint32_t arriveIndex, SFUMATO_AT) {
        sfumato_::GroupArrive(gm_, arrive_size_, wait_size_, arriveIndex, where);
    }
    void Wait(uint32_t waitIndex, SFUMATO_AT) { sfumato_::GroupWait(gm_, arrive_size_, wait_size_, waitIndex, where); }
    uint64_t GetWorkspaceLen() const { return uint64_t{wait_size_} * 512; }

private:
    uint8_t* gm_;
    uint32_t arrive_size_, wait_size_;
};

}  // namespace AscendC

#include "sfumato/ascendc/calls/cross_core.h"
