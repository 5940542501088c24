// SPDX-License-Identifier: Apache-2.0
// What the sets of one core leave for the waits of their flags (framework.md 2.3, 2.4).
#pragma once

#include <array>
#include <unordered_map>
#include <vector>

#include "events/flag_key.h"

namespace sfumato::events {

// Something for each flag that the program names, by its key.
template <class T>
class OfFlags {
public:
    T& operator[](uint64_t key) {
        std::vector<T>& of = of_[key / kFlagIds];
        const uint64_t id = key % kFlagIds;
        if (id >= of.size()) of.resize(id + 1);
        return of[id];
    }

private:
    std::array<std::vector<T>, kFlags / kFlagIds> of_;  // by event or pipe
};

// T: what lies before a set. Its places are used again: queues set as many flags as they take.
template <class T>
class Flags {
public:
    explicit Flags(FlagIdentity identity) : identity_(identity) {}

    uint64_t Key(const isa::Flag& flag) const { return FlagKey(flag, identity_); }
    bool IsSet(const isa::Flag& flag) {
        const uint64_t key = Key(flag);
        return key < kFlags ? named_[key].key != 0 : PlaceOf(key).key == key || more_.contains(key);
    }
    // Where the set leaves it: a value of before is there.
    T& Set(const isa::Flag& flag) {
        const uint64_t key = Key(flag);
        if (key < kFlags) {
            named_[key].key = 1;
            return named_[key].left;
        }
        Place& place = PlaceOf(key);
        if ((place.key != 0 && place.key != key) || (!more_.empty() && more_.contains(key))) return more_[key];
        place.key = key;
        return place.left;
    }
    // What it was set with, until the next call; nullptr: it is not set.
    const T* Take(const isa::Flag& flag) {
        const uint64_t key = Key(flag);
        Place& place = key < kFlags ? named_[key] : PlaceOf(key);
        if (place.key == (key < kFlags ? 1 : key)) {
            place.key = 0;
            return &place.left;
        }
        taken_ = more_.extract(key);
        return taken_.empty() ? nullptr : &taken_.mapped();
    }

private:
    struct Place {
        uint64_t key = 0;  // of a token; 1: of a named flag that is set; 0: free
        T left{};
    };
    Place& PlaceOf(uint64_t token) { return tokens_[token % tokens_.size()]; }

    const FlagIdentity identity_;
    OfFlags<Place> named_;
    // Tokens that were set and not waited for: a few, with numbers that follow each other; the rest apart.
    std::array<Place, 64> tokens_;
    std::unordered_map<uint64_t, T> more_;
    typename std::unordered_map<uint64_t, T>::node_type taken_;
};

}  // namespace sfumato::events
