// SPDX-License-Identifier: Apache-2.0
// The collectives of hccl.h: their arguments as what each rank gives and gets (ranks.md 9.2).
#include <algorithm>

#include "hccl/hccl.h"
#include "host/hccl_call.h"

namespace sfumato::host {
namespace {

using runtime::Collective;
using runtime::CollectiveKind;
using runtime::EvenParts;
using runtime::Part;
using runtime::Transfer;
using Use = HcclWork::Use;

Collective CallOf(CollectiveKind kind, const void* send, const void* recv, HcclDataType type) {
    Collective call;
    call.kind = kind;
    call.send = static_cast<const uint8_t*>(send);
    call.recv = static_cast<uint8_t*>(const_cast<void*>(recv));
    call.type = type;
    return call;
}

// Elements up to the end of the last part.
uint64_t ExtentOf(const std::vector<Part>& parts) {
    uint64_t end = 0;
    for (const Part& part : parts) {
        if (part.count != 0) end = std::max(end, part.offset + part.count);
    }
    return end;
}

// Parts that are written are apart from one another.
void CheckApart(HcclWork& work, const char* operand, const std::vector<Part>& parts) {
    std::vector<std::pair<Part, size_t>> sorted;
    for (size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].count != 0) sorted.emplace_back(parts[i], i);
    }
    std::ranges::sort(sorted, {}, [](const auto& part) { return part.first.offset; });
    for (size_t i = 1; i < sorted.size() && work.fine(); ++i) {
        const auto& [a, of_a] = sorted[i - 1];
        const auto& [b, of_b] = sorted[i];
        if (a.offset + a.count <= b.offset) continue;
        work.Refuse({Rule::kCountMismatch, operand, "what two ranks send comes to the same elements",
                     fmt::format("rank {}: {}..{}, rank {}: {}..{}", of_a, a.offset, a.offset + a.count, of_b, b.offset,
                                 b.offset + b.count),
                     "parts that do not overlap", "a displacement is the sum of the counts before"});
    }
}

HcclResult AllToAllParts(HcclWork& work, Collective call) {
    CheckApart(work, "rdispls", call.recvs);
    work.CheckBuffer(Use::kSends, call.send, ExtentOf(call.sends), static_cast<HcclDataType>(call.type));
    work.CheckBuffer(Use::kReceives, call.recv, ExtentOf(call.recvs), static_cast<HcclDataType>(call.type));
    if (work.fine() && call.send && call.send == call.recv) {
        work.Refuse({Rule::kAclArgument, "recvBuf", "the buffers are one", "recvBuf == sendBuf", "two buffers", ""});
    }
    return work.Submit(std::move(call));
}

void CheckTypes(HcclWork& work, HcclDataType send, HcclDataType recv) {
    work.CheckType(send);
    work.CheckType(recv);
    if (!work.fine() || send == recv) return;
    work.Refuse({Rule::kAclArgument, "recvType", "the types differ",
                 fmt::format("{}, {}", runtime::CommTypeOf(send)->name, runtime::CommTypeOf(recv)->name),
                 "one type for both buffers", ""});
}

HcclResult SendOrReceive(const char* name, bool send, void* buf, uint64_t count, HcclDataType type, uint32_t peer,
                         HcclComm comm, aclrtStream stream) {
    HcclWork work(name, comm, stream);
    const char* operand = send ? "destRank" : "srcRank";
    work.CheckType(type);
    if (work.fine()) work.CheckRank(operand, peer);
    if (work.fine() && peer == work.place()) {
        work.Refuse({Rule::kAclArgument, operand, "a rank does not send to itself", fmt::format("{}", peer),
                     "another rank", "use aclrtMemcpyAsync"});
    }
    work.CheckBuffer(send ? Use::kSends : Use::kReceives, buf, count, type);
    return work.Submit({Transfer{send, static_cast<uint8_t*>(buf), count, type, peer}});
}

}  // namespace
}  // namespace sfumato::host

using namespace sfumato::host;
using sfumato::Rule;
using sfumato::numeric::CollectiveOp;

HcclResult HcclAllReduce(void* send, void* recv, uint64_t count, HcclDataType type, HcclReduceOp op, HcclComm comm,
                         aclrtStream stream) {
    HcclWork work("HcclAllReduce", comm, stream);
    work.CheckOp(type, op);
    work.CheckBuffer(Use::kSends, send, count, type);
    work.CheckBuffer(Use::kReceives, recv, count, type);
    Collective call = CallOf(CollectiveKind::kAllReduce, send, recv, type);
    call.op = static_cast<CollectiveOp>(op);
    call.count = count;
    return work.Submit(std::move(call));
}

HcclResult HcclReduce(void* send, void* recv, uint64_t count, HcclDataType type, HcclReduceOp op, uint32_t root,
                      HcclComm comm, aclrtStream stream) {
    HcclWork work("HcclReduce", comm, stream);
    work.CheckOp(type, op);
    if (work.fine()) work.CheckRank("root", root);
    work.CheckBuffer(Use::kSends, send, count, type);
    if (work.fine() && root == work.place()) work.CheckBuffer(Use::kReceives, recv, count, type);
    Collective call = CallOf(CollectiveKind::kReduce, send, recv, type);
    call.op = static_cast<CollectiveOp>(op);
    call.root = root;
    call.count = count;
    return work.Submit(std::move(call));
}

HcclResult HcclReduceScatter(void* send, void* recv, uint64_t count, HcclDataType type, HcclReduceOp op, HcclComm comm,
                             aclrtStream stream) {
    HcclWork work("HcclReduceScatter", comm, stream);
    work.CheckOp(type, op);
    Collective call = CallOf(CollectiveKind::kReduceScatter, send, recv, type);
    if (work.fine()) call.sends = EvenParts(work.size(), count, count);
    work.CheckBuffer(Use::kSends, send, ExtentOf(call.sends), type);
    work.CheckBuffer(Use::kReceives, recv, count, type);
    call.op = static_cast<CollectiveOp>(op);
    call.count = count;
    return work.Submit(std::move(call));
}

HcclResult HcclReduceScatterV(void* send, const void* counts, const void* displacements, void* recv, uint64_t count,
                              HcclDataType type, HcclReduceOp op, HcclComm comm, aclrtStream stream) {
    HcclWork work("HcclReduceScatterV", comm, stream);
    work.CheckOp(type, op);
    Collective call = CallOf(CollectiveKind::kReduceScatter, send, recv, type);
    call.sends = work.PartsOf("sendCounts", counts, displacements);
    work.CheckBuffer(Use::kSends, send, ExtentOf(call.sends), type);
    work.CheckBuffer(Use::kReceives, recv, count, type);
    call.op = static_cast<CollectiveOp>(op);
    call.recvs = {{0, count}};
    return work.Submit(std::move(call));
}

HcclResult HcclAllGather(void* send, void* recv, uint64_t count, HcclDataType type, HcclComm comm, aclrtStream stream) {
    HcclWork work("HcclAllGather", comm, stream);
    work.CheckType(type);
    Collective call = CallOf(CollectiveKind::kAllGather, send, recv, type);
    if (work.fine()) call.recvs = EvenParts(work.size(), count, count);
    work.CheckBuffer(Use::kSends, send, count, type);
    work.CheckBuffer(Use::kReceives, recv, ExtentOf(call.recvs), type);
    call.count = count;
    return work.Submit(std::move(call));
}

HcclResult HcclAllGatherV(void* send, uint64_t count, void* recv, const void* counts, const void* displacements,
                          HcclDataType type, HcclComm comm, aclrtStream stream) {
    HcclWork work("HcclAllGatherV", comm, stream);
    work.CheckType(type);
    Collective call = CallOf(CollectiveKind::kAllGather, send, recv, type);
    call.recvs = work.PartsOf("recvCounts", counts, displacements);
    CheckApart(work, "recvDispls", call.recvs);
    work.CheckBuffer(Use::kSends, send, count, type);
    work.CheckBuffer(Use::kReceives, recv, ExtentOf(call.recvs), type);
    call.sends = {{0, count}};
    return work.Submit(std::move(call));
}

HcclResult HcclBroadcast(void* buf, uint64_t count, HcclDataType type, uint32_t root, HcclComm comm,
                         aclrtStream stream) {
    HcclWork work("HcclBroadcast", comm, stream);
    work.CheckType(type);
    if (work.fine()) work.CheckRank("root", root);
    const bool sends = work.fine() && root == work.place();
    work.CheckBuffer(sends ? Use::kSends : Use::kReceives, buf, count, type, "buf");
    Collective call = CallOf(CollectiveKind::kBroadcast, buf, buf, type);
    call.root = root;
    call.count = count;
    return work.Submit(std::move(call));
}

HcclResult HcclScatter(void* send, void* recv, uint64_t count, HcclDataType type, uint32_t root, HcclComm comm,
                       aclrtStream stream) {
    HcclWork work("HcclScatter", comm, stream);
    work.CheckType(type);
    if (work.fine()) work.CheckRank("root", root);
    Collective call = CallOf(CollectiveKind::kScatter, send, recv, type);
    if (work.fine() && root == work.place()) {
        call.sends = EvenParts(work.size(), count, count);
        work.CheckBuffer(Use::kSends, send, ExtentOf(call.sends), type);
    }
    work.CheckBuffer(Use::kReceives, recv, count, type);
    call.root = root;
    call.count = count;
    return work.Submit(std::move(call));
}

HcclResult HcclAlltoAll(const void* send, uint64_t send_count, HcclDataType send_type, const void* recv,
                        uint64_t recv_count, HcclDataType recv_type, HcclComm comm, aclrtStream stream) {
    HcclWork work("HcclAlltoAll", comm, stream);
    CheckTypes(work, send_type, recv_type);
    if (work.fine() && send_count != recv_count) {
        work.Refuse({Rule::kAclArgument, "recvCount", "the counts differ",
                     fmt::format("{} sent, {} received", send_count, recv_count), "one count for both", ""});
    }
    Collective call = CallOf(CollectiveKind::kAlltoAll, send, recv, send_type);
    if (work.fine()) call.sends = call.recvs = EvenParts(work.size(), send_count, send_count);
    work.CheckBuffer(Use::kSends, send, ExtentOf(call.sends), send_type);
    work.CheckBuffer(Use::kReceives, recv, ExtentOf(call.recvs), send_type);
    call.count = send_count;
    return work.Submit(std::move(call));
}

HcclResult HcclAlltoAllV(const void* send, const void* send_counts, const void* send_displacements,
                         HcclDataType send_type, const void* recv, const void* recv_counts,
                         const void* recv_displacements, HcclDataType recv_type, HcclComm comm, aclrtStream stream) {
    HcclWork work("HcclAlltoAllV", comm, stream);
    CheckTypes(work, send_type, recv_type);
    Collective call = CallOf(CollectiveKind::kAlltoAll, send, recv, send_type);
    call.sends = work.PartsOf("sendCounts", send_counts, send_displacements);
    call.recvs = work.PartsOf("recvCounts", recv_counts, recv_displacements);
    return AllToAllParts(work, std::move(call));
}

HcclResult HcclAlltoAllVC(const void* send, const void* matrix, HcclDataType send_type, const void* recv,
                          HcclDataType recv_type, HcclComm comm, aclrtStream stream) {
    HcclWork work("HcclAlltoAllVC", comm, stream);
    CheckTypes(work, send_type, recv_type);
    if (work.fine() && !matrix) {
        work.Refuse({Rule::kAclArgument, "sendCountMatrix", "the address is null", "nullptr", "an address", ""},
                    HCCL_E_PTR);
    }
    if (!work.fine()) return work.code();
    Collective call = CallOf(CollectiveKind::kAlltoAll, send, recv, send_type);
    const auto* counts = static_cast<const uint64_t*>(matrix);
    const uint32_t n = work.size(), mine = work.place();
    call.matrix.assign(counts, counts + uint64_t{n} * n);
    uint64_t sent = 0, got = 0;
    for (uint32_t i = 0; i < n; ++i) {
        call.sends.push_back({sent, counts[mine * n + i]});
        call.recvs.push_back({got, counts[i * n + mine]});
        sent += call.sends.back().count;
        got += call.recvs.back().count;
    }
    return AllToAllParts(work, std::move(call));
}

HcclResult HcclSend(void* buf, uint64_t count, HcclDataType type, uint32_t peer, HcclComm comm, aclrtStream stream) {
    return SendOrReceive("HcclSend", true, buf, count, type, peer, comm, stream);
}
HcclResult HcclRecv(void* buf, uint64_t count, HcclDataType type, uint32_t peer, HcclComm comm, aclrtStream stream) {
    return SendOrReceive("HcclRecv", false, buf, count, type, peer, comm, stream);
}

HcclResult HcclBatchSendRecv(HcclSendRecvItem* items, uint32_t count, HcclComm comm, aclrtStream stream) {
    HcclWork work("HcclBatchSendRecv", comm, stream);
    if (!work.fine()) return work.code();
    if (!items) {
        return work.Refuse({Rule::kAclArgument, "sendRecvInfo", "the address is null", "nullptr", "an address", ""},
                           HCCL_E_PTR);
    }
    std::vector<Transfer> transfers;
    for (const HcclSendRecvItem& item : std::span(items, count)) {
        work.CheckType(item.dataType);
        if (work.fine()) work.CheckRank("remoteRank", item.remoteRank);
        if (work.fine() && item.sendRecvType != HCCL_SEND && item.sendRecvType != HCCL_RECV) {
            work.Refuse({Rule::kAclArgument, "sendRecvType", "there is no such type of item",
                         fmt::format("{}", static_cast<int>(item.sendRecvType)), "HCCL_SEND (0), HCCL_RECV (1)", ""});
        }
        const bool sends = item.sendRecvType == HCCL_SEND;
        work.CheckBuffer(sends ? Use::kSends : Use::kReceives, item.buf, item.count, item.dataType, "buf");
        transfers.push_back({sends, static_cast<uint8_t*>(item.buf), item.count, item.dataType, item.remoteRank});
    }
    return work.Submit(std::move(transfers));
}

HcclResult HcclBarrier(HcclComm comm, aclrtStream stream) {
    HcclWork work("HcclBarrier", comm, stream);
    return work.Submit(CallOf(CollectiveKind::kBarrier, nullptr, nullptr, HCCL_DATA_TYPE_INT8));
}
