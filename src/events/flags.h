// SPDX-License-Identifier: Apache-2.0
// What the sets of one core leave for the waits of their flags (framework.md 2.3, 2.4).
#pragma once

#include <unordered_map>
#include <utility>

#include "events/flag_key.h"

namespace sfumato::events {

// T: what lies before a set.
template <class T>
class Flags {
public:
    explicit Flags(FlagIdentity identity) : identity_(identity) {}

    uint64_t Key(const isa::Flag& flag) const { return FlagKey(flag, identity_); }
    bool IsSet(const isa::Flag& flag) const { return set_.contains(Key(flag)); }
    // What an earlier set left and nothing took is gone.
    void Set(const isa::Flag& flag, T left) {
        const uint64_t key = Key(flag);
        if (taken_.empty()) {
            set_.insert_or_assign(key, std::move(left));
            return;
        }
        // Queues set as many flags as they take: the memory of one is that of the next.
        taken_.key() = key;
        set_.insert(std::move(taken_)).position->second = std::move(left);
    }
    // What it was set with, until the next call; nullptr: it is not set.
    const T* Take(const isa::Flag& flag) {
        taken_ = set_.extract(Key(flag));
        return taken_.empty() ? nullptr : &taken_.mapped();
    }

private:
    const FlagIdentity identity_;
    std::unordered_map<uint64_t, T> set_;
    typename std::unordered_map<uint64_t, T>::node_type taken_;
};

}  // namespace sfumato::events
