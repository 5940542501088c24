// SPDX-License-Identifier: Apache-2.0
// The table of public names, and the errors of g++ and clang that speak of one.
#include "jit/missing_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jit/messages.h"
#include "sfumato/letters.h"

namespace sfumato::jit {
namespace {

// A name of names.txt.
struct PublicName {
    std::string_view name, kind, family, scope, refused;
};

constexpr struct {
    const char *file, *text;
} kTables[] = {
#include "names.inc"
};

const std::vector<PublicName>& PublicNames() {
    static const std::vector<PublicName> names = [] {
        std::vector<PublicName> rows;
        PublicName row;
        for (std::string_view line : Split(kTables[0].text, '\n')) {
            if (line.empty() || line[0] == '#') continue;
            if (line[0] == '[') {  // [family scope] reason
                const size_t space = line.find(' '), end = line.find(']');
                row.family = line.substr(1, space - 1);
                row.scope = line.substr(space + 1, end - space - 1);
                row.refused = end + 1 < line.size() ? line.substr(end + 2) : "";
                continue;
            }
            if (line[0] != ' ') {  // kind: name operators, name operators
                row.kind = line.substr(0, line.find(':'));
                line.remove_prefix(row.kind.size() + 1);
            }
            for (std::string_view item : Split(line, ',')) {
                item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
                row.name = item.substr(0, item.find(' '));
                if (!row.name.empty()) rows.push_back(row);
            }
        }
        return rows;
    }();
    return names;
}

// What a compiler did not find, and in what: "AscendC", a class or enum of it, "" for no scope; a header.
struct Missing {
    std::string place, name, scope;
    bool header = false;
};

// The errors in both compilers' words, quotes made plain. Groups: name, then scope.
constexpr struct {
    const char* pattern;
    int name, scope;
    bool header = false;
} kErrors[] = {
    {"'([A-Za-z_0-9]+)' is not a member of '(?:class |struct |enum class )?(AscendC[^']*)'", 1, 2},
    {"'([A-Za-z_0-9]+)' in namespace '(AscendC[^']*)' does not name a", 1, 2},
    {"'(AscendC)::([A-Za-z_0-9]+)' has not been declared", 2, 1},
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

std::optional<Missing> MissingIn(const std::string& line) {
    if (line.empty()) return std::nullopt;
    const std::string text = line.substr(line.find("error:") + 6);
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
        return missing;
    }
    return std::nullopt;
}

// Up to three public names that a misspelling may have meant, which the compiler does not name itself, as a sentence;
// "" for none.
std::string CloseTo(std::string_view name, std::string_view said) {
    std::vector<std::pair<size_t, std::string_view>> close;
    for (const PublicName& row : PublicNames()) {
        const std::string_view candidate = row.name.substr(row.name.starts_with('.') ? 1 : 0);
        const size_t distance = EditDistance(name, candidate);
        if (row.refused.empty() && distance <= std::max<size_t>(1, name.size() / 4))
            close.emplace_back(distance, candidate);
    }
    std::ranges::stable_sort(close, [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string_view> names;
    for (const auto& [distance, candidate] : close) {
        if (names.size() < 3 && std::ranges::find(names, candidate) == names.end()) names.push_back(candidate);
    }
    const std::string plain = PlainQuotes(said);
    const size_t asks = plain.find("did you mean");
    if (asks != std::string::npos) {
        std::erase_if(names, [&](std::string_view candidate) {
            return plain.find(fmt::format("{}'", candidate), asks) != std::string::npos;
        });
    }
    return names.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(names, ", "));
}

// "AscendC::TBuf" of "AscendC::TBuf<AscendC::TPosition::VECCALC>".
std::string ClassOf(std::string_view scope) { return std::string(scope.substr(0, scope.find('<'))); }

// The row that a missing name means: that of the scope it was looked for in, else any.
const PublicName* FindName(const Missing& missing) {
    const PublicName* found = nullptr;
    for (const PublicName& row : PublicNames()) {
        const bool method = row.name.starts_with('.');
        if (row.name.substr(method ? 1 : 0) != missing.name) continue;
        if (row.scope == ClassOf(missing.scope)) return &row;
        // A function before the method of its name, where there is no class.
        if (!found || (missing.scope.empty() && found->name.starts_with('.') && !method)) found = &row;
    }
    return found;
}

// What is said of an error, and whether that says all of it.
struct Said {
    std::string text;
    bool replaces = false;
};

// Where a public name that is there stands; "" where the compiler's words are all there is to say.
std::string Stands(const PublicName& row, const Missing& missing, const SourceRead& source) {
    const std::string scope = ClassOf(missing.scope);
    const bool qualified = row.scope.starts_with("AscendC");
    if (!source.DeclaresAny()) {
        // The header of the Matmul class includes the other.
        return fmt::format("include {}, which declares it",
                           row.family == "adv/matmul" ? "lib/matmul_intf.h" : "kernel_operator.h");
    }
    if (row.family == "adv/matmul" && row.scope != "macro" && !row.name.starts_with('.') &&
        !source.Reads("matmul_intf.h") && !source.Reads("matmul.h"))
        return "include lib/matmul_intf.h, which declares it";
    if (row.name.starts_with('.')) {
        if (scope == row.scope) return "";
        return scope.empty() || scope == "AscendC" ? fmt::format("a method of {}: call it on one", row.scope)
                                                   : fmt::format("a method of {}; {} has none", row.scope, scope);
    }
    const std::string whole = qualified ? fmt::format("{}::{}", row.scope, missing.name) : missing.name;
    if (scope == row.scope || (scope.empty() && !qualified)) return "";
    if (scope.empty() && row.scope == "AscendC" && source.UsesNamespace()) return "";
    return qualified ? fmt::format("stands in {}: write {}", row.scope, whole)
                     : fmt::format("stands in no namespace: write {}", whole);
}

constexpr const char* kUnknownHeader =
    "a header of the toolkit that is not known here; what is supported is in kernel_operator.h";
// How headers begin that are not there, and what is said of them.
constexpr struct {
    std::string_view begin;
    const char* what;
} kRefusedHeaders[] = {
    {"simt_api/", "a header for code of threads (SIMT) of Ascend950, which is not here yet"},
    {"lib/", kUnknownHeader},
    {"adv_api/", kUnknownHeader},
    {"basic_api/", kUnknownHeader},
    {"kernel_", kUnknownHeader},
    {"impl/", kUnknownHeader},
};

Said SayOf(const Missing& missing, const std::string& error, const SourceRead& source) {
    if (missing.header) {
        for (const auto& [folder, what] : kRefusedHeaders) {
            if (missing.name.starts_with(folder))
                return {fmt::format("{}: {}: {}", missing.place, missing.name, what), true};
        }
        return {};
    }
    if (const PublicName* row = FindName(missing)) {
        if (!row->refused.empty()) return {fmt::format("{}: {}: {}", missing.place, missing.name, row->refused), true};
        const std::string stands = Stands(*row, missing, source);
        return {stands.empty() ? "" : fmt::format("{}: note: {}: {}", missing.place, missing.name, stands)};
    }
    const std::string close = CloseTo(missing.name, error);
    if (missing.scope.empty())
        return {close.empty() ? "" : fmt::format("{}: note: {}: no such name{}", missing.place, missing.name, close)};
    return {fmt::format("{}: note: {}: no name of {} that public kernels use{}", missing.place, missing.name,
                        missing.scope, close)};
}

}  // namespace

bool SourceRead::Reads(std::string_view header) const {
    return text.find(header) != std::string_view::npos ||
           std::ranges::any_of(files, [&](const std::string& file) { return file.ends_with(header); });
}

bool SourceRead::DeclaresAny() const {
    return files.empty() ? text.find("#include") != std::string_view::npos : Reads("kernel_operator.h");
}

bool SourceRead::UsesNamespace() const { return text.find("using namespace AscendC") != std::string_view::npos; }

std::string NoteMissingOperators(std::string_view messages) {
    static const std::regex kMissing("No such file|file not found|undefined reference to|not declared|undeclared");
    static const std::regex kOperator("aclnnop/[a-z0-9_/]+\\.h|aclnn[A-Z][A-Za-z0-9]*");
    constexpr std::string_view kPhase = "GetWorkspaceSize";
    std::string notes;
    std::vector<std::string> told;
    for (const std::string_view line : Split(messages, '\n')) {
        const std::string plain = PlainQuotes(line);
        std::smatch found;
        if (!std::regex_search(plain, kMissing) || !std::regex_search(plain, found, kOperator)) continue;
        std::string name = found[0];
        if (name.ends_with(kPhase)) name.resize(name.size() - kPhase.size());
        if (std::ranges::find(told, name) != told.end()) continue;
        told.push_back(name);
        notes += fmt::format(
            "sfumato: note: {}: libopapi and aclnnop/ have the operators of reference-operators.md "
            "alone; register another as a project with its name: its package, by sfumato build-op, "
            "has the header aclnn_<op>.h and the functions\n",
            name);
    }
    return notes;
}

bool Misses(const std::string& error, std::string_view name) {
    const std::optional<Missing> missing = MissingIn(error);
    return missing && missing->name == name;
}

std::string FirstError(std::string_view messages) {
    const std::vector<Message> all = SplitMessages(messages);
    const auto is_error = [](const Message& m) { return !m.error.empty(); };
    const auto first = std::ranges::find_if(all, is_error);
    if (first == all.end()) return std::string(messages);
    // Candidates and histories are notes.
    const std::string& text = first->text;
    const size_t note = text.find(": note: ", text.find("error:"));
    const size_t end = note == std::string::npos ? text.size() : text.rfind('\n', note) + 1;
    const auto more = std::count_if(first + 1, all.end(), is_error);
    return text.substr(0, end) + (more == 0 ? "" : fmt::format("and {} more error{}\n", more, more == 1 ? "" : "s"));
}

std::optional<std::string> ExplainMissingNames(std::string_view messages, const SourceRead& source) {
    const std::vector<Message> all = SplitMessages(messages);
    const auto first = std::ranges::find_if(all, [](const Message& m) { return !m.error.empty(); });
    // What comes behind another mistake may follow from it.
    if (first == all.end() || !MissingIn(first->error)) return std::nullopt;
    std::string explained;
    std::vector<std::string> told;
    bool any = false;
    for (const Message& message : all) {
        const std::optional<Missing> missing = MissingIn(message.error);
        const Said said = missing ? SayOf(*missing, message.text, source) : Said{};
        const bool again = !said.text.empty() && std::ranges::find(told, missing->name) != told.end();
        any = any || !said.text.empty();
        if (!said.replaces) explained += message.text;
        if (said.text.empty() || again) continue;
        told.push_back(missing->name);
        explained += said.text + "\n";
    }
    if (!any) return std::nullopt;
    explained.pop_back();
    return explained;
}

}  // namespace sfumato::jit
