// SPDX-License-Identifier: Apache-2.0
// What is known of the cores of all ranks (ranks.md 3.2): clocks that share the parts of ranks they agree on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "events/clock.h"
#include "isa/opcode.h"

namespace sfumato::sanitize {

// A core of a rank: its number among those that have touched shared memory, over all launches.
struct RankSlot {
    uint32_t rank = 0, index = 0;
    // As Access::core.
    uint32_t packed() const { return rank << 16 | index; }
    static RankSlot Of(uint32_t packed) { return {packed >> 16, packed & 0xFFFF}; }
    bool operator==(const RankSlot&) const = default;
};

// Of the pipes that touch global memory, and of the scalar unit's stores: what has an earlier tick is done.
using RankBounds = std::array<uint64_t, 5>;
constexpr size_t kNoBound = 5;
// Of a pipe, or of events::kScalarStores.
constexpr size_t RankBoundOf(size_t pipe) {
    switch (pipe) {
        case static_cast<size_t>(isa::Pipe::kS): return 0;
        case events::kScalarStores: return 1;
        case static_cast<size_t>(isa::Pipe::kMte2): return 2;
        case static_cast<size_t>(isa::Pipe::kMte3): return 3;
        case static_cast<size_t>(isa::Pipe::kFix): return 4;
        default: return kNoBound;
    }
}

// Never changed once shared. Null: nothing.
using RankPart = std::shared_ptr<const std::vector<RankBounds>>;
using RankKnown = std::shared_ptr<const std::vector<RankPart>>;

inline uint64_t KnownOf(const RankKnown& known, RankSlot slot, size_t bound) {
    if (!known || slot.rank >= known->size()) return 0;
    const RankPart& part = (*known)[slot.rank];
    return part && slot.index < part->size() ? (*part)[slot.index][bound] : 0;
}

// Whether `a` has all that `b` has.
inline bool Covers(const RankPart& a, const RankPart& b) {
    if (a == b || !b) return true;
    if (!a || a->size() < b->size()) return false;
    for (size_t i = 0; i < b->size(); ++i) {
        for (size_t p = 0; p < RankBounds().size(); ++p) {
            if ((*a)[i][p] < (*b)[i][p]) return false;
        }
    }
    return true;
}

inline RankPart JoinPart(const RankPart& a, const RankPart& b) {
    if (Covers(a, b)) return a;
    if (Covers(b, a)) return b;
    auto both = std::make_shared<std::vector<RankBounds>>(*a);
    if (both->size() < b->size()) both->resize(b->size());
    for (size_t i = 0; i < b->size(); ++i) {
        for (size_t p = 0; p < RankBounds().size(); ++p) (*both)[i][p] = std::max((*both)[i][p], (*b)[i][p]);
    }
    return both;
}

inline RankKnown JoinRankKnown(RankKnown a, const RankKnown& b) {
    if (a == b || !b) return a;
    if (!a) return b;
    std::shared_ptr<std::vector<RankPart>> both;
    for (size_t rank = 0; rank < b->size(); ++rank) {
        const RankPart mine = rank < a->size() ? (*a)[rank] : nullptr;
        RankPart joined = JoinPart(mine, (*b)[rank]);
        if (joined == mine) continue;
        if (!both) both = std::make_shared<std::vector<RankPart>>(*a);
        if (both->size() <= rank) both->resize(rank + 1);
        (*both)[rank] = std::move(joined);
    }
    return both ? RankKnown(std::move(both)) : a;
}

// The same, with these bounds of one core.
inline RankKnown WithBounds(const RankKnown& known, RankSlot slot, const RankBounds& bounds) {
    auto part = std::make_shared<std::vector<RankBounds>>(slot.index + 1);
    (*part)[slot.index] = bounds;
    auto one = std::make_shared<std::vector<RankPart>>(slot.rank + 1);
    (*one)[slot.rank] = std::move(part);
    return JoinRankKnown(known, one);
}

}  // namespace sfumato::sanitize
