// SPDX-License-Identifier: Apache-2.0
// Findings as JUnit XML, in the elements that Jenkins and GitLab read.
#include <fmt/format.h>

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

std::string TestCase(const RunFindings& run, size_t number) {
    std::string kernel = run.kernel;
    if (kernel.empty() && !run.findings.empty()) kernel = run.findings.front().kernel;
    if (kernel.empty()) kernel = run.source.empty() ? fmt::format("run {}", number) : run.source;
    std::string text = fmt::format(
        "    <testcase{}>\n",
        Attributes(
            {{"name", kernel}, {"classname", run.source.empty() ? "sfumato" : run.source}, {"file", run.source}}));
    std::string notes;
    for (const Report& report : run.findings) {
        if (report.severity == Severity::kNote) {
            notes += report.Text() + "\n";
        } else if (run.error_kind.empty()) {
            text += fmt::format("      <failure{}>{}</failure>\n",
                                Attributes({{"type", Name(report.rule)}, {"message", report.message}}),
                                Escape(report.Text()));
        }
    }
    if (!run.error_kind.empty()) {
        const std::string first = run.error.substr(0, run.error.find('\n'));
        text += fmt::format("      <error{}>{}</error>\n", Attributes({{"type", run.error_kind}, {"message", first}}),
                            Escape(run.error));
    }
    if (!notes.empty()) text += fmt::format("      <system-out>{}</system-out>\n", Escape(notes));
    return text + "    </testcase>\n";
}

}  // namespace

std::string JunitOf(const std::vector<RunFindings>& runs) {
    std::string cases;
    uint64_t failures = 0, errors = 0;
    for (size_t i = 0; i < runs.size(); ++i) {
        cases += TestCase(runs[i], i + 1);
        errors += runs[i].error_kind.empty() ? 0 : 1;
        failures += runs[i].error_kind.empty() && Failures(runs[i]) > 0 ? 1 : 0;
    }
    const std::string counts =
        fmt::format(" tests=\"{}\" failures=\"{}\" errors=\"{}\"", runs.size(), failures, errors);
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites{0}>\n  <testsuite name=\"sfumato\"{0}>\n{1}"
        "  </testsuite>\n</testsuites>\n",
        counts, cases);
}

}  // namespace sfumato
