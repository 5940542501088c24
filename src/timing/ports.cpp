// SPDX-License-Identifier: Apache-2.0
// Moves time from change to change: between two of them all rates are constant.
#include "timing/ports.h"

#include <algorithm>
#include <utility>

namespace sfumato::timing {

void Ports::MoveTo(Cycles now) {
    for (Group& g : groups_) g.moved += g.rate * (now - now_);
    gm_idle_ += std::max(0.0, capacity_[kGm] - gm_flow_) * (now - now_);
    now_ = now;
}

double Ports::TakeIdle(Cycles now) {
    MoveTo(now);
    return std::exchange(gm_idle_, 0);
}

// A group that wants less than an equal share gets what it wants, and the others share the rest equally.
template <class Cost>
void Ports::ShareOut(double left, const Cost& cost) {
    double waiting = 0, wanted = 0;
    for (Group& g : groups_) {
        const double each = cost(g);
        g.settled = g.going.empty() || each == 0;
        if (g.settled) continue;
        waiting += g.count();
        wanted += g.count() * g.limit * each;
    }
    if (wanted <= left) return;
    for (bool more = true; more && waiting > 0;) {
        more = false;
        const double share = left / waiting;
        for (Group& g : groups_) {
            if (g.settled || g.limit * cost(g) > share) continue;
            g.settled = more = true;
            left -= g.limit * cost(g) * g.count();
            waiting -= g.count();
        }
    }
    for (Group& g : groups_) {
        if (!g.settled) g.limit = left / waiting / cost(g);
    }
}

void Ports::Share() {
    for (Group& g : groups_) g.limit = g.want.cap;
    const auto of = [](Port port) { return [port](const Group& g) { return g.want.port == port ? 1.0 : 0.0; }; };
    const auto share_gm = [&] { ShareOut(capacity_[kGm], [](const Group& g) { return g.want.gm; }); };
    share_gm();
    ShareOut(capacity_[kL2], of(kL2));
    double left = capacity_[kStore];
    bool stores_cost_gm = false;
    for (const Group& g : groups_) {
        if (g.want.port == kGm) left -= g.limit * g.want.in * g.count();
        stores_cost_gm = stores_cost_gm || (g.want.port == kStore && g.want.gm > 0 && !g.going.empty());
    }
    ShareOut(std::max(left, capacity_[kStore] - capacity_[kGm]), of(kStore));
    if (stores_cost_gm) {
        // They may use less of global memory than their share of it: reads get the rest.
        for (Group& g : groups_) {
            if (g.want.port == kGm) g.limit = g.want.cap;
        }
        share_gm();
    }
    next_end_ = kNever;
    gm_flow_ = 0;
    for (size_t i = 0; i < groups_.size(); ++i) {
        Group& g = groups_[i];
        if (g.going.empty()) {
            g.rate = g.moved = 0;
            continue;
        }
        g.rate = g.limit;
        gm_flow_ += g.rate * g.want.gm * g.count();
        const Cycles end = now_ + std::max(0.0, g.going.top().ends - g.moved) / g.rate;
        if (end < next_end_) {
            next_end_ = end;
            next_ = i;
        }
    }
}

void Ports::Start(Cycles now, const Want& want, double bytes, uint32_t who) {
    MoveTo(now);
    auto at = std::ranges::find_if(groups_, [&](const Group& g) { return g.want == want; });
    if (at == groups_.end()) {
        groups_.push_back({want, 0, 0, 0, false, {}});
        at = groups_.end() - 1;
    }
    at->going.push({at->moved + bytes, started_++, who});
    Share();
}

uint32_t Ports::End() {
    MoveTo(next_end_);
    Group& g = groups_[next_];
    const uint32_t who = g.going.top().who;
    g.going.pop();
    Share();
    return who;
}

double Ports::FlowOfL2() const {
    double flow = 0;
    for (const Group& g : groups_) flow += g.want.port != kGm ? g.rate * g.count() : 0;
    return flow;
}

}  // namespace sfumato::timing
