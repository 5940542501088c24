// SPDX-License-Identifier: Apache-2.0
// The estimates of Reciprocal and Rsqrt for one element, by the pseudocode of the Arm Architecture Reference Manual
// (FPRecipEstimate, RecipEstimate, FPRSqrtEstimate, RecipSqrtEstimate): a division and a root of integers each, no
// table.
#pragma once

#include <cstdint>

#include "isa/opcode.h"
#include "sfumato/data_type.h"

namespace sfumato::oracle {

// Bit patterns of half or float, before the policy; op is vrec or vrsqrt.
uint64_t EstimateOf(isa::Opcode op, DataType type, uint64_t bits);

}  // namespace sfumato::oracle
