// SPDX-License-Identifier: Apache-2.0
// A run and its findings as one JSON object.
#include <nlohmann/json.hpp>

#include "sfumato/findings.h"

namespace sfumato {

uint64_t RunFindings::Count(Severity severity) const {
    uint64_t count = 0;
    for (const Report& report : findings) count += report.severity == severity ? 1 : 0;
    return count;
}

std::string JsonOf(const RunFindings& run) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Report& report : run.findings) list.push_back(nlohmann::ordered_json::parse(report.Json()));
    nlohmann::ordered_json json = {
        {"ok", run.ok()},
        {"source", run.source},
        {"chip", run.chip},
        {"kernel", run.kernel},
        {"blocks", run.blocks},
        {"schedule", run.schedule},
        {"task_type", run.task_type},
        {"task_type_from", run.task_type_from},
        {"records", run.records},
        {"checked", run.checked},
        {"faults", run.Count(Severity::kFault)},
        {"warnings", run.Count(Severity::kWarning)},
        {"notes", run.Count(Severity::kNote)},
        {"findings", std::move(list)},
    };
    if (run.rests_on) {
        auto& readings = json["rests_on"] = nlohmann::ordered_json::array();
        for (const Reading& reading : *run.rests_on) readings.push_back(nlohmann::ordered_json::parse(reading.Json()));
    }
    if (!run.error_kind.empty()) json["error"] = {{"kind", run.error_kind}, {"message", run.error}};
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace sfumato
