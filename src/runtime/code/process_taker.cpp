// SPDX-License-Identifier: Apache-2.0
// Who takes the process ends of each thread.
#include "runtime/code/process_taker.h"

#include "runtime/cores/of_thread.h"

namespace sfumato::runtime {

ProcessTaker& CurrentProcessTaker() { return OfThread<ProcessTaker>(); }
MemoryTaker& CurrentMemoryTaker() { return OfThread<MemoryTaker>(); }

}  // namespace sfumato::runtime
