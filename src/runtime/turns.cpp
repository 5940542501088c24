// SPDX-License-Identifier: Apache-2.0
// Whose turn it is.
#include "runtime/turns.h"

namespace sfumato::runtime {

bool Turns::Await(uint64_t order) {
    return cores_.WaitUntil(order, "its turn to store atomically", [this, order] {
        bool turn = true;
        cores_.VisitLive([&](uint64_t lower) {
            if (lower < order) turn = arrived_.contains(lower);
            return turn && lower < order;
        });
        return turn;
    });
}

bool Turns::Meet(uint64_t order) {
    uint64_t barrier = 0;
    cores_.Update([&] {
        barrier = barriers_;
        arrived_.insert(order);
        if (arrived_.size() < cores_.count()) return;
        arrived_.clear();
        ++barriers_;
    });
    const bool met = cores_.WaitUntil(order, "the barrier of all blocks", [&] { return barriers_ != barrier; });
    if (!met) cores_.Update([&] { arrived_.erase(order); });
    return met;
}

}  // namespace sfumato::runtime
