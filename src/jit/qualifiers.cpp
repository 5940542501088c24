// SPDX-License-Identifier: Apache-2.0
// Tells a qualifier in brackets from a subscript, a lambda's captures and an attribute by its neighbours: C++ lets no
// identifier but an operator's follow a subscript, and none but a lambda's specifiers follow captures.
#include "jit/qualifiers.h"

#include "jit/statements.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace sfumato::jit {
namespace {

constexpr size_t kNowhere = static_cast<size_t>(-1);

bool IsSpecifier(const Token& t) {
    return IsOneOf(t, {"inline",   "__inline__", "__inline", "static",       "constexpr",       "consteval",
                       "extern",   "virtual",    "explicit", "friend",       "const",           "volatile",
                       "void",     "typedef",    "unsigned", "signed",       "__forceinline__", "__forceinline",
                       "noinline", "__aicore__", "mutable",  "thread_local", "__global__",      "__noinline__"});
}
bool IsMemory(const Token& t) {
    return IsOneOf(t,
                   {"__ubuf__", "__local_mem__", "__cbuf__", "__ca__", "__cb__", "__cc__", "__fbuf__", "__biasbuf__"});
}
bool IsInline(const Token& t) { return IsOneOf(t, {"inline", "__inline__", "__inline"}); }
// Words with a group in parentheses behind them.
bool IsAttribute(const Token& t) {
    return IsOneOf(t, {"__attribute__", "__attribute", "__declspec", "alignas", "asm", "__asm__"});
}
bool IsOperatorWord(const Token& t) {
    return IsOneOf(t, {"and", "or", "xor", "and_eq", "or_eq", "xor_eq", "bitor", "bitand", "not_eq", "not"});
}
bool IsLambdaWord(const Token& t) {
    return IsOneOf(t, {"mutable", "constexpr", "consteval", "static", "noexcept", "requires"});
}
bool IsPlainType(const Token& t) {
    return IsOneOf(t, {"void", "int", "bool", "char", "float", "half", "double", "short", "long"});
}
bool IsControlWord(const Token& t) {
    return IsOneOf(t, {"if", "while", "for", "switch", "catch", "return", "sizeof", "alignof", "decltype"}) ||
           IsOperatorWord(t);
}

class Pass {
public:
    Pass(const std::vector<Token>& tokens, bool define, const MacroWords& words)
        : tokens_(tokens), define_(define), words_(words) {
        if (define) body_ = BodyOf(tokens, &params_);
    }

    std::vector<Edit> Run() {
        for (size_t i = body_; i < tokens_.size();) {
            const Token& t = tokens_[i];
            size_t after = i;
            if (t.Is("[")) {
                for (size_t next; (next = AfterQualifier(after)) != after;) after = Skip(next);
                if (after != i && IsQualifier(i, after)) Blank(i, after);
            } else if (t.Is("cce_kernel")) {
                if (InAttribute(i)) Blank(i, i + 1);
            } else if (MakesInline(t)) {
                Inlined(i);
            }
            i = std::max(after, i + 1);
        }
        return std::move(edits_);
    }

    // What the macro is.
    void ReadInto(MacroWords* words) const {
        if (tokens_.size() < 2) return;
        const std::string& name = tokens_[1].text;
        words->specifiers.erase(name);
        words->operators.erase(name);
        words->memories.erase(name);
        words->of_core.erase(name);
        words->assembly.erase(name);
        for (size_t i = body_; i < tokens_.size(); ++i) {
            if (HasAssembly(tokens_, i)) words->assembly.insert(name);
        }
        if (body_ + 1 == tokens_.size() && IsMemory(tokens_[body_])) words->memories[name] = tokens_[body_].text;
        if (body_ < tokens_.size()) {
            constexpr std::string_view kBegin = "+-*/%^&|=<>!?,;.)}]";
            const Token& first = tokens_[body_];
            const bool sign = first.kind == TokenKind::kPunctuator && kBegin.find(first.text) != kBegin.npos;
            if (sign || IsOperatorWord(first)) words->operators.insert(name);
        }
        bool forced = false;
        for (size_t i = body_; i < tokens_.size();) {
            const size_t after = AfterSpecifier(i);
            if (after == i) return;
            forced = forced || MakesInline(tokens_[i]);
            i = after;
        }
        words->specifiers[name] = forced;
        const auto marks = [&](const Token& t) { return MarksCore(t, words_); };
        if (std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(body_), tokens_.end(), marks))
            words->of_core.insert(name);
    }

private:
    bool Has(size_t i) const { return i < tokens_.size(); }
    bool Is(size_t i, std::string_view text) const { return Has(i) && tokens_[i].Is(text); }
    bool IsWord(size_t i) const { return Has(i) && tokens_[i].kind == TokenKind::kIdentifier; }
    // From i on, what is no preprocessor line.
    size_t Skip(size_t i) const {
        while (Has(i) && tokens_[i].kind == TokenKind::kDirective) ++i;
        return i;
    }
    // The token before i; kNowhere at the beginning.
    size_t Before(size_t i) const {
        while (i > body_ && tokens_[i - 1].kind == TokenKind::kDirective) --i;
        return i > body_ ? i - 1 : kNowhere;
    }
    // Of the ')' or ']' at i; kNowhere.
    size_t OpenOf(size_t i) const {
        for (int depth = 0; i != kNowhere; i = Before(i)) {
            if (tokens_[i].Is(")") || tokens_[i].Is("]") || tokens_[i].Is("}")) ++depth;
            if ((tokens_[i].Is("(") || tokens_[i].Is("[") || tokens_[i].Is("{")) && --depth == 0) return i;
        }
        return kNowhere;
    }

    // Behind "[aicore]", "[host]", "[host, aicore]" at i; i where there is none.
    size_t AfterQualifier(size_t i) const {
        if (!Is(i, "[")) return i;
        for (size_t k = i + 1; Is(k, "aicore") || Is(k, "host"); k += 2) {
            if (Is(k + 1, "]")) return k + 2;
            if (!Is(k + 1, ",")) break;
        }
        return i;
    }
    bool OpensAttribute(size_t i) const {
        return Is(i, "[") && Is(i + 1, "[") && tokens_[i].end == tokens_[i + 1].begin;
    }
    bool KnownSpecifier(const Token& t) const { return IsSpecifier(t) || words_.specifiers.contains(t.text); }
    bool MakesInline(const Token& t) const {
        if (t.kind != TokenKind::kIdentifier) return false;
        const auto known = words_.specifiers.find(t.text);
        return t.text == "__forceinline__" || (known != words_.specifiers.end() && known->second);
    }
    // Behind the specifier, attribute or qualifier at i; i where there is none.
    size_t AfterSpecifier(size_t i) const {
        if (!Has(i)) return i;
        if (OpensAttribute(i)) return SkipGroup(tokens_, i);
        if (Is(i, "[")) return AfterQualifier(i);
        if (IsAttribute(tokens_[i])) return Is(i + 1, "(") ? SkipGroup(tokens_, i + 1) : i;
        if (tokens_[i].kind != TokenKind::kIdentifier || !KnownSpecifier(tokens_[i])) return i;
        if (Is(i, "extern") && Has(i + 1) && tokens_[i + 1].kind == TokenKind::kString) return i + 2;
        return i + 1;
    }

    bool IsQualifier(size_t begin, size_t end) const {
        const size_t before = Before(begin), next = Skip(end);
        if (before != kNowhere && tokens_[before].Is("[")) return false;
        if (!Has(next)) return define_ && EndsSpecifiers(before, begin);
        if (tokens_[next].Is("::") || tokens_[next].Is("~")) return true;
        if (tokens_[next].Is("{") || tokens_[next].Is("-")) return EndsDeclarator(before);
        if (tokens_[next].Is("*") || tokens_[next].Is("&")) return before != kNowhere && IsPlainType(tokens_[before]);
        if (OpensAttribute(next) || IsAttribute(tokens_[next])) {
            size_t after = next;
            for (size_t more; (more = AfterSpecifier(after)) != after && !KnownSpecifier(tokens_[after]);) after = more;
            return IsWord(after) || Is(after, "::") || (!Has(after) && define_ && EndsSpecifiers(before, begin));
        }
        if (tokens_[next].kind != TokenKind::kIdentifier || IsOperatorWord(tokens_[next])) return false;
        if (IsLambdaWord(tokens_[next])) return !OpensLambda(next) || EndsDeclarator(before);
        const bool unknown = words_.operators.contains(tokens_[next].text) || params_.contains(tokens_[next].text);
        return !unknown || before == kNowhere || EndsSpecifiers(before, begin);
    }

    // Specifiers of a lambda, and its parameters or body.
    bool OpensLambda(size_t i) const {
        while (Has(i) && IsLambdaWord(tokens_[i])) {
            if (tokens_[i].Is("requires")) return true;
            i = Is(i, "noexcept") && Is(i + 1, "(") ? SkipGroup(tokens_, i + 1) : i + 1;
        }
        return Is(i, "{") || Is(i, "(") || Is(i, "-");
    }
    // A function's or a lambda's parameters, or what follows them, stand before a qualifier: f(int) [aicore] {.
    bool EndsDeclarator(size_t before) const {
        if (before == kNowhere) return false;
        if (IsOneOf(tokens_[before], {"const", "noexcept", "override", "final"})) return true;
        if (!tokens_[before].Is(")")) return false;
        const size_t open = OpenOf(before), name = open == kNowhere ? kNowhere : Before(open);
        if (name == kNowhere) return false;
        const Token& t = tokens_[name];
        return (t.kind == TokenKind::kIdentifier && !IsControlWord(t)) || t.Is("]") || t.Is(">") || t.Is(")");
    }
    // In a macro nothing may follow: what stands before then says whether it is a declaration or an array.
    bool EndsSpecifiers(size_t before, size_t begin) const {
        if (before == kNowhere) return true;
        const Token& t = tokens_[before];
        if (t.Is(";") || t.Is("{") || t.Is("}") || t.Is(":")) return true;
        if (t.Is(">")) return Is(body_, "template");
        if (t.Is("]")) return OpensAttribute(OpenOf(before));
        if (t.kind == TokenKind::kString) return before > body_ && Is(before - 1, "extern");
        if (t.Is(")")) {
            const size_t open = OpenOf(before), name = open == kNowhere ? kNowhere : Before(open);
            return name != kNowhere && (IsAttribute(tokens_[name]) || KnownSpecifier(tokens_[name]));
        }
        if (t.kind != TokenKind::kIdentifier || params_.contains(t.text)) return false;
        if (KnownSpecifier(t)) return true;
        // A macro that nobody has seen: arrays have no blank before the subscript.
        const auto lower = [](unsigned char c) { return std::islower(c) != 0; };
        return std::ranges::none_of(t.text, lower) && tokens_[begin].begin != t.end;
    }

    bool InAttribute(size_t i) const {
        int depth = 0;
        for (size_t k = i; k-- > body_;) {
            if (tokens_[k].Is(")")) ++depth;
            if (tokens_[k].Is(";") || tokens_[k].Is("{") || tokens_[k].Is("}")) return false;
            if (tokens_[k].Is("(") && --depth == -2) return k > body_ && IsAttribute(tokens_[k - 1]);
        }
        return false;
    }

    // Where the specifier, attribute or qualifier that ends before `end` begins; `end` where there is none.
    size_t BeginOfSpecifier(size_t end) const {
        size_t begin = Before(end);
        if (begin == kNowhere) return end;
        if (tokens_[begin].Is(")") || tokens_[begin].Is("]")) {
            begin = OpenOf(begin);
            if (begin == kNowhere || begin == body_) return end;
            if (!tokens_[begin].Is("[") || tokens_[begin - 1].Is("[")) --begin;
        }
        return AfterSpecifier(begin) == end ? begin : end;
    }

    // g++ takes no second inline in a declaration, and nothing of it before "template", where it would mean the same.
    void Inlined(size_t i) {
        size_t begin = i, end = i;
        for (size_t next; (next = AfterSpecifier(end)) != end;) end = Skip(next);
        for (size_t next; (next = BeginOfSpecifier(begin)) != begin;) begin = next;
        const bool to_template = Is(end, "template");
        // What stays: a macro that may say more.
        size_t kept = i;
        for (size_t k = begin; k < end && Is(kept, "__forceinline__"); ++k) kept = MakesInline(tokens_[k]) ? k : kept;
        for (size_t k = begin; k < end; ++k) {
            const bool again = k != kept && (IsInline(tokens_[k]) || Is(k, "__forceinline__"));
            if (again || (to_template && MakesInline(tokens_[k]))) Blank(k, k + 1);
        }
    }

    void Blank(size_t begin, size_t end) {
        for (size_t k = begin; k < end; ++k) {
            const Token& t = tokens_[k];
            if (t.kind == TokenKind::kDirective || !blanked_.insert(t.begin).second) continue;
            // A word that a splice parts keeps its lines.
            if (t.end - t.begin == t.text.size()) edits_.push_back({t.begin, t.end, std::string(t.text.size(), ' ')});
        }
    }

    const std::vector<Token>& tokens_;
    const bool define_;
    const MacroWords& words_;
    size_t body_ = 0;
    std::set<std::string> params_;
    std::set<size_t> blanked_;
    std::vector<Edit> edits_;
};

}  // namespace

size_t BodyOf(const std::vector<Token>& define, std::set<std::string>* params) {
    size_t body = std::min<size_t>(2, define.size());
    if (body >= define.size() || !define[2].Is("(") || define[2].begin != define[1].end) return body;
    for (; body < define.size() && !define[body].Is(")"); ++body) {
        if (params && define[body].kind == TokenKind::kIdentifier) params->insert(define[body].text);
    }
    return std::min(body + 1, define.size());
}

bool MentionsQualifiers(std::string_view source, const MacroWords& words) {
    for (const std::string_view word : {"aicore", "host"}) {
        for (size_t p = 0; (p = source.find(word, p)) != source.npos; p += word.size()) {
            const size_t next = source.find_first_not_of(" \t\r\n", p + word.size());
            if (next != source.npos && std::string_view("],/\\").find(source[next]) != std::string_view::npos)
                return true;
        }
    }
    return source.find("__forceinline__") != source.npos || source.find("cce_kernel") != source.npos ||
           std::ranges::any_of(words.specifiers, [](const auto& macro) { return macro.second; });
}

std::vector<Edit> QualifierEdits(const std::vector<Token>& tokens, bool define, const MacroWords& words) {
    return Pass(tokens, define, words).Run();
}

void ReadDefine(const std::vector<Token>& tokens, MacroWords* words) { Pass(tokens, true, *words).ReadInto(words); }

}  // namespace sfumato::jit
