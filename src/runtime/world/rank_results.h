// SPDX-License-Identifier: Apache-2.0
// The results of ranks as one.
#pragma once

#include <string>
#include <vector>

#include "sfumato/launch.h"

namespace sfumato::runtime {

// Adds what a later launch of the same rank found; its other numbers, too.
void AddResult(LaunchResult* whole, LaunchResult more);
// By rank. The same finding at the same place is one, which names the others' ranks; those that follow from another
// rank's stand last.
LaunchResult Together(const std::vector<LaunchResult>& results);
// Adds to `result`, of the first of several schedules, what another has found that is not in it, and says so.
void AddFoundUnder(const std::string& schedule, const LaunchResult& other, LaunchResult* result);

}  // namespace sfumato::runtime
