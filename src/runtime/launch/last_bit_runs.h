// SPDX-License-Identifier: Apache-2.0
// --check last-bit, mmad-order: a launch again and again, in each the last bits of one call moved as boards may have
// them, or all products of matrices added in one way, and what that changes (docs/checks/last-bit.md).
#pragma once

#include "runtime/launch/all_schedules.h"
#include "sfumato/launch.h"

namespace sfumato::runtime {

// One plain run. last-bit: then two for each line with an instruction of the trait kMovesLastBit, and one for each with
// Mmad of real numbers. mmad-order: then one for each way to add (isa::Accumulations). Memory afterwards and the result
// are those of the plain run; added are the findings last-bit and last-bit-flips. Memory: twice what is live, and what
// the launch converts to integers.
LaunchResult LaunchWithLastBits(const LaunchOptions& options, GlobalMemory& memory, const LaunchOnce& once);

}  // namespace sfumato::runtime
