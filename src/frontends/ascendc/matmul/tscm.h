// SPDX-License-Identifier: Apache-2.0
// Moves to TSCM on a vector core that has registered a Matmul: requests, too (adv.md 2.5, 15).
#pragma once

#include <functional>

#include "frontends/ascendc/context.h"

namespace sfumato::ascendc::mm {

inline bool IsTscm(const Ends& ends) { return ends.dst && ends.dst->position == AscendC::TPosition::TSCM; }
// False: the move runs where it is written. move: with the ends it has on the cube core.
using Moving = std::function<void(const Ends&)>;
bool MovesToTscm(runtime::Core& core, const char* call, const Ends& ends, Moving move);

}  // namespace sfumato::ascendc::mm
