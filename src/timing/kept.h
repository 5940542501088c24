// SPDX-License-Identifier: Apache-2.0
// The events of a launch, kept so that it can be modelled again with a cause left out (docs/spec/timing.md 9): all of
// them, or none where they are too many.
#pragma once

#include <utility>
#include <vector>

#include "timing/event.h"

namespace sfumato::timing {

class Kept {
public:
    Kept(uint64_t cores, uint64_t most) : of_(cores), most_(most) {}

    void Add(uint64_t core, const std::vector<Event>& lot) {
        if (!whole()) return;
        count_ += lot.size();
        if (!whole()) return of_.clear();
        for (Event& e : of_[core].emplace_back(lot)) {
            e.has_text = false;
            e.scope = 0;
        }
    }
    bool whole() const { return count_ <= most_; }
    // In the order of the core.
    const std::vector<std::vector<Event>>& Of(uint64_t core) const { return of_[core]; }

    std::vector<std::pair<uint32_t, bool>> cache_hints;  // of allocations of global memory

private:
    std::vector<std::vector<std::vector<Event>>> of_;
    uint64_t count_ = 0, most_;
};

}  // namespace sfumato::timing
