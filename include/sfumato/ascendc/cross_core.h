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

}  // namespace sfumato::ascendc

namespace AscendC {

// Queued on `pipe`: takes effect when what was issued there before has finished.
// modeId 0: all cores of the kind; 1: the vector cores of the block; 2: cube with vector cores of the block.
template <uint8_t modeId, pipe_t pipe>
void CrossCoreSetFlag(uint16_t flagId, SFUMATO_AT) {
    static_assert(modeId <= 2, "CrossCoreSetFlag: legal modes are 0, 1 and 2 (mode 4 exists on Ascend950 only)");
    static_assert(sfumato_::SetsCrossFlags(pipe),
                  "CrossCoreSetFlag: legal pipes are PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3 and PIPE_FIX");
    sfumato_::ffts_cross_core_sync(pipe, modeId, flagId, "CrossCoreSetFlag", where);
}
// The chip ignores the template arguments: everything behind waits.
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
void CrossCoreWaitFlag(uint16_t flagId, SFUMATO_AT) {
    sfumato_::wait_flag_dev(flagId, "CrossCoreWaitFlag", where);
}
// Older names of mode 2.
template <pipe_t pipe>
void NotifyEvent(uint16_t flagId, SFUMATO_AT) {
    static_assert(sfumato_::SetsCrossFlags(pipe),
                  "NotifyEvent: legal pipes are PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3 and PIPE_FIX");
    sfumato_::ffts_cross_core_sync(pipe, 2, flagId, "NotifyEvent", where);
}
inline void WaitEvent(uint16_t flagId, SFUMATO_AT) { sfumato_::wait_flag_dev(flagId, "WaitEvent", where); }
// Where the flags lie: the chip's own business.
inline void SetSyncBaseAddr(uint64_t) { sfumato_::SetFlagBase(); }

// Meets all vector cores; with false in a launch of both kinds, all cores. Drains the pipes.
template <bool isAIVOnly = true>
void SyncAll(SFUMATO_AT) {
    sfumato_::SyncAllCores(isAIVOnly, where);
}
// The same through memory, for usedCores vector cores (0: all). gm: 32 bytes a core, zero before the first use; ub: as
// much.
template <bool isAIVOnly = true>
void SyncAll(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace,
             const int32_t usedCores = 0, SFUMATO_AT) {
    sfumato_::SyncAllCores({gmWorkspace.view(), ubWorkspace.view()}, usedCores, where);
}

// gm: (cores x eventID + blockIdx) x 32 bytes and 32 more, zero before the first use; ub: 32 bytes.
template <bool isAIVOnly = true>
void IBSet(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx,
           int32_t eventID, SFUMATO_AT) {
    sfumato_::IbSet({gmWorkspace.view(), ubWorkspace.view()}, blockIdx, eventID, where);
}
template <bool isAIVOnly = true>
void IBWait(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx,
            int32_t eventID, SFUMATO_AT) {
    sfumato_::IbWait({gmWorkspace.view(), ubWorkspace.view()}, blockIdx, eventID, where);
}

// Vector cores one after another, in the order of their indices. gm: 32 bytes a core; ub: as much and 32 more.
inline void InitDetermineComputeWorkspace(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace,
                                          SFUMATO_AT) {
    sfumato_::BlockOrder({gmWorkspace.view(), ubWorkspace.view()}, sfumato_::BlockOrderStep::kInit, where);
}
inline void WaitPreBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace, SFUMATO_AT) {
    sfumato_::BlockOrder({gmWorkspace.view(), ubWorkspace.view()}, sfumato_::BlockOrderStep::kWait, where);
}
inline void NotifyNextBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace, SFUMATO_AT) {
    sfumato_::BlockOrder({gmWorkspace.view(), ubWorkspace.view()}, sfumato_::BlockOrderStep::kNotify, where);
}

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

// Of kernels fused into one task: without effect in a kernel of its own.
template <pipe_t pipe = PIPE_MTE3>
void SetNextTaskStart(SFUMATO_AT) {
    sfumato_::TaskOnce(0, where);
}
template <pipe_t pipe = PIPE_MTE2>
void WaitPreTaskEnd(SFUMATO_AT) {
    sfumato_::TaskOnce(1, where);
}

enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };

// Writes back and drops lines of the scalar unit's cache. Every access sees memory here; the call tells which reads are
// meant to see what others wrote.
template <typename T, CacheLine entireType, DcciDst dcciDst>
void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst, SFUMATO_AT) {
    sfumato_::CleanCache(dst.view().address, entireType == CacheLine::SINGLE_CACHE_LINE, false, where);
}
template <typename T, CacheLine entireType, DcciDst dcciDst>
void DataCacheCleanAndInvalid(const LocalTensor<T>& dst, SFUMATO_AT) {
    sfumato_::CleanCache(dst.view().address, entireType == CacheLine::SINGLE_CACHE_LINE, true, where);
}
template <typename T, CacheLine entireType>
void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst, SFUMATO_AT) {
    sfumato_::CleanCache(dst.view().address, entireType == CacheLine::SINGLE_CACHE_LINE, false, where);
}
// The scalar unit past its cache.
template <typename T>
T ReadGmByPassDCache(T* addr, SFUMATO_AT) {
    static_assert(std::is_integral_v<T>, "ReadGmByPassDCache: legal types are integers of 8 to 64 bits");
    sfumato_::PassCache(addr);
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(addr, 1, where);
    return tensor.GetValue(0, where);
}
template <typename T>
void WriteGmByPassDCache(T* addr, T value, SFUMATO_AT) {
    static_assert(std::is_integral_v<T>, "WriteGmByPassDCache: legal types are integers of 8 to 64 bits");
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(addr, 1, where);
    tensor.SetValue(0, value, where);
    sfumato_::PassCache(addr);
}

}  // namespace AscendC

// The same as the C layer spells it. config: bits 4 and 5 the mode, 8 to 11 the flag (framework.md 2.7).
inline void ffts_cross_core_sync(pipe_t pipe, uint64_t config, SFUMATO_AT) {
    sfumato::ascendc::ffts_cross_core_sync(pipe, static_cast<uint8_t>(config >> 4 & 3), config >> 8 & 15,
                                           "ffts_cross_core_sync", where);
    sfumato::ascendc::RequireFlagBase(where);
}
inline void wait_flag_dev(uint64_t flagId, SFUMATO_AT) {
    sfumato::ascendc::wait_flag_dev(flagId, "wait_flag_dev", where);
}
inline void set_ffts_base_addr(uint64_t) { sfumato::ascendc::SetFlagBase(); }
constexpr uint64_t get_ffts_base_addr() { return 0; }
