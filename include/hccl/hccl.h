// SPDX-License-Identifier: Apache-2.0
// Collective communication of host programs (docs/spec/ranks.md 9): all ranks are devices of this process, driven by
// one thread or by one thread each. A collective is work of its stream; it is complete on every rank when all ranks
// have come to it. What a call refuses is reported to aclGetRecentErrMsg; what goes wrong later is kept as a fault of
// the devices, for the call that synchronises. Reductions add in ascending rank, each step rounded in the type
// (ranks.md 8), or in the order that SFUMATO_OPTIONS=collective_order=rank|reverse|ring|tree|wide names. Counts are
// elements. Buffers are memory of the communicator's device, aligned to the element.
#pragma once

#include "acl/acl_base.h"
#include "hccl/hccl_types.h"

// Of a new communicator, for HcclCommInitRootInfo on all its ranks in this process.
SFUMATO_ACL HcclResult HcclGetRootInfo(HcclRootInfo* rootInfo);
// The rank is the calling thread's device. Blocks until all nRanks (1 to 64) have called: one thread for each device,
// or one thread for several between HcclGroupStart and HcclGroupEnd, which waits instead.
SFUMATO_ACL HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank,
                                            HcclComm* comm);
SFUMATO_ACL HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank,
                                                  const HcclCommConfig* config, HcclComm* comm);
// Ranks by their place in the list, all served by the calling thread.
SFUMATO_ACL HcclResult HcclCommInitAll(uint32_t ndev, int32_t* devices, HcclComm* comms);
// Refused: one process holds all ranks.
SFUMATO_ACL HcclResult HcclCommInitClusterInfo(const char* clusterInfo, uint32_t rank, HcclComm* comm);
SFUMATO_ACL HcclResult HcclCommInitClusterInfoConfig(const char* clusterInfo, uint32_t rank, HcclCommConfig* config,
                                                     HcclComm* comm);
// The ranks rankIds of *comm, by their place there, as "{name}_sub_{subCommId}"; a rank that is none of them gives
// rankIds NULL and subCommRankId 0xFFFFFFFF. Blocks as HcclCommInitRootInfo does.
SFUMATO_ACL HcclResult HcclCreateSubCommConfig(HcclComm* comm, uint32_t rankNum, uint32_t* rankIds, uint64_t subCommId,
                                               uint32_t subCommRankId, HcclCommConfig* config, HcclComm* subComm);
// Waits for nothing: HCCL_E_AGAIN while works of the rank use it.
SFUMATO_ACL HcclResult HcclCommDestroy(HcclComm comm);
SFUMATO_ACL void SfumatoHcclConfigInit(HcclCommConfig* config);
static inline void HcclCommConfigInit(HcclCommConfig* config) { SfumatoHcclConfigInit(config); }

// commName: room for 128 characters.
SFUMATO_ACL HcclResult HcclGetCommName(HcclComm comm, char* commName);
SFUMATO_ACL HcclResult HcclCommGetHandleWithName(const char* commName, HcclComm* comm);
SFUMATO_ACL HcclResult HcclGetRankId(HcclComm comm, uint32_t* rank);
SFUMATO_ACL HcclResult HcclGetRankSize(HcclComm comm, uint32_t* rankSize);
SFUMATO_ACL HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult* asyncError);
SFUMATO_ACL const char* HcclGetErrorString(HcclResult code);
SFUMATO_ACL HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue);
SFUMATO_ACL HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue* configValue);

// The context of the communicator and the calling rank, for kernels that take it as an argument (ranks.md 7.5).
// Mc2Tiling: host memory that begins with a Mc2InitTiling.
SFUMATO_ACL HcclResult HcclAllocComResourceByTiling(HcclComm comm, void* stream, void* Mc2Tiling, void** commContext);
// For tiling functions, of the calling thread's device; flag has no effect. Ranks are one server: one layer, number 0,
// a full mesh (1, assumed). CommGetCCLBufSizeCfg: bytes of a window.
SFUMATO_ACL HcclResult HcomGetCommHandleByGroup(const char* group, HcclComm* commHandle);
SFUMATO_ACL HcclResult HcomGetRankSizeEx(const char* group, uint32_t* rankSize, uint32_t flag);
SFUMATO_ACL HcclResult HcomGetL0TopoTypeEx(const char* group, uint32_t* topoType, uint32_t flag);
SFUMATO_ACL HcclResult CommGetNetLayers(HcclComm comm, uint32_t** netLayers, uint32_t* netLayerNum);
SFUMATO_ACL HcclResult CommGetInstTopoTypeByNetLayer(HcclComm comm, uint32_t netLayer, uint32_t* topoType);
SFUMATO_ACL HcclResult CommGetInstSizeByNetLayer(HcclComm comm, uint32_t netLayer, uint32_t* rankNum);
SFUMATO_ACL HcclResult CommGetCCLBufSizeCfg(HcclComm comm, uint64_t* cclBufSize);

// Calls of the thread between them are submitted at the end together; sends and receives of one communicator and stream
// do not wait for one another.
SFUMATO_ACL HcclResult HcclGroupStart(void);
SFUMATO_ACL HcclResult HcclGroupEnd(void);

SFUMATO_ACL HcclResult HcclAllReduce(void* sendBuf, void* recvBuf, uint64_t count, HcclDataType dataType,
                                     HcclReduceOp op, HcclComm comm, aclrtStream stream);
SFUMATO_ACL HcclResult HcclReduce(void* sendBuf, void* recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op,
                                  uint32_t root, HcclComm comm, aclrtStream stream);
SFUMATO_ACL HcclResult HcclReduceScatter(void* sendBuf, void* recvBuf, uint64_t recvCount, HcclDataType dataType,
                                         HcclReduceOp op, HcclComm comm, aclrtStream stream);
// Counts and displacements: uint64_t for each rank, in elements.
SFUMATO_ACL HcclResult HcclReduceScatterV(void* sendBuf, const void* sendCounts, const void* sendDispls, void* recvBuf,
                                          uint64_t recvCount, HcclDataType dataType, HcclReduceOp op, HcclComm comm,
                                          aclrtStream stream);
SFUMATO_ACL HcclResult HcclAllGather(void* sendBuf, void* recvBuf, uint64_t sendCount, HcclDataType dataType,
                                     HcclComm comm, aclrtStream stream);
SFUMATO_ACL HcclResult HcclAllGatherV(void* sendBuf, uint64_t sendCount, void* recvBuf, const void* recvCounts,
                                      const void* recvDispls, HcclDataType dataType, HcclComm comm, aclrtStream stream);
SFUMATO_ACL HcclResult HcclBroadcast(void* buf, uint64_t count, HcclDataType dataType, uint32_t root, HcclComm comm,
                                     aclrtStream stream);
SFUMATO_ACL HcclResult HcclScatter(void* sendBuf, void* recvBuf, uint64_t recvCount, HcclDataType dataType,
                                   uint32_t root, HcclComm comm, aclrtStream stream);
SFUMATO_ACL HcclResult HcclAlltoAll(const void* sendBuf, uint64_t sendCount, HcclDataType sendType, const void* recvBuf,
                                    uint64_t recvCount, HcclDataType recvType, HcclComm comm, aclrtStream stream);
SFUMATO_ACL HcclResult HcclAlltoAllV(const void* sendBuf, const void* sendCounts, const void* sdispls,
                                     HcclDataType sendType, const void* recvBuf, const void* recvCounts,
                                     const void* rdispls, HcclDataType recvType, HcclComm comm, aclrtStream stream);
// The matrix, uint64_t, is the same on all ranks: element i * ranks + j goes from rank i to rank j.
SFUMATO_ACL HcclResult HcclAlltoAllVC(const void* sendBuf, const void* sendCountMatrix, HcclDataType sendType,
                                      const void* recvBuf, HcclDataType recvType, HcclComm comm, aclrtStream stream);
SFUMATO_ACL HcclResult HcclSend(void* sendBuf, uint64_t count, HcclDataType dataType, uint32_t destRank, HcclComm comm,
                                aclrtStream stream);
SFUMATO_ACL HcclResult HcclRecv(void* recvBuf, uint64_t count, HcclDataType dataType, uint32_t srcRank, HcclComm comm,
                                aclrtStream stream);
SFUMATO_ACL HcclResult HcclBatchSendRecv(HcclSendRecvItem* sendRecvInfo, uint32_t itemNum, HcclComm comm,
                                         aclrtStream stream);
// The streams meet; the hosts go on.
SFUMATO_ACL HcclResult HcclBarrier(HcclComm comm, aclrtStream stream);
