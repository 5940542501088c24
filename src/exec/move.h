// SPDX-License-Identifier: Apache-2.0
// Moves of blocks between memories.
#pragma once

#include "exec/exec.h"

namespace sfumato::exec {

void Move(const isa::Record& record, const MemoryMap& memory);
void MovePad(const isa::Record& record, const MemoryMap& memory);

}  // namespace sfumato::exec
