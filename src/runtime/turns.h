// SPDX-License-Identifier: Apache-2.0
// Atomic stores reach global memory in the order of the cores: a launch gives the same bytes in every run.
#pragma once

#include <cstdint>
#include <set>

#include "runtime/cores.h"

namespace sfumato::runtime {

// A core's turn comes when every core below it has ended. Cores start in ascending order and the lowest that has not
// ended never waits, so some core always goes on. Instructions by which cores wait for each other end a turn, too.
class Turns {
public:
    explicit Turns(Cores* cores) : cores_(*cores) {}
    // True when it is the core's turn; false when the core is to stop.
    bool Await(uint64_t order);
    // A barrier of all cores: a turn ends there, and the order starts again behind it. False: it can never be reached
    // by all, or the core is to stop.
    bool Meet(uint64_t order);

private:
    Cores& cores_;
    std::set<uint64_t> arrived_;  // at the barrier
    uint64_t barriers_ = 0;       // that all have reached
};

}  // namespace sfumato::runtime
