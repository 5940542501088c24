// SPDX-License-Identifier: Apache-2.0
// Transfers that share the ports of global memory and L2, as fluids: each at most at its own rate, all together at most
// at the port's, by max-min fairness (docs/spec/timing.md 5.2). Transfers of one wish have one rate, so a change costs
// as much as there are wishes, not transfers.
#pragma once

#include <array>
#include <cstdint>
#include <queue>
#include <vector>

#include "timing/timeline.h"

namespace sfumato::timing {

class Ports {
public:
    enum Port : uint8_t { kGm, kL2, kPorts };
    // Bytes a cycle.
    Ports(double gm, double l2) : capacity_{gm, l2} {}

    // At most `cap` bytes a cycle. `who` comes back when it has ended.
    void Start(Cycles now, Port port, double cap, double bytes, uint32_t who);
    // When the next one ends; infinity without any.
    Cycles NextEnd() const { return next_end_; }
    // The transfer that ends then.
    uint32_t End();
    // Bytes a cycle that flow now.
    double Flow(Port port) const;

private:
    struct Going {
        double ends;  // when its wish has moved so many bytes for each
        uint64_t order;
        uint32_t who;
        bool operator>(const Going& o) const { return ends != o.ends ? ends > o.ends : order > o.order; }
    };
    struct Wish {
        double cap;
        Port port;
        double rate = 0, moved = 0;
        std::priority_queue<Going, std::vector<Going>, std::greater<>> going;
    };
    void MoveTo(Cycles now);
    void Share();

    const std::array<double, kPorts> capacity_;
    std::vector<Wish> wishes_;  // by cap
    Cycles now_ = 0, next_end_ = kNever;
    size_t next_ = 0;
    uint64_t started_ = 0;

public:
    static constexpr Cycles kNever = 1e300;
};

}  // namespace sfumato::timing
