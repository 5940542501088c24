// SPDX-License-Identifier: Apache-2.0
// Collectives of hosts: a rank's call is work of one of its queues, and is complete when all ranks have come to theirs
// (ranks.md 9.3).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "runtime/world/collective.h"
#include "runtime/world/world.h"

namespace sfumato::runtime {

// A rank's send to, or receive from, another.
struct Transfer {
    bool send = true;
    uint8_t* at = nullptr;
    uint64_t count = 0;
    int type = 0;  // of HcclDataType
    uint32_t peer = 0;
    bool operator==(const Transfer&) const = default;
};

// In which order ranks submit the works of their communicators: comm-order where two ranks do it differently.
class CommOrders {
public:
    // The rank's next collective on the communicator of these ranks; a finding, once for two communicators.
    std::optional<Finding> Submitted(const std::string& name, const std::vector<uint32_t>& ranks, uint32_t rank);
    // The communicator has ended; another may be called so.
    void Forget(const std::string& name);

private:
    using Counts = std::map<std::string, uint64_t>;  // of collectives, by communicator
    std::optional<Finding> Compare(const std::string& on, uint64_t number, const std::map<uint32_t, Counts>& work);

    std::mutex mutex_;
    std::map<std::string, std::set<uint32_t>> members_;
    std::map<uint32_t, Counts> submitted_;  // by rank
    // By communicator and number of the collective: what each rank has submitted with it, until all have.
    std::map<std::string, std::map<uint64_t, std::map<uint32_t, Counts>>> open_;
    std::set<std::pair<std::string, std::string>> told_;
};

class Communicator : public std::enable_shared_from_this<Communicator> {
public:
    // Of calls that do not go together, at these places.
    using Fault = std::function<void(const Report&, std::span<const uint32_t> places)>;

    // ranks: of the world, by place. `orders` is of all communicators of the world.
    Communicator(std::shared_ptr<CommOrders> orders, std::string name, std::vector<uint32_t> ranks,
                 numeric::CollectiveOrder order, Fault fault);
    ~Communicator() { orders_->Forget(name_); }
    Communicator& operator=(Communicator&&) = delete;

    const std::string& name() const { return name_; }
    uint32_t size() const { return static_cast<uint32_t>(ranks_.size()); }
    const std::vector<uint32_t>& ranks() const { return ranks_; }

    // What to submit for the rank at the place, one behind the other on one queue (World::Submit): its part of its next
    // collective, whose buffers stay until it is complete; transfers that do not wait for one another, of which those
    // between two ranks meet in the order of their submission.
    struct Steps {
        World::Step arrive, complete;
    };
    Steps Next(uint32_t place, Collective call);
    Steps Next(uint32_t place, const std::string& call, std::vector<Transfer> transfers);
    // Works of the rank that are not complete.
    uint64_t Pending(uint32_t place) const;

private:
    // The n-th collective of all ranks.
    struct Round {
        std::vector<Collective> calls;  // by place
        std::vector<bool> came, left;
        bool done = false, given_up = false;
    };
    struct Batch {
        std::string call;
        uint32_t place = 0;
        std::vector<Transfer> transfers;
        std::vector<bool> done;
        bool over = false;
    };
    struct Half {
        std::shared_ptr<Batch> batch;
        size_t index = 0;
        Transfer& transfer() const { return batch->transfers[index]; }
    };
    using Lock = std::unique_lock<std::mutex>;
    using Key = std::pair<uint32_t, uint32_t>;  // who sends, who receives

    void Arrive(uint64_t number, uint32_t place, Collective call);
    void Arrive(const std::shared_ptr<Batch>& batch);
    std::string WaitsFor(uint64_t number) const;
    std::string WaitsFor(const Batch& batch) const;
    void Leave(uint64_t number, uint32_t place, bool given_up);
    // A sender and its receiver have come.
    void Meet(const Half& from, const Half& to);
    void Tell(Finding finding, const std::string& call, std::span<const uint32_t> places);

    const std::shared_ptr<CommOrders> orders_;
    const std::string name_;
    const std::vector<uint32_t> ranks_;
    const numeric::CollectiveOrder order_;
    const Fault fault_;
    mutable std::mutex mutex_;                   // taken under the world's
    std::vector<uint64_t> submitted_, pending_;  // by place
    std::map<uint64_t, Round> rounds_;
    std::map<Key, std::deque<Half>> senders_, receivers_;  // who have come and wait for the other
};

}  // namespace sfumato::runtime
