// SPDX-License-Identifier: Apache-2.0
// The condition of REGISTER_TILING_FOR_TILINGKEY, evaluated by the compiler (framework.md 4.5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sfumato::tiling {

// A string literal as a template argument.
template <size_t kSize>
struct Text {
    char characters[kSize] = {};
    constexpr Text(const char (&literal)[kSize]) {
        for (size_t i = 0; i < kSize; ++i) characters[i] = literal[i];
    }
    constexpr std::string_view View() const { return {characters, kSize - 1}; }
};

// Integers, the token TILING_KEY_VAR, parentheses, ! ~ - and the binary operators of C in C's order of precedence, in
// 64 bits without sign. What is no such expression is no constant, which the compiler reports with the word thrown.
class KeyExpression {
public:
    static constexpr uint64_t Evaluate(std::string_view text, uint64_t key) {
        KeyExpression parser(text, key);
        const uint64_t value = parser.Binary(0);
        parser.SkipBlanks();
        if (!parser.text_.empty()) throw "REGISTER_TILING_FOR_TILINGKEY: the condition has something behind its end";
        return value;
    }

private:
    constexpr KeyExpression(std::string_view text, uint64_t key) : text_(text), key_(key) {}

    struct Operator {
        std::string_view spelling;
        int level;
    };
    // Longer spellings first.
    static constexpr Operator kOperators[] = {{"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7},
                                              {"<<", 8}, {">>", 8}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
                                              {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

    constexpr void SkipBlanks() {
        while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\t')) text_.remove_prefix(1);
    }
    constexpr bool Take(std::string_view word) {
        SkipBlanks();
        if (!text_.starts_with(word)) return false;
        text_.remove_prefix(word.size());
        return true;
    }

    constexpr uint64_t Binary(int level) {
        uint64_t left = Unary();
        for (;;) {
            SkipBlanks();
            const Operator* found = nullptr;
            for (const Operator& o : kOperators) {
                if (!found && text_.starts_with(o.spelling)) found = &o;
            }
            if (!found || found->level <= level) return left;
            text_.remove_prefix(found->spelling.size());
            left = Apply(found->spelling, left, Binary(found->level));
        }
    }

    static constexpr uint64_t Apply(std::string_view o, uint64_t a, uint64_t b) {
        if (o == "||") return a || b;
        if (o == "&&") return a && b;
        if (o == "==") return a == b;
        if (o == "!=") return a != b;
        if (o == "<=") return a <= b;
        if (o == ">=") return a >= b;
        if (o == "<") return a < b;
        if (o == ">") return a > b;
        if (o == "|") return a | b;
        if (o == "^") return a ^ b;
        if (o == "&") return a & b;
        if (o == "+") return a + b;
        if (o == "-") return a - b;
        if (o == "*") return a * b;
        if (o == "<<" || o == ">>") {
            if (b > 63) throw "REGISTER_TILING_FOR_TILINGKEY: a shift by more than 63";
            return o == "<<" ? a << b : a >> b;
        }
        if (b == 0) throw "REGISTER_TILING_FOR_TILINGKEY: a division by zero";
        return o == "/" ? a / b : a % b;
    }

    constexpr uint64_t Unary() {
        if (Take("!")) return !Unary();
        if (Take("~")) return ~Unary();
        if (Take("-")) return 0 - Unary();
        if (Take("+")) return Unary();
        if (Take("(")) {
            const uint64_t value = Binary(0);
            if (!Take(")")) throw "REGISTER_TILING_FOR_TILINGKEY: a parenthesis is not closed";
            return value;
        }
        if (Take("TILING_KEY_VAR")) return key_;
        return Number();
    }

    constexpr uint64_t Number() {
        const uint64_t base = Take("0x") || Take("0X") ? 16 : 10;
        uint64_t value = 0;
        size_t digits = 0;
        for (; digits < text_.size(); ++digits) {
            const char c = text_[digits];
            const char letter = static_cast<char>(c | 0x20);
            const bool decimal = c >= '0' && c <= '9', hex = base == 16 && letter >= 'a' && letter <= 'f';
            if (!decimal && !hex) break;
            value = value * base + static_cast<uint64_t>(decimal ? c - '0' : letter - 'a' + 10);
        }
        if (digits == 0) throw "REGISTER_TILING_FOR_TILINGKEY: a number or TILING_KEY_VAR is missing in the condition";
        text_.remove_prefix(digits);
        while (!text_.empty() && (text_[0] == 'u' || text_[0] == 'U' || text_[0] == 'l' || text_[0] == 'L'))
            text_.remove_prefix(1);
        return value;
    }

    std::string_view text_;
    uint64_t key_;
};

}  // namespace sfumato::tiling
