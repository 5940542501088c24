// SPDX-License-Identifier: Apache-2.0
// Which kernels of a source a compilation exports, and the errors about those that it lacks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jit/compiler.h"
#include "jit/kernel_finder.h"
#include "sfumato/jit.h"
#include "sfumato/kernel_entry.h"

namespace sfumato::jit {

// The template values of the options: "MODE=3,FAST=1".
std::string TemplateWords(const CompileOptions& options);

// The requested names that need an export of their own: template instantiations, and kernels that a macro or a header
// defines. Throws Error, with the list of kernels, for a name that nothing in the source mentions.
std::vector<std::string> ExtraExports(const CompileOptions& options, const std::vector<FoundKernel>& found,
                                      std::string_view text);

// Throws the Error for a source of which nothing can be exported.
[[noreturn]] void RefuseEmpty(const CompileOptions& options, const std::vector<FoundKernel>& found);

// What is wrong with the qualifier of a kernel; "" when nothing is.
std::string RefusedQualifier(const std::string& kernel, const std::string& qualifier);

// The kernels of a source as the preprocessor shows it; none where it does not get through, which the compiler will
// tell. `text`: what it shows.
std::optional<std::vector<FoundKernel>> PreprocessedKernels(const std::string& source,
                                                            const std::vector<std::string>& flags,
                                                            const Compiler& compiler, std::string* text);

// Adds the kernels that macros or headers make. Runs the preprocessor only where the source by itself does not answer:
// it has no kernel, lacks a requested one, or a directive of it has __global__.
void FindMadeKernels(const CompileOptions& options, std::string_view text, const std::vector<std::string>& flags,
                     const Compiler& compiler, std::vector<FoundKernel>* found);

// The group (ASCENDC_TPL_ARGS_SEL) that has the instance which the options ask for; nullptr where they ask for none.
// Throws Error when no group has it.
const tiling::TemplateGroup* CheckInstance(const CompileOptions& options, const entry::Templates& instance,
                                           const std::vector<std::string>& templates, bool has_kernels);

}  // namespace sfumato::jit
