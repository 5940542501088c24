// SPDX-License-Identifier: Apache-2.0
// Arguments of HCCL calls, and how their works reach a stream.
#include "host/hccl_call.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "hccl/hccl.h"
#include "host/capture.h"
#include "host/ranks.h"
#include "host/stream_order.h"
#include "host/told.h"
#include "runtime/cores/of_thread.h"

namespace sfumato::host {
namespace {

using runtime::Collective;
using runtime::CommTypeOf;
using runtime::Part;
using runtime::Transfer;

// A work of a communicator on a stream.
struct HcclTarget {
    AclCall call;
    std::shared_ptr<HcclRank> rank;
    aclrtStream stream;
    std::vector<runtime::TouchedBytes> touched = {};

    // The stream has come to it.
    void WatchBuffers() const {
        const auto races =
            StreamOrder::The().Submit(OnStream(stream), call.name(), {}, touched, StreamOrder::Of::kComms);
        for (const Report& race : races) {
            Told::The().AddCall(race);
            std::fprintf(stderr, "%s\n", race.Text().c_str());
        }
    }
};

int SubmitStep(const HcclTarget& to, runtime::World::Step step, const std::vector<const void*>& uses) {
    Ranks::Step wrapped{to.call.name(), {}, uses, [run = std::move(step.run)] {
                            run();
                            return Ranks::Outcome{};
                        }};
    wrapped.ready = std::move(step.ready);
    wrapped.waits_for = std::move(step.waits_for);
    wrapped.give_up = [also = std::move(step.give_up), rank = to.rank](const Report& report) {
        if (also) also(report);
        const HcclResult code = report.rule == Rule::kDeadlock ? HCCL_E_TIMEOUT : HCCL_E_REMOTE;
        HcclComms::The().SetError(*rank->domain, std::span(&rank->place, 1), code);
    };
    return Ranks::The().Submit(to.stream, std::move(wrapped));
}

HcclResult SubmitSteps(const HcclTarget& to, runtime::Communicator::Steps steps, std::vector<const void*> uses) {
    steps.arrive.run = [to, run = std::move(steps.arrive.run)] {
        to.WatchBuffers();
        run();
    };
    const int first = SubmitStep(to, std::move(steps.arrive), uses);
    const int second = SubmitStep(to, std::move(steps.complete), uses);
    return first || second ? HCCL_E_RUNTIME : HCCL_SUCCESS;
}

HcclResult SubmitCollective(const HcclTarget& to, const Collective& call) {
    HcclDomain& domain = *to.rank->domain;
    if (domain.comm) return SubmitSteps(to, domain.comm->Next(to.rank->place, call), {call.send, call.recv});
    Submit(to.call, to.stream, [to, call](aclrtStream) {
        to.WatchBuffers();
        runtime::Perform(std::span(&call, 1), numeric::CollectiveOrder::kRank);
        return ACL_SUCCESS;
    });
    return HCCL_SUCCESS;
}

// Of the only rank to itself: the n-th send is what the n-th receive gets.
HcclResult SubmitToSelf(const HcclTarget& to, const std::vector<Transfer>& transfers) {
    std::vector<Transfer> sends, recvs;
    for (const Transfer& transfer : transfers) (transfer.send ? sends : recvs).push_back(transfer);
    const auto fits = [](const Transfer& a, const Transfer& b) { return a.count == b.count && a.type == b.type; };
    if (!std::ranges::equal(sends, recvs, fits)) {
        to.call.Refuse({Rule::kCountMismatch, "", "the rank does not receive what it sends to itself",
                        fmt::format("{} sends, {} receives", sends.size(), recvs.size()),
                        "for each send a receive of the same count and type", ""});
        return HCCL_E_PARA;
    }
    Submit(to.call, to.stream, [to, sends, recvs](aclrtStream) {
        to.WatchBuffers();
        for (size_t i = 0; i < sends.size(); ++i)
            std::memmove(recvs[i].at, sends[i].at, sends[i].count * CommTypeOf(sends[i].type)->bytes);
        return ACL_SUCCESS;
    });
    return HCCL_SUCCESS;
}

HcclResult SubmitTransfers(const HcclTarget& to, std::vector<Transfer> transfers) {
    HcclDomain& domain = *to.rank->domain;
    if (!domain.comm) return SubmitToSelf(to, transfers);
    std::vector<const void*> uses;
    for (const Transfer& transfer : transfers) uses.push_back(transfer.at);
    return SubmitSteps(to, domain.comm->Next(to.rank->place, to.call.name(), std::move(transfers)), std::move(uses));
}

// Calls of a thread between HcclGroupStart and HcclGroupEnd.
struct HcclGroup {
    int depth = 0;
    std::vector<std::shared_ptr<HcclJoin>> joins;
    struct Item {
        HcclTarget to;
        std::optional<Collective> collective;  // or
        std::vector<Transfer> transfers;
    };
    std::vector<Item> items;
};
HcclGroup& TheHcclGroup() { return runtime::OfThread<HcclGroup>(); }

HcclResult EndHcclGroup() {
    HcclGroup& group = TheHcclGroup();
    if (group.depth == 0) {
        return HcclCall("HcclGroupEnd")
            .Refuse({Rule::kAclOrder, "", "there was no HcclGroupStart", "HcclGroupEnd", "one of each", ""});
    }
    if (--group.depth != 0) return HCCL_SUCCESS;
    const std::vector<HcclGroup::Item> items = std::move(group.items);
    const std::vector<std::shared_ptr<HcclJoin>> joins = std::move(group.joins);
    group = {};
    HcclResult result = HCCL_SUCCESS;
    if (!joins.empty() && !HcclComms::The().Wait("HcclGroupEnd", joins)) result = HCCL_E_TIMEOUT;
    for (const HcclGroup::Item& item : items) {
        const HcclResult code =
            item.collective ? SubmitCollective(item.to, *item.collective) : SubmitTransfers(item.to, item.transfers);
        if (result == HCCL_SUCCESS) result = code;
    }
    return result;
}

}  // namespace

void HcclGroupBegin() { ++TheHcclGroup().depth; }
bool HcclGroupIsOpen() { return TheHcclGroup().depth != 0; }
void HcclGroupAdd(std::shared_ptr<HcclJoin> join) { TheHcclGroup().joins.push_back(std::move(join)); }

std::shared_ptr<HcclRank> HcclCall::Rank(HcclComm comm, HcclResult& code) const {
    std::shared_ptr<HcclRank> rank = HcclComms::The().Find(comm);
    if (rank) return rank;
    if (!comm) {
        code = RefuseNull("comm");
    } else if (HcclComms::The().WasDestroyed(comm)) {
        code = Refuse({Rule::kCommLifetime, "comm", "the communicator was destroyed", fmt::format("{}", comm),
                       "one that was not destroyed", "call HcclCommDestroy behind its last use"});
    } else {
        code = Refuse({Rule::kAclArgument, "comm", "there is no such communicator", fmt::format("{}", comm),
                       "what HcclCommInitRootInfo and its sisters gave", ""});
    }
    return nullptr;
}

HcclWork::HcclWork(const char* name, HcclComm comm, aclrtStream stream) : call_(name), stream_(stream) {
    rank_ = call_.Rank(comm, code_);
    if (!rank_) return;
    if (call_.acl().CheckHandle(Handle::kStream, stream)) {
        code_ = HCCL_E_PARA;
        return;
    }
    const uint32_t device = RankOf(Handle::kStream, stream).value_or(Device::Current().rank());
    if (device != rank_->device()) {
        Refuse({Rule::kDeviceMismatch, "stream", "the stream belongs to another device than the communicator's rank",
                fmt::format("a stream of device {}, rank {} on device {}", device, place(), rank_->device()),
                "a stream made on the device of the rank",
                fmt::format("call aclrtSetDevice({}) before", rank_->device())});
    } else if (Captures::The().busy() && Captures::The().Keeps(stream)) {
        Refuse({Rule::kNpuGraphUnsupported, "stream", "a collective is captured", "a stream under capture",
                "collectives of streams that run", "call it outside of the capture"},
               HCCL_E_NOT_SUPPORT);
    }
}

HcclResult HcclWork::Refuse(Finding finding, HcclResult code) { return code_ = call_.Refuse(std::move(finding), code); }

void HcclWork::CheckType(HcclDataType type) {
    if (!fine() || CommTypeOf(type)) return;
    Refuse({Rule::kAclArgument, "dataType", "there is no such type", fmt::format("{}", static_cast<int>(type)),
            "HCCL_DATA_TYPE_INT8 (0) and its sisters", ""});
}

void HcclWork::CheckOp(HcclDataType type, HcclReduceOp op) {
    CheckType(type);
    if (!fine()) return;
    if (op < HCCL_REDUCE_SUM || op > HCCL_REDUCE_MIN) {
        Refuse({Rule::kAclArgument, "op", "there is no such operation", fmt::format("{}", static_cast<int>(op)),
                "HCCL_REDUCE_SUM (0), PROD, MAX, MIN (3)", ""});
        return;
    }
    const runtime::CommType& known = *CommTypeOf(type);
    if (numeric::HasType(static_cast<numeric::CollectiveOp>(op), known.reduced)) return;
    Refuse({Rule::kAclArgument, "dataType", "the operation does not take this type",
            fmt::format("{}{}", known.name, op == HCCL_REDUCE_PROD ? ", HCCL_REDUCE_PROD" : ""),
            op == HCCL_REDUCE_PROD ? "int8, int32, int64, fp16, fp32" : "int8, int16, int32, int64, fp16, fp32, bfp16",
            ""},
           HCCL_E_NOT_SUPPORT);
}

void HcclWork::CheckRank(const char* operand, uint32_t rank) {
    if (!fine() || rank < size()) return;
    Refuse({Rule::kAclArgument, operand, "the communicator has no such rank", fmt::format("{}", rank),
            fmt::format("0 to {}", size() - 1), ""});
}

void HcclWork::CheckBuffer(Use use, const void* p, uint64_t count, HcclDataType type, const char* operand) {
    if (!fine() || count == 0) return;
    if (!operand) operand = use == Use::kSends ? "sendBuf" : "recvBuf";
    if (!p) {
        code_ = call_.RefuseNull(operand);
        return;
    }
    const uint64_t bytes = count * CommTypeOf(type)->bytes;
    touched_.push_back({static_cast<const uint8_t*>(p), bytes, use == Use::kReceives});
    if (const runtime::Group* group = runtime::GroupOf(p)) {  // a window
        const runtime::Group::Place at = group->Find(p);
        if (group->ranks()[at.place] == rank_->device() && at.offset + bytes <= group->window_bytes()) return;
    }
    const Place place = Device::Find(p);
    const std::string found = Device::Describe(p);
    if (!place.OnDevice()) {
        Refuse({Rule::kHostPointer, operand, "the buffer is not memory of the device", found,
                "memory of aclrtMalloc on the device of the rank", ""});
    } else if (place.block->freed) {
        Refuse({Rule::kFreedBlockUsed, operand, "the memory was freed", found, "a block that was not freed", ""});
    } else if (place.rank != rank_->device()) {
        Refuse({Rule::kRemoteAccess, operand, "the buffer is memory of another device", found,
                fmt::format("memory of device {}, on which rank {} is", rank_->device(), this->place()),
                "call aclrtSetDevice before aclrtMalloc"});
    } else if (bytes > place.block->bytes - place.offset) {
        Refuse({Rule::kMemcpySize, operand, "the elements reach past the end of the block",
                fmt::format("{} bytes from {}, which has {}", bytes, found, place.block->bytes),
                fmt::format("at most {} bytes", place.block->bytes - place.offset), ""});
    } else if (reinterpret_cast<uintptr_t>(p) % CommTypeOf(type)->bytes != 0) {
        Refuse({Rule::kAclArgument, operand, "the buffer is not aligned to its elements", found,
                fmt::format("a multiple of {} bytes", CommTypeOf(type)->bytes), ""});
    }
}

std::vector<Part> HcclWork::PartsOf(const char* operand, const void* counts, const void* displacements) {
    std::vector<Part> parts;
    if (!fine()) return parts;
    if (!counts || !displacements) {
        code_ = call_.RefuseNull(operand);
        return parts;
    }
    for (uint32_t i = 0; i < size(); ++i)
        parts.push_back({static_cast<const uint64_t*>(displacements)[i], static_cast<const uint64_t*>(counts)[i]});
    return parts;
}

HcclResult HcclWork::Submit(Collective call) {
    if (!fine()) return code_;
    call.call = call_.acl().name();
    const HcclTarget to{call_.acl(), rank_, stream_, touched_};
    if (!HcclGroupIsOpen()) return SubmitCollective(to, call);
    TheHcclGroup().items.push_back({to, std::move(call), {}});
    return HCCL_SUCCESS;
}

HcclResult HcclWork::Submit(std::vector<Transfer> transfers) {
    if (!fine()) return code_;
    const HcclTarget to{call_.acl(), rank_, stream_, touched_};
    if (!HcclGroupIsOpen()) return SubmitTransfers(to, std::move(transfers));
    auto& items = TheHcclGroup().items;
    const auto same = std::ranges::find_if(items, [&](const HcclGroup::Item& item) {
        return !item.collective && item.to.rank == rank_ && item.to.stream == stream_;
    });
    if (same != items.end()) {
        same->transfers.insert(same->transfers.end(), transfers.begin(), transfers.end());
        same->to.touched.insert(same->to.touched.end(), touched_.begin(), touched_.end());
    } else {
        items.push_back({to, std::nullopt, std::move(transfers)});
    }
    return HCCL_SUCCESS;
}

}  // namespace sfumato::host

using namespace sfumato::host;

HcclResult HcclGroupStart(void) {
    HcclGroupBegin();
    return HCCL_SUCCESS;
}
HcclResult HcclGroupEnd(void) { return EndHcclGroup(); }
