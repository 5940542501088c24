// SPDX-License-Identifier: Apache-2.0
// Where the policy `saturate`, for which nobody asked, limits what a board would not: what a board gives.
#pragma once

#include <optional>
#include <set>
#include <utility>

#include "sanitize/launch_view.h"
#include "sanitize/numbers_before.h"

namespace sfumato::sanitize {

// Of one core. Once a line of the program; before a record runs it costs a few comparisons, and a copy of what is
// overwritten where a record of 16 bits or of integers works in place.
class Limited {
public:
    explicit Limited(const LaunchView& launch) : launch_(launch) {}

    void Save(const isa::Record& record, const isa::MemoryMap& map) {
        looks_ = Asks(record);
        if (looks_) before_.Save(record, map);
    }
    // After it ran and was limited. None where a board leaves the same bytes, where only elements nobody wrote differ,
    // and where the check of numbers tells.
    std::optional<Report> Look(const isa::Record& record, const isa::MemoryMap& map);

private:
    bool Asks(const isa::Record& record) const;

    const LaunchView& launch_;
    Before before_;
    bool looks_ = false;
    std::set<std::pair<const char*, uint32_t>> told_;  // file and line
};

}  // namespace sfumato::sanitize
