// SPDX-License-Identifier: Apache-2.0
// Reads the tables of calls.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <utility>

#include "surface.h"
#include "tablegen.h"

namespace sfumato::tablegen {
namespace {

constexpr struct {
    std::string_view name, form, types;
} kHighLevel[] = {
#define SFUMATO_ADV(Name, form, temporaries, sizes, policy, overlap, types, ...) {#Name, #form, #types},
#include "sfumato/ascendc/adv/elementwise.inc"
#undef SFUMATO_ADV
};

constexpr std::string_view kTmpSizes[] = {
#define SFUMATO_TMP_SIZE(Name, ...) #Name,
#include "sfumato/tiling/tmp_sizes.inc"
#undef SFUMATO_TMP_SIZE
};

std::string_view Trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    return text;
}

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Replaces every `from`, as a whole word where it ends in a letter.
void ReplaceAll(std::string* text, std::string_view from, std::string_view to) {
    for (size_t at = text->find(from); at != std::string::npos; at = text->find(from, at)) {
        const size_t end = at + from.size();
        if (IsWord(from.back()) && end < text->size() && IsWord((*text)[end])) {
            at = end;
        } else {
            text->replace(at, from.size(), to);
            at += to.size();
        }
    }
}

// Parentheses that text leaves open. What stands in quotes is none.
int Open(std::string_view text) {
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
        if (!quoted) depth += (text[i] == '(') - (text[i] == ')');
    }
    return depth;
}

// Where the bracket that opens at `at` closes.
size_t Close(std::string_view text, size_t at, char open, char close) {
    int depth = 0;
    for (; at < text.size(); ++at) {
        const bool list = open == '<';
        depth += (list ? OpensList(text, at) : text[at] == open) - (list ? ClosesList(text, at) : text[at] == close);
        if (depth == 0) return at;
    }
    return std::string_view::npos;
}

// What a row of `for` puts into the calls behind it.
using Values = std::vector<std::pair<std::string, std::string>>;

class Reader {
public:
    Reader(std::string_view text, std::string_view file) : file_(file) {
        std::istringstream lines{std::string(text)};
        for (std::string line; std::getline(lines, line);) lines_.push_back(line);
    }
    SurfaceTable Read();

private:
    [[noreturn]] void Fail(std::string_view what) const {
        throw SurfaceError(fmt::format("{}:{}: {}", file_, at_ + 1, what));
    }
    std::string Whole(size_t from = 0);
    void Rows(std::string_view words);
    std::string Indented(size_t depth);
    void Let();
    void AddCall();
    SurfaceCall Call(std::string text, const Values& values) const;
    void Head(SurfaceCall* call, std::string_view list) const;
    void Struct(SurfaceCall* call, std::string_view text) const;
    void Form(SurfaceCall* call, std::string_view words) const;

    std::string file_, forms_;
    std::vector<std::string> lines_, comment_, body_;
    size_t at_ = 0;
    SurfaceTable table_;
    std::vector<std::pair<std::string, std::string>> words_;  // of `let`
    std::vector<Values> rows_{{}};                            // of `for`
    bool used_ = true;                                        // a call stands behind the last `for`
};

// The line at hand, from the column `from` on, with those that close its parentheses.
std::string Reader::Whole(size_t from) {
    std::string text = lines_[at_].substr(from);
    while (Open(text) > 0) {
        if (++at_ == lines_.size()) Fail("the file ends within parentheses");
        text += ' ';
        text += Trimmed(lines_[at_]);
    }
    return text;
}

// for a, b: (1, 2) (3, 4)  for a: 1 2  for rows FORM FORM  for adv FORM  for conversions
void Reader::Rows(std::string_view words) {
    const std::vector<Values> before = std::exchange(used_, false) ? std::vector<Values>{{}} : rows_;
    rows_.clear();
    if (words.starts_with("rows ")) {
        const std::vector<std::string> forms = SplitList(words.substr(5), ' ');
        for (int i = 0; i < isa::kOpcodeCount; ++i) {
            const auto op = static_cast<isa::Opcode>(i);
            if (std::ranges::count(forms, CppForm(op)) != 0)
                rows_.push_back({{"{Name}", isa::Info(op).ascendc}, {"{opcode}", isa::Info(op).opcode}});
        }
    } else if (words.starts_with("adv ")) {
        for (const auto& row : kHighLevel) {
            if (words.substr(4) == row.form)
                rows_.push_back({{"{Name}", std::string(row.name)},
                                 {"{types}", std::string(row.types.substr(1, row.types.size() - 2))}});
        }
    } else if (words == "tmp sizes") {
        for (const std::string_view name : kTmpSizes) rows_.push_back({{"{Name}", std::string(name)}});
    } else if (words == "conversions") {
        const auto type = [](DataType t) {
            if (t == DataType::kInt4) return std::string("void");  // such pointers have no type of their own in C
            return std::string(t == DataType::kHalf || t == DataType::kBfloat16 ? "sfumato::" : "") + CName(t);
        };
        for (const auto& [name, row] : Conversions())
            rows_.push_back({{"{name}", name}, {"{T}", type(row.dst)}, {"{U}", type(row.src)}, {"{mode}", row.mode}});
    } else {
        const size_t colon = words.find(':');
        if (colon == std::string_view::npos) Fail("for NAMES: ROWS, for rows FORM or for adv FORM");
        const std::vector<std::string> names = SplitList(words.substr(0, colon));
        for (std::string row : SplitList(words.substr(colon + 1), ' ')) {
            if (row[0] == '(') row = row.substr(1, row.size() - 2);
            const std::vector<std::string> values = names.size() > 1 ? SplitList(row) : std::vector{row};
            if (values.size() != names.size()) Fail("a row of `for` has not one value for each name: " + row);
            Values& pairs = rows_.emplace_back();
            for (size_t i = 0; i < names.size(); ++i) {
                const bool quoted = values[i].starts_with('"');  // what has commas or is nothing
                pairs.emplace_back("{" + names[i] + "}",
                                   quoted ? values[i].substr(1, values[i].size() - 2) : values[i]);
            }
        }
    }
    if (rows_.empty()) Fail("no row has this form: " + std::string(words));
    // A `for` right behind another: each row of that one with each of this.
    for (const std::vector<Values> inner = std::exchange(rows_, {}); const Values& outer : before) {
        for (const Values& values : inner) {
            rows_.push_back(outer);
            rows_.back().insert(rows_.back().end(), values.begin(), values.end());
        }
    }
}

// The words behind `let`, `for` or an indent, which go on in lines indented by `depth`.
std::string Reader::Indented(size_t depth) {
    std::string words = lines_[at_].substr(4);
    while (at_ + 1 < lines_.size() && lines_[at_ + 1].starts_with(std::string(depth, ' ')))
        words += " " + std::string(Trimmed(lines_[++at_]));
    return words;
}

// let NAME = words: $NAME is they from here on.
void Reader::Let() {
    const std::string words = Indented(4);
    const size_t equals = words.find('=');
    if (equals == std::string::npos) Fail("let NAME = words");
    const std::string_view all(words);
    words_.emplace_back("$" + std::string(Trimmed(all.substr(0, equals))), Trimmed(all.substr(equals + 1)));
}

void Reader::Head(SurfaceCall* call, std::string_view list) const {
    const size_t bar = list.find(" | ");
    if (bar != std::string_view::npos) call->condition = Trimmed(list.substr(bar + 3));
    for (std::string item : SplitList(list.substr(0, bar))) {
        std::string mark;
        if (item[0] == '+' || item[0] == '-') mark = item[0], item.erase(0, 1);
        const std::string first = item.substr(0, item.find_first_of(" ="));
        const std::string_view rest = Trimmed(std::string_view(item).substr(first.size()));
        if (item.ends_with('?')) {
            item = "bool " + item.substr(0, item.size() - 1) + " = false";
        } else if (item == "mask") {
            mark = "+", item = "bool isSetMask = true";
        } else if (first != "bool" && (rest.empty() || rest[0] == '=')) {
            item = "class " + item;
        }
        call->head.push_back(mark + item);
    }
}

void Reader::Form(SurfaceCall* call, std::string_view words) const {
    for (const std::string& word : SplitList(words, ' ')) {
        if (word == "nowhere") {
            call->where = false;
        } else if (word == "declared" || word == "inline") {
            call->declared = word == "declared";
        } else if (word == "count" || word == "repeat" || word == "both" || word == "config") {
            call->form = word;
        } else {
            Fail("this is no form of a call: " + word +
                 "; there are count, repeat, both, config, declared, inline, nowhere");
        }
    }
}

// struct Name<T>(fields of a constructor) (of another): the fields are the body.
void Reader::Struct(SurfaceCall* call, std::string_view text) const {
    const size_t end = std::min(text.find('('), text.size());
    std::string_view name = Trimmed(text.substr(0, end));
    if (name.ends_with('>')) {
        const size_t head = name.find('<');
        Head(call, name.substr(head + 1, name.size() - head - 2));
        name = name.substr(0, head);
    }
    call->name = name;
    call->form = "struct";
    for (const std::string& list : SplitList(text.substr(end), ' '))
        call->operands.push_back(list.substr(1, list.size() - 2));
    if (call->body.empty()) Fail("a struct without fields: " + call->name);
}

SurfaceCall Reader::Call(std::string text, const Values& values) const {
    SurfaceCall call;
    call.line = static_cast<int>(at_ + 1);
    call.comment = comment_;
    call.body = body_;
    const auto replace = [&](std::string* in) {
        for (auto word = words_.rbegin(); word != words_.rend(); ++word) ReplaceAll(in, word->first, word->second);
        for (const auto& [from, to] : values) ReplaceAll(in, from, to);
        if (in->find('$') != std::string::npos) Fail("no `let` has said what this is: " + in->substr(in->find('$')));
    };
    replace(&text);
    for (std::string& line : call.body) replace(&line);
    if (text.starts_with("struct ")) return Struct(&call, std::string_view(text).substr(7)), call;
    constexpr size_t kNone = std::string_view::npos;
    size_t head = kNone, begin = 0;
    for (; begin < text.size() && text[begin] != '('; ++begin) {
        if (!OpensList(text, begin)) continue;
        head = begin;
        begin = Close(text, begin, '<', '>');
        if (begin == kNone) Fail("a < without >: " + text);
    }
    const size_t end = begin < text.size() ? Close(text, begin, '(', ')') : kNone;
    if (end == kNone) Fail("a call is [result] Name<template parameters>(parameters) [form]: " + text);
    std::string_view before = Trimmed(std::string_view(text).substr(0, begin)), behind(text);
    behind = Trimmed(behind.substr(end + 1));
    if (before.ends_with('>')) {
        Head(&call, before.substr(head + 1, before.size() - head - 2));
        before = Trimmed(before.substr(0, head));
    }
    size_t name = before.size();
    while (name > 0 && IsWord(before[name - 1])) --name;
    call.name = before.substr(name);
    call.result = Trimmed(before.substr(0, name));
    // = expression: a body of one statement.
    const size_t equals = behind.starts_with("= ") ? 0 : behind.find(" = ");
    if (equals != kNone) {
        const std::string_view value = Trimmed(behind.substr(behind.find("= ", equals) + 2));
        call.body.push_back((call.result.empty() ? "" : "return ") + std::string(value) + ";");
        behind = behind.substr(0, equals);
    }
    Form(&call, forms_);
    Form(&call, behind);
    if (call.name.empty()) Fail("a call without a name: " + text);
    const std::vector<std::string> parts = SplitList(std::string_view(text).substr(begin + 1, end - begin - 1), ';');
    for (size_t i = 0; i < parts.size(); ++i) {
        std::vector<std::string>* lists[] = {&call.operands, &call.strides, &call.last};
        if (i == 3) Fail("more than two semicolons");
        *lists[i] = SplitList(parts[i]);
    }
    return call;
}

void Reader::AddCall() {
    const std::string text = Whole();
    body_.clear();
    const size_t line = at_;
    while (at_ + 1 < lines_.size() && lines_[at_ + 1].starts_with("    ")) {
        ++at_;
        body_.push_back(lines_[at_].starts_with("    -> ") ? Indented(8) : Whole(4));
    }
    if (table_.parts.empty()) Fail("a call before `namespace`");
    const size_t last = std::exchange(at_, line);
    for (const Values& values : rows_) table_.parts.back().calls.push_back(Call(text, values));
    at_ = last;
    used_ = true;
    comment_.clear();
}

SurfaceTable Reader::Read() {
    for (at_ = 0; at_ < lines_.size(); ++at_) {
        const std::string& line = lines_[at_];
        if (Trimmed(line).empty()) {
            rows_ = {{}};
            used_ = true;
        } else if (line[0] == '#') {
            continue;
        } else if (line.starts_with("//")) {
            if (table_.includes.empty() && table_.parts.empty()) {
                table_.title += (table_.title.empty() ? "" : "\n") + line;
            } else {
                comment_.push_back(line);
            }
        } else if (line.starts_with("include ")) {
            table_.includes.push_back(line.substr(8));
        } else if (line.starts_with("namespace")) {
            table_.parts.push_back({std::string(Trimmed(std::string_view(line).substr(9))), {}});
        } else if (line.starts_with("forms ")) {
            forms_ = line.substr(6);
        } else if (line.starts_with("using ")) {
            if (table_.parts.empty()) Fail("`using` before `namespace`");
            SurfaceCall& call = table_.parts.back().calls.emplace_back();
            call.line = static_cast<int>(at_ + 1);
            call.comment = std::exchange(comment_, {});
            call.form = "using";
            call.name = line;
        } else if (line.starts_with("let ")) {
            Let();
        } else if (line.starts_with("for ")) {
            Rows(Indented(4));
        } else {
            AddCall();
        }
    }
    return table_;
}

}  // namespace

bool OpensList(std::string_view text, size_t at) { return text[at] == '<' && at > 0 && IsWord(text[at - 1]); }
bool ClosesList(std::string_view text, size_t at) {
    return text[at] == '>' && at > 0 && text[at - 1] != '-' && text[at - 1] != ' ';
}

std::vector<std::string> SplitList(std::string_view list, char separator) {
    std::vector<std::string> items;
    std::string item;
    int depth = 0;
    bool quoted = false;
    const auto add = [&] {
        if (!Trimmed(item).empty() || separator == ';') items.emplace_back(Trimmed(item));
        item.clear();
    };
    for (size_t i = 0; i < list.size(); ++i) {
        const char c = list[i];
        if (c == '"' && (i == 0 || list[i - 1] != '\\')) quoted = !quoted;
        if (!quoted) {
            if (c == '(' || c == '{' || c == '[' || OpensList(list, i)) ++depth;
            if (c == ')' || c == '}' || c == ']' || ClosesList(list, i)) --depth;
        }
        if (c == separator && depth == 0 && !quoted) {
            add();
        } else {
            item += c;
        }
    }
    add();
    return items;
}

SurfaceTable ReadSurface(std::string_view text, std::string_view file) { return Reader(text, file).Read(); }

}  // namespace sfumato::tablegen
