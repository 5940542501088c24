// SPDX-License-Identifier: Apache-2.0
// Statements that the board's compiler takes otherwise: asm, whose text is of its own assembler, and ASSERT, which is
// empty there.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "jit/qualifiers.h"
#include "jit/tokenizer.h"

namespace sfumato::jit {

// asm volatile("text" ...) begins at i, and its text is not empty.
bool HasAssembly(const std::vector<Token>& tokens, size_t i);
// Says of a function that it is code of a core.
bool MarksCore(const Token& t, const MacroWords& words);

// The asm statements in code of cores whose text is not empty, as indices of tokens; of a macro that has one, its uses.
std::vector<size_t> AssemblyIn(const std::vector<Token>& tokens, const MacroWords& words);

// Lines of files, by the files' names in their normal form.
using LinesOfFiles = std::map<std::string, std::set<uint32_t>>;
// Those that the errors among a compiler's messages name.
LinesOfFiles ErrorLines(std::string_view messages);

// What takes an ASSERT(...) away that stands on one of the lines; adds the line it begins on.
std::vector<Edit> AssertEdits(const std::vector<Token>& tokens, const std::set<uint32_t>& lines,
                              std::set<uint32_t>* left_out);

// That they are, for who reads warnings.
std::vector<std::string> LeftOutNotes(const LinesOfFiles& left_out);

}  // namespace sfumato::jit
