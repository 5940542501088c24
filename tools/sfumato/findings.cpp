// SPDX-License-Identifier: Apache-2.0
// Printing of findings.
#include "findings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "output.h"

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

// A file name may hold bytes that are not UTF-8; they are replaced rather than refused.
std::string Dump(const nlohmann::ordered_json& json) {
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
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

bool Findings::HasFault() const {
    for (const Report& r : reports_) {
        if (r.severity == Severity::kFault) return true;
    }
    return false;
}

void Findings::Show(const LaunchResult& result) const {
    size_t counts[3] = {};
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Report& r : reports_) {
        ++counts[static_cast<int>(r.severity)];
        const std::string text = r.Text();
        Print(text, text.find(' '), r.severity);
        if (options_.json) list.push_back(nlohmann::ordered_json::parse(r.Json()));
    }
    PrintError(fmt::format("{}, {}, {}\n", Plural(counts[2], "fault"), Plural(counts[1], "warning"),
                           Plural(counts[0], "note")));
    nlohmann::ordered_json readings = nlohmann::ordered_json::array();
    for (const Reading& r : result.rests_on) {
        PrintError(r.Text() + "\n");
        if (options_.json) readings.push_back(nlohmann::ordered_json::parse(r.Json()));
    }
    if (options_.launch.rests_on) {
        PrintError(result.rests_on.empty() ? "documented throughout\n"
                                           : fmt::format("rests on {}\n", Plural(result.rests_on.size(), "reading")));
    }
    if (!options_.json) return;
    nlohmann::ordered_json json = {{"ok", counts[2] == 0},
                                   {"source", options_.compile.source},
                                   {"chip", options_.launch.chip},
                                   {"kernel", options_.launch.kernel},
                                   {"blocks", options_.blocks},
                                   {"task_type", result.task_type},
                                   {"task_type_from", result.task_type_from},
                                   {"records", result.records},
                                   {"faults", counts[2]},
                                   {"warnings", counts[1]},
                                   {"notes", counts[0]},
                                   {"findings", std::move(list)}};
    if (options_.launch.rests_on) json["rests_on"] = std::move(readings);
    WriteJson(Dump(json));
}

void Findings::ShowError(const std::string& kind, const std::string& message) const {
    if (options_.json) WriteJson(Dump({{"ok", false}, {"error", {{"kind", kind}, {"message", message}}}}));
}

void Findings::WriteJson(const std::string& text) const {
    if (*options_.json == "-") return PrintOut(text);
    try {
        WriteFile(*options_.json, text);
    } catch (const std::exception& e) {
        SayError(fmt::format("the findings: {}", e.what()));
        ReportLost();
    }
}

}  // namespace sfumato::command
