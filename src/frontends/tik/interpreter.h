// SPDX-License-Identifier: Apache-2.0
// Runs a frozen program once, for the block of the calling thread's core.
#pragma once

#include "frontends/tik/evaluate.h"

namespace sfumato::tik {

// The values of the InputScalars, by scalar.
using ScalarValues = std::vector<std::pair<int32_t, uint64_t>>;

// probe: stops at the multi-core loop; the result is its block_num, evaluated. Otherwise the result is 0.
int64_t RunBlock(const Ir& ir, runtime::Core& core, const ScalarValues& inputs, bool probe);

}  // namespace sfumato::tik
