// SPDX-License-Identifier: Apache-2.0
// Transfers that share the ports of global memory and L2, as fluids: each at most at its own rate, all together at most
// at the port's, by max-min fairness (docs/spec/timing.md 5.2). Transfers that want the same are a group with one rate,
// so that a change costs as much as there are groups, not transfers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "timing/event.h"

namespace sfumato::timing {

class Ports {
public:
    static constexpr Cycles kNever = 1e300;

    // A transfer reads global memory, by way of L2, reads what L2 holds, or writes to L2. As bytes of global memory are
    // written to L2 first, stores share the port kStore with them.
    enum Port : uint8_t { kGm, kL2, kStore, kPorts };
    // Bytes a cycle.
    Ports(double gm, double l2, double store) : capacity_{gm, l2, store} {}

    struct Want {
        Port port;
        double cap;     // bytes a cycle, at most
        double gm = 0;  // bytes that a byte of the transfer costs at the port of global memory
        double in = 1;  // bytes that it writes to L2, of a transfer from global memory
        bool operator==(const Want&) const = default;
    };
    // End returns `who` for this transfer.
    void Start(Cycles now, const Want& want, double bytes, uint32_t who);
    // When the next transfer ends; kNever without any.
    Cycles NextEnd() const { return next_end_; }
    // The transfer that ends then.
    uint32_t End();
    // The bytes that global memory could have moved and did not, since the last call.
    double TakeIdle(Cycles now);
    // Bytes a cycle, now: through the port of global memory, and of all other transfers.
    double FlowOfGm() const { return gm_flow_; }
    double FlowOfL2() const;

private:
    struct Transfer {
        double ends;  // at this value of Group::moved
        uint64_t order;
        uint32_t who;
        bool operator>(const Transfer& o) const { return ends != o.ends ? ends > o.ends : order > o.order; }
    };
    struct Group {
        Want want;
        double rate = 0, moved = 0;  // bytes of each of its transfers: a cycle now, and up to now
        // Of Share.
        double limit = 0;  // the rate that the ports leave it, of those that are shared out
        bool settled = false;
        std::priority_queue<Transfer, std::vector<Transfer>, std::greater<>> going;
        double count() const { return static_cast<double>(going.size()); }
    };
    void MoveTo(Cycles now);
    // Finds the rates of all groups, and the transfer that ends next.
    void Share();
    // Shares `left` bytes a cycle of a port out, of which a byte of a group's transfers costs cost(group): lowers
    // limits.
    template <class Cost>
    void ShareOut(double left, const Cost& cost);

    const std::array<double, kPorts> capacity_;
    std::vector<Group> groups_;
    Cycles now_ = 0, next_end_ = kNever;
    double gm_flow_ = 0, gm_idle_ = 0;
    size_t next_ = 0;  // the group of the transfer that ends next
    uint64_t started_ = 0;
};

}  // namespace sfumato::timing
