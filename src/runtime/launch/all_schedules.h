// SPDX-License-Identifier: Apache-2.0
// The schedule "all": one launch in many legal orders from the same bytes, and where the bytes it leaves differ.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "runtime/launch/last_bits.h"
#include "events/listener.h"
#include "sfumato/launch.h"

namespace sfumato::runtime {

// How many seeds "all" (8) or "all:N" (0 to 65535) names; none for another schedule. Throws Error for "all:x".
std::optional<uint32_t> SeedsOfAll(const std::string& schedule);

// What makes a launch with these options many runs: "the schedule 'all'", "the check last-bit"; nullptr: it is one.
const char* ManyRuns(const LaunchOptions& options);

// How one run of several differs from a plain one.
struct RunOfMany {
    std::unique_ptr<events::Listener> watch = nullptr;  // sees the launch besides the checks
    const MovedCall* moved = nullptr;                   // whose last bits move
};
using LaunchOnce = std::function<LaunchResult(const LaunchOptions&, RunOfMany)>;

// The same without checks, log, timeline and what the kernel prints.
LaunchOptions Quiet(LaunchOptions options);

// Runs eager, one core at a time so that it replays, then late, ahead and seed:1 to seed:N. What is in `memory`
// afterwards, and the result, are eager's; added to it are the findings only other schedules have, with their names,
// and schedule-dependent for each first byte that differs. Memory: twice what is live, for a while.
LaunchResult LaunchUnderAll(const LaunchOptions& options, uint32_t seeds, GlobalMemory& memory, const LaunchOnce& once);

}  // namespace sfumato::runtime
