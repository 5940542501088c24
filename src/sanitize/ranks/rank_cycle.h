// SPDX-License-Identifier: Apache-2.0
// Whether a core reads the same bytes again and again (ranks.md 1, poll site; 4.4).
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "sanitize/ranks/rank_store.h"

namespace sfumato::sanitize {

class RankCycle {
public:
    // A store to global memory: what comes is no poll of what was.
    void Clear() {
        last_.clear();
        now_ = last_new_ = 0;
    }
    struct Turn {
        uint64_t last = 0;              // when it was read last
        uint64_t settled = UINT64_MAX;  // how many stores there were when the read came to nothing
        // The call has read these bytes before, and since then nothing was read that was not read before that.
        bool again = false;
    };
    Turn& Of(const RankSite* site, uint32_t region, isa::Span hull) {
        if (last_.size() >= kMost) Clear();
        const auto [at, fresh] = last_.try_emplace({site, region, hull.begin, hull.end});
        Turn& turn = at->second;
        turn.again = !fresh && turn.last >= last_new_;
        turn.last = ++now_;
        if (fresh) last_new_ = now_;
        return turn;
    }

private:
    static constexpr size_t kMost = 1024;  // reads of a round
    std::map<std::tuple<const RankSite*, uint32_t, uint64_t, uint64_t>, Turn> last_;
    uint64_t now_ = 0, last_new_ = 0;
};

}  // namespace sfumato::sanitize
