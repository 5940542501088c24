// SPDX-License-Identifier: Apache-2.0
// Launching programs of a front end that runs inside the library.
#pragma once

#include <functional>

#include "runtime/core.h"
#include "sfumato/launch.h"

namespace sfumato::runtime {

// As sfumato::Launch, for TIK: `task` says which cores a chip with separate cores uses; kAiCore there is one core with
// all memories.
LaunchResult LaunchTik(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory, TaskType task,
                       const std::function<void()>& kernel);

}  // namespace sfumato::runtime
