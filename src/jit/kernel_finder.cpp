// SPDX-License-Identifier: Apache-2.0
// Walks the tokens at namespace scope and reads the declarators that carry __global__.
#include "jit/kernel_finder.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "jit/core_kinds.h"
#include "jit/tokenizer.h"

namespace sfumato::jit {
namespace {

// Words that end a type without naming a parameter: "unsigned int" declares nothing called int.
bool IsTypeWord(std::string_view s) {
    constexpr std::array kWords = {"void",  "bool",   "char",     "short",   "int",      "long",  "signed",
                                   "float", "double", "unsigned", "char8_t", "char16_t", "const", "volatile"};
    return std::ranges::find(kWords, s) != kWords.end();
}

// __mix__, __attribute__, __schedmode__ ...: a name of the language, whose parentheses are not a parameter list.
bool IsReserved(std::string_view s) { return s.size() > 4 && s.starts_with("__") && s.ends_with("__"); }

bool IsWordLike(const Token& t) { return t.kind == TokenKind::kIdentifier || t.kind == TokenKind::kNumber; }

// What marks a parameter and is no part of its type.
bool IsMark(const Token& t) { return t.Is("__kfc_workspace__"); }

// Tokens as a person writes a type: "const __gm__ half*", "std::array<int, 4>".
std::string Join(const std::vector<Token>& tokens, size_t begin, size_t end) {
    std::string text;
    for (size_t i = begin; i < end; ++i) {
        if (tokens[i].kind == TokenKind::kDirective || IsMark(tokens[i])) continue;
        const bool after_comma = !text.empty() && text.back() == ',';
        if (!text.empty() &&
            (after_comma || (IsWordLike(tokens[i]) && (IsWordLike(tokens[i - 1]) || tokens[i - 1].Is("*") ||
                                                       tokens[i - 1].Is(">") || tokens[i - 1].Is("&"))))) {
            text += ' ';
        }
        text += tokens[i].text;
    }
    return text;
}

class Finder {
public:
    explicit Finder(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

    std::vector<FoundKernel> Run() {
        while (i_ < tokens_.size()) Step();
        return std::move(found_);
    }

private:
    struct Scope {
        bool is_namespace;               // or extern "C": declarations inside are at namespace scope
        std::vector<std::string> names;  // that it adds
    };

    bool AtNamespaceScope() const { return scopes_.empty() || scopes_.back().is_namespace; }

    void Step() {
        const Token& t = tokens_[i_];
        if (t.kind == TokenKind::kDirective) {
            Conditional(t.text);
            ++i_;
        } else if (t.Is("{")) {
            Open();
        } else if (t.Is("}")) {
            if (!scopes_.empty()) scopes_.pop_back();
            statement_ = ++i_;
        } else if (t.Is(";")) {
            statement_ = ++i_;
        } else if (t.Is("__global__") && AtNamespaceScope()) {
            Kernel();
        } else {
            ++i_;
        }
    }

    // Branches may each open the same brace, so every branch starts from the braces before the #if.
    void Conditional(const std::string& text) {
        size_t p = text.find_first_not_of(" \t", 1);
        const std::string word = p == std::string::npos ? "" : text.substr(p, text.find_first_of(" \t(!", p) - p);
        if (word == "if" || word == "ifdef" || word == "ifndef") {
            branches_.push_back(scopes_);
        } else if ((word == "else" || word.starts_with("elif")) && !branches_.empty()) {
            scopes_ = branches_.back();
            statement_ = i_ + 1;
        } else if (word == "endif" && !branches_.empty()) {
            branches_.pop_back();
        }
    }

    void Open() {
        Scope scope{false, {}};
        if (AtNamespaceScope()) {
            size_t b = statement_;
            while (b < i_ && (tokens_[b].Is("inline") || tokens_[b].kind == TokenKind::kDirective)) ++b;
            if (b + 2 == i_ && tokens_[b].Is("extern") && tokens_[b + 1].kind == TokenKind::kString) {
                scope.is_namespace = true;
            } else if (b < i_ && tokens_[b].Is("namespace")) {
                scope.is_namespace = true;
                for (size_t k = b + 1; k < i_; ++k) {
                    if (tokens_[k].kind == TokenKind::kIdentifier && !tokens_[k].Is("inline")) {
                        scope.names.push_back(tokens_[k].text);
                    }
                }
                if (scope.names.empty()) scope.names.emplace_back();
            }
        }
        scopes_.push_back(std::move(scope));
        statement_ = ++i_;
    }

    void Kernel() {
        const uint32_t line = tokens_[i_].line;
        const std::vector<bool> template_types = TemplateParams();
        for (size_t k = i_ + 1; k < tokens_.size(); ++k) {
            const Token& t = tokens_[k];
            if (t.Is(";") || t.Is("{") || t.Is("}")) {
                i_ = k;
                return;
            }
            if (t.Is("[")) k = SkipGroup(tokens_, k) - 1;
            if (!t.Is("(")) continue;
            const Token& before = tokens_[k - 1];
            const size_t after = SkipGroup(tokens_, k);
            if (before.kind == TokenKind::kIdentifier && !IsReserved(before.text) && !before.Is("alignas")) {
                Add(k, after - 1, template_types, line);
                i_ = after;
                return;
            }
            k = after - 1;
        }
        i_ = tokens_.size();
    }

    // Of the declaration that __global__ stands in, for each parameter whether it is a type. "template <>" and
    // "template
    // __global__" (an explicit instantiation) are ordinary functions' declarations.
    std::vector<bool> TemplateParams() const {
        std::vector<bool> types;
        size_t k = statement_;
        while (k < i_ && !tokens_[k].Is("template")) ++k;
        if (k + 2 >= i_ || !tokens_[k + 1].Is("<") || tokens_[k + 2].Is(">")) return types;
        int depth = 0;
        bool starts = true;
        for (k += 2; k < i_ && !(depth == 0 && tokens_[k].Is(">")); ++k) {
            const Token& t = tokens_[k];
            if (t.kind == TokenKind::kDirective) continue;
            if (starts) types.push_back(t.Is("typename") || t.Is("class"));
            starts = depth == 0 && t.Is(",");
            if (t.Is("<") || t.Is("(")) ++depth;
            if (t.Is(">") || t.Is(")")) --depth;
        }
        return types;
    }

    // Of the declaration whose __global__ is at i_ and whose parameters begin at `open`.
    bool MayBeOfCore(size_t open) const {
        constexpr std::string_view kOthers[] = {"extern",     "void",     "static", "inline",
                                                "__inline__", "noinline", "const"};
        for (size_t k = statement_; k + 1 < open; ++k) {
            const Token& t = tokens_[k];
            if (t.Is("__aicore__") || t.Is("aicore")) return true;
            if (k <= i_ || t.kind != TokenKind::kIdentifier || t.Is("__attribute__") || tokens_[k + 1].Is("::"))
                continue;
            if (std::ranges::find(kOthers, t.text) == std::end(kOthers)) return true;
        }
        return false;
    }

    void Add(size_t open, size_t close, const std::vector<bool>& template_types, uint32_t line) {
        FoundKernel kernel;
        kernel.name = tokens_[open - 1].text;
        kernel.is_template = !template_types.empty();
        kernel.template_types = template_types;
        kernel.qualifier = ReadQualifiers(tokens_, statement_, open);
        kernel.may_be_of_core = !kernel.qualifier.empty() || MayBeOfCore(open);
        kernel.is_definition = close + 1 < tokens_.size() && tokens_[close + 1].Is("{");
        kernel.line = line;
        kernel.name_begin = tokens_[open - 1].begin, kernel.name_end = tokens_[open - 1].end;
        for (const Scope& s : scopes_)
            kernel.namespaces.insert(kernel.namespaces.end(), s.names.begin(), s.names.end());
        std::vector<std::string> written;  // "void ns::f("
        for (size_t k = open - 1; k >= 2 && tokens_[k - 1].Is("::") && tokens_[k - 2].kind == TokenKind::kIdentifier;
             k -= 2) {
            written.insert(written.begin(), tokens_[k - 2].text);
        }
        kernel.namespaces.insert(kernel.namespaces.end(), written.begin(), written.end());
        int depth = 0;
        size_t begin = open + 1;
        for (size_t k = open + 1; k <= close && k < tokens_.size(); ++k) {
            const Token& t = tokens_[k];
            if (k == close || (t.Is(",") && depth == 0)) {
                AddParam(kernel, begin, k);
                begin = k + 1;
            } else if (t.Is("(") || t.Is("[") || t.Is("{") || t.Is("<")) {
                ++depth;
            } else if (t.Is(")") || t.Is("]") || t.Is("}") || t.Is(">")) {
                --depth;
            }
        }
        found_.push_back(std::move(kernel));
    }

    void AddParam(FoundKernel& kernel, size_t begin, size_t end) {
        for (size_t k = begin; k < end; ++k) {
            if (tokens_[k].Is("=")) end = k;  // a default argument
        }
        size_t name_end = end;
        for (size_t k = begin; k < end; ++k) {
            if (tokens_[k].Is("[")) name_end = std::min(name_end, k);  // an array is a pointer
        }
        if (begin >= end || (begin + 1 == end && tokens_[begin].Is("void"))) return;
        FoundParam param;
        if (std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                        tokens_.begin() + static_cast<std::ptrdiff_t>(end), IsMark))
            kernel.workspace = static_cast<int>(kernel.params.size());
        const Token& last = tokens_[name_end - 1];
        const bool qualified = name_end >= begin + 2 && tokens_[name_end - 2].Is("::");
        bool has_type = false;  // something before the last word that is a type by itself
        for (size_t k = begin; k + 1 < name_end; ++k) {
            const bool qualifier = IsReserved(tokens_[k].text) || tokens_[k].Is("const") || tokens_[k].Is("volatile");
            has_type |= tokens_[k].kind != TokenKind::kDirective && !qualifier;
        }
        if (last.kind == TokenKind::kIdentifier && has_type && !qualified && !IsTypeWord(last.text) &&
            !IsReserved(last.text)) {
            param.name = last.text;
            param.type = Join(tokens_, begin, name_end - 1) + (name_end < end ? "*" : "");
        } else {
            param.type = Join(tokens_, begin, end);
        }
        kernel.params.push_back(std::move(param));
    }

    std::vector<Token> tokens_;
    size_t i_ = 0;
    size_t statement_ = 0;  // first token of the current declaration
    std::vector<Scope> scopes_;
    std::vector<std::vector<Scope>> branches_;
    std::vector<FoundKernel> found_;
};

}  // namespace

std::string FoundKernel::QualifiedName() const {
    std::string text;
    for (const std::string& n : namespaces) {
        if (!n.empty()) text += n + "::";
    }
    return text + name;
}

bool FoundKernel::InAnonymousNamespace() const { return std::ranges::find(namespaces, "") != namespaces.end(); }

std::vector<FoundKernel> FindKernelsPreprocessed(std::string_view output, std::string_view file) {
    // "# 12 "file" 1": the next line is line 12 of file. The tokenizer numbers the output's lines.
    std::vector<Token> tokens = Tokenize(output);
    uint32_t line = 0, marker = 0;
    bool mine = false;
    for (Token& t : tokens) {
        if (t.kind == TokenKind::kDirective) {
            const size_t digit = t.text.find_first_of("0123456789"), quote = t.text.find('"');
            if (digit == std::string::npos || quote == std::string::npos || digit > quote) continue;
            line = static_cast<uint32_t>(std::stoul(t.text.substr(digit)));
            marker = t.line;
            const std::string_view name = std::string_view(t.text).substr(quote + 1);
            mine = name.starts_with(file) && name.substr(file.size()).starts_with("\"");
        } else {
            t.line = mine ? line + t.line - marker - 1 : 0;
        }
    }
    std::vector<FoundKernel> found = Finder(std::move(tokens)).Run();
    for (FoundKernel& k : found) k.name_begin = k.name_end = 0;
    return found;
}

std::vector<FoundKernel> FindKernels(std::string_view source) { return Finder(Tokenize(source)).Run(); }

std::vector<std::string> ConstantTables(std::string_view source) {
    std::vector<std::string> names;
    if (source.find("__gm__") == std::string_view::npos) return names;
    const std::vector<Token> tokens = Tokenize(source);
    const auto ends = [&](size_t i) {
        constexpr std::string_view kEnds[] = {";", "{", "}", "(", ")", ",", "="};
        return tokens[i].kind == TokenKind::kDirective ||
               std::ranges::any_of(kEnds, [&](std::string_view end) { return tokens[i].Is(end); });
    };
    for (size_t i = 0; i < tokens.size(); ++i) {
        if (!tokens[i].Is("__gm__")) continue;
        size_t begin = i, end = i, bracket = 0;
        while (begin > 0 && !ends(begin - 1)) --begin;
        for (; end < tokens.size() && !ends(end); ++end) {
            if (tokens[end].Is("[") && bracket == 0) bracket = end;
        }
        const bool constant = std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                                          tokens.begin() + static_cast<std::ptrdiff_t>(end),
                                          [](const Token& t) { return t.Is("const") || t.Is("constexpr"); });
        const bool defined = end < tokens.size() && (tokens[end].Is("=") || tokens[end].Is("{"));
        if (constant && defined && bracket > i && tokens[bracket - 1].kind == TokenKind::kIdentifier)
            names.push_back(tokens[bracket - 1].text);
        i = std::max(i, end - 1);
    }
    return names;
}

}  // namespace sfumato::jit
