// SPDX-License-Identifier: Apache-2.0
// Looks for declarations among tokens: debug information of variables would make every compilation slower.
#include "jit/variables.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "jit/source_file.h"
#include "jit/tokenizer.h"
#include "runtime/code/code_use.h"

namespace sfumato::jit {
namespace {

struct Declaration {
    std::string file;
    uint32_t line;
    bool harmless;  // const, or a core's own
};

bool IsOneOf(const Token& t, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&t](std::string_view w) { return t.Is(w); });
}

// "f(int)::counter" is `counter`, behind the token `f`.
std::string LastName(std::string_view name) {
    const size_t colons = name.rfind("::");
    const std::string_view last = colons == name.npos ? name : name.substr(colons + 2);
    return std::string(last.substr(0, last.find_first_of("[<")));
}
std::string FunctionOf(std::string_view name) {
    const size_t open = name.find('(');
    if (open == name.npos || open == 0 || name.rfind("::") < open) return "";
    return LastName(name.substr(0, open));
}

// Whether the token is a name that a type stands before and no expression goes on with.
bool Declares(const std::vector<Token>& tokens, size_t i) {
    if (i == 0 || i + 1 >= tokens.size()) return false;
    const Token &before = tokens[i - 1], &after = tokens[i + 1];
    const bool type = before.kind == TokenKind::kIdentifier
                          ? !IsOneOf(before, {"return", "else", "do", "case", "goto", "new", "delete", "typename"})
                          : IsOneOf(before, {">", "*", "&", "]", ")", ","});
    return type && IsOneOf(after, {";", "=", "[", "{", "(", ","});
}

bool IsHarmless(const std::vector<Token>& tokens, size_t i) {
    while (i > 0 && !IsOneOf(tokens[i - 1], {";", "{", "}"}) && tokens[i - 1].kind != TokenKind::kDirective) {
        if (IsOneOf(tokens[--i], {"const", "constexpr", "__BLOCK_LOCAL__"})) return true;
    }
    return false;
}

std::optional<Declaration> Find(const std::string& name, const std::vector<std::string>& files) {
    const std::string last = LastName(name), function = FunctionOf(name);
    for (const std::string& file : files) {
        const std::vector<Token> tokens = Tokenize(ReadText(file).value_or(""));
        bool inside = function.empty();
        for (size_t i = 0; i < tokens.size(); ++i) {
            inside = inside || tokens[i].Is(function);
            if (inside && tokens[i].Is(last) && Declares(tokens, i))
                return Declaration{file, tokens[i].line, IsHarmless(tokens, i)};
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<Report> VariableFindings(const std::vector<runtime::CodeGraph::Variable>& variables,
                                     const std::vector<std::string>& files) {
    std::vector<Report> findings;
    for (const auto& variable : variables) {
        std::optional<Report> report = runtime::VariableReport(variable);
        if (!report) continue;
        if (const auto declaration = Find(report->operand, files)) {
            if (declaration->harmless) continue;
            report->file = declaration->file;
            report->line = declaration->line;
        }
        findings.push_back(std::move(*report));
    }
    return findings;
}

}  // namespace sfumato::jit
