// SPDX-License-Identifier: Apache-2.0
// Settings of a tiling as words.
#include "tiling/settings.h"

#include <algorithm>
#include <charconv>
#include <cctype>

#include "sfumato/letters.h"

namespace sfumato::tiling {

std::vector<std::string> Split(std::string_view text, std::string_view separators) {
    std::vector<std::string> words;
    for (size_t begin = 0; begin < text.size();) {
        begin = text.find_first_not_of(separators, begin);
        if (begin == std::string_view::npos) break;
        const size_t end = std::min(text.find_first_of(separators, begin), text.size());
        words.emplace_back(text.substr(begin, end - begin));
        begin = end;
    }
    return words;
}

std::optional<DataType> TypeNamed(std::string_view word) {
    for (int i = 0; i < kDataTypeCount; ++i) {
        const auto type = static_cast<DataType>(i);
        if (word == CName(type) || word == NumpyName(type)) return type;
    }
    return std::nullopt;
}

int32_t ParseInt(const std::string& what, const std::string& text) {
    int32_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stopped != end || text.empty()) Refuse("{} is '{}'; it is an integer", what, text);
    return value;
}

Settings::Settings(std::string call, const TilingSettings& given) : call_(std::move(call)), given_(given) {
    std::set<std::string> seen;
    for (const auto& [key, value] : given_) {
        if (!seen.insert(key).second) Refuse("{}: {} is given twice", call_, key);
    }
}

std::optional<std::string> Settings::Word(const std::string& key) {
    asked_.insert(key);
    for (const auto& [name, value] : given_) {
        if (name == key) return value;
    }
    return std::nullopt;
}

std::string Settings::Needed(const std::string& key) {
    const auto word = Word(key);
    if (!word) Refuse("{}: {} is missing", call_, key);
    return *word;
}

int32_t Settings::Number(const std::string& key) { return ParseInt(call_ + ": " + key, Needed(key)); }
int32_t Settings::Number(const std::string& key, int32_t otherwise) {
    const auto word = Word(key);
    return word ? ParseInt(call_ + ": " + key, *word) : otherwise;
}

bool Settings::Flag(const std::string& key) {
    const auto word = Word(key);
    if (!word || *word == "false" || *word == "False" || *word == "0") return false;
    if (*word == "true" || *word == "True" || *word == "1") return true;
    Refuse("{}: {} is '{}'; legal are true and false", call_, key, *word);
}

namespace {
// "[2, 3]", "(2, 3)", "2x3", "2:3"
Dimensions ShapeOf(const std::string& what, const std::string& text) {
    Dimensions shape;
    for (const std::string& word : Split(text, "[](), x:")) shape.push_back(ParseInt(what, word));
    return shape;
}
}  // namespace

Dimensions Settings::Shape(const std::string& key) { return ShapeOf(call_ + ": " + key, Needed(key)); }
Dimensions Settings::Shape(const std::string& key, const Dimensions& otherwise) {
    const auto word = Word(key);
    return word ? ShapeOf(call_ + ": " + key, *word) : otherwise;
}

DataType Settings::Type(const std::string& key) {
    const std::string word = Needed(key);
    const auto type = TypeNamed(word);
    if (!type) Refuse("{}: {} is '{}', which is no element type", call_, key, word);
    return *type;
}
DataType Settings::Type(const std::string& key, DataType otherwise) { return Word(key) ? Type(key) : otherwise; }

void Settings::Done() const {
    for (const auto& [key, value] : given_) {
        if (asked_.count(key)) continue;
        std::string legal;
        for (const std::string& name : asked_) legal += (legal.empty() ? "" : ", ") + name;
        Refuse("{}: there is no setting {}; there are {}", call_, key, legal);
    }
}

}  // namespace sfumato::tiling
