// SPDX-License-Identifier: Apache-2.0
// Happens-before as vector clocks. Every pipe of every core counts its own time; since flags and barriers wait for all
// that lies before them in their pipe, a bound for each pipe says everything that is done.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "isa/opcode.h"

namespace sfumato::events {

// Times of a core: records, and before each what the scalar unit does, step by step.
constexpr int kStepBits = 24;
constexpr uint64_t TickOf(uint64_t record_index) { return ((record_index + 1) << kStepBits) - 1; }
constexpr uint64_t RecordAt(uint64_t tick) { return tick >> kStepBits; }

// The time of the scalar unit.
class ScalarTime {
public:
    // A tick of its own for a step before the record that comes next: no two accesses share one, nor with a wait.
    uint64_t Step(uint64_t next_record) {
        const uint64_t first = next_record << kStepBits, last = TickOf(next_record) - 1;
        return now_ = std::min(std::max(first, now_ + 1), last);
    }

private:
    uint64_t now_ = 0;
};

// Of each pipe: what has an earlier tick is done. The stores of the scalar unit to global memory have a bound of their
// own: to other cores they are done behind a DataSyncBarrier, a flag or a barrier, not as soon as the next one is
// (framework.md 2.8).
constexpr size_t kScalarStores = isa::kPipeCount;
using Bounds = std::array<uint64_t, isa::kPipeCount + 1>;
inline void RaiseBound(Bounds& bounds, isa::Pipe pipe, uint64_t tick) {
    uint64_t& bound = bounds[static_cast<size_t>(pipe)];
    bound = std::max(bound, tick);
    if (pipe == isa::Pipe::kS) bounds[kScalarStores] = std::max(bounds[kScalarStores], tick);
}

inline void JoinBounds(Bounds& to, const Bounds& from) {
    for (size_t p = 0; p < to.size(); ++p) to[p] = std::max(to[p], from[p]);
}

// What is known of all cores of a launch; never changed once shared. Null: nothing.
using Known = std::shared_ptr<const std::vector<Bounds>>;

inline Known JoinKnown(Known a, const Known& b) {
    if (a == b || !b) return a;
    if (!a) return b;
    auto both = std::make_shared<std::vector<Bounds>>(*a);
    for (size_t core = 0; core < both->size(); ++core) JoinBounds((*both)[core], (*b)[core]);
    return both;
}

// What a pipe of a core may rely on.
struct Clock {
    Bounds own{};
    Known others;

    void Join(const Clock& from) {
        JoinBounds(own, from.own);
        if (others != from.others) others = JoinKnown(std::move(others), from.others);
    }
    // Becomes like another. Mostly both know the same of others, and counting who shares that takes longest.
    void Set(const Clock& from) {
        own = from.own;
        if (others != from.others) others = from.others;
    }
};

}  // namespace sfumato::events
