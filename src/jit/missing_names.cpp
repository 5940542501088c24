// SPDX-License-Identifier: Apache-2.0
// The table of public names, and the errors of g++ and clang that speak of one.
#include "jit/missing_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>
#include <utility>
#include <vector>

namespace sfumato::jit {
namespace {

// A row of names.tsv.
struct PublicName {
    std::string_view name, kind, family, operators, scope, refused;
};

constexpr struct {
    const char *file, *text;
} kTables[] = {
#include "names.inc"
};

std::vector<std::string_view> Split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (size_t end; (end = text.find(at)) != std::string_view::npos; text.remove_prefix(end + 1)) {
        parts.push_back(text.substr(0, end));
    }
    parts.push_back(text);
    return parts;
}

const std::vector<PublicName>& PublicNames() {
    static const std::vector<PublicName> names = [] {
        std::vector<PublicName> rows;
        for (const std::string_view line : Split(kTables[0].text, '\n')) {
            const auto fields = Split(line, '\t');
            if (fields.size() != 6 || fields[0] == "name") continue;
            rows.push_back({fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]});
        }
        return rows;
    }();
    return names;
}

// What a compiler did not find, and in what: "AscendC", a class or enum of it, "" for no scope; a header.
struct Missing {
    std::string place, name, scope;
    bool header = false;
    bool elsewhere = false;  // the compiler names it in AscendC
    std::string error;       // the compiler's own words, with the lines of the source
};

// The errors in both compilers' words, quotes made plain. Groups: name, then scope.
constexpr struct {
    const char* pattern;
    int name, scope;
    bool header = false;
} kErrors[] = {
    {"'([A-Za-z_0-9]+)' is not a member of '(?:class |struct |enum class )?(AscendC[^']*)'", 1, 2},
    {"'([A-Za-z_0-9]+)' in namespace '(AscendC[^']*)' does not name a", 1, 2},
    {"'([A-Za-z_0-9]+)' (?:has not been declared|is not declared) in '(AscendC[^']*)'", 1, 2},
    {"'(?:const )?(?:class |struct |using [^']* = )?(?:class )?(AscendC::[^']*)'(?: \\{aka [^}]*\\})? has no member "
     "named "
     "'([A-Za-z_0-9]+)'",
     2, 1},
    {"no (?:member|template|type) named '([A-Za-z_0-9]+)' in (?:namespace )?'(?:class |struct )?(AscendC[^']*)'", 1, 2},
    {"'([A-Za-z_0-9]+)' was not declared in this scope", 1, 0},
    {"'([A-Za-z_0-9]+)' (?:does not name a|has not been declared)", 1, 0},
    {"there are no arguments to '([A-Za-z_0-9]+)' that depend on a template parameter", 1, 0},
    {"(?:use of undeclared identifier|unknown type name|no template named) '([A-Za-z_0-9]+)'", 1, 0},
    {"call to function '([A-Za-z_0-9]+)' that is neither visible", 1, 0},
    {"^ ([^ :]+): No such file or directory", 1, 0, true},
    {"'([^']+)' file not found", 1, 0, true},
};

// UTF-8 quotation marks, which g++ prints in most locales, as apostrophes.
std::string PlainQuotes(std::string_view text) {
    std::string plain;
    while (!text.empty()) {
        const bool quote = text.starts_with("\xE2\x80\x98") || text.starts_with("\xE2\x80\x99");
        plain += quote ? '\'' : text.front();
        text.remove_prefix(quote ? 3 : 1);
    }
    return plain;
}

bool BeginsMessage(std::string_view line) {
    for (const char* word : {": error: ", ": note: ", ": warning: ", "In file", "generated.", "terminated."}) {
        if (line.find(word) != std::string_view::npos) return true;
    }
    return line.empty();
}

// The errors of the messages: which of them are missing names, and whether the first is one.
std::vector<Missing> FindMissing(std::string_view messages, bool* first) {
    std::vector<Missing> found;
    bool any = false;
    const std::string everything = PlainQuotes(messages);
    const auto lines = Split(messages, '\n');
    for (size_t i = 0; i < lines.size(); ++i) {
        const std::string line = PlainQuotes(lines[i]);
        const size_t at = line.find("error:");
        if (at == std::string::npos) continue;
        const std::string text = line.substr(at + 6);
        const bool was_any = std::exchange(any, true);
        for (const auto& error : kErrors) {
            std::smatch match;
            if (!std::regex_search(text, match, std::regex(error.pattern))) continue;
            Missing missing;
            const std::regex position("^([^:]+:[0-9]+):");
            std::smatch where;
            if (std::regex_search(line, where, position)) missing.place = where[1];
            missing.name = match[error.name];
            if (error.scope) missing.scope = match[error.scope];
            missing.header = error.header;
            missing.elsewhere = everything.find(fmt::format("'AscendC::{}'", missing.name)) != std::string::npos;
            missing.error = lines[i];
            // The line of the source and the marks below it.
            for (size_t next = i + 1; next < lines.size() && next < i + 4 && !BeginsMessage(lines[next]); ++next) {
                missing.error += fmt::format("\n{}", lines[next]);
            }
            found.push_back(std::move(missing));
            if (!was_any) *first = true;
            break;
        }
    }
    return found;
}

size_t Distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (size_t i = 0; i < a.size(); ++i) {
        size_t diagonal = std::exchange(row[0], i + 1);
        for (size_t j = 0; j < b.size(); ++j) {
            const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = std::exchange(row[j + 1], std::min({replaced, row[j] + 1, row[j + 1] + 1}));
        }
    }
    return row.back();
}

// Up to three public names that a misspelling may have meant, as a sentence; "" for none.
std::string CloseTo(std::string_view name) {
    std::vector<std::pair<size_t, std::string_view>> close;
    for (const PublicName& row : PublicNames()) {
        const std::string_view candidate = row.name.substr(row.name.starts_with('.') ? 1 : 0);
        const size_t distance = Distance(name, candidate);
        if (row.refused.empty() && distance <= std::max<size_t>(1, name.size() / 4))
            close.emplace_back(distance, candidate);
    }
    std::stable_sort(close.begin(), close.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string_view> names;
    for (const auto& [distance, candidate] : close) {
        if (names.size() < 3 && std::find(names.begin(), names.end(), candidate) == names.end())
            names.push_back(candidate);
    }
    return names.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(names, ", "));
}

const PublicName* FindName(const Missing& missing) {
    const std::string member = "." + missing.name;
    const bool of_class = missing.scope.size() > std::string_view("AscendC").size();
    for (const PublicName& row : PublicNames()) {
        if (row.name == (of_class && row.kind == "method" ? member : missing.name)) return &row;
    }
    return nullptr;
}

// The sentence about a public name, or a header of the toolkit; "" for any other.
std::string Sentence(const Missing& missing) {
    if (missing.header) {
        for (const char* folder : {"lib/", "adv_api/", "basic_api/", "kernel_", "impl/"}) {
            if (!missing.name.starts_with(folder)) continue;
            return fmt::format(
                "{}: {}: a header of the toolkit that is not known here; what is supported is in kernel_operator.h",
                missing.place, missing.name);
        }
        return "";
    }
    const PublicName* row = FindName(missing);
    const std::string at = fmt::format("{}: {}: ", missing.place, missing.name);
    if (row && !row->refused.empty()) return at + std::string(row->refused);
    if (row && missing.scope.empty() && missing.elsewhere) {
        return at + fmt::format("stands in AscendC: write AscendC::{}", missing.name);
    }
    if (row && row->family == "adv/matmul") return at + "include lib/matmul_intf.h, which declares it";
    if (row) return at + "a public name that is not supported yet";
    if (!missing.scope.empty())
        return at + fmt::format("no name of {} that public kernels use{}", missing.scope, CloseTo(missing.name));
    return "";
}

}  // namespace

std::optional<std::string> ExplainMissingNames(std::string_view messages) {
    bool first = false;
    const std::vector<Missing> found = FindMissing(messages, &first);
    if (!first) return std::nullopt;  // what comes behind another mistake may follow from it
    std::vector<std::string> sentences, names;
    for (const Missing& missing : found) {
        std::string sentence = Sentence(missing);
        if (sentence.empty() || std::find(names.begin(), names.end(), missing.name) != names.end()) continue;
        names.push_back(missing.name);
        sentences.push_back(std::move(sentence));
    }
    if (!sentences.empty()) return fmt::format("{}", fmt::join(sentences, "\n"));
    const Missing& unknown = found[0];
    const std::string close = unknown.header ? "" : CloseTo(unknown.name);
    return close.empty() ? unknown.error
                         : fmt::format("{}\n{}: {}: no such name{}", unknown.error, unknown.place, unknown.name, close);
}

}  // namespace sfumato::jit
