// SPDX-License-Identifier: Apache-2.0
// What the elements of an operand hold, as soc::Value asks.
#pragma once

#include "isa/memory_map.h"
#include "soc/condition.h"

namespace sfumato::sanitize {

// Bits of soc::Value: those of the sources, before the record executes, or of the result, after it has. `wanted` bounds
// the work.
uint32_t SourceValues(const isa::Record& record, const isa::MemoryMap& map, uint32_t wanted);
uint32_t ResultValues(const isa::Record& record, const isa::MemoryMap& map, uint32_t wanted);

}  // namespace sfumato::sanitize
