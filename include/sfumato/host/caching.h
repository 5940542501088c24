// SPDX-License-Identifier: Apache-2.0
// Memory of the device as the allocator of a framework takes it (docs/spec/clients.md 4.5): of the same device as
// aclrtMalloc's, and to be used again without a call to the system.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sfumato/data_type.h"

namespace sfumato::host {

// A block of `bytes` (at least 1), aligned to 512 bytes, filled with the pattern, guard bytes around. Throws Error when
// there is no memory, even after ReleaseCached.
SFUMATO_API void* TakeCached(uint64_t bytes);
// Gives the block back. Launches and copies may use it until TakeCached gives it out again, which is what a caching
// allocator promises in stream order. What TakeCached did not give out is left alone.
SFUMATO_API void ReturnCached(void* p);
// Frees the blocks that were given back.
SFUMATO_API void ReleaseCached();

// Bytes. `reserved` counts blocks given back too, and what rounding added.
struct CachingStats {
    uint64_t allocated = 0, peak_allocated = 0;
    uint64_t reserved = 0, peak_reserved = 0;
    uint64_t blocks = 0;  // in use
    uint64_t taken = 0;   // calls of TakeCached
};
SFUMATO_API CachingStats StatsOfCache();
SFUMATO_API void ResetCachePeaks();

}  // namespace sfumato::host
