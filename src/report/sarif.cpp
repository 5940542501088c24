// SPDX-License-Identifier: Apache-2.0
// Findings as SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format", 3.13 to 3.30).
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "report/json.h"
#include "report/rules.h"
#include "sfumato/findings.h"

namespace sfumato {
namespace {

using Json = OrderedJson;

const char* LevelOf(Severity severity) {
    return severity == Severity::kFault ? "error" : severity == Severity::kWarning ? "warning" : "note";
}

// A path as a URI reference: "a%20b.cpp", "file:///tmp/k.cpp".
std::string Uri(const std::string& path) {
    std::string uri = path.starts_with('/') ? "file://" : "";
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                           (byte >= '0' && byte <= '9') || std::string_view("-._~/").find(c) != std::string_view::npos;
        uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return uri;
}

Json PhysicalLocation(const std::string& file, uint32_t line) {
    Json physical = {{"artifactLocation", {{"uri", Uri(file)}}}};
    if (line > 0) physical["region"] = {{"startLine", line}};
    return physical;
}

// Plain text as Markdown.
std::string Markdown(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (std::string_view("\\`*_<>[]#|").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
    return escaped;
}

Json JsonOf(const RuleInfo& info, const FindingsTool& tool) {
    Json rule = {{"id", info.id},
                 {"shortDescription", {{"text", info.sentence}}},
                 {"help",
                  {{"text", fmt::format("{} Source: {}.", info.sentence, info.source)},
                   {"markdown", fmt::format("**{}** `{}`\n\n{}\n\nSource: {}.", Name(info.severity), info.id,
                                            Markdown(info.sentence), Markdown(info.source))}}},
                 {"defaultConfiguration", {{"level", LevelOf(info.severity)}}}};
    if (!tool.docs_url.empty()) rule["helpUri"] = fmt::format("{}reports.md#{}", tool.docs_url, info.id);
    return rule;
}

Json ResultOf(const Report& report, const RunFindings& run, size_t rule_index) {
    Json result = {{"ruleId", Name(report.rule)},
                   {"ruleIndex", rule_index},
                   {"level", LevelOf(report.severity)},
                   {"message", {{"text", report.Text() + AgainOf(run)}}}};
    const std::string& file = report.file.empty() ? run.source : report.file;
    Json location = Json::object();
    if (!file.empty()) location["physicalLocation"] = PhysicalLocation(file, report.file.empty() ? 0 : report.line);
    if (!report.kernel.empty()) location["logicalLocations"] = {{{"name", report.kernel}, {"kind", "function"}}};
    result["locations"] = Json::array();
    if (!location.empty()) result["locations"].push_back(std::move(location));
    if (!report.related.empty()) {
        Json& related = result["relatedLocations"] = Json::array();
        for (const RelatedPlace& place : report.related) {
            Json other = {{"id", related.size()}};
            if (!place.file.empty()) other["physicalLocation"] = PhysicalLocation(place.file, place.line);
            if (!place.note.empty()) other["message"] = {{"text", place.note}};
            related.push_back(std::move(other));
        }
    }
    result["properties"] = ObjectOf(report);
    return result;
}

// Of a run whose result is not right, where no fault says why.
Json ResultOf(const RunFindings& run, size_t rule_index) {
    Json result = {{"ruleId", run.error_kind},
                   {"ruleIndex", rule_index},
                   {"level", "error"},
                   {"message", {{"text", (run.name.empty() ? "" : run.name + ": ") + run.error + AgainOf(run)}}},
                   {"locations", Json::array()}};
    if (!run.source.empty())
        result["locations"].push_back({{"physicalLocation", PhysicalLocation(run.source, std::max(run.line, 1u))}});
    return result;
}

Json InvocationOf(const RunFindings& run, const FindingsTool& tool) {
    Json invocation = {{"executionSuccessful", run.error_kind.empty() || run.judged}};
    if (const std::string& date = run.date.empty() ? tool.date : run.date; !date.empty())
        invocation["endTimeUtc"] = date;
    if (!run.error_kind.empty() && !run.judged) {
        const Json notification = {{"level", "error"}, {"message", {{"text", run.error}}}};
        invocation["toolExecutionNotifications"] = {notification};
    }
    Json properties = Json::object();
    if (!run.chip.empty()) properties["chip"] = run.chip;
    if (run.seconds) properties["seconds"] = *run.seconds;
    if (!properties.empty()) invocation["properties"] = std::move(properties);
    return invocation;
}

// The rules that results name, each once.
class Rules {
public:
    explicit Rules(const FindingsTool& tool) : tool_(tool) {}

    size_t Of(Rule rule) {
        return IndexOf(Name(rule), [&] { return JsonOf(Info(rule), tool_); });
    }
    size_t OfVerdict(const std::string& verdict) {
        return IndexOf(verdict, [&] {
            const std::string sentence = fmt::format("The verdict about a result is '{}'.", verdict);
            return Json{{"id", verdict},
                        {"shortDescription", {{"text", sentence}}},
                        {"help", {{"text", sentence + " Source: sweeping.md."}}},
                        {"defaultConfiguration", {{"level", "error"}}}};
        });
    }
    Json Take() { return std::move(rules_); }

private:
    template <class Make>
    size_t IndexOf(const std::string& id, const Make& make) {
        const auto named = std::find(ids_.begin(), ids_.end(), id);
        const auto index = static_cast<size_t>(named - ids_.begin());
        if (named == ids_.end()) {
            ids_.push_back(id);
            rules_.push_back(make());
        }
        return index;
    }

    const FindingsTool& tool_;
    std::vector<std::string> ids_;
    Json rules_ = Json::array();
};

}  // namespace

FindingsTool ThisTool() {
    const char* url = std::getenv("SFUMATO_DOCS_URL");
    const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
    const std::time_t now = epoch && *epoch ? std::strtoll(epoch, nullptr, 10) : std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char date[32];
    std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {SFUMATO_VERSION, url ? url : "", date};
}

std::string SarifOf(const std::vector<RunFindings>& runs, const FindingsTool& tool) {
    Rules rules(tool);
    Json results = Json::array(), invocations = Json::array();
    for (const RunFindings& run : runs) {
        for (const Report& report : run.findings) results.push_back(ResultOf(report, run, rules.Of(report.rule)));
        if (run.judged && run.Count(Severity::kFault) == 0)
            results.push_back(ResultOf(run, rules.OfVerdict(run.error_kind)));
        invocations.push_back(InvocationOf(run, tool));
    }
    Json driver = {{"name", "Sfumato"}};
    if (!tool.version.empty()) driver["version"] = tool.version;
    driver["rules"] = rules.Take();
    const Json one = {{"tool", {{"driver", std::move(driver)}}},
                      {"invocations", std::move(invocations)},
                      {"results", std::move(results)}};
    Json sarif = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}};
    sarif["runs"] = Json::array();
    sarif["runs"].push_back(one);
    return Written(sarif, 2) + "\n";
}

}  // namespace sfumato
