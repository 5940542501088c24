// SPDX-License-Identifier: Apache-2.0
// Where a source declares what the code of its kernels reaches and may write.
#pragma once

#include <string>
#include <vector>

#include "runtime/code/code_graph.h"
#include "sfumato/report.h"

namespace sfumato::jit {

// A report for each variable, with the line of its declaration in the first of the files that has one. None for those
// that are declared const, constexpr or __BLOCK_LOCAL__ (language.md 3).
std::vector<Report> VariableFindings(const std::vector<runtime::CodeGraph::Variable>& variables,
                                     const std::vector<std::string>& files);

}  // namespace sfumato::jit
