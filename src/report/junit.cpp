// SPDX-License-Identifier: Apache-2.0
// Findings as JUnit XML, in the elements that Jenkins and GitLab read.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "report/json.h"
#include "sfumato/findings.h"

namespace sfumato {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Valid UTF-8.
std::string Clean(const std::string& text) { return OrderedJson::parse(Written(OrderedJson(text))).get<std::string>(); }

// For an attribute and for text; what XML 1.0 cannot hold is replaced.
std::string Escape(const std::string& text) {
    std::string out;
    for (const char c : Clean(text)) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\n': out += "&#10;"; break;
            case '\r': out += "&#13;"; break;
            case '\t': out += "&#9;"; break;
            default: out += static_cast<unsigned char>(c) < 0x20 ? kReplacement : std::string(1, c);
        }
    }
    return out;
}

std::string Attributes(std::initializer_list<std::pair<const char*, std::string>> attributes) {
    std::string text;
    for (const auto& [name, value] : attributes) {
        if (!value.empty()) text += fmt::format(" {}=\"{}\"", name, Escape(value));
    }
    return text;
}

uint64_t Failures(const RunFindings& run) { return run.Count(Severity::kFault) + run.Count(Severity::kWarning); }

std::string ChipOf(const RunFindings& run) {
    return run.chip.empty() && !run.findings.empty() ? run.findings.front().chip : run.chip;
}

std::string TimeOf(const std::optional<double>& seconds) {
    return seconds ? fmt::format("{:.6f}", *seconds) : std::string();
}

std::string Property(const char* name, const std::string& value) {
    return value.empty() ? "" : fmt::format("<property{}/>", Attributes({{"name", name}, {"value", value}}));
}

// with_chip: the suite has several chips.
std::string TestCase(const RunFindings& run, size_t number, bool with_chip) {
    std::string name = run.name.empty() ? run.kernel : run.name;
    if (name.empty() && !run.findings.empty()) name = run.findings.front().kernel;
    if (name.empty()) name = run.source.empty() ? fmt::format("run {}", number) : run.source;
    std::string text =
        fmt::format("    <testcase{}>\n", Attributes({{"name", name},
                                                      {"classname", run.source.empty() ? "sfumato" : run.source},
                                                      {"file", run.source},
                                                      {"time", TimeOf(run.seconds)}}));
    if (const std::string chip = with_chip ? ChipOf(run) : ""; !chip.empty())
        text += fmt::format("      <properties>{}</properties>\n", Property("chip", chip));
    std::string notes;
    for (const Report& report : run.findings) {
        if (report.severity == Severity::kNote || run.judged) {
            notes += report.Text() + "\n";
        } else if (run.error_kind.empty()) {
            text += fmt::format("      <failure{}>{}</failure>\n",
                                Attributes({{"type", Name(report.rule)}, {"message", report.message}}),
                                Escape(report.Text() + AgainOf(run)));
        }
    }
    if (!run.error_kind.empty()) {
        const std::string first = run.error.substr(0, run.error.find('\n'));
        text +=
            fmt::format("      <{0}{1}>{2}</{0}>\n", run.judged ? "failure" : "error",
                        Attributes({{"type", run.error_kind}, {"message", first}}), Escape(run.error + AgainOf(run)));
    }
    if (!notes.empty()) text += fmt::format("      <system-out>{}</system-out>\n", Escape(notes));
    return text + "    </testcase>\n";
}

}  // namespace

std::string JunitOf(const std::vector<RunFindings>& runs, const FindingsTool& tool) {
    std::set<std::string> chips;
    std::string cases, date;
    uint64_t failures = 0, errors = 0;
    std::optional<double> seconds;
    for (const RunFindings& run : runs) {
        if (const std::string chip = ChipOf(run); !chip.empty()) chips.insert(chip);
        const bool error = !run.error_kind.empty() && !run.judged;
        errors += error ? 1 : 0;
        failures += !error && (run.judged || Failures(run) > 0) ? 1 : 0;
        date = std::max(date, run.date);
        if (run.seconds) seconds = seconds.value_or(0) + *run.seconds;
    }
    for (size_t i = 0; i < runs.size(); ++i) cases += TestCase(runs[i], i + 1, chips.size() > 1);
    if (date.empty()) date = tool.date;
    if (date.ends_with('Z')) date.pop_back();  // ISO 8601 without a zone, as the form has it
    const std::string counts = fmt::format(" tests=\"{}\" failures=\"{}\" errors=\"{}\"{}", runs.size(), failures,
                                           errors, Attributes({{"time", TimeOf(seconds)}, {"timestamp", date}}));
    std::string properties =
        Property("version", tool.version) + Property("chip", fmt::format("{}", fmt::join(chips, ", ")));
    if (!properties.empty()) properties = fmt::format("    <properties>{}</properties>\n", properties);
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites{0}>\n  <testsuite name=\"sfumato\"{0}>\n{1}{2}"
        "  </testsuite>\n</testsuites>\n",
        counts, properties, cases);
}

}  // namespace sfumato
