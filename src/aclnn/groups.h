// SPDX-License-Identifier: Apache-2.0
// Groups of ranks that a call of an operator names (ranks.md 7.5).
#pragma once

#include <vector>

#include "aclnn/executor.h"

namespace sfumato::aclnn {

// Throws KernelError for a name that no group of the current device has. One device alone is in none.
void CheckGroups(const aclOpExecutor& e);
// The contexts of the current device in them: what the work that runs the call touches besides its tensors.
std::vector<const void*> ContextsOf(const aclOpExecutor& e);

}  // namespace sfumato::aclnn
