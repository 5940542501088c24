// SPDX-License-Identifier: Apache-2.0
// Printing of findings.
#include "findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "output.h"
#include "sfumato/rank_world.h"

namespace sfumato::command {
namespace {

bool UseColour() {
    static const bool use = isatty(STDERR_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
    return use;
}

const char* ColourOf(Severity s) {
    return s == Severity::kFault ? "\033[1;31m" : s == Severity::kWarning ? "\033[1;33m" : "\033[1;36m";
}

// The text with its first `length` characters coloured.
void Print(const std::string& text, size_t length, Severity severity) {
    if (UseColour()) {
        PrintError(fmt::format("{}{}\033[0m{}\n", ColourOf(severity), text.substr(0, length), text.substr(length)));
    } else {
        PrintError(text + "\n");
    }
}

void Write(const char* option, const std::optional<std::string>& path, const std::string& text) {
    if (!path) return;
    if (*path == "-") return PrintOut(text);
    try {
        WriteFile(*path, text);
    } catch (const std::exception& e) {
        SayError(fmt::format("{}: {}", option, e.what()));
        ReportLost();
    }
}

std::string Plural(size_t n, const char* word) { return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s"); }

}  // namespace

void Say(Severity severity, const std::string& message) {
    const std::string head = fmt::format("{}:", Name(severity));
    Print(fmt::format("{} {}", head, message), head.size(), severity);
}

void SayError(const std::string& message) {
    const std::string head = "error:";
    Print(fmt::format("{} {}", head, message), head.size(), Severity::kFault);
}

FindingsFiles TakeFindingsFiles(int count, char* const* words, std::vector<std::string>* others) {
    FindingsFiles files;
    const std::pair<std::string_view, std::optional<std::string>*> options[] = {
        {"--json", &files.json}, {"--sarif", &files.sarif}, {"--junit", &files.junit}};
    for (int i = 0; i < count; ++i) {
        const std::string_view word = words[i];
        bool ours = false;
        for (const auto& [name, file] : options) {
            const bool with_file = word.starts_with(name) && word.size() > name.size() && word[name.size()] == '=';
            if (word != name && !with_file) continue;
            const bool next = !with_file && file != &files.json && i + 1 < count;
            *file = with_file ? std::string(word.substr(name.size() + 1)) : next ? words[++i] : "-";
            ours = true;
        }
        if (!ours) others->emplace_back(word);
    }
    return files;
}

void WriteFindings(const FindingsFiles& files, const RunFindings& run) {
    if (files.json) Write("the findings", files.json, JsonOf(run));
    if (files.sarif) Write("the findings as SARIF", files.sarif, SarifOf({run}));
    if (files.junit) Write("the findings as JUnit", files.junit, JunitOf({run}));
}

bool Findings::Has(Severity severity) const {
    return std::ranges::any_of(reports_, [severity](const Report& r) { return r.severity == severity; });
}

RunFindings Findings::About() const {
    RunFindings run;
    run.source = options_.compile.source;
    run.chip = options_.launch.chip;
    run.kernel = options_.launch.kernel;
    run.blocks = options_.blocks;
    run.schedule = options_.launch.schedule;
    run.findings = reports_;
    run.ranks = options_.ranks.count;
    if (run.ranks != 0) run.groups = {RankWorld::kAll};
    for (const auto& [name, ranks] : options_.ranks.groups) run.groups.push_back(name);
    return run;
}

void Findings::Show(const LaunchResult& result, std::optional<double> seconds) const {
    RunFindings run = About();
    run.seconds = seconds;
    run.task_type = result.task_type;
    run.task_type_from = result.task_type_from;
    run.records = result.records;
    run.checked = CheckNames(options_.launch.check);
    for (const Report& r : reports_) {
        const std::string text = r.Text();
        Print(text, text.find(' '), r.severity);
    }
    std::string counts =
        fmt::format("{}, {}, {}", Plural(run.Count(Severity::kFault), "fault"),
                    Plural(run.Count(Severity::kWarning), "warning"), Plural(run.Count(Severity::kNote), "note"));
    if (options_.says_checked) {
        counts = fmt::format("checked: {}: {}",
                             run.checked.empty() ? "none" : fmt::format("{}", fmt::join(run.checked, ", ")),
                             reports_.empty() ? "no findings" : counts);
    }
    PrintError(counts + "\n");
    if (options_.launch.rests_on) {
        run.rests_on = result.rests_on;
        for (const Reading& r : result.rests_on) PrintError(r.Text() + "\n");
        PrintError(result.rests_on.empty() ? "documented throughout\n"
                                           : fmt::format("rests on {}\n", Plural(result.rests_on.size(), "reading")));
    }
    WriteFindings(options_.files, run);
}

void Findings::ShowError(const std::string& kind, const std::string& message) const {
    RunFindings run = About();
    run.error_kind = kind;
    run.error = message;
    WriteFindings(options_.files, run);
}

}  // namespace sfumato::command
