// SPDX-License-Identifier: Apache-2.0
// `c ? x : 1.0f` with x of half or bfloat16_t. On a board these are built-in types, and the result is of the common
// type; of a class that converts both ways compilers refuse it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jit/process.h"
#include "jit/statements.h"

namespace sfumato::jit {

// The lines that compilers refuse for this alone, by the files' names in their normal form.
LinesOfFiles ChoiceLines(std::string_view messages);

// A preprocessed source in which both operands of a choice on one of the lines have their common type. A choice whose
// operands hold another stays as it is.
std::string WithCommonTypes(const std::string& preprocessed, const LinesOfFiles& lines);

// RunProcess of a compiler; where choices stopped it, once more with the source preprocessed and so changed.
ProcessResult RunCompilerOnce(const std::vector<std::string>& command, const std::string& input = "",
                              const std::string& temporary = {});

}  // namespace sfumato::jit
