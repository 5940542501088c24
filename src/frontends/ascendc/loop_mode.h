// SPDX-License-Identifier: Apache-2.0
// Moves under the loop mode of their direction (arch950.md 1.3).
#pragma once

#include "isa/record.h"
#include "runtime/cores/core.h"

namespace sfumato::ascendc {

// Issues a move: once, or for each step of the loops that SetLoopModePara has set for its direction, the inner loop
// first. Each step is a record of its own, checked as any other.
void IssueInLoops(runtime::Core& core, isa::Record& record);

}  // namespace sfumato::ascendc
