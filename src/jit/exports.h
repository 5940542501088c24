// SPDX-License-Identifier: Apache-2.0
// Which kernels of a source a compilation exports, and what is said when there are none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jit/compiler.h"
#include "jit/kernel_finder.h"
#include "sfumato/jit.h"
#include "sfumato/kernel_entry.h"

namespace sfumato::jit {

// "MODE=3,FAST=1".
std::string TemplateWords(const CompileOptions& options);

// The requested names that need an export of their own: template instantiations, and kernels a macro or a header
// defines. A name nothing in the source mentions is a mistake, best answered with the list of kernels.
std::vector<std::string> ExtraExports(const CompileOptions& options, const std::vector<FoundKernel>& found,
                                      std::string_view text);

// What Compile says when nothing can be exported.
[[noreturn]] void RefuseEmpty(const CompileOptions& options, const std::vector<FoundKernel>& found);

// What is wrong with the qualifier of a kernel; "" when nothing is.
std::string RefusedQualifier(const std::string& kernel, const std::string& qualifier);

// Adds the kernels that macros or headers make, where the source by itself leaves a question open: the preprocessor
// expands it.
void FindMadeKernels(const CompileOptions& options, std::string_view text, const std::vector<std::string>& flags,
                     const Compiler& compiler, std::vector<FoundKernel>* found);

// The group of ASCENDC_TPL_SEL that an instance was asked of; nullptr where none was asked for. Throws Error when there
// is no such instance.
const tiling::TemplateGroup* CheckInstance(const CompileOptions& options, const entry::Templates& instance,
                                           const std::vector<std::string>& templates, bool has_kernels);

}  // namespace sfumato::jit
