// SPDX-License-Identifier: Apache-2.0
// What a core learns of other ranks while it runs.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>

#include "sanitize/ranks/rank_known.h"

namespace sfumato::sanitize {

// And since when its scalar unit has it.
class RankLearnt {
public:
    explicit RankLearnt(RankKnown start) { log_.push_back({0, std::move(start)}); }
    void Add(uint64_t tick, const RankKnown& known) {
        RankKnown all = JoinRankKnown(log_.back().known, known);
        if (all == log_.back().known) return;
        log_.push_back({tick, std::move(all)});
        if (log_.size() > kMost) log_.pop_front();
    }
    // Behind what the scalar unit has done before `bound`.
    const RankKnown& Before(uint64_t bound) const {
        auto at = log_.rbegin();
        while (at + 1 != log_.rend() && at->tick >= bound) ++at;
        return at->known;
    }
    const RankKnown& All() const { return log_.back().known; }

private:
    static constexpr size_t kMost = 256;
    struct Entry {
        uint64_t tick;
        RankKnown known;
    };
    std::deque<Entry> log_;
};

}  // namespace sfumato::sanitize
