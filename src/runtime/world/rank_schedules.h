// SPDX-License-Identifier: Apache-2.0
// Schedules of several ranks: in which order ranks run, and in which the cores and pipes of each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/world/world.h"

namespace sfumato::runtime {

// One run.
struct RankSchedule {
    std::string name;    // as a user asks for it alone: "skew:3"
    RankOrder order;     // of the ranks
    std::string inside;  // LaunchOptions::schedule
};

// The runs that a schedule means, the first first: one but for "skew" (each rank in turn; of more than 8, 8 of them)
// and "all". Throws Error, with what is legal, for another text, and for a rank that is not there.
std::vector<RankSchedule> RankSchedulesOf(const std::string& schedule, uint32_t ranks);

}  // namespace sfumato::runtime
