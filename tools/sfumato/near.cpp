// SPDX-License-Identifier: Apache-2.0
// Distances between words, and what is said to a first word that is no command.
#include "near.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "sfumato/letters.h"

namespace sfumato::command {
namespace {

// Insertions, deletions and replacements from a to b; two neighbours that changed places are one.
size_t Edits(const std::string& a, const std::string& b) {
    std::vector<size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (size_t i = 1; i <= a.size(); ++i) {
        next[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] != b[j - 1])});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) next[j] = std::min(next[j], before[j - 2] + 1);
        }
        before.swap(row);
        row.swap(next);
    }
    return row[b.size()];
}

// Commands of other tools, and what an option or another command does here.
constexpr const char* kElsewhere[][2] = {
    {"debug", "sfumato gdb FILE ..., or sfumato tik SCRIPT --debug"},
    {"msdebug", "sfumato gdb FILE ..."},
    {"compile", "sfumato run, which compiles, or sfumato build for whole programs"},
    {"bisheng", "sfumato build"},
    {"ccec", "sfumato build"},
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
    const auto* found = std::ranges::find_if(kElsewhere, [&](const auto& row) { return word == row[0]; });
    if (found != std::end(kElsewhere)) return fmt::format("; here type {}", (*found)[1]);
    if (word.ends_with(".py")) return fmt::format("; sfumato tik {} runs a TIK script", word);
    if (word.ends_with(".cpp") || word.ends_with(".asc") || word.ends_with(".cce"))
        return fmt::format("; sfumato run {} runs a kernel", word);
    return DidYouMean(word, names);
}

}  // namespace

std::vector<std::string> Near(const std::string& word, const std::vector<std::string>& names) {
    const std::string wanted = Lower(word);
    const size_t most = std::clamp<size_t>(wanted.size() / 3, 1, 3);
    std::vector<std::pair<size_t, std::string>> near;
    for (const std::string& name : names) {
        const std::string lower = Lower(name);
        const bool begins = wanted.size() > 2 && (lower.starts_with(wanted) || wanted.starts_with(lower));
        const size_t edits = Edits(wanted, lower);
        if (begins || edits <= most) near.emplace_back(edits, name);
    }
    std::ranges::stable_sort(near, [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> found;
    for (const auto& [edits, name] : near) {
        if (std::ranges::find(found, name) == found.end()) found.push_back(name);
    }
    return found;
}

std::string DidYouMean(const std::string& word, const std::vector<std::string>& names) {
    std::vector<std::string> near = Near(word, names);
    if (near.size() > 5) near.resize(5);
    return near.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(near, ", "));
}

std::string UnknownCommand(const std::string& word, const std::vector<std::string>& names) {
    return fmt::format("unknown command '{}'{}\nThe commands are {}", word, Instead(word, names),
                       fmt::join(names, ", "));
}

}  // namespace sfumato::command
