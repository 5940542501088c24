// SPDX-License-Identifier: Apache-2.0
// Launching inside the library: for another front end, or with a listener.
#pragma once

#include <functional>

#include "runtime/cores/core.h"
#include "sfumato/launch.h"

namespace sfumato::runtime {

// As sfumato::Launch, for TIK: `task` says which cores a chip with separate cores uses; kAiCore there is one core with
// all memories.
LaunchResult LaunchTik(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory, TaskType task,
                       const std::function<void()>& kernel);

// As sfumato::Launch, heard by `listener`.
LaunchResult LaunchObserved(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory,
                            const std::function<void()>& kernel, events::Listener* listener);

}  // namespace sfumato::runtime
