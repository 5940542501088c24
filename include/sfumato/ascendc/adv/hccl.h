// SPDX-License-Identifier: Apache-2.0
// Hccl, the client of collective communication (adv.md 11, ranks.md 7). In a domain of one rank what a collective gives
// is a copy; in a group of more ranks the client tells ranks and windows.
#pragma once

#include "hccl/hccl_types.h"
#include "sfumato/ascendc/compat.h"

namespace sfumato::ascendc {

// One prepared collective: `repeat` tasks, the next one `step` bytes further. Alone, each is a copy of `bytes`.
struct HcclTask {
    enum class Kind : uint8_t { kAllReduce, kAllGather, kReduceScatter, kAlltoAll, kAlltoAllV, kBatchWrite };
    const char* name = "";
    uint8_t *send = nullptr, *recv = nullptr;
    uint64_t bytes = 0, step = 0;
    uint32_t repeat = 0;
    Kind kind = Kind::kAllReduce;
    int32_t type = 0, op = -1;       // HcclDataType; HcclReduceOp, where the collective has one
    uint64_t count = 0, stride = 0;  // elements of a part; from part to part, 0: count. kBatchWrite: items
    // Of kAlltoAllV, for each rank; read when the task is prepared.
    const uint64_t *send_counts = nullptr, *send_at = nullptr, *recv_counts = nullptr, *recv_at = nullptr;
    uint32_t committed = 0, waited = 0;
    uint32_t queried = 0, queries = 0;  // what Query has told last, and how often
};
struct HcclClient {
    static constexpr int kTasks = 63;
    int32_t domain = -1;  // of the context; -1 before Init
    int32_t count = 0;
    bool finalised = false;
    const void* group = nullptr;  // of a world; null: this rank is alone
    uint32_t rank = 0, ranks = 1;
    const uint8_t* tiling = nullptr;  // a Mc2InitTiling, where Init had one
    uint32_t cc_tilings = 0;          // that were set
    const uint8_t* cc_tiling[8]{};
    HcclTask tasks[kTasks];
};
// tiling: may be null. in_memory: it is an address of global memory, as for Init and SetCcTiling; else of the core's
// own.
SFUMATO_API void HcclInit(HcclClient* client, const uint8_t* context, const void* tiling, bool in_memory, Where where);
// Takes the Mc2CcTiling at the address: `offset` bytes behind the Mc2InitTiling where it is not in memory.
SFUMATO_API int32_t HcclSetTiling(HcclClient* client, const void* tiling, uint64_t offset, bool in_memory, Where where);
// The window In, or Out, of a rank of the group; null after a report.
SFUMATO_API uint8_t* HcclWindow(HcclClient* client, uint32_t rank, bool out, Where where);
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
// One type with that of hosts: a source may have both, and using-directives.
using ::HCCL_DATA_TYPE_BFP16;
using ::HCCL_DATA_TYPE_FP16;
using ::HCCL_DATA_TYPE_FP32;
using ::HCCL_DATA_TYPE_FP64;
using ::HCCL_DATA_TYPE_FP8E4M3;
using ::HCCL_DATA_TYPE_FP8E5M2;
using ::HCCL_DATA_TYPE_FP8E8M0;
using ::HCCL_DATA_TYPE_HIF8;
using ::HCCL_DATA_TYPE_INT128;
using ::HCCL_DATA_TYPE_INT16;
using ::HCCL_DATA_TYPE_INT32;
using ::HCCL_DATA_TYPE_INT64;
using ::HCCL_DATA_TYPE_INT8;
using ::HCCL_DATA_TYPE_UINT16;
using ::HCCL_DATA_TYPE_UINT32;
using ::HCCL_DATA_TYPE_UINT64;
using ::HCCL_DATA_TYPE_UINT8;
using ::HCCL_REDUCE_MAX;
using ::HCCL_REDUCE_MIN;
using ::HCCL_REDUCE_PROD;
using ::HCCL_REDUCE_SUM;
using ::HcclDataType;
using ::HcclReduceOp;
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
using ::HCCL_SUCCESS;
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
    // The tilings say how the server works: what a kernel asks of it is checked against them.
    void Init(GM_ADDR context, __gm__ void* initTiling = nullptr, SFUMATO_AT) {
        sfumato_::HcclInit(&client_, context, initTiling, true, where);
    }
    void InitV2(GM_ADDR context, const void* initTiling, SFUMATO_AT) {
        sfumato_::HcclInit(&client_, context, initTiling, false, where);
    }
    int32_t SetCcTiling(__gm__ void* ccOpTilingData, SFUMATO_AT) {
        return sfumato_::HcclSetTiling(&client_, ccOpTilingData, 0, true, where);
    }
    // Bytes from the Mc2InitTiling to a Mc2CcTiling.
    int32_t SetCcTilingV2(uint64_t offset, SFUMATO_AT) {
        return sfumato_::HcclSetTiling(&client_, nullptr, offset, false, where);
    }

    template <bool commit = false>
    HcclHandle AllReduce(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op,
                         uint8_t repeat = 1, SFUMATO_AT) {
        return Prepare("AllReduce", Task::Kind::kAllReduce, sendBuf, recvBuf, count, dataType, op, 0, repeat, commit,
                       where);
    }
    // strideCount: between the parts of two ranks, in elements; 0: they lie one behind the other.
    template <bool commit = false>
    HcclHandle AllGather(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t sendCount, HcclDataType dataType,
                         uint64_t strideCount, uint8_t repeat = 1, SFUMATO_AT) {
        return Prepare("AllGather", Task::Kind::kAllGather, sendBuf, recvBuf, sendCount, dataType, -1, strideCount,
                       repeat, commit, where);
    }
    template <bool commit = false>
    HcclHandle ReduceScatter(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t recvCount, HcclDataType dataType,
                             HcclReduceOp op, uint64_t strideCount, uint8_t repeat = 1, SFUMATO_AT) {
        return Prepare("ReduceScatter", Task::Kind::kReduceScatter, sendBuf, recvBuf, recvCount, dataType, op,
                       strideCount, repeat, commit, where);
    }
    template <bool commit = false>
    HcclHandle AlltoAll(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t dataCount, HcclDataType dataType,
                        uint64_t strideCount = 0, uint8_t repeat = 1, SFUMATO_AT) {
        return Prepare("AlltoAll", Task::Kind::kAlltoAll, sendBuf, recvBuf, dataCount, dataType, -1, strideCount,
                       repeat, commit, where);
    }
    // Counts and displacements: a number for each rank.
    template <bool commit = false, class Counts>
    HcclHandle AlltoAllV(GM_ADDR sendBuf, Counts* sendCounts, Counts* sdispls, HcclDataType sendType, GM_ADDR recvBuf,
                         Counts* recvCounts, Counts* rdispls, HcclDataType recvType, uint8_t repeat = 1, SFUMATO_AT) {
        static_assert(sizeof(Counts) == sizeof(uint64_t), "counts and displacements are uint64_t");
        static_cast<void>(recvType);  // as sendType
        const uint64_t bytes = Bytes(sendType);
        Task task{"AlltoAllV", sendBuf, recvBuf, sendCounts[0] * bytes, sendCounts[0] * bytes, repeat};
        if (client_.ranks == 1) {
            task.send += sdispls[0] * bytes;
            task.recv += rdispls[0] * bytes;
        }
        task.kind = Task::Kind::kAlltoAllV;
        task.type = sendType;
        task.send_counts = reinterpret_cast<const uint64_t*>(sendCounts);
        task.send_at = reinterpret_cast<const uint64_t*>(sdispls);
        task.recv_counts = reinterpret_cast<const uint64_t*>(recvCounts);
        task.recv_at = reinterpret_cast<const uint64_t*>(rdispls);
        return sfumato_::HcclPrepare(&client_, task, commit, where);
    }
    // Copies to windows of other ranks: 64 bytes an item on Ascend910_93, 32 on Ascend910B (ranks.md 7.2), read when it
    // is committed.
    template <bool commit = false>
    HcclHandle BatchWrite(GM_ADDR batchWriteInfo, uint32_t itemNum, uint16_t queueID = 0, SFUMATO_AT) {
        static_cast<void>(queueID);
        if (client_.ranks == 1) return sfumato_::HcclOtherRank("BatchWrite", 1, where), INVALID_HANDLE_ID;
        Task task{"BatchWrite", batchWriteInfo, nullptr, 0, 0, 1};
        task.kind = Task::Kind::kBatchWrite;
        task.count = itemNum;
        return sfumato_::HcclPrepare(&client_, task, commit, where);
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

    uint32_t GetRankId() const { return client_.rank; }
    uint32_t GetRankDim() const { return client_.ranks; }
    GM_ADDR GetWindowsInAddr(uint32_t rankId, SFUMATO_AT) {
        return sfumato_::HcclWindow(&client_, rankId, false, where);
    }
    GM_ADDR GetWindowsOutAddr(uint32_t rankId, SFUMATO_AT) {
        return sfumato_::HcclWindow(&client_, rankId, true, where);
    }

private:
    static constexpr uint64_t Bytes(HcclDataType type) {
        constexpr uint8_t kBytes[] = {1, 2, 4, 2, 4, 8, 8, 1, 2, 4, 8, 2, 16, 0, 1, 1, 1, 1};
        return kBytes[type];
    }
    using Task = sfumato_::HcclTask;
    HcclHandle Prepare(const char* name, Task::Kind kind, GM_ADDR send, GM_ADDR recv, uint64_t count, HcclDataType type,
                       int op, uint64_t stride, uint8_t repeat, bool commit, sfumato::Where where) {
        const uint64_t bytes = count * Bytes(type);
        Task task{name, send, recv, bytes, bytes, repeat};
        task.kind = kind;
        task.type = type;
        task.op = op;
        task.count = count;
        task.stride = stride;
        return sfumato_::HcclPrepare(&client_, task, commit, where);
    }
    sfumato_::HcclClient client_;
};

}  // namespace AscendC
