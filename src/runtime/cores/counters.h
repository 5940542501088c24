// SPDX-License-Identifier: Apache-2.0
// The counters by which the cores of a launch wait for each other (framework.md 2.7), as plain state without locks: one
// instance counts what has happened, another what has happened in the canonical order (turns.h).
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "runtime/code/task_types.h"

namespace sfumato::runtime {

constexpr uint32_t kFlagIds = 16;
constexpr uint32_t kMostOutstanding = 15;  // sets of a flag that nobody has waited for

// What a core waits for: that a counter reaches a number, which then may be taken off it again.
struct Condition {
    uint64_t counter = 0;
    uint64_t at_least = 1;
    bool takes = false;
    bool all_rest = false;  // of cores that meet: the last one to come rests, too, and the lowest goes on first
};

// Names of counters.
constexpr uint64_t FlagCounter(uint64_t core, uint32_t id) { return core * kFlagIds + id; }
// kServe: of a block, requests to its cube core and vector cores that ended; kRequest, kDone: of a vector core, what
// it asked and what was done for it.
// Of calls that meet at an address of global memory (`address` less than 2^56), `use` says which call's.
enum class Meeting : uint8_t { kFlag, kCores, kSoftSync, kIbSlot, kBlockOrder, kGroupArrive, kServe, kRequest, kDone };
constexpr uint64_t MeetingCounter(Meeting use, uint64_t address) {
    return uint64_t{static_cast<uint8_t>(use)} << 56 | address;
}

class Counters {
public:
    Counters(Shape shape, uint64_t blocks) : shape_(shape), cores_(blocks * shape.cores()) {}

    // CrossCoreSetFlag of a core. Whom a mode joins:
    //   0: all cores of the core's kind; 1: the vector cores of its block; 2: cube and vector cores of its block.
    // When all of them have set, the counters of those who wait for them rise; the largest of these comes back.
    struct Raised {
        uint64_t core = 0;
        uint64_t count = 0;
    };
    Raised Set(uint64_t core, uint8_t mode, uint32_t id);
    void Add(uint64_t counter, uint64_t by = 1) { counts_[counter] += by; }
    // Stays where it is.
    const uint64_t* Place(uint64_t counter) { return &counts_[counter]; }
    uint64_t Count(uint64_t counter) const {
        const auto at = counts_.find(counter);
        return at == counts_.end() ? 0 : at->second;
    }
    bool Holds(const Condition& c) const { return Count(c.counter) >= c.at_least; }
    void Take(const Condition& c) {
        if (c.takes) counts_[c.counter] -= c.at_least;
    }

    bool IsMixed() const { return shape_.cube != 0 && shape_.vector != 0; }
    bool IsCube(uint64_t core) const { return core % shape_.cores() < shape_.cube; }
    uint64_t Block(uint64_t core) const { return core / shape_.cores(); }
    // The cores that a set of `mode` waits for, and those whose counters then rise.
    std::vector<uint64_t> Setters(uint64_t core, uint8_t mode) const;
    std::vector<uint64_t> Receivers(uint64_t core, uint8_t mode) const;
    // The other cores of its block.
    std::vector<uint64_t> BlockMates(uint64_t core) const;

    // What is left when the launch ends.
    template <class Visit>
    void VisitFlags(const Visit& visit) const {  // visit(core, id, count): set, and not waited for
        for (const auto& [counter, count] : counts_) {
            if (counter >> 56 == 0 && count != 0)
                visit(counter / kFlagIds, static_cast<uint32_t>(counter % kFlagIds), count);
        }
    }
    template <class Visit>
    void VisitPartial(const Visit& visit) const {  // visit(core, mode, id): set, while others of the mode never did
        for (const auto& [key, count] : arrived_) {
            if (count != 0) visit(key >> 8, static_cast<uint8_t>(key >> 4 & 15), static_cast<uint32_t>(key & 15));
        }
    }

private:
    static uint64_t ArrivalKey(uint64_t core, uint8_t mode, uint32_t id) {
        return core << 8 | uint64_t{mode} << 4 | id;
    }
    // Names the group, so that a set need not look at every core of it.
    uint64_t GroupKey(uint64_t core, uint8_t mode, uint32_t id) const;

    Shape shape_;
    uint64_t cores_;
    std::unordered_map<uint64_t, uint64_t> counts_;
    std::unordered_map<uint64_t, uint32_t> arrived_;  // sets of a core that still wait for others
    std::unordered_map<uint64_t, uint64_t> present_;  // members of a group with a set that waits for others
};

}  // namespace sfumato::runtime
