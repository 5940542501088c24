// SPDX-License-Identifier: Apache-2.0
// What one rank of a world launches for Python.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <vector>

#include "launch_arguments.h"
#include "sfumato/rank_world.h"

namespace sfumato::python {

struct RankLaunch {
    RankWorld::Work work;
    std::function<std::vector<ArgumentList::Change>()> changes;  // of the caller's arrays, by the launch
    std::function<void()> free;                                  // gives back what it took of the rank's memory
    std::vector<Report> found = {};                              // before it ran: by a tiling function
};

// A call of an operator: (rank, operator, call, tiling, arrays of inputs, arrays of outputs).
RankLaunch LaunchOfOperator(RankWorld& world, const nanobind::tuple& work, const LaunchOptions& common);
bool IsOperator(nanobind::handle launched);

}  // namespace sfumato::python
