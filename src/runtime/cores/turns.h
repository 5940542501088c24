// SPDX-License-Identifier: Apache-2.0
// Atomic stores reach global memory in one order, whatever runs beside what: that of the canonical serial run, in which
// the lowest core that can go on runs until it waits.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "runtime/cores/counters.h"

namespace sfumato::runtime {

// Replays the canonical run, behind the cores, from what they tell: that they set something, wait, or ended. A core may
// store atomically when the replay has come to it and knows nothing of it that lies before. A poll of memory is no wait
// in that run, unless nothing else can go on (PassPoller). Without locks: its owner calls under one.
class Turns {
public:
    Turns(Shape shape, uint64_t blocks) : counters_(shape, blocks), cores_(blocks * shape.cores()) { Advance(); }

    // What a core does, in its order. Set: CrossCoreSetFlag.
    void Set(uint64_t core, uint8_t mode, uint32_t id);
    void Add(uint64_t core, uint64_t counter, uint64_t by = 1);
    void Wait(uint64_t core, const Condition& condition);
    void End(uint64_t core);
    // The core's next atomic store comes now.
    bool IsIn(uint64_t core) const { return current_ == core && !Told(core); }
    static constexpr uint64_t kNobody = UINT64_MAX;
    uint64_t current() const { return current_; }
    // Nothing can go on, and the replay waits for `current`, a core that only polls: it counts as waiting until
    // PollEnds.
    void PassPoller();
    bool IsPassed(uint64_t core) const { return polls_.contains(core); }
    void PollEnds(uint64_t core);
    // The core goes on although what it waits for, its last event, never comes.
    void GiveUp(uint64_t core);

    // The first set that left more than kMostOutstanding sets of a flag: whose, which of its sets, and who has to wait.
    struct Overflow {
        bool found = false;
        uint64_t setter = 0, set = 0;
        Counters::Raised raised;
        uint32_t id = 0;
    };
    const Overflow& overflow() const { return overflow_; }

private:
    struct Event {
        enum class Kind : uint8_t { kSet, kAdd, kWait, kEnd } kind;
        uint8_t mode = 0;
        uint32_t id = 0;
        Condition condition;  // kAdd: counter and, as at_least, how much
    };
    bool Told(uint64_t core) const {
        const auto at = told_.find(core);
        return at != told_.end() && !at->second.empty();
    }
    void Tell(uint64_t core, const Event& event);
    void Advance();
    // The core goes to those that wait in the replay; another becomes the current one.
    void Leave(bool ended);
    void Raised(uint64_t counter);
    void RaisedBySet(uint64_t core, const Event& event);

    Counters counters_;
    const uint64_t cores_;
    uint64_t current_ = 0;
    uint64_t fresh_ = 1;        // the replay has not come to this core and those above it
    std::set<uint64_t> ready_;  // left, and can go on again
    std::unordered_map<uint64_t, std::unordered_set<uint64_t>> waits_;  // by counter
    std::set<uint64_t> polls_;                                          // passed
    std::unordered_map<uint64_t, std::deque<Event>> told_;
    std::unordered_map<uint64_t, uint64_t> sets_;  // of each core, replayed
    Overflow overflow_;
};

}  // namespace sfumato::runtime
