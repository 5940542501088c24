// SPDX-License-Identifier: Apache-2.0
// What calls of a vector unit on registers make of lanes (arch950.md 2.3 to 2.11). No core, no memory, no reports:
// who calls has seen that the call is legal.
#pragma once

#include <cstdint>

#include "sfumato/register_call.h"

namespace sfumato::exec {

using sfumato::LanesOf;
using sfumato::MaskBitOf;
using sfumato::RegisterCall;
using sfumato::RegisterControl;
using sfumato::RegisterOp;

// Sets dst's bytes, which of them are known, and `result`. Returns the number of active elements for kSqueeze, else 0.
uint32_t Run(const RegisterCall& call, const RegisterControl& control);
// Whether Run is defined for the operation with these types.
bool Runs(RegisterOp op, DataType type, DataType to);

}  // namespace sfumato::exec
