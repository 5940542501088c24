// SPDX-License-Identifier: Apache-2.0
// CLI11's errors, said otherwise.
#include "plain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <regex>

#include "near.h"

namespace sfumato::command {
namespace {

// What CLI11 says, and what is said instead. What it may say besides stays.
constexpr const char* kSaid[][2] = {
    {R"((\S+): (.*) not in \{(.*)\})", "$1: '$2' is not legal; legal: $3"},
    {R"((\S+): Value (.*) not in range (.*) to (.*))", "$1: '$2' is not legal; legal: $3 to $4"},
    {R"(Could not convert: (\S+) = (.*))", "$1: '$2' is not a number"},
    {R"((\S+): 1 required \S+ missing)", "$1: its value is missing"},
    {R"((\S+) is required)", "$1 is missing"},
};

// The sentence about a word that nothing takes.
std::string Unexpected(const CLI::App& app, const std::string& word) {
    std::vector<std::string> names;
    if (!word.starts_with('-')) {
        for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; }))
            names.push_back(one->get_name());
        if (names.empty()) return fmt::format("'{}' is one word too many", word);
        return fmt::format("unknown topic '{}'; there are {}", word, fmt::join(names, ", "));
    }
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    }
    const std::string name = word.substr(0, word.find('='));
    return fmt::format("unknown option {}{}", name, DidYouMean(name, names));
}

}  // namespace

std::string Plain(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App* last = &app;
    while (!last->get_subcommands().empty()) last = last->get_subcommands().front();
    const std::vector<std::string> unknown = app.remaining(true);
    std::string text = error.what();
    const bool nothing_named = text == "A subcommand is required";
    // Before its topic an option of one is no unknown one.
    if (nothing_named && last != &app && (unknown.empty() || unknown.front().starts_with('-')))
        return fmt::format("the topic of {} is missing", last->get_name());
    if (!unknown.empty()) return Unexpected(*last, unknown.front());
    if (nothing_named) return "a command is missing";
    for (const auto& [said, instead] : kSaid) {
        if (!std::regex_match(text, std::regex(said))) continue;
        text = std::regex_replace(text, std::regex(said), instead);
        for (size_t at = text.find("legal: "); (at = text.find(',', at)) != std::string::npos; at += 2)
            if (at + 1 < text.size() && text[at + 1] != ' ') text.insert(at + 1, " ");
        break;
    }
    return text;
}

}  // namespace sfumato::command
