// SPDX-License-Identifier: Apache-2.0
// Qualifiers of functions that the vendor's compiler alone takes: [aicore], [host, aicore], cce_kernel. Blanks take
// their place, so that every line and column stays.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "jit/tokenizer.h"

namespace sfumato::jit {

// A part of a source and what stands there instead.
struct Edit {
    size_t begin, end;
    std::string text;
};

// The macros of sources that matter here.
struct MacroWords {
    std::map<std::string, bool> specifiers;       // of declarations, and nothing else; true: __forceinline__ among them
    std::set<std::string> of_core;                // of those: they mark code of cores
    std::set<std::string> operators;              // that begin with one
    std::map<std::string, std::string> memories;  // that are a qualifier of local memory
    std::set<std::string> assembly;               // with an asm statement whose text is not empty
};

// Whether QualifierEdits may find something in the text: in most nothing.
bool MentionsQualifiers(std::string_view source, const MacroWords& words);

// Of a source's tokens, or of a #define's, "define" first (`define`).
std::vector<Edit> QualifierEdits(const std::vector<Token>& tokens, bool define, const MacroWords& words);

// Where the body of a #define begins, "define" first; adds its parameters.
size_t BodyOf(const std::vector<Token>& define, std::set<std::string>* params);

// Reads a #define, "define" first.
void ReadDefine(const std::vector<Token>& tokens, MacroWords* words);

}  // namespace sfumato::jit
