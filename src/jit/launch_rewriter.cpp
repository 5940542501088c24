// SPDX-License-Identifier: Apache-2.0
// Finds launches among the tokens and edits the source at their three places: name, <<<, >>>.
#include "jit/launch_rewriter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>

#include "jit/kernel_finder.h"
#include "jit/local_memory.h"
#include "jit/statements.h"
#include "jit/tokenizer.h"
#include "jit/vector_functions.h"

namespace sfumato::jit {
namespace {

constexpr size_t kNone = static_cast<size_t>(-1);

class Rewriter {
public:
    Rewriter(std::string_view source, const Includes& includes, const TakenNames& taken, MacroWords* macros,
             const std::set<uint32_t>& wrong)
        : source_(source), includes_(includes), taken_(taken), wrong_(wrong), macros_(macros ? *macros : own_macros_) {}

    Rewritten Run() {
        tokens_ = Tokenize(source_);
        Walk();
        RenameDeclared(source_, 0);
        const std::vector<Token> code = std::move(tokens_);
        Conditionals conditionals;
        for (const Token& t : code) {
            if (t.kind != TokenKind::kDirective) continue;
            conditionals.Read(t.text);
            if (Is(t.text, "define")) RewriteDirective(t);
            if (includes_ && Is(t.text, "include") && !Is(t.text, "include_next")) Include(t);
            if (includes_ && (Is(t.text, "if") || Is(t.text, "elif"))) Conditional(t);
            lost_.emplace_back(t.end, conditionals.Skipped());
        }
        for (const Token& launch : launches_) CheckBranch(launch);
        DropQualifiers(code);
        BeginVectorFunctions(code);
        PlaceLocals(code);
        ReadStatements(code);
        const auto place = [](const Edit& e) { return std::pair(e.begin, e.end); };
        std::ranges::stable_sort(edits_, [&](const Edit& a, const Edit& b) { return place(a) < place(b); });
        size_t done = 0;
        for (const Edit& edit : edits_) {
            if (edit.begin < done) continue;  // in what another took away
            result_.text += source_.substr(done, edit.begin - done);
            result_.text += edit.text;
            done = edit.end;
        }
        result_.text += source_.substr(done);
        result_.changed = !edits_.empty();
        return std::move(result_);
    }

private:
    // Branches that one pass for host and device skips, in the plain forms: #ifdef M, #ifndef M, #if [!]defined(M).
    struct Conditionals {
        struct Level {
            std::string macro;  // empty: another condition
            bool taken;
        };
        std::vector<Level> levels;

        void Read(std::string_view text) {
            std::vector<Token> words = Tokenize(std::string(" ") + std::string(text.substr(1)));
            if (words.empty()) return;
            const std::string& word = words[0].text;
            std::erase_if(words, [](const Token& t) { return t.Is("(") || t.Is(")"); });
            if (word == "if" || word == "ifdef" || word == "ifndef") {
                Level level{"", true};
                const bool negated = word == "ifndef" || (words.size() == 4 && words[1].Is("!"));
                const bool plain = word != "if"
                                       ? words.size() == 2
                                       : words.size() == (negated ? 4u : 3u) && words[words.size() - 2].Is("defined");
                if (plain && DefinedForDevice(words.back().text)) level = {words.back().text, !negated};
                levels.push_back(level);
            } else if (word == "else" && !levels.empty()) {
                levels.back().taken = levels.back().macro.empty() || !levels.back().taken;
            } else if (word == "endif" && !levels.empty()) {
                levels.pop_back();
            }
        }
        static bool DefinedForDevice(std::string_view name) {
            return name == "__CCE_AICORE__" || name == "__NPU_ARCH__" || name == "__DAV_C220__";
        }
        // The macro that skips the branch, or "".
        std::string Skipped() const {
            for (const Level& level : levels) {
                if (!level.taken) return level.macro;
            }
            return {};
        }
    };

    static bool Is(std::string_view directive, std::string_view word) {
        const size_t p = directive.find_first_not_of(" \t", 1);
        return p != std::string_view::npos && directive.substr(p).starts_with(word);
    }

    // "name" or <name> from `from` on; its quotes, too, are of the result's part.
    struct Named {
        size_t begin, end;
        std::string name;
        bool angled;
    };
    static std::optional<Named> HeaderName(std::string_view text, size_t from) {
        const size_t open = text.find_first_of("\"<", from);
        if (open == text.npos) return std::nullopt;
        const bool angled = text[open] == '<';
        const size_t close = text.find(angled ? '>' : '"', open + 1);
        if (close == text.npos) return std::nullopt;
        return Named{open, close + 1, std::string(text.substr(open + 1, close - open - 1)), angled};
    }
    void Include(const Token& directive) {
        const auto header = HeaderName(directive.text, 0);
        if (!header) return;
        const std::string file = includes_(header->name, header->angled);
        if (!file.empty()) edits_.push_back({directive.begin, directive.end, fmt::format("#include \"{}\"", file)});
    }
    // __has_include("name"), which a copy would look for beside itself.
    void Conditional(const Token& directive) {
        constexpr std::string_view kAsks = "__has_include";
        std::string text = directive.text;
        bool changed = false;
        for (size_t p = 0; (p = text.find(kAsks, p)) != text.npos; p += kAsks.size()) {
            const auto header = HeaderName(text, p);
            const std::string file = header ? includes_(header->name, header->angled) : "";
            if (file.empty()) continue;
            text.replace(header->begin, header->end - header->begin, fmt::format("\"{}\"", file));
            changed = true;
        }
        if (!changed) return;
        const auto lines = std::ranges::count(source_.substr(directive.begin, directive.end - directive.begin), '\n');
        for (auto i = lines; i > 0; --i) text += "\\\n";
        edits_.push_back({directive.begin, directive.end, text});
    }

    // The body of a macro is code too. Its tokens are read without the '#', so that they are no directive.
    void RewriteDirective(const Token& directive) {
        std::string text(source_.substr(directive.begin, directive.end - directive.begin));
        text[text.find('#')] = ' ';
        tokens_ = Tokenize(text);
        for (Token& t : tokens_) {
            t.begin += directive.begin;
            t.end += directive.begin;
            t.line += directive.line - 1;
        }
        Walk();
        RenameDeclared(text, directive.begin);
        ReadDefine(tokens_, &macros_);
        defines_.push_back(std::move(tokens_));
    }
    // When all macros are known.
    void DropQualifiers(const std::vector<Token>& code) {
        if (!MentionsQualifiers(source_, macros_)) return;
        const auto drop = [&](const std::vector<Token>& tokens, bool define) {
            const std::vector<Edit> edits = QualifierEdits(tokens, define, macros_);
            edits_.insert(edits_.end(), edits.begin(), edits.end());
        };
        for (const std::vector<Token>& define : defines_) drop(define, true);
        drop(code, false);
    }

    void BeginVectorFunctions(const std::vector<Token>& code) {
        if (!MentionsVectorFunctions(source_)) return;
        const auto begin = [&](const std::vector<Token>& tokens) {
            const std::vector<Edit> edits = VectorFunctionEdits(tokens);
            edits_.insert(edits_.end(), edits.begin(), edits.end());
        };
        for (const std::vector<Token>& define : defines_) begin(define);
        begin(code);
    }

    void PlaceLocals(const std::vector<Token>& code) {
        if (!MentionsLocalMemory(source_, macros_)) return;
        const auto place = [&](const std::vector<Token>& tokens, bool define) {
            const LocalEdits local = LocalMemoryEdits(source_, tokens, define, macros_);
            edits_.insert(edits_.end(), local.edits.begin(), local.edits.end());
            for (const LocalRefusal& r : local.refused) Fail(r.at, r.line, Rule::kStaticArrayForm, r.message);
        };
        for (const std::vector<Token>& define : defines_) place(define, true);
        place(code, false);
    }

    void ReadStatements(const std::vector<Token>& code) {
        if (source_.find("asm") != source_.npos || !macros_.assembly.empty()) {
            for (const size_t i : AssemblyIn(code, macros_)) {
                Fail(code[i], Rule::kInlineAssembly,
                     fmt::format("{} in code of a core has a text, which is for the chip's assembler; none is here. "
                                 "Leave the text empty where it keeps the compiler from moving code, else call the "
                                 "intrinsic that stands for it",
                                 code[i].text));
            }
        }
        if (wrong_.empty()) return;
        const std::vector<Edit> edits = AssertEdits(code, wrong_, &result_.left_out);
        edits_.insert(edits_.end(), edits.begin(), edits.end());
    }

    void Rename(size_t begin, size_t end, const std::string& name) {
        if (taken_.contains(name) && renamed_.insert(begin).second)
            edits_.push_back({begin, end, CodeName(taken_, name)});
    }
    void RenameDeclared(std::string_view text, size_t at) {
        if (taken_.empty()) return;
        for (const FoundKernel& k : FindKernels(text)) Rename(at + k.name_begin, at + k.name_end, k.name);
    }
    // Where else a kernel is meant: ICPU_RUN_KF(kernel, ...) and other macros whose first argument it is, and outside
    // of functions KERNEL(kernel) and extern "C" void kernel(...). A call of asinh is the function's of that name.
    void RenameMeant() {
        if (taken_.empty()) return;
        std::vector<bool> inner;  // of each open brace: not a namespace, nor extern "C"
        size_t statement = 0;
        int groups = 0;
        for (size_t i = 0; i < tokens_.size(); ++i) {
            const Token& t = tokens_[i];
            if (t.Is("{")) {
                const bool linkage = i >= 2 && tokens_[i - 1].kind == TokenKind::kString;
                const bool space = tokens_[statement].Is("namespace") ||
                                   (tokens_[statement].Is("inline") && tokens_[statement + 1].Is("namespace"));
                inner.push_back(!linkage && !space);
            }
            if (t.Is("}") && !inner.empty()) inner.pop_back();
            groups += t.Is("(") ? 1 : t.Is(")") ? -1 : 0;
            if (t.Is("{") || t.Is("}") || t.Is(";") || t.kind == TokenKind::kDirective) {
                statement = i + 1;
                groups = 0;
            }
            if (t.kind != TokenKind::kIdentifier || i == 0) continue;
            const Token& before = tokens_[i - 1];
            const bool outside = std::ranges::find(inner, true) == inner.end();
            const bool run = before.Is("(") && i >= 2 && IsMacroName(tokens_[i - 2]) && i + 1 < tokens_.size() &&
                             (tokens_[i + 1].Is(",") || tokens_[i + 1].Is(")"));
            const bool macro = outside && groups > 0 && (before.Is("(") || before.Is(",")) &&
                               tokens_[statement].kind == TokenKind::kIdentifier && tokens_[statement + 1].Is("(");
            const bool declared = outside && groups == 0 && before.Is("void") && tokens_[statement].Is("extern");
            if (run || macro || declared) Rename(t.begin, t.end, t.text);
        }
    }

    // As macros are written; that it is one nobody knows here.
    static bool IsMacroName(const Token& t) {
        const auto upper = [](unsigned char c) { return std::isupper(c) != 0; };
        const auto lower = [](unsigned char c) { return std::islower(c) != 0; };
        return t.kind == TokenKind::kIdentifier && std::ranges::any_of(t.text, upper) &&
               std::ranges::none_of(t.text, lower);
    }
    bool Adjacent(size_t i, std::string_view c) const {
        return i + 2 < tokens_.size() && tokens_[i].Is(c) && tokens_[i + 1].Is(c) && tokens_[i + 2].Is(c) &&
               tokens_[i].end == tokens_[i + 1].begin && tokens_[i + 1].end == tokens_[i + 2].begin;
    }
    bool Opens(size_t i) const { return Adjacent(i, "<") && !(i > 0 && tokens_[i - 1].Is("operator")); }

    void Walk() {
        for (size_t i = 0; i < tokens_.size(); ++i) {
            if (tokens_[i].Is("__global__")) result_.has_kernel = true;
            if (Opens(i)) i = Launch(i);
        }
        RenameMeant();
    }

    void Fail(size_t at, uint32_t line, Rule rule, std::string message) {
        const size_t line_begin = at == 0 ? kNone : source_.rfind('\n', at - 1);
        const size_t column = at - (line_begin == kNone ? 0 : line_begin + 1) + 1;
        result_.errors.push_back({line, static_cast<uint32_t>(column), rule, std::move(message)});
    }
    void Fail(const Token& at, Rule rule, std::string message) { Fail(at.begin, at.line, rule, std::move(message)); }
    void Syntax(const Token& at, const std::string& what) {
        Fail(at, Rule::kLaunchSyntax, what + "; a launch is kernel<<<blocks, nullptr, stream>>>(arguments)");
    }

    // The token after the '<' that closes at `close`, going back; kNone when none opens it.
    size_t OpenAngle(size_t close) const {
        int angles = 0, groups = 0;
        for (size_t i = close + 1; i-- > 0;) {
            const Token& t = tokens_[i];
            if (t.kind == TokenKind::kDirective || t.Is(";") || t.Is("{") || t.Is("}")) return kNone;
            if (t.Is(")") || t.Is("]")) ++groups;
            if ((t.Is("(") || t.Is("[")) && --groups < 0) return kNone;
            if (groups > 0) continue;
            if (t.Is(">")) ++angles;
            if (t.Is("<") && --angles == 0) return i;
        }
        return kNone;
    }

    // First token of the kernel's name, which ends before token `end`: a name, a qualified name, a template-id, in a
    // macro one with ##.
    std::optional<size_t> NameBefore(size_t end) const {
        size_t i = end;
        if (i == 0) return std::nullopt;
        if (tokens_[i - 1].Is(">")) {
            const size_t open = OpenAngle(i - 1);
            if (open == kNone) return std::nullopt;
            i = open;
        }
        if (i == 0 || tokens_[i - 1].kind != TokenKind::kIdentifier || IsKeyword(tokens_[i - 1].text)) {
            return std::nullopt;
        }
        --i;
        for (;;) {
            if (i >= 1 && tokens_[i - 1].Is("template")) --i;
            if (i >= 3 && tokens_[i - 1].Is("#") && tokens_[i - 2].Is("#") &&
                tokens_[i - 3].kind == TokenKind::kIdentifier) {
                i -= 3;
                continue;
            }
            if (i == 0 || !tokens_[i - 1].Is("::")) return i;
            --i;
            size_t scope = i;
            if (scope > 0 && tokens_[scope - 1].Is(">")) {
                const size_t open = OpenAngle(scope - 1);
                if (open == kNone) return std::nullopt;
                scope = open;
            }
            if (scope == 0 || tokens_[scope - 1].kind != TokenKind::kIdentifier || IsKeyword(tokens_[scope - 1].text)) {
                return i;  // ::kernel
            }
            i = scope - 1;
        }
    }
    static bool IsKeyword(std::string_view s) {
        constexpr std::array kWords = {"return",    "else", "do",     "throw",   "case",
                                       "co_return", "new",  "delete", "typename"};
        return std::ranges::find(kWords, s) != kWords.end();
    }

    // The last >>> of the statement before the next launch: one of nested templates comes before it.
    size_t Close(size_t from) const {
        size_t found = kNone;
        for (size_t i = from; i < tokens_.size();) {
            const Token& t = tokens_[i];
            if (t.Is("(") || t.Is("[") || t.Is("{")) {
                i = SkipGroup(tokens_, i);
                continue;
            }
            if (t.Is(";") || t.Is(")") || t.Is("]") || t.Is("}") || Opens(i)) break;
            if (Adjacent(i, ">")) found = i;
            ++i;
        }
        return found;
    }

    // The token to go on from.
    size_t Launch(size_t open) {
        const std::optional<size_t> name = NameBefore(open);
        if (!name) {
            Syntax(tokens_[open], "no kernel's name stands before <<<");
            return open + 2;
        }
        const size_t close = Close(open + 3);
        if (close == kNone) {
            Syntax(tokens_[open], "<<< has no >>>");
            return open + 2;
        }
        if (close == open + 3) {
            Syntax(tokens_[open], "nothing stands between <<< and >>>");
            return close + 2;
        }
        if (close + 3 >= tokens_.size() || !tokens_[close + 3].Is("(")) {
            Syntax(tokens_[close], "no arguments in parentheses follow >>>");
            return close + 2;
        }
        edits_.push_back({tokens_[*name].begin, tokens_[*name].begin, "SFUMATO_LAUNCH("});
        const Token& last = tokens_[(tokens_[open - 1].Is(">") ? OpenAngle(open - 1) : open) - 1];
        Rename(last.begin, last.end, last.text);
        edits_.push_back({tokens_[open].begin, tokens_[open + 2].end, ").On("});
        edits_.push_back({tokens_[close].begin, tokens_[close + 2].end, ")"});
        launches_.push_back(tokens_[open]);
        ++result_.launches;
        return close + 2;
    }

    void CheckBranch(const Token& launch) {
        std::string macro;
        for (const auto& [end, skipped] : lost_) {
            if (end > launch.begin) break;
            macro = skipped;
        }
        if (!macro.empty()) {
            Fail(launch, Rule::kHostHalfLost,
                 fmt::format(
                     "this launch stands in a branch that is left out, since host and device code share one pass "
                     "and {} is defined in it; choose the branches by __CCE_KT_TEST__ or ASCENDC_CPU_DEBUG",
                     macro));
        }
    }

    std::string_view source_;
    const Includes& includes_;
    const TakenNames& taken_;
    const std::set<uint32_t>& wrong_;
    MacroWords own_macros_;
    MacroWords& macros_;
    std::vector<std::vector<Token>> defines_;
    std::set<size_t> renamed_;  // where a name begins
    std::vector<Token> tokens_;
    std::vector<Edit> edits_;
    std::vector<Token> launches_;                       // their <<<
    std::vector<std::pair<size_t, std::string>> lost_;  // end of a directive, the macro that skips what follows
    Rewritten result_;
};

}  // namespace

Rewritten RewriteLaunches(std::string_view source, const Includes& includes, const TakenNames& taken,
                          MacroWords* macros, const std::set<uint32_t>& wrong) {
    return Rewriter(source, includes, taken, macros, wrong).Run();
}

}  // namespace sfumato::jit
