// SPDX-License-Identifier: Apache-2.0
// Runs a frozen program once, for the block of the calling thread's core.
#pragma once

#include "frontends/tik/evaluate.h"
#include "frontends/tik/session.h"

namespace sfumato::tik {

// What a run gives every block.
struct Inputs {
    std::vector<std::pair<int32_t, uint64_t>> scalars;  // InputScalars and their values
    std::vector<uint32_t> allocations;                  // of the GM tensors
};

// probe: stops at the multi-core loop; the result is its block_num, evaluated. Otherwise the result is 0.
// session: of a run that is debugged, or nullptr.
int64_t RunBlock(const Ir& ir, runtime::Core& core, const Inputs& inputs, bool probe, Session* session);

}  // namespace sfumato::tik
