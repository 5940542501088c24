// SPDX-License-Identifier: Apache-2.0
#include "timing/ports.h"

#include <algorithm>
#include <utility>

namespace sfumato::timing {

void Ports::MoveTo(Cycles now) {
    for (Wish& w : wishes_) w.moved += w.rate * (now - now_);
    gm_idle_ += std::max(0.0, capacity_[kGm] - gm_flow_) * (now - now_);
    now_ = now;
}

double Ports::TakeIdle(Cycles now) {
    MoveTo(now);
    return std::exchange(gm_idle_, 0);
}

// Who wants less than its share gets it, and the rest share what is left.
template <class Cost>
void Ports::Fill(double left, const Cost& cost) {
    double waiting = 0, wanted = 0;
    for (Wish& w : wishes_) {
        const double each = cost(w);
        w.given = w.going.empty() || each == 0;
        if (w.given) continue;
        waiting += w.count();
        wanted += w.count() * w.most * each;
    }
    if (wanted <= left) return;
    for (bool more = true; more && waiting > 0;) {
        more = false;
        const double share = left / waiting;
        for (Wish& w : wishes_) {
            if (w.given || w.most * cost(w) > share) continue;
            w.given = more = true;
            left -= w.most * cost(w) * w.count();
            waiting -= w.count();
        }
    }
    for (Wish& w : wishes_) {
        if (!w.given) w.most = left / waiting / cost(w);
    }
}

void Ports::Share() {
    for (Wish& w : wishes_) w.most = w.want.cap;
    const auto of = [](Port port) { return [port](const Wish& w) { return w.want.port == port ? 1.0 : 0.0; }; };
    const auto share_gm = [&] { Fill(capacity_[kGm], [](const Wish& w) { return w.want.gm; }); };
    share_gm();
    Fill(capacity_[kL2], of(kL2));
    double left = capacity_[kStore];
    bool both = false;
    for (const Wish& w : wishes_) {
        if (w.want.port == kGm) left -= w.most * w.want.in * w.count();
        both = both || (w.want.port == kStore && w.want.gm > 0 && !w.going.empty());
    }
    Fill(std::max(left, capacity_[kStore] - capacity_[kGm]), of(kStore));
    if (both) {
        // Reads may have what these stores cannot use of global memory.
        for (Wish& w : wishes_) {
            if (w.want.port == kGm) w.most = w.want.cap;
        }
        share_gm();
    }
    next_end_ = kNever;
    gm_flow_ = 0;
    for (size_t i = 0; i < wishes_.size(); ++i) {
        Wish& w = wishes_[i];
        if (w.going.empty()) {
            w.rate = w.moved = 0;
            continue;
        }
        w.rate = w.most;
        gm_flow_ += w.rate * w.want.gm * w.count();
        const Cycles end = now_ + std::max(0.0, w.going.top().ends - w.moved) / w.rate;
        if (end < next_end_) {
            next_end_ = end;
            next_ = i;
        }
    }
}

void Ports::Start(Cycles now, const Want& want, double bytes, uint32_t who) {
    MoveTo(now);
    auto at = std::find_if(wishes_.begin(), wishes_.end(), [&](const Wish& w) { return w.want == want; });
    if (at == wishes_.end()) {
        wishes_.push_back({want, 0, 0, 0, false, {}});
        at = wishes_.end() - 1;
    }
    at->going.push({at->moved + bytes, started_++, who});
    Share();
}

uint32_t Ports::End() {
    MoveTo(next_end_);
    Wish& w = wishes_[next_];
    const uint32_t who = w.going.top().who;
    w.going.pop();
    Share();
    return who;
}

double Ports::FlowOfL2() const {
    double flow = 0;
    for (const Wish& w : wishes_) flow += w.want.port != kGm ? w.rate * w.count() : 0;
    return flow;
}

}  // namespace sfumato::timing
