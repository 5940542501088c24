// SPDX-License-Identifier: Apache-2.0
// What host code does when it is loaded: a crash there cannot be left, for the loader holds its lock.
#pragma once

#include <string>

namespace sfumato::op {

// Loads a shared object of host code in a child of this process, which ends then: what initialises its variables runs,
// and may crash, throw or end the process. Throws KernelError: op-project, with the line, else with the folder of the
// sources.
void ProbeLoad(const std::string& path, const std::string& sources);

}  // namespace sfumato::op
