// SPDX-License-Identifier: Apache-2.0
// Findings as SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format", 3.13 to 3.30).
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

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
                   {"message", {{"text", report.Text()}}}};
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

}  // namespace

FindingsTool ThisTool() {
    const char* url = std::getenv("SFUMATO_DOCS_URL");
    return {SFUMATO_VERSION, url ? url : ""};
}

std::string SarifOf(const std::vector<RunFindings>& runs, const FindingsTool& tool) {
    std::vector<Rule> named;
    Json rules = Json::array(), results = Json::array(), invocations = Json::array();
    for (const RunFindings& run : runs) {
        for (const Report& report : run.findings) {
            auto rule = std::find(named.begin(), named.end(), report.rule);
            if (rule == named.end()) {
                rule = named.insert(rule, report.rule);
                rules.push_back(JsonOf(Info(report.rule), tool));
            }
            results.push_back(ResultOf(report, run, static_cast<size_t>(rule - named.begin())));
        }
        Json invocation = {{"executionSuccessful", run.error_kind.empty()}};
        if (!run.error_kind.empty()) {
            const Json notification = {{"level", "error"}, {"message", {{"text", run.error}}}};
            invocation["toolExecutionNotifications"] = {notification};
        }
        invocations.push_back(std::move(invocation));
    }
    Json driver = {{"name", "Sfumato"}};
    if (!tool.version.empty()) driver["version"] = tool.version;
    driver["rules"] = std::move(rules);
    const Json one = {{"tool", {{"driver", std::move(driver)}}},
                      {"invocations", std::move(invocations)},
                      {"results", std::move(results)}};
    Json sarif = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}};
    sarif["runs"] = Json::array();
    sarif["runs"].push_back(one);
    return Written(sarif, 2) + "\n";
}

}  // namespace sfumato
