// SPDX-License-Identifier: Apache-2.0
// Whether a core reads the same bytes again and again (ranks.md 1, poll site; 4.4).
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "isa/racy.h"
#include "sanitize/ranks/rank_store.h"

namespace sfumato::sanitize {

class RankCycle {
public:
    // A store to global memory: what comes is no poll of what was.
    void Clear() {
        last_.clear();
        now_ = last_new_ = changed_ = 0;
    }
    struct Turn {
        uint64_t last = 0;              // when it was read last
        uint64_t settled = UINT64_MAX;  // how many stores there were when the read came to nothing
        // The call has read these bytes before, and since then nothing was read that was not read before that. Of more
        // bytes than flags have: nor has a flag changed, behind which they are the data of the next round.
        bool again = false;
        std::vector<uint8_t> bytes = {};  // that it read, where they are as few as those of a flag
    };
    Turn& Of(const RankSite* site, uint32_t region, isa::Span hull, const uint8_t* bytes) {
        if (last_.size() >= kMost) Clear();
        const auto [at, fresh] = last_.try_emplace({site, region, hull.begin, hull.end});
        Turn& turn = at->second;
        const bool few = hull.end - hull.begin <= kRankBlock;
        turn.again = !fresh && turn.last >= last_new_ && (few || turn.last > changed_);
        turn.last = ++now_;
        if (few) {
            seen_.resize(hull.end - hull.begin);
            isa::CopyRacy(seen_.data(), bytes, seen_.size());
            if (!fresh && seen_ != turn.bytes) changed_ = now_;
            turn.bytes = seen_;
        }
        if (fresh) last_new_ = now_;
        return turn;
    }

private:
    static constexpr size_t kMost = 1024;  // reads of a round
    std::map<std::tuple<const RankSite*, uint32_t, uint64_t, uint64_t>, Turn> last_;
    uint64_t now_ = 0, last_new_ = 0, changed_ = 0;  // numbers of reads
    std::vector<uint8_t> seen_;
};

}  // namespace sfumato::sanitize
