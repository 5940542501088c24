// SPDX-License-Identifier: Apache-2.0
// A run and its findings as one JSON object.
#include <algorithm>
#include <tuple>

#include "report/json.h"
#include "sfumato/findings.h"

namespace sfumato {

uint64_t RunFindings::Count(Severity severity) const {
    uint64_t count = 0;
    for (const Report& report : findings) count += report.severity == severity ? 1 : 0;
    return count;
}

RunFindings Together(const std::vector<RunFindings>& runs) {
    if (runs.empty()) return {};
    RunFindings all = runs[0];
    for (size_t i = 1; i < runs.size(); ++i) {
        const RunFindings& run = runs[i];
        const auto keep_same = [&](auto RunFindings::*field) {
            if (all.*field != run.*field) all.*field = {};
        };
        for (auto field :
             {&RunFindings::name, &RunFindings::source, &RunFindings::chip, &RunFindings::kernel,
              &RunFindings::schedule, &RunFindings::task_type, &RunFindings::task_type_from, &RunFindings::again}) {
            keep_same(field);
        }
        all.date = std::max(all.date, run.date);
        if (run.seconds) all.seconds = all.seconds.value_or(0) + *run.seconds;
        keep_same(&RunFindings::blocks);
        keep_same(&RunFindings::checked);
        all.records += run.records;
        all.findings.insert(all.findings.end(), run.findings.begin(), run.findings.end());
        if (run.rests_on && !all.rests_on) all.rests_on.emplace();
        for (const Reading& reading : run.rests_on.value_or(std::vector<Reading>{})) {
            const auto same = std::find_if(all.rests_on->begin(), all.rests_on->end(), [&](const Reading& r) {
                return std::tie(r.call, r.reading) == std::tie(reading.call, reading.reading);
            });
            if (same == all.rests_on->end()) {
                all.rests_on->push_back(reading);
            } else {
                same->count += reading.count;
            }
        }
        if (all.error_kind.empty()) {
            all.error_kind = run.error_kind;
            all.error = run.error;
            all.judged = run.judged;
        }
    }
    return all;
}

std::string JsonOf(const RunFindings& run, const FindingsTool& tool) {
    OrderedJson list = OrderedJson::array();
    for (const Report& report : run.findings) list.push_back(ObjectOf(report));
    OrderedJson json = {
        {"ok", run.ok()},
        {"version", tool.version},
        {"date", run.date.empty() ? tool.date : run.date},
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
        auto& readings = json["rests_on"] = OrderedJson::array();
        for (const Reading& reading : *run.rests_on) readings.push_back(ObjectOf(reading));
    }
    if (run.seconds) json["seconds"] = *run.seconds;
    if (run.ranks != 0) json["world"] = {{"ranks", run.ranks}, {"groups", run.groups}};
    if (!run.again.empty()) json["again"] = run.again;
    if (!run.error_kind.empty()) {
        json[run.judged ? "failure" : "error"] = {{"kind", run.error_kind}, {"message", run.error}};
    }
    return Written(json, 2) + "\n";
}

}  // namespace sfumato
