// SPDX-License-Identifier: Apache-2.0
// What cores learn of each other.
#include "sanitize/cross_order.h"

#include <algorithm>

namespace sfumato::sanitize {
namespace {

// Whether a set of this mode by `from` reaches `to`: 0 all cores of the kind, 1 the vector cores of the block, 2 the
// cores of the other kind in the block.
bool Reaches(const trace::Place& from, uint8_t mode, const trace::Place& to) {
    if (mode == 0) return from.kind == to.kind;
    if (from.block != to.block) return false;
    return mode == 1 ? from.kind == to.kind : from.kind != to.kind;
}

}  // namespace

void CrossOrder::Levels::Add(const Known& known) {
    after.push_back(JoinKnown(after.empty() ? nullptr : after.back(), known));
    ++count;
    if (after.size() > kKept) after.pop_front();
}

Known CrossOrder::Levels::At(uint64_t level) const {
    if (after.empty() || level == 0) return nullptr;
    level = std::min(level, count);
    const uint64_t first = count - after.size() + 1;
    return after[level < first ? 0 : level - first];
}

Known CrossOrder::Publish(uint64_t core, const Clock& clock) const {
    auto known = clock.others ? std::make_shared<std::vector<Bounds>>(*clock.others)
                              : std::make_shared<std::vector<Bounds>>(cores_);
    JoinBounds((*known)[core], clock.own);
    return known;
}

void CrossOrder::FlagSet(const trace::Place& from, uint8_t mode, uint32_t id, const Known& done) {
    std::lock_guard lock(mutex_);
    auto& setter = flags_[id].try_emplace(from.order, Setter{from, mode, {}}).first->second;
    setter.mode = mode;
    setter.sets.Add(done);
}

Known CrossOrder::FlagWaited(const trace::Place& by, uint32_t id) {
    std::lock_guard lock(mutex_);
    const uint64_t wait = ++waits_[{by.order, id}];
    Known known;
    for (const auto& [core, setter] : flags_[id]) {
        if (Reaches(setter.place, setter.mode, by)) known = JoinKnown(std::move(known), setter.sets.At(wait));
    }
    return known;
}

void CrossOrder::Raised(uint64_t counter, const Known& done) {
    std::lock_guard lock(mutex_);
    counters_[counter].Add(done);
}

Known CrossOrder::Reached(uint64_t counter, uint64_t level, bool takes) {
    std::lock_guard lock(mutex_);
    uint64_t& taken = taken_[counter];
    const Known known = counters_[counter].At(taken + level);
    if (takes) taken += level;
    return known;
}

void CrossOrder::Arrived(uint64_t counter, const Known& done, uint64_t members) {
    std::lock_guard lock(mutex_);
    Barrier& barrier = barriers_[counter];
    barrier.building = JoinKnown(std::move(barrier.building), done);
    if (++barrier.arrived % members != 0) return;
    barrier.met[barrier.arrived / members] = barrier.building;
    if (barrier.met.size() > 4) barrier.met.erase(barrier.met.begin());
}

Known CrossOrder::Met(uint64_t core, uint64_t counter) {
    std::lock_guard lock(mutex_);
    Barrier& barrier = barriers_[counter];
    const auto met = barrier.met.find(++barrier.generation[core]);
    return met == barrier.met.end() ? nullptr : met->second;
}

}  // namespace sfumato::sanitize
