// SPDX-License-Identifier: Apache-2.0
// What orders the cores of a launch: flags between them, counters and barriers (framework.md 2.7). Guards itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "events/event.h"

namespace sfumato::events {

// T: what a core has done and knows, as others may learn it; T() is nothing. Join(T, const T&): both.
template <class T, auto Join>
class CrossOrder {
public:
    // done(): what the core tells of itself, where others are to know it. What it learns; none where it asks nobody.
    template <class Done>
    std::optional<T> Synced(const Place& core, const Sync& sync, const Done& done) {
        using Kind = Sync::Kind;
        const bool tells = sync.kind == Kind::kFlagSet || sync.kind == Kind::kRaised || sync.kind == Kind::kArrived;
        const T told = tells ? done() : T{};
        std::lock_guard lock(mutex_);
        switch (sync.kind) {
            case Kind::kFlagSet: SetFlag(core, sync.record->As<isa::CrossFlag>(), told); break;
            case Kind::kFlagWaited: return TakeFlag(core, sync.record->As<isa::CrossFlag>().id);
            case Kind::kRaised: counters_[sync.counter].Add(told); break;
            case Kind::kReached: return Reached(sync);
            case Kind::kArrived: Arrived(barriers_[sync.counter], told, sync.level); break;
            case Kind::kMet: return Met(barriers_[sync.counter], core.order);
            case Kind::kPassed:
            case Kind::kWaits:
            case Kind::kDrained:
            case Kind::kEnded:
            case Kind::kCleaned:
            case Kind::kFenced: break;
        }
        return std::nullopt;
    }

private:
    // Whether a set of this mode by `from` reaches `to`: 0 all cores of the kind, 1 the vector cores of the block, 2
    // the cores of the other kind in the block.
    static bool Reaches(const Place& from, uint8_t mode, const Place& to) {
        if (mode == 0) return from.kind == to.kind;
        if (from.block != to.block) return false;
        return mode == 1 ? from.kind == to.kind : from.kind != to.kind;
    }
    // What the first n events made known, of the latest ones.
    struct Levels {
        static constexpr size_t kKept = 64;
        uint64_t count = 0;
        std::deque<T> after;  // after.back(): after all `count`
        void Add(const T& known) {
            after.push_back(Join(after.empty() ? T{} : after.back(), known));
            ++count;
            if (after.size() > kKept) after.pop_front();
        }
        T At(uint64_t level) const {
            if (after.empty() || level == 0) return {};
            level = std::min(level, count);
            const uint64_t first = count - after.size() + 1;
            return after[level < first ? 0 : level - first];
        }
    };
    struct Setter {
        Place place;
        uint8_t mode;
        Levels sets;
    };
    struct Barrier {
        uint64_t arrived = 0;
        T building{};
        std::map<uint64_t, T> met;                          // by generation, the latest
        std::unordered_map<uint64_t, uint64_t> generation;  // of each core
    };

    void SetFlag(const Place& from, const isa::CrossFlag& flag, const T& done) {
        Setter& setter = flags_[flag.id].try_emplace(from.order, Setter{from, flag.mode, {}}).first->second;
        setter.mode = flag.mode;
        setter.sets.Add(done);
    }
    // A wait takes what the sets that reach it join.
    T TakeFlag(const Place& by, uint32_t id) {
        const uint64_t wait = ++waits_[{by.order, id}];
        T known{};
        for (const auto& [core, setter] : flags_[id]) {
            if (Reaches(setter.place, setter.mode, by)) known = Join(std::move(known), setter.sets.At(wait));
        }
        return known;
    }
    // A core has seen a counter at a level, which it took or left.
    T Reached(const Sync& sync) {
        uint64_t& taken = taken_[sync.counter];
        T known = counters_[sync.counter].At(taken + sync.level);
        if (sync.takes) taken += sync.level;
        return known;
    }
    // A core goes on when all members have arrived.
    static void Arrived(Barrier& barrier, const T& done, uint64_t members) {
        barrier.building = Join(std::move(barrier.building), done);
        if (++barrier.arrived % members != 0) return;
        barrier.met[barrier.arrived / members] = barrier.building;
        if (barrier.met.size() > 4) barrier.met.erase(barrier.met.begin());
    }
    static T Met(Barrier& barrier, uint64_t core) {
        const auto met = barrier.met.find(++barrier.generation[core]);
        return met == barrier.met.end() ? T{} : met->second;
    }

    std::mutex mutex_;
    std::map<uint32_t, std::map<uint64_t, Setter>> flags_;  // id, core
    std::map<std::pair<uint64_t, uint32_t>, uint64_t> waits_;
    std::unordered_map<uint64_t, Levels> counters_;
    std::unordered_map<uint64_t, uint64_t> taken_;
    std::unordered_map<uint64_t, Barrier> barriers_;
};

}  // namespace sfumato::events
