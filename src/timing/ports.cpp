// SPDX-License-Identifier: Apache-2.0
#include "timing/ports.h"

#include <algorithm>

namespace sfumato::timing {

void Ports::MoveTo(Cycles now) {
    for (Wish& w : wishes_) w.moved += w.rate * (now - now_);
    now_ = now;
}

// Wishes lie by rising cap: who wants least gets it, the rest share what is left.
void Ports::Share() {
    std::array<double, kPorts> left = capacity_;
    std::array<size_t, kPorts> waiting{};
    for (const Wish& w : wishes_) waiting[w.port] += w.going.size();
    next_end_ = kNever;
    for (size_t i = 0; i < wishes_.size(); ++i) {
        Wish& w = wishes_[i];
        if (w.going.empty()) {
            w.rate = w.moved = 0;
            continue;
        }
        w.rate = std::min(w.cap, left[w.port] / static_cast<double>(waiting[w.port]));
        left[w.port] -= w.rate * static_cast<double>(w.going.size());
        waiting[w.port] -= w.going.size();
        const Cycles end = now_ + std::max(0.0, w.going.top().ends - w.moved) / w.rate;
        if (end < next_end_) {
            next_end_ = end;
            next_ = i;
        }
    }
}

void Ports::Start(Cycles now, Port port, double cap, double bytes, uint32_t who) {
    MoveTo(now);
    auto at =
        std::find_if(wishes_.begin(), wishes_.end(), [&](const Wish& w) { return w.cap == cap && w.port == port; });
    if (at == wishes_.end()) {
        at = std::find_if(wishes_.begin(), wishes_.end(), [&](const Wish& w) { return w.cap > cap; });
        at = wishes_.insert(at, Wish{cap, port, 0, 0, {}});
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

double Ports::Flow(Port port) const {
    double flow = 0;
    for (const Wish& w : wishes_) flow += w.port == port ? w.rate * static_cast<double>(w.going.size()) : 0;
    return flow;
}

}  // namespace sfumato::timing
