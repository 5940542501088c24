// SPDX-License-Identifier: Apache-2.0
// What is said to a first word that is no command.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "near.h"

namespace sfumato::command {
namespace {

// Commands of other tools, and what an option or another command does here.
constexpr const char* kElsewhere[][2] = {
    {"debug", "sfumato gdb FILE ..., or sfumato tik SCRIPT --debug"},
    {"msdebug", "sfumato gdb FILE ..."},
    {"compile", "sfumato run, which compiles, or sfumato build for whole programs"},
    {"bisheng", "sfumato build"},
    {"ccec", "sfumato build"},
    {"test", "python3 -m pytest; sfumato init writes a test"},
    {"new", "sfumato init NAME"},
    {"create", "sfumato init NAME"},
    {"log", "sfumato run --log"},
    {"trace", "sfumato run --log, a line for each instruction"},
    {"races", "sfumato check, or sfumato run --check races"},
    {"sanitize", "sfumato check"},
    {"mssanitizer", "sfumato check"},
    {"list", "sfumato chips"},
    {"help", "sfumato --help"},
    {"version", "sfumato --version"},
};

std::string Instead(const std::string& word, const std::vector<std::string>& names) {
    const auto* found =
        std::find_if(std::begin(kElsewhere), std::end(kElsewhere), [&](const auto& row) { return word == row[0]; });
    if (found != std::end(kElsewhere)) return fmt::format("; here it is {}", (*found)[1]);
    if (word.ends_with(".py")) return fmt::format("; a TIK script is run by sfumato tik {}", word);
    if (word.ends_with(".cpp") || word.ends_with(".asc"))
        return fmt::format("; a kernel is run by sfumato run {}", word);
    return DidYouMean(word, names);
}

}  // namespace

std::string UnknownCommand(const std::string& word, const std::vector<std::string>& names) {
    return fmt::format("unknown command '{}'{}: there are {}", word, Instead(word, names), fmt::join(names, ", "));
}

}  // namespace sfumato::command
