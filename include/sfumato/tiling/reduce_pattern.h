// SPDX-License-Identifier: Apache-2.0
// ReducePattern: a word of kernels and of host code (adv.md 6, 7).
#pragma once

#include <cstdint>

namespace AscendC {

// Along the last axis (AR) or the first (RA).
enum class ReducePattern : uint32_t { AR, RA };

}  // namespace AscendC
