// SPDX-License-Identifier: Apache-2.0
// Allocations that are parts of longer arrays of the host.
#pragma once

#include <cstdint>

#include "sfumato/data_type.h"

namespace sfumato {

class GlobalMemory;

// The allocation at p begins `start` bytes from the beginning of a longer array, of which `more` bytes follow at
// `behind`: a move of whole blocks that reads on behind the allocation gets those.
SFUMATO_API void SetPart(GlobalMemory& memory, const void* p, uint64_t start, const void* behind, uint64_t more);

}  // namespace sfumato
