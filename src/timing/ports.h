// SPDX-License-Identifier: Apache-2.0
// Transfers that share the ports of global memory and L2, as fluids: each at most at its own rate, all together at most
// at the port's, by max-min fairness (docs/spec/timing.md 5.2). Transfers of one wish have one rate, so a change costs
// as much as there are wishes, not transfers.
#pragma once

#include <array>
#include <cstdint>
#include <queue>
#include <vector>

#include "timing/event.h"

namespace sfumato::timing {

class Ports {
public:
    // Where a transfer goes: from global memory, by way of L2; from L2; into L2. What comes from global memory goes
    // into L2 first, so stores have what it leaves of that port.
    enum Port : uint8_t { kGm, kL2, kStore, kPorts };
    // Bytes a cycle.
    Ports(double gm, double l2, double store) : capacity_{gm, l2, store} {}

    struct Want {
        Port port;
        double cap;     // bytes a cycle, at most
        double gm = 0;  // bytes of the port of global memory that a byte costs
        double in = 1;  // and of those that reach L2
        bool operator==(const Want&) const = default;
    };
    // `who` comes back when it has ended.
    void Start(Cycles now, const Want& want, double bytes, uint32_t who);
    // When the next one ends; infinity without any.
    Cycles NextEnd() const { return next_end_; }
    // The transfer that ends then.
    uint32_t End();
    // What global memory could have moved and did not, in bytes, since this was asked last.
    double TakeIdle(Cycles now);
    // Bytes a cycle that flow now: through the port of global memory, and between L2 and the cores without it.
    double FlowOfGm() const { return gm_flow_; }
    double FlowOfL2() const;

private:
    struct Going {
        double ends;  // when its wish has moved so many bytes for each
        uint64_t order;
        uint32_t who;
        bool operator>(const Going& o) const { return ends != o.ends ? ends > o.ends : order > o.order; }
    };
    struct Wish {
        Want want;
        double rate = 0, moved = 0;
        double most = 0;  // what the ports looked at so far leave it
        bool given = false;
        std::priority_queue<Going, std::vector<Going>, std::greater<>> going;
        double count() const { return static_cast<double>(going.size()); }
    };
    void MoveTo(Cycles now);
    void Share();
    // Shares what is left of a port among the wishes that cost(wish) bytes of it a byte; lowers their `most`.
    template <class Cost>
    void Fill(double left, const Cost& cost);

    const std::array<double, kPorts> capacity_;
    std::vector<Wish> wishes_;
    Cycles now_ = 0, next_end_ = kNever;
    double gm_flow_ = 0, gm_idle_ = 0;
    size_t next_ = 0;
    uint64_t started_ = 0;

public:
    static constexpr Cycles kNever = 1e300;
};

}  // namespace sfumato::timing
