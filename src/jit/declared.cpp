// SPDX-License-Identifier: Apache-2.0
// __aicore__ of the kernel and __gm__ of its pointers, which are empty here; declarations of variables among tokens:
// debug information of them would make every compilation slower.
#include "jit/declared.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "jit/source_file.h"
#include "jit/tokenizer.h"
#include "report/finding.h"
#include "runtime/code/code_use.h"
#include "sfumato/data_type.h"

namespace sfumato::jit {
namespace {

// A pointer to a type that is no name of the program's, which could stand for one with __gm__.
bool IsPlainPointer(std::string type) {
    if (type.find('*') == std::string::npos) return false;
    for (const std::string_view word : {"const", "volatile"}) {
        for (size_t at; (at = type.find(word)) != std::string::npos;) type.erase(at, word.size());
    }
    std::erase_if(type, [](unsigned char c) { return c == '*' || std::isspace(c); });
    for (const std::string_view known : {"void", "char", "int", "unsigned", "unsignedint", "bool", "double"}) {
        if (type == known) return true;
    }
    for (int i = 0; i < kDataTypeCount; ++i) {
        if (type == CName(static_cast<DataType>(i))) return true;
    }
    return false;
}

struct Declaration {
    std::string file;
    uint32_t line;
    bool harmless;  // const, or a core's own
};

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

std::vector<Report> DeclaredFindings(const std::vector<FoundKernel>& found, const std::string& kernel,
                                     const std::string& source) {
    std::vector<const FoundKernel*> all;
    for (const FoundKernel& k : found) {
        if (k.QualifiedName() == kernel.substr(0, kernel.find('<'))) all.push_back(&k);
    }
    if (all.empty()) return {};
    const FoundKernel& last = *all.back();
    std::vector<Report> reports;
    const auto lacks = [&](std::string operand, std::string message, std::string found_here, std::string hint) {
        reports.push_back(
            ToReport({Rule::kKernelDeclared, std::move(operand), std::move(message), std::move(found_here),
                      "extern \"C\" __global__ __aicore__ void name(GM_ADDR x)", std::move(hint)},
                     "", {source.c_str(), last.line}));
    };
    if (std::ranges::none_of(all, [](const FoundKernel* k) { return k->may_be_of_core; })) {
        lacks("", "the kernel is declared without __aicore__", fmt::format("__global__ alone before {}", last.name),
              "write __global__ __aicore__: the vendor's compiler makes code of the core by it");
    }
    for (size_t i = 0; i < last.params.size(); ++i) {
        const auto plain = [i](const FoundKernel* k) {
            return i < k->params.size() && IsPlainPointer(k->params[i].type);
        };
        if (!std::ranges::all_of(all, plain)) continue;
        const FoundParam& p = last.params[i];
        lacks(p.name, "a pointer of the kernel is declared without __gm__", fmt::format("{} {}", p.type, p.name),
              fmt::format("write __gm__ {} {}, or GM_ADDR: it points to global memory", p.type, p.name));
    }
    return reports;
}

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
