// SPDX-License-Identifier: Apache-2.0
// Moves of blocks between memories.
#pragma once

#include "exec/exec.h"

namespace sfumato::exec {

// Return as Execute: stores under an atomic mode compute.
bool Move(const isa::Record& record, const MemoryMap& memory);
bool MovePad(const isa::Record& record, const MemoryMap& memory);

}  // namespace sfumato::exec
