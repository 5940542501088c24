// SPDX-License-Identifier: Apache-2.0
// What the declarations of a source's kernels and variables lack, without which the vendor's compiler makes something
// else of them.
#pragma once

#include <string>
#include <vector>

#include "jit/kernel_finder.h"
#include "runtime/code/code_graph.h"
#include "sfumato/report.h"

namespace sfumato::jit {

// Notes on the declarations of one kernel, "ns::name" or "ns::name<3>": what none of them has.
std::vector<Report> DeclaredFindings(const std::vector<FoundKernel>& found, const std::string& kernel,
                                     const std::string& source);

// A report for each variable, with the line of its declaration in the first of the files that has one. None for those
// that are declared const, constexpr or __BLOCK_LOCAL__ (language.md 3).
std::vector<Report> VariableFindings(const std::vector<runtime::CodeGraph::Variable>& variables,
                                     const std::vector<std::string>& files);

}  // namespace sfumato::jit
