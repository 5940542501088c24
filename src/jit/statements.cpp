// SPDX-License-Identifier: Apache-2.0
#include "jit/statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace sfumato::jit {

bool HasAssembly(const std::vector<Token>& tokens, size_t i) {
    if (!IsOneOf(tokens[i], {"asm", "__asm__", "__asm"})) return false;
    do ++i;
    while (i < tokens.size() && IsOneOf(tokens[i], {"volatile", "__volatile__", "goto", "inline"}));
    if (i >= tokens.size() || !tokens[i].Is("(")) return false;
    for (++i; i < tokens.size() && tokens[i].kind == TokenKind::kString; ++i) {
        const std::string& text = tokens[i].text;
        const size_t begin = text.find('"');
        if (text.substr(begin == text.npos ? 0 : begin).find_first_not_of("\" \tRntr\\()") != text.npos) return true;
    }
    return false;
}

bool MarksCore(const Token& t, const MacroWords& words) {
    return IsOneOf(t, {"__aicore__", "aicore", "__global__"}) || words.of_core.contains(t.text);
}

std::vector<size_t> AssemblyIn(const std::vector<Token>& tokens, const MacroWords& words) {
    std::vector<size_t> found;
    std::vector<bool> of_core = {false};  // of each open brace: its head or one around it says so
    bool marked = false;
    for (size_t i = 0; i < tokens.size(); ++i) {
        const Token& t = tokens[i];
        if (t.Is("{")) {
            of_core.push_back(of_core.back() || marked);
            marked = false;
        } else if (t.Is("}") || t.Is(";")) {
            if (t.Is("}") && of_core.size() > 1) of_core.pop_back();
            marked = false;
        } else if (t.kind == TokenKind::kIdentifier) {
            marked = marked || MarksCore(t, words);
            if (of_core.back() && (HasAssembly(tokens, i) || words.assembly.contains(t.text))) found.push_back(i);
        }
    }
    return found;
}

LinesOfFiles ErrorLines(std::string_view messages) {
    LinesOfFiles lines;
    while (!messages.empty()) {
        const std::string_view line = messages.substr(0, messages.find('\n'));
        messages.remove_prefix(std::min(line.size() + 1, messages.size()));
        const size_t error = line.find(": error:"), instance = line.find(":   required from");
        const size_t end = std::min(error, instance);
        if (end == line.npos) continue;
        // file:line:column
        const std::string_view place = line.substr(0, end);
        const size_t column = place.rfind(':');
        const size_t number = column == place.npos ? place.npos : place.rfind(':', column - 1);
        uint32_t value = 0;
        if (number == place.npos ||
            std::from_chars(place.data() + number + 1, place.data() + column, value).ec != std::errc())
            continue;
        lines[std::filesystem::path(place.substr(0, number)).lexically_normal()].insert(value);
    }
    return lines;
}

std::vector<Edit> AssertEdits(const std::vector<Token>& tokens, const std::set<uint32_t>& lines,
                              std::set<uint32_t>* left_out) {
    std::vector<Edit> edits;
    for (size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (!IsOneOf(tokens[i], {"ASSERT", "ASCENDC_ASSERT"}) || !tokens[i + 1].Is("(")) continue;
        const size_t end = SkipGroup(tokens, i + 1);
        // The word before it, too, may be what the compiler points at.
        const bool word = i > 0 && tokens[i - 1].kind == TokenKind::kIdentifier;
        const auto line = lines.lower_bound(tokens[word ? i - 1 : i].line);
        if (line == lines.end() || *line > tokens[end - 1].line) continue;
        left_out->insert(tokens[i].line);
        for (size_t k = i; k < end; ++k) {
            const Token& t = tokens[k];
            if (t.end - t.begin == t.text.size()) edits.push_back({t.begin, t.end, std::string(t.text.size(), ' ')});
        }
        i = end - 1;
    }
    return edits;
}

std::vector<std::string> LeftOutNotes(const LinesOfFiles& left_out) {
    std::vector<std::string> notes;
    for (const auto& [file, lines] : left_out) {
        for (const uint32_t line : lines) {
            notes.push_back(fmt::format(
                "{}:{}: this ASSERT does not compile and is left out: it checks nothing here, as in builds for boards, "
                "where ASSERT is empty; make it a statement of its own that compiles",
                file, line));
        }
    }
    return notes;
}

}  // namespace sfumato::jit
