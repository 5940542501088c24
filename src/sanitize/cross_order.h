// SPDX-License-Identifier: Apache-2.0
// What orders the cores of a launch: flags between them, counters and barriers (framework.md 2.7). Guards itself.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "sanitize/clock.h"
#include "trace/observer.h"

namespace sfumato::sanitize {

class CrossOrder {
public:
    explicit CrossOrder(uint64_t cores) : cores_(cores) {}

    // What a core has done and knows, as others may learn it.
    Known Publish(uint64_t core, const Clock& clock) const;

    // CrossCoreSetFlag, and the wait that takes what it joined.
    void FlagSet(const trace::Place& from, uint8_t mode, uint32_t id, const Known& done);
    Known FlagWaited(const trace::Place& by, uint32_t id);
    // A counter was raised by one; a core has seen it at a level, which it took or left.
    void Raised(uint64_t counter, const Known& done);
    Known Reached(uint64_t counter, uint64_t level, bool takes);
    // A barrier of `members`: a core arrives, and goes on when all have.
    void Arrived(uint64_t counter, const Known& done, uint64_t members);
    Known Met(uint64_t core, uint64_t counter);

private:
    // What the first n events made known, of the latest ones.
    struct Levels {
        static constexpr size_t kKept = 64;
        uint64_t count = 0;
        std::deque<Known> after;  // after.back(): after all `count`
        void Add(const Known& known);
        Known At(uint64_t level) const;
    };
    struct Setter {
        trace::Place place;
        uint8_t mode;
        Levels sets;
    };
    struct Barrier {
        uint64_t arrived = 0;
        Known building;
        std::map<uint64_t, Known> met;                      // by generation, the latest
        std::unordered_map<uint64_t, uint64_t> generation;  // of each core
    };

    const uint64_t cores_;
    std::mutex mutex_;
    std::map<uint32_t, std::map<uint64_t, Setter>> flags_;  // id, core
    std::map<std::pair<uint64_t, uint32_t>, uint64_t> waits_;
    std::unordered_map<uint64_t, Levels> counters_;
    std::unordered_map<uint64_t, uint64_t> taken_;
    std::unordered_map<uint64_t, Barrier> barriers_;
};

}  // namespace sfumato::sanitize
