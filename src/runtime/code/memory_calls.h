// SPDX-License-Identifier: Apache-2.0
// What is said when the host has no memory for a kernel's own code.
#pragma once

#include <cstddef>
#include <string>

#include "report/finding.h"

namespace sfumato::runtime {

// `found`: what was asked.
Report KernelMemory(const std::string& found);

// On a core: the fault, at the instruction before `at`. Elsewhere whoever takes it is told (process_taker.h).
void TellKernelMemory(const char* call, size_t bytes, const void* at);

}  // namespace sfumato::runtime
