// SPDX-License-Identifier: Apache-2.0
// Vector functions in sources.
#include "jit/vector_functions.h"

#include <fmt/format.h>

namespace sfumato::jit {
namespace {

constexpr const char* kMark = "__simd_vf__";

// Behind words and attributes, the index of the parameters' parenthesis; the number of tokens where there is none.
size_t ParametersOf(const std::vector<Token>& tokens, size_t i) {
    for (; i < tokens.size(); ++i) {
        const Token& t = tokens[i];
        if (IsOneOf(t, {"__attribute__", "__launch_bounds__", "alignas"})) {
            ++i;
            if (i < tokens.size() && tokens[i].Is("(")) i = SkipGroup(tokens, i) - 1;
            continue;
        }
        if (t.Is("(")) return i;
        if (IsOneOf(t, {";", "{", "}"})) break;
    }
    return tokens.size();
}

}  // namespace

bool MentionsVectorFunctions(std::string_view source) { return source.find(kMark) != source.npos; }

std::vector<Edit> VectorFunctionEdits(const std::vector<Token>& tokens) {
    std::vector<Edit> edits;
    for (size_t i = 0; i < tokens.size(); ++i) {
        if (!tokens[i].Is(kMark)) continue;
        const size_t open = ParametersOf(tokens, i + 1);
        if (open >= tokens.size()) continue;
        size_t body = SkipGroup(tokens, open);
        while (body < tokens.size() && IsOneOf(tokens[body], {"const", "noexcept"})) ++body;
        if (body >= tokens.size() || !tokens[body].Is("{")) continue;
        const size_t end = tokens[body].end;
        edits.push_back({end, end, fmt::format(" SFUMATO_VECTOR_FUNCTION(\"{}\");", tokens[open - 1].text)});
        i = body;
    }
    return edits;
}

}  // namespace sfumato::jit
