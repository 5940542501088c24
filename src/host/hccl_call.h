// SPDX-License-Identifier: Apache-2.0
// How an HCCL call checks its arguments and refuses, and what it submits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/hccl_comms.h"

namespace sfumato::host {

class HcclCall {
public:
    explicit HcclCall(const char* name) : acl_(name) {}
    const AclCall& acl() const { return acl_; }

    HcclResult Refuse(Finding finding, HcclResult code = HCCL_E_PARA) const {
        acl_.Refuse(std::move(finding));
        return code;
    }
    HcclResult RefuseNull(const char* operand) const {
        return Refuse({Rule::kAclArgument, operand, "the address is null", "nullptr", "an address", ""}, HCCL_E_PTR);
    }
    // Of HcclComm; null after a refusal, whose code is in `code`.
    std::shared_ptr<HcclRank> Rank(HcclComm comm, HcclResult& code) const;

private:
    AclCall acl_;
};

// A call on a communicator and a stream: each check says false, and nothing after it checks anything more.
class HcclWork {
public:
    HcclWork(const char* name, HcclComm comm, aclrtStream stream);

    HcclResult code() const { return code_; }
    bool fine() const { return code_ == HCCL_SUCCESS; }
    uint32_t size() const { return static_cast<uint32_t>(rank_->domain->ranks.size()); }
    uint32_t place() const { return rank_->place; }

    void CheckType(HcclDataType type);
    // The type may be reduced by the operation.
    void CheckOp(HcclDataType type, HcclReduceOp op);
    void CheckRank(const char* operand, uint32_t rank);
    // What the rank does with a buffer.
    enum class Use : uint8_t { kSends, kReceives };
    // `count` elements from p on are memory of the communicator's device. None: p may be null. operand: its name, where
    // it is not sendBuf or recvBuf.
    void CheckBuffer(Use use, const void* p, uint64_t count, HcclDataType type, const char* operand = nullptr);
    // Of uint64_t for each rank.
    std::vector<runtime::Part> PartsOf(const char* operand, const void* counts, const void* displacements);
    HcclResult Refuse(Finding finding, HcclResult code = HCCL_E_PARA);

    // Submit, now or at the end of the thread's group.
    HcclResult Submit(runtime::Collective call);
    HcclResult Submit(std::vector<runtime::Transfer> transfers);

private:
    HcclCall call_;
    const aclrtStream stream_;
    HcclResult code_ = HCCL_SUCCESS;
    std::shared_ptr<HcclRank> rank_;
    std::vector<runtime::TouchedBytes> touched_;
};

// Groups of the calling thread.
void HcclGroupBegin();
// False: there is none.
bool HcclGroupIsOpen();
void HcclGroupAdd(std::shared_ptr<HcclJoin> join);

}  // namespace sfumato::host
