// SPDX-License-Identifier: Apache-2.0
// Looks for names of kinds of core in the tokens of a source.
#include "jit/core_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace sfumato::jit {
namespace {

// __DAV_C220_CUBE__, __DAV_VEC__ ...
bool IsKindMacro(std::string_view word) {
    return word.starts_with("__DAV_") && (word.ends_with("CUBE__") || word.ends_with("VEC__"));
}
bool AsksForKind(std::string_view word) {
    return word == "g_coreType" || word == "ASCEND_IS_AIC" || word == "ASCEND_IS_AIV";
}
bool IsConstantContext(std::string_view word) { return word == "constexpr" || word == "static_assert"; }

template <class Visit>
void EachWord(std::string_view text, const Visit& visit) {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (auto begin = text.begin(); (begin = std::find_if(begin, text.end(), is_word)) != text.end();) {
        const auto end = std::find_if_not(begin, text.end(), is_word);
        visit(text.substr(static_cast<size_t>(begin - text.begin()), static_cast<size_t>(end - begin)));
        begin = end;
    }
}

}  // namespace

bool MentionsKind(std::string_view source) {
    constexpr std::array<std::string_view, 3> kWords = {"__DAV_", "g_coreType", "ASCEND_IS_AI"};
    return std::ranges::any_of(kWords, [&](std::string_view w) { return source.find(w) != std::string_view::npos; });
}

bool ChoosesByKind(std::string_view source) {
    if (!MentionsKind(source)) return false;
    bool constant = false, asks = false, chooses = false;  // constant and asks: in the statement so far
    const auto see = [&](std::string_view word) {
        constant = constant || IsConstantContext(word);
        asks = asks || AsksForKind(word);
        chooses = chooses || IsKindMacro(word);
    };
    for (const Token& t : Tokenize(source)) {
        if (t.kind == TokenKind::kDirective) {
            const bool outer_constant = constant, outer_asks = asks;
            constant = asks = false;
            EachWord(t.text, see);
            chooses = chooses || (constant && asks);
            constant = outer_constant, asks = outer_asks;
        } else if (t.Is(";") || t.Is("{") || t.Is("}")) {
            constant = asks = false;
        } else if (t.kind == TokenKind::kIdentifier) {
            see(t.text);
        }
        if (chooses || (constant && asks)) return true;
    }
    return false;
}

std::vector<std::string> KindMacros(const soc::Chip& chip, CodeFor kind) {
    const std::string number = fmt::format("SFUMATO_CORE_KIND={}", static_cast<int>(kind));
    if (kind == CodeFor::kBoth) return chip.split_cores ? std::vector<std::string>() : std::vector{number};
    const std::string word = kind == CodeFor::kCube ? "CUBE" : "VEC";
    std::vector<std::string> macros = {number, fmt::format("__DAV_{}__=1", word)};
    // "__DAV_C220__" to "__DAV_C220_CUBE__"
    if (const std::string& dav = chip.dav_macro; dav.ends_with("__")) {
        macros.push_back(fmt::format("{}_{}__=1", dav.substr(0, dav.size() - 2), word));
    }
    return macros;
}

std::string_view Name(CodeFor kind) {
    constexpr std::string_view kNames[] = {"all cores", "cube cores", "vector cores"};
    return kNames[static_cast<size_t>(kind)];
}

std::string ReadQualifiers(const std::vector<Token>& tokens, size_t begin, size_t end) {
    std::string found;
    for (size_t i = begin; i < end; ++i) {
        const bool takes_numbers = tokens[i].Is("__mix__") || tokens[i].Is("__schedmode__");
        if (!takes_numbers && !tokens[i].Is("__vector__") && !tokens[i].Is("__cube__")) continue;
        std::string text = tokens[i].text;
        if (takes_numbers && i + 1 < end && tokens[i + 1].Is("(")) {
            do {
                text += tokens[++i].text;
                if (tokens[i].Is(",")) text += ' ';
            } while (i + 1 < end && !tokens[i].Is(")"));
        }
        // How blocks are scheduled changes no result.
        if (text == "__schedmode__(0)" || text == "__schedmode__(1)") continue;
        if (found != text) found += (found.empty() ? "" : " ") + text;
    }
    return found;
}

}  // namespace sfumato::jit
