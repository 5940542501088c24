// SPDX-License-Identifier: Apache-2.0
// The communicators of the process (ranks.md 9): how their ranks come together, and who holds which.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "hccl/hccl_types.h"
#include "host/acl_call.h"
#include "runtime/world/communicator.h"
#include "runtime/world/group.h"

namespace sfumato::host {

// A communicator; its ranks hold it together.
struct HcclDomain {
    std::string name;
    std::vector<uint32_t> ranks;  // devices, by place
    uint64_t window_mb = 0;       // 0: as the environment says
    bool is_sub = false;
    std::shared_ptr<runtime::Communicator> comm;  // null with one device
    std::unique_ptr<runtime::Group> group;        // for kernels: when the name is first asked for
    std::vector<HcclResult> errors;               // by place: of works
};
// What a HcclComm stands for.
struct HcclRank {
    std::shared_ptr<HcclDomain> domain;
    uint32_t place = 0;
    uint32_t device() const { return domain->ranks[place]; }
};

// Refused by a call: the finding and the code.
struct HcclRefusal {
    Finding finding;
    HcclResult code = HCCL_E_PARA;
};

// Ranks that come together: one for each communicator to be.
struct HcclJoin {
    enum class State : uint8_t { kWaits, kDone, kGivenUp };
    struct Member {
        uint32_t device = 0;
        HcclComm* comm = nullptr;
        std::vector<uint32_t> wanted;  // devices that the member says it is to have; none: nothing said
    };
    std::string key, name;
    uint64_t window_mb = 0;
    uint32_t size = 0;
    bool is_sub = false;
    std::map<uint32_t, Member> members;  // by rank
    State state = State::kWaits;
    std::optional<std::chrono::steady_clock::time_point> since;  // nothing else can go on
    std::string told;                                            // why it was given up
};

class HcclComms {
public:
    static HcclComms& The();

    // A number of its own for each communicator that a root info begins.
    uint64_t NextRoot();

    struct Request {
        std::string key;   // of the join
        std::string name;  // empty: the key is
        uint64_t window_mb = 0;
        uint32_t size = 0, rank = 0;
        bool is_sub = false;
        HcclJoin::Member member;
    };
    // The rank has come. The last one makes the communicator and sets all comms.
    std::variant<std::shared_ptr<HcclJoin>, HcclRefusal> Enter(const Request& request);
    // Blocks until all ranks of all of them have come; false: one was given up, and `call` has said so.
    bool Wait(const AclCall& call, const std::vector<std::shared_ptr<HcclJoin>>& joins);

    // Null: there is none.
    std::shared_ptr<HcclRank> Find(HcclComm comm) const;
    bool WasDestroyed(HcclComm comm) const;
    HcclComm Named(const std::string& name, uint32_t device) const;
    void Destroy(HcclComm comm);
    // What kernels of the communicator's ranks get. Throws Error.
    void MakeGroup(HcclDomain& domain);

    void SetError(HcclDomain& domain, std::span<const uint32_t> places, HcclResult code);
    HcclResult ErrorOf(const HcclRank& rank) const;

private:
    std::optional<HcclRefusal> Check(const Request& request, const HcclJoin& join) const;
    void Complete(HcclJoin& join);
    // Where the world asks and nothing else goes on.
    bool GiveUp(const AclCall& call, HcclJoin& join);

    mutable std::mutex mutex_;  // taken under the world's
    std::mutex groups_mutex_;   // while a group is made; takes the world's
    std::map<std::string, std::shared_ptr<HcclJoin>> joins_;
    std::map<HcclComm, std::shared_ptr<HcclRank>> ranks_;
    std::map<HcclComm, std::string> destroyed_;
    std::shared_ptr<runtime::CommOrders> orders_ = std::make_shared<runtime::CommOrders>();
    uint64_t roots_ = 0;
    uintptr_t next_ = 0x5d000010;  // no address of a block
};

// SFUMATO_OPTIONS=collective_order=...; as it was first asked for.
numeric::CollectiveOrder CollectiveOrderOfEnvironment();

}  // namespace sfumato::host
