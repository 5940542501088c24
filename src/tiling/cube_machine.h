// SPDX-License-Identifier: Apache-2.0
// What the limits of Matmul's tiling are on a chip.
#pragma once

#include "sfumato/tiling/cube_planner.h"
#include "soc/chip.h"

namespace sfumato::tiling {

CubeMachine CubeMachineOf(const soc::Chip& chip);

}  // namespace sfumato::tiling
