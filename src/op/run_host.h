// SPDX-License-Identifier: Apache-2.0
// Calls of host code.
#pragma once

#include <functional>
#include <string>

#include "op/said.h"

namespace sfumato::op {

// Runs host code of operator `op`, registered at `where`: what it throws, its crash, and a status that is not success,
// become a report of the rule with the errors that it logged. Throws KernelError.
void RunHost(Rule rule, const std::string& op, const char* what, Said& said, Where where,
             const std::function<ge::graphStatus()>& function);

}  // namespace sfumato::op
