// SPDX-License-Identifier: Apache-2.0
// What the sets of one core leave for the waits of their flags (framework.md 2.3, 2.4).
#pragma once

#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

#include "events/flag_key.h"

namespace sfumato::events {

// T: what is known of a flag, above all what lies before its set.
template <class T>
class Flags {
public:
    explicit Flags(FlagIdentity identity) : identity_(identity) {}

    // What the flag has kept: T() at first.
    T& At(const isa::Flag& flag) { return SlotOf(flag).left; }
    // The same, for its next wait.
    T& Set(const isa::Flag& flag) {
        Slot& slot = SlotOf(flag);
        slot.set = true;
        return slot.left;
    }
    bool IsSet(const isa::Flag& flag) { return SlotOf(flag).set; }
    // What it was set with, until the next call; nullptr: it is not set.
    const T* Take(const isa::Flag& flag) {
        Slot& slot = SlotOf(flag);
        if (!std::exchange(slot.set, false)) return nullptr;
        if (!flag.token || more_.empty()) return &slot.left;
        taken_ = std::move(slot.left);
        more_.erase(FlagKey(flag, identity_));
        return &taken_;
    }

private:
    struct Slot {
        uint64_t key = 0;
        bool set = false;
        T left{};
    };
    Slot& SlotOf(const isa::Flag& flag) {
        const uint64_t key = FlagKey(flag, identity_);
        if (key < kFlags) {
            std::vector<Slot>& ids = named_[key / kFlagIds];
            if (ids.empty()) ids.resize(kFlagIds);
            return ids[key % kFlagIds];
        }
        Slot& place = tokens_[key % tokens_.size()];
        if (place.key == key) return place;
        const bool apart = place.set || (!more_.empty() && more_.contains(key));
        Slot& slot = apart ? more_[key] : place;
        slot.key = key;
        return slot;
    }

    const FlagIdentity identity_;
    std::array<std::vector<Slot>, kFlags / kFlagIds> named_;
    // Tokens that were set and not waited for: a few, with numbers that follow each other; the rest apart.
    std::array<Slot, 64> tokens_;
    std::unordered_map<uint64_t, Slot> more_;
    T taken_{};
};

}  // namespace sfumato::events
