// SPDX-License-Identifier: Apache-2.0
// Loaded objects that count the lines and branches that run.
#pragma once

#include <vector>

namespace sfumato::jit {

// Calls a function that the wrapper exports (kWriteCounts, kForgetCounts) in each.
void CallOf(const std::vector<void*>& handles, const char* function);
// From now on a child that is forked forgets what they have counted: its parent writes that. Until they are closed.
void Count(const std::vector<void*>& handles);
void CountNoMore(const std::vector<void*>& handles);

}  // namespace sfumato::jit
