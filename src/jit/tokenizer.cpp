// SPDX-License-Identifier: Apache-2.0
// The tokenizer (C++20 [lex]): comments, splices, raw strings, digit separators, preprocessor lines.
#include "jit/tokenizer.h"

#include <algorithm>

namespace sfumato::jit {
namespace {

bool IsIdentifierStart(char c) {
    const auto u = static_cast<unsigned char>(c);
    return (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || u == '_' || u == '$' || u >= 0x80;
}
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsIdentifierPart(char c) { return IsIdentifierStart(c) || IsDigit(c); }
bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\n'; }

class Scanner {
public:
    explicit Scanner(std::string_view source) : source_(source) {}

    std::vector<Token> Run() {
        bool line_start = true;
        while (SkipSplices(), !AtEnd()) {
            const char c = Peek();
            if (c == '\n') {
                line_start = true;
                Take();
            } else if (IsSpace(c)) {
                Take();
            } else if (c == '/' && (Peek(1) == '/' || Peek(1) == '*')) {
                SkipComment();
            } else if (const size_t begin = position_; c == '#' && line_start) {
                Directive();
                Place(begin);
            } else {
                line_start = false;
                Ordinary(c);
                Place(begin);
            }
        }
        return std::move(tokens_);
    }

private:
    bool AtEnd() const { return position_ >= source_.size(); }

    // Length of a backslash-newline at p, 0 when there is none.
    size_t SpliceAt(size_t p) const {
        if (p >= source_.size() || source_[p] != '\\') return 0;
        size_t q = p + 1;
        while (q < source_.size() && (source_[q] == ' ' || source_[q] == '\t' || source_[q] == '\r')) ++q;
        return q < source_.size() && source_[q] == '\n' ? q + 1 - p : 0;
    }
    void SkipSplices() {
        while (const size_t n = SpliceAt(position_)) {
            position_ += n;
            ++line_;
        }
    }
    void Place(size_t begin) {
        tokens_.back().begin = begin;
        tokens_.back().end = position_;
    }
    // The character `ahead` characters on, splices not counted; 0 at the end.
    char Peek(int ahead = 0) const {
        size_t p = position_;
        for (int i = 0;; ++i) {
            while (const size_t n = SpliceAt(p)) p += n;
            if (p >= source_.size()) return 0;
            if (i == ahead) return source_[p];
            ++p;
        }
    }
    char Take() {
        SkipSplices();
        const char c = source_[position_++];
        if (c == '\n') ++line_;
        return c;
    }

    void SkipComment() {
        Take();
        if (Take() == '/') {
            while (!AtEnd() && Peek() != '\n' && Peek() != 0) Take();
            return;
        }
        while (!AtEnd() && Peek() != 0) {
            if (Take() == '*' && Peek() == '/') {
                Take();
                return;
            }
        }
    }

    void Directive() {
        Token token{TokenKind::kDirective, "", line_};
        while (!AtEnd() && Peek() != '\n' && Peek() != 0) {
            if (Peek() == '/' && (Peek(1) == '/' || Peek(1) == '*')) {
                SkipComment();
                token.text += ' ';
            } else if (Peek() == '"' || Peek() == '\'') {
                token.text += Quoted(Peek());
            } else {
                token.text += Take();
            }
        }
        tokens_.push_back(std::move(token));
    }

    void Ordinary(char c) {
        Token token{TokenKind::kPunctuator, "", line_};
        if (IsIdentifierStart(c)) {
            token.kind = TokenKind::kIdentifier;
            while (IsIdentifierPart(Peek())) token.text += Take();
            const bool prefix = token.text == "u8" || token.text == "u" || token.text == "U" || token.text == "L";
            if (Peek() == '"' && !token.text.empty() && token.text.back() == 'R' &&
                (token.text == "R" || token.text == "u8R" || token.text == "uR" || token.text == "UR" ||
                 token.text == "LR")) {
                token.kind = TokenKind::kString;
                token.text += RawString();
            } else if (prefix && (Peek() == '"' || Peek() == '\'')) {
                token.kind = TokenKind::kString;
                token.text += Quoted(Peek());
            }
        } else if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) {
            token.kind = TokenKind::kNumber;
            Number(token.text);
        } else if (c == '"' || c == '\'') {
            token.kind = TokenKind::kString;
            token.text = Quoted(c);
        } else {
            token.text = Take();
            if (c == ':' && Peek() == ':') token.text += Take();
        }
        tokens_.push_back(std::move(token));
    }

    // A preprocessing number: 1'000, 0x1p-3, 1.5e+7f.
    void Number(std::string& text) {
        for (;;) {
            const char c = Peek();
            const char last = text.empty() ? '\0' : text.back();
            const bool exponent = last == 'e' || last == 'E' || last == 'p' || last == 'P';
            if (IsIdentifierPart(c) || c == '.' || (c == '\'' && IsIdentifierPart(Peek(1))) ||
                (exponent && (c == '+' || c == '-'))) {
                text += Take();
            } else {
                return;
            }
        }
    }

    std::string Quoted(char quote) {
        std::string text(1, Take());
        while (!AtEnd() && Peek() != '\n' && Peek() != 0) {
            const char c = Take();
            text += c;
            if (c == quote) break;
            if (c == '\\' && Peek() != '\n' && Peek() != 0) text += Take();
        }
        return text;
    }

    // Splices are not removed inside a raw string, so it is taken from the source as it stands.
    std::string RawString() {
        const size_t begin = position_;
        const size_t open = source_.find('(', begin);
        size_t end = source_.size();
        if (open != std::string_view::npos && open - begin <= 17) {
            std::string close(1, ')');
            close += source_.substr(begin + 1, open - begin - 1);
            close += '"';
            const size_t found = source_.find(close, open);
            if (found != std::string_view::npos) end = found + close.size();
        }
        for (; position_ < end; ++position_) line_ += source_[position_] == '\n';
        return std::string(source_.substr(begin, end - begin));
    }

    std::string_view source_;
    size_t position_ = 0;
    uint32_t line_ = 1;
    std::vector<Token> tokens_;
};

}  // namespace

bool IsOneOf(const Token& t, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&t](std::string_view w) { return t.Is(w); });
}

std::vector<Token> Tokenize(std::string_view source) { return Scanner(source).Run(); }

size_t SkipGroup(const std::vector<Token>& tokens, size_t i) {
    int depth = 0;
    for (; i < tokens.size(); ++i) {
        const Token& t = tokens[i];
        if (t.Is("(") || t.Is("[") || t.Is("{")) ++depth;
        if ((t.Is(")") || t.Is("]") || t.Is("}")) && --depth == 0) return i + 1;
    }
    return i;
}

}  // namespace sfumato::jit
