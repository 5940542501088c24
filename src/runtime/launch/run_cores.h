// SPDX-License-Identifier: Apache-2.0
// The cores of a launch from their start to their end, and what each leaves.
#pragma once

#include <functional>
#include <vector>

#include "runtime/cores/core.h"
#include "runtime/launch/launch_state.h"

namespace sfumato::runtime {

// A core of the launch by its place in the order: the cores of a block in a row, its cube core first.
Core::Place PlaceOf(const LaunchState& state, uint64_t order);
// Blocks of this launch that run at the same time on the product.
uint64_t BlocksAtOnce(const LaunchState& state);

struct Outcome {
    std::vector<Report> findings;
    uint64_t issued = 0;
    bool started = false;
    Stood stood;
};

// Runs every core once.
std::vector<Outcome> RunCores(LaunchState& state, const std::function<void()>& kernel);

}  // namespace sfumato::runtime
