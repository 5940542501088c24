// SPDX-License-Identifier: Apache-2.0
// What the declaration of a kernel lacks, without which the vendor's compiler makes something else of it.
#pragma once

#include <string>
#include <vector>

#include "jit/kernel_finder.h"
#include "sfumato/report.h"

namespace sfumato::jit {

// Notes on the declarations of one kernel, "ns::name" or "ns::name<3>": what none of them has.
std::vector<Report> DeclaredFindings(const std::vector<FoundKernel>& found, const std::string& kernel,
                                     const std::string& source);

}  // namespace sfumato::jit
