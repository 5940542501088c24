// SPDX-License-Identifier: Apache-2.0
// The driver of vector records: masks, strides and repeats turned into runs.
#pragma once

#include "exec/run.h"

namespace sfumato::exec {

// Walks the record and calls `run` with `args` (pointers and n are filled in here) for every piece. Repeats take effect
// in order, each reading all its sources before it writes; exactly the active elements change. Returns as Execute.
bool RunVector(const isa::Record& record, const MemoryMap& memory, RunFn run, RunArgs& args);

}  // namespace sfumato::exec
