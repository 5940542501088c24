// SPDX-License-Identifier: Apache-2.0
// Reads declarations as far as they are needed: where one begins, its type's end, its names and what follows them.
#include "jit/local_memory.h"

#include <fmt/format.h>

#include <algorithm>

namespace sfumato::jit {
namespace {

// The position behind each qualifier, and the name that makes an address of a number.
constexpr struct {
    std::string_view qualifier, position, pointer;
} kMemories[] = {{"__ubuf__", "VECCALC", "__ub"},   {"__local_mem__", "VECCALC", "__ub"},
                 {"__cbuf__", "A1", "__l1"},        {"__ca__", "A2", "__l0a"},
                 {"__cb__", "B2", "__l0b"},         {"__cc__", "CO1", "__l0c"},
                 {"__fbuf__", "C2PIPE2GM", "__fb"}, {"__biasbuf__", "C2", "__bt"}};

class LocalPass {
public:
    LocalPass(std::string_view source, const std::vector<Token>& tokens, bool define, const MacroWords& words)
        : source_(source), tokens_(tokens), define_(define), words_(words) {
        if (define) i_ = statement_ = BodyOf(tokens_, &params_);
    }

    LocalEdits Run() {
        scopes_.push_back({define_ ? Scope::kBlock : Scope::kNamespace, 0});
        for (; Has(i_); ++i_) {
            if (const auto* memory = MemoryOf(tokens_[i_])) {
                if (!Cast(*memory) && scopes_.back().parens == 0 && i_ >= done_) Declaration(*memory);
            }
            Track();
        }
        return std::move(result_);
    }

private:
    using Memory = std::remove_cvref_t<decltype(kMemories[0])>;
    struct Scope {
        enum Kind : uint8_t { kNamespace, kClass, kBlock } kind;
        int parens;
    };

    bool Has(size_t i) const { return i < tokens_.size(); }
    bool Is(size_t i, std::string_view text) const { return Has(i) && tokens_[i].Is(text); }
    bool IsWord(size_t i) const { return Has(i) && tokens_[i].kind == TokenKind::kIdentifier; }

    const Memory* MemoryOf(const Token& t) const {
        if (t.kind != TokenKind::kIdentifier) return nullptr;
        const auto macro = words_.memories.find(t.text);
        const std::string_view name = macro == words_.memories.end() ? std::string_view(t.text) : macro->second;
        const auto found = std::ranges::find(kMemories, name, &Memory::qualifier);
        return found == std::end(kMemories) ? nullptr : &*found;
    }

    // Braces, parentheses and where statements begin.
    void Track() {
        const Token& t = tokens_[i_];
        if (t.Is("(") || t.Is("[")) {
            ++scopes_.back().parens, ++open_;
        } else if (t.Is(")") || t.Is("]")) {
            --scopes_.back().parens, --open_;
        } else if (t.Is("{")) {
            scopes_.push_back({KindOf(statement_, i_), 0});
            statement_ = i_ + 1;
        } else if (t.Is("}")) {
            if (scopes_.size() > 1) scopes_.pop_back();
            statement_ = i_ + 1;
        } else if (t.Is(";") || t.kind == TokenKind::kDirective || (t.Is(":") && EndsLabel())) {
            statement_ = i_ + 1;
        }
    }
    bool EndsLabel() const {
        return scopes_.back().parens == 0 && Has(statement_) &&
               (i_ == statement_ + 1 ||
                IsOneOf(tokens_[statement_], {"case", "default", "public", "private", "protected"}));
    }
    // Of the brace at `end` behind the words from `begin` on.
    Scope::Kind KindOf(size_t begin, size_t end) const {
        if (Is(begin, "template") && Is(begin + 1, "<")) begin = AfterAngles(begin + 1);
        while (begin < end && IsOneOf(tokens_[begin], {"inline", "static", "typedef", "const"})) ++begin;
        if (begin >= end) return Scope::kBlock;
        const bool linkage = tokens_[begin].Is("extern") && begin + 2 == end;
        if (tokens_[begin].Is("namespace") || linkage) return Scope::kNamespace;
        if (!IsOneOf(tokens_[begin], {"class", "struct", "union", "enum"})) return Scope::kBlock;
        for (size_t i = begin; i < end; ++i) {
            if (tokens_[i].Is("=") || (tokens_[i].Is("(") && !IsOneOf(tokens_[i - 1], {"alignas", "__attribute__"}) &&
                                       !tokens_[i - 1].Is("(")))
                return Scope::kBlock;
        }
        return Scope::kClass;
    }
    // Behind the "<" group at i.
    size_t AfterAngles(size_t i) const {
        for (int depth = 0; Has(i) && !tokens_[i].Is(";") && !tokens_[i].Is("{");) {
            if (tokens_[i].Is("(") || tokens_[i].Is("[")) {
                i = SkipGroup(tokens_, i);
                continue;
            }
            depth += tokens_[i].Is("<") ? 1 : tokens_[i].Is(">") ? -1 : 0;
            ++i;
            if (depth == 0) break;
        }
        return i;
    }

    // A text at a byte of the source. What stands behind it keeps its line and column where a line may end there.
    void Insert(size_t at, uint32_t line, std::string text) {
        if (!define_ && open_ == 0) {
            const size_t before = at == 0 ? std::string_view::npos : source_.rfind('\n', at - 1);
            text += fmt::format("\n#line {}\n", line);
            for (size_t p = before == std::string_view::npos ? 0 : before + 1; p < at; ++p)
                text += source_[p] == '\t' ? '\t' : ' ';
        }
        result_.edits.push_back({at, at, std::move(text)});
    }
    void Replace(size_t begin, size_t end, std::string text) {
        text.resize(std::max(text.size(), end - begin), ' ');
        result_.edits.push_back({begin, end, std::move(text)});
    }
    void Refuse(const Token& at, std::string message) {
        result_.refused.push_back({at.begin, at.line, std::move(message)});
    }

    // --- casts

    bool Cast(const Memory& memory) {
        size_t open = i_;
        while (open > 0 && (IsWord(open - 1) || Is(open - 1, "::"))) --open;
        if (open-- == 0) return false;
        if (Is(open, "<")) return KeywordCast(memory, open);
        if (!Is(open, "(") || IsFunction(open)) return false;
        const size_t close = SkipGroup(tokens_, open) - 1;
        if (!IsPointerType(open + 1, close) || !IsOperand(close + 1)) return false;
        const Token& t = tokens_[i_];
        const bool blank = t.end < source_.size() && source_[t.end] == ' ';
        const size_t room = t.end - t.begin + (blank ? 1 : 0);
        result_.edits.push_back({t.begin, t.begin + room, ""});
        std::string text = fmt::format("({})", memory.pointer);
        text.resize(std::max(text.size(), room), ' ');
        result_.edits.push_back({tokens_[close].end, tokens_[close].end, std::move(text)});
        return true;
    }
    // reinterpret_cast<__ubuf__ T*>(n)
    bool KeywordCast(const Memory& memory, size_t open) {
        if (open == 0 || !Is(open - 1, "reinterpret_cast")) return false;
        const size_t after = AfterAngles(open);
        if (!Is(after, "(") || !IsPointerType(open + 1, after - 1)) return false;
        const Token& word = tokens_[open - 1];
        Replace(word.begin, word.end, fmt::format("{}_cast", memory.pointer));
        return true;
    }
    // One '*', at the end, and a type before it.
    bool IsPointerType(size_t begin, size_t end) const {
        while (end > begin && IsOneOf(tokens_[end - 1], {"const", "volatile", "__restrict__", "__restrict"})) --end;
        if (end <= begin + 1 || !tokens_[end - 1].Is("*")) return false;
        for (size_t i = begin; i + 1 < end;) {
            if (tokens_[i].Is("<")) {
                i = AfterAngles(i);
            } else if (tokens_[i].kind == TokenKind::kIdentifier || tokens_[i].Is("::")) {
                ++i;
            } else {
                return false;
            }
        }
        return true;
    }
    // Parameters of a function, or what sizeof asks about, open here, and no cast.
    bool IsFunction(size_t open) const {
        if (open == 0) return false;
        const Token& before = tokens_[open - 1];
        if (before.kind != TokenKind::kIdentifier) return before.Is("]");
        return !IsOneOf(before, {"return", "co_return", "case", "else", "do", "throw", "and", "or", "not"}) &&
               !(define_ && open == BodyOf(tokens_, nullptr));
    }
    // What follows a cast.
    bool IsOperand(size_t i) const {
        if (!Has(i)) return define_;
        const Token& t = tokens_[i];
        if (t.kind == TokenKind::kNumber) return true;
        if (t.kind == TokenKind::kIdentifier) {
            return !IsOneOf(t, {"const", "volatile", "noexcept", "override", "final", "mutable", "requires", "NULL",
                                "nullptr", "and", "or", "xor", "__attribute__"});
        }
        if (t.Is("-")) return !Is(i + 1, ">");
        return t.Is("(") || t.Is("&") || t.Is("*") || t.Is("~") || t.Is("::") || t.Is("+");
    }

    // --- declarations

    struct Head {
        size_t name = 0, end = 0;  // of the first declarator: its name, and what follows that
        size_t static_at = 0;      // "static" or "extern", 0: none
        bool is_extern = false;
    };
    // Of the declaration that begins with the statement; false where it is none of a variable by its own type.
    bool ReadHead(Head* head) const {
        size_t types = 0;
        for (size_t i = statement_; Has(i);) {
            const Token& t = tokens_[i];
            if (t.kind == TokenKind::kDirective) {
                ++i;
            } else if (IsOneOf(t, {"__attribute__", "alignas", "decltype"})) {
                types += t.Is("decltype") ? 1 : 0;
                i = SkipGroup(tokens_, i + 1);
            } else if (t.Is("[") && Is(i + 1, "[")) {
                i = SkipGroup(tokens_, i);
            } else if (IsOneOf(t, {"static", "extern"})) {
                head->static_at = i++;
                head->is_extern = t.Is("extern");
            } else if (t.Is("::") || MemoryOf(t) ||
                       IsOneOf(t, {"const", "volatile", "constexpr", "inline", "typename", "struct", "class"})) {
                ++i;
            } else if (IsOneOf(t, {"using", "typedef", "return", "auto", "template", "friend", "operator"})) {
                return false;
            } else if (t.kind == TokenKind::kIdentifier) {
                if (i == statement_ || !tokens_[i - 1].Is("::")) ++types;
                head->name = i++;
                while (define_ && Is(i, "#") && Is(i + 1, "#") && IsWord(i + 2)) i += 3;
            } else if (t.Is("<")) {
                i = AfterAngles(i);
            } else {
                head->end = i;
                break;
            }
            head->end = i;
        }
        return types >= 2 && head->name > 0 && !tokens_[head->name - 1].Is("::") && IsWord(head->end - 1) &&
               NameEnd(head->name) == head->end;
    }
    size_t NameEnd(size_t i) const {
        for (++i; define_ && Is(i, "#") && Is(i + 1, "#") && IsWord(i + 2);) i += 3;
        return i;
    }

    void Declaration(const Memory& memory) {
        Head head;
        if (!ReadHead(&head)) return;
        const bool array = Is(head.end, "[");
        const bool ends = Is(head.end, ";") || Is(head.end, ",") || Is(head.end, "{") || Is(head.end, "=");
        if (!array && (!ends || scopes_.back().kind != Scope::kBlock)) return;
        const bool dynamic = head.is_extern && array && Is(head.end + 1, "]");
        if (head.is_extern && !dynamic) return;
        if (scopes_.back().kind != Scope::kBlock) {
            Refuse(tokens_[head.name],
                   fmt::format("an array in local memory stands outside of functions, where no core executes it; "
                               "declare {} in the function that uses it",
                               tokens_[head.name].text));
            return;
        }
        size_t i = head.name;
        for (bool first = true; IsWord(i); first = false) {
            const size_t end = Declarator(memory, i, dynamic, first);
            if (end == i) break;
            i = end;
            if (!Is(i, ",")) break;
            ++i;
        }
        done_ = i;
        if (head.static_at != 0 || IsOneOf(tokens_[statement_], {"static", "extern"})) {
            const Token& word = tokens_[head.static_at];
            Replace(word.begin, word.end, "");
        }
    }
    // name[N], name{}; the index behind it, or `i` where it stays as it is.
    size_t Declarator(const Memory& memory, size_t i, bool dynamic, bool first) {
        const size_t name_end = NameEnd(i);
        size_t end = name_end;
        while (Is(end, "[")) end = SkipGroup(tokens_, end);
        const size_t value = Is(end, "=") ? end + 1 : end;
        const bool empty = Is(value, "{") && Is(value + 1, "}");
        if (!empty && (Is(end, "=") || Is(end, "{"))) {
            // A value: of a pointer's type by another name, as any.
            if (end == name_end && !Is(end, "{")) return i;
            Refuse(tokens_[i], fmt::format("{} lies in local memory, where a declaration gives no values; assign them "
                                           "behind it",
                                           tokens_[i].text));
            return i;
        }
        if (!first && end == name_end && !empty && !Is(end, ",") && !Is(end, ";")) return i;
        const Token &name = tokens_[i], &last_of_name = tokens_[name_end - 1], &last = tokens_[end - 1];
        if (end == name_end) {
            Insert(name.begin, name.line, "&");
        } else {
            Insert(name.begin, name.line, "(&");
            Insert(last_of_name.end, last_of_name.line, ")");
        }
        if (empty) {
            for (size_t k = end; k < value + 2; ++k) Replace(tokens_[k].begin, tokens_[k].end, "");
        }
        Insert(last.end, last.line,
               dynamic ? std::string(" = SFUMATO_DYNAMIC_UB")
                       : fmt::format(" = SFUMATO_LOCAL_VARIABLE({}, {})", NameText(i, name_end), memory.position));
        return empty ? value + 2 : end;
    }
    // The name as a literal, of a macro's parameters too.
    std::string NameText(size_t i, size_t end) const {
        std::string text;
        for (; i < end; i += 3) {
            const std::string& word = tokens_[i].text;
            text += text.empty() ? "" : " ";
            text += params_.contains(word) ? "#" + word : '"' + word + '"';
        }
        return text;
    }

    std::string_view source_;
    const std::vector<Token>& tokens_;
    const bool define_;
    const MacroWords& words_;
    std::set<std::string> params_;
    size_t i_ = 0, statement_ = 0, done_ = 0;
    int open_ = 0;  // parentheses, brackets
    std::vector<Scope> scopes_;
    LocalEdits result_;
};

}  // namespace

bool MentionsLocalMemory(std::string_view source, const MacroWords& words) {
    return !words.memories.empty() || std::ranges::any_of(kMemories, [&](const auto& memory) {
        return source.find(memory.qualifier) != source.npos;
    });
}

LocalEdits LocalMemoryEdits(std::string_view source, const std::vector<Token>& tokens, bool define,
                            const MacroWords& words) {
    return LocalPass(source, tokens, define, words).Run();
}

}  // namespace sfumato::jit
