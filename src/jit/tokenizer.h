// SPDX-License-Identifier: Apache-2.0
// Splits C++ source into tokens: enough of translation phases 1-3 to find declarations without a compiler.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::jit {

enum class TokenKind : uint8_t {
    kIdentifier,  // keywords too
    kNumber,
    kString,      // every literal with quotes, raw ones included
    kPunctuator,  // one character, except "::"
    kDirective    // a whole preprocessor line, splices removed: "#if defined(X)"
};

struct Token {
    TokenKind kind;
    std::string text;           // without line splices
    uint32_t line;              // of the first character, from 1
    size_t begin = 0, end = 0;  // where it stands in the source, splices included

    bool Is(std::string_view s) const { return text == s && kind != TokenKind::kString; }
};

// Whether the token is one of the words.
bool IsOneOf(const Token& t, std::initializer_list<std::string_view> words);

// Never fails: an unterminated literal or comment ends at the end of its line or of the source.
std::vector<Token> Tokenize(std::string_view source);

// The index after the group that opens at i: (), [] or {}; tokens.size() when it never closes.
size_t SkipGroup(const std::vector<Token>& tokens, size_t i);

}  // namespace sfumato::jit
