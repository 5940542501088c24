// SPDX-License-Identifier: Apache-2.0
// Hccl, the client of collective communication, in a domain of one rank: what a collective gives is a copy (adv.md 11).
#pragma once

#include "sfumato/ascendc/compat.h"

namespace sfumato::ascendc {

// One prepared collective: `repeat` copies, the next one `step` bytes further.
struct HcclTask {
    const char* name = "";
    uint8_t *send = nullptr, *recv = nullptr;
    uint64_t bytes = 0, step = 0;
    uint32_t repeat = 0, committed = 0, waited = 0;
};
struct HcclClient {
    static constexpr int kTasks = 63;
    int32_t domain = -1;  // of the context; -1 before Init
    int32_t count = 0;
    bool finalised = false;
    HcclTask tasks[kTasks];
};
SFUMATO_API void HcclInit(HcclClient* client, const uint8_t* context, Where where);
// The task's handle, or -1 after a report.
SFUMATO_API int8_t HcclPrepare(HcclClient* client, const HcclTask& task, bool commit, Where where);
SFUMATO_API void HcclCommit(HcclClient* client, int8_t handle, Where where);
SFUMATO_API int32_t HcclWait(HcclClient* client, int8_t handle, Where where);
SFUMATO_API int32_t HcclQuery(HcclClient* client, int8_t handle, Where where);
SFUMATO_API void HcclFinalize(HcclClient* client, Where where);
// Reports a call that needs another rank.
SFUMATO_API void HcclOtherRank(const char* call, uint32_t rank, Where where);

}  // namespace sfumato::ascendc

namespace AscendC {

enum HcclServerType { HCCL_SERVER_TYPE_AICPU = 0, HCCL_SERVER_TYPE_CCU, HCCL_SERVER_TYPE_END };
enum HcclDataType {
    HCCL_DATA_TYPE_INT8 = 0,
    HCCL_DATA_TYPE_INT16 = 1,
    HCCL_DATA_TYPE_INT32 = 2,
    HCCL_DATA_TYPE_FP16 = 3,
    HCCL_DATA_TYPE_FP32 = 4,
    HCCL_DATA_TYPE_INT64 = 5,
    HCCL_DATA_TYPE_UINT64 = 6,
    HCCL_DATA_TYPE_UINT8 = 7,
    HCCL_DATA_TYPE_UINT16 = 8,
    HCCL_DATA_TYPE_UINT32 = 9,
    HCCL_DATA_TYPE_FP64 = 10,
    HCCL_DATA_TYPE_BFP16 = 11,
    HCCL_DATA_TYPE_INT128 = 12,
    HCCL_DATA_TYPE_HIF8 = 14,
    HCCL_DATA_TYPE_FP8E4M3 = 15,
    HCCL_DATA_TYPE_FP8E5M2 = 16,
    HCCL_DATA_TYPE_FP8E8M0 = 17
};
enum HcclReduceOp { HCCL_REDUCE_SUM = 0, HCCL_REDUCE_PROD = 1, HCCL_REDUCE_MAX = 2, HCCL_REDUCE_MIN = 3 };
enum MC2_BUFFER_TYPE {
    MC2_BUFFER_TYPE_DEFAULT = 0,
    MC2_BUFFER_TYPE_OUTPUT,
    MC2_BUFFER_TYPE_WINDOW_IN,
    MC2_BUFFER_TYPE_WINDOW_OUT,
    MC2_BUFFER_TYPE_WORKSPACE,
    MC2_BUFFER_TYPE_INPUT,
    MC2_BUFFER_TYPE_COMMOUT,
    MC2_BUFFER_TYPE_END
};
using HcclHandle = int8_t;
constexpr HcclHandle INVALID_HANDLE_ID = -1;
constexpr int32_t HCCL_SUCCESS = 0;
constexpr int32_t HCCL_FAILED = -1;
constexpr uint32_t HCCL_GROUP_ID_0 = 0;
constexpr uint32_t HCCL_GROUP_ID_1 = 1;
constexpr uint32_t HCCL_MAX_RANK_NUM = 32;

struct HcclServerConfig {
    uint32_t type = 0;
    uint32_t blockId = 0;
};
inline constexpr HcclServerConfig DEFAULT_CFG{};

// A prepare call returns a handle; Commit lets its next task run, on core 0, Wait returns when it has.
template <HcclServerType serverType = HCCL_SERVER_TYPE_AICPU, const auto& config = DEFAULT_CFG>
class Hccl {
public:
    // The tilings say how the server works, which changes nothing in a domain of one rank.
    void Init(GM_ADDR context, __gm__ void* initTiling = nullptr, SFUMATO_AT) {
        static_cast<void>(initTiling);
        sfumato_::HcclInit(&client_, context, where);
    }
    void InitV2(GM_ADDR context, const void* initTiling, SFUMATO_AT) {
        static_cast<void>(initTiling);
        sfumato_::HcclInit(&client_, context, where);
    }
    int32_t SetCcTiling(__gm__ void*) { return HCCL_SUCCESS; }
    int32_t SetCcTilingV2(uint64_t) { return HCCL_SUCCESS; }

    template <bool commit = false>
    HcclHandle AllReduce(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp,
                         uint8_t repeat = 1, SFUMATO_AT) {
        return Prepare("AllReduce", sendBuf, recvBuf, count, dataType, repeat, commit, where);
    }
    template <bool commit = false>
    HcclHandle AllGather(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t sendCount, HcclDataType dataType,
                         uint64_t strideCount, uint8_t repeat = 1, SFUMATO_AT) {
        static_cast<void>(strideCount);  // between ranks
        return Prepare("AllGather", sendBuf, recvBuf, sendCount, dataType, repeat, commit, where);
    }
    template <bool commit = false>
    HcclHandle ReduceScatter(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t recvCount, HcclDataType dataType, HcclReduceOp,
                             uint64_t strideCount, uint8_t repeat = 1, SFUMATO_AT) {
        static_cast<void>(strideCount);
        return Prepare("ReduceScatter", sendBuf, recvBuf, recvCount, dataType, repeat, commit, where);
    }
    template <bool commit = false>
    HcclHandle AlltoAll(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t dataCount, HcclDataType dataType,
                        uint64_t strideCount = 0, uint8_t repeat = 1, SFUMATO_AT) {
        static_cast<void>(strideCount);
        return Prepare("AlltoAll", sendBuf, recvBuf, dataCount, dataType, repeat, commit, where);
    }
    // Counts and displacements: a number for each rank.
    template <bool commit = false, class Counts>
    HcclHandle AlltoAllV(GM_ADDR sendBuf, Counts* sendCounts, Counts* sdispls, HcclDataType sendType, GM_ADDR recvBuf,
                         Counts* recvCounts, Counts* rdispls, HcclDataType recvType, uint8_t repeat = 1, SFUMATO_AT) {
        static_cast<void>(recvCounts), static_cast<void>(recvType);
        return Prepare("AlltoAllV", sendBuf + sdispls[0] * Bytes(sendType), recvBuf + rdispls[0] * Bytes(recvType),
                       sendCounts[0], sendType, repeat, commit, where);
    }
    // Writes to other ranks, and there are none.
    template <bool commit = false>
    HcclHandle BatchWrite(GM_ADDR, uint32_t, uint16_t = 0, SFUMATO_AT) {
        sfumato_::HcclOtherRank("BatchWrite", 1, where);
        return INVALID_HANDLE_ID;
    }

    void Commit(HcclHandle handleId, SFUMATO_AT) { sfumato_::HcclCommit(&client_, handleId, where); }
    int32_t Wait(HcclHandle handleId, SFUMATO_AT) { return sfumato_::HcclWait(&client_, handleId, where); }
    // The tasks of the handle that are known to be done.
    int32_t Query(HcclHandle handleId, SFUMATO_AT) { return sfumato_::HcclQuery(&client_, handleId, where); }
    // Tasks are done when they were committed: no group is behind another.
    void InterHcclGroupSync(int8_t, HcclHandle) {}
    template <bool sync = true>
    void Finalize(SFUMATO_AT) {
        sfumato_::HcclFinalize(&client_, where);
    }

    uint32_t GetRankId() const { return 0; }
    uint32_t GetRankDim() const { return 1; }
    GM_ADDR GetWindowsInAddr(uint32_t rankId, SFUMATO_AT) {
        return sfumato_::HcclOtherRank("GetWindowsInAddr", rankId, where), nullptr;
    }
    GM_ADDR GetWindowsOutAddr(uint32_t rankId, SFUMATO_AT) {
        return sfumato_::HcclOtherRank("GetWindowsOutAddr", rankId, where), nullptr;
    }

private:
    static constexpr uint64_t Bytes(HcclDataType type) {
        constexpr uint8_t kBytes[] = {1, 2, 4, 2, 4, 8, 8, 1, 2, 4, 8, 2, 16, 0, 1, 1, 1, 1};
        return kBytes[type];
    }
    HcclHandle Prepare(const char* name, GM_ADDR send, GM_ADDR recv, uint64_t count, HcclDataType type, uint8_t repeat,
                       bool commit, sfumato::Where where) {
        const uint64_t bytes = count * Bytes(type);
        return sfumato_::HcclPrepare(&client_, {name, send, recv, bytes, bytes, repeat}, commit, where);
    }
    sfumato_::HcclClient client_;
};

}  // namespace AscendC
