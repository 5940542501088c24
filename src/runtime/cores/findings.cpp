// SPDX-License-Identifier: Apache-2.0
// Where findings of a core get its place.
#include "runtime/cores/findings.h"

#include "runtime/cores/core.h"
#include "runtime/launch/launch_state.h"
#include "runtime/launch/strict.h"

namespace sfumato::runtime {

bool Findings::Add(Report report) {
    LaunchState& launch = core_.launch();
    ApplyStrict(launch.options, &report);
    report.core_order = static_cast<int64_t>(core_.place().order);
    launch.Stamp(&report);
    const bool fault = report.severity == Severity::kFault;
    if (seen_.insert(SiteOf(report)).second) all_.push_back(std::move(report));
    if (fault && !launch.options.collect) core_.stopping().WithThoseAbove();
    return !fault;
}

bool Findings::AddOf(const isa::Record& record, Report report) {
    core_.told()(events::Found{record, report});
    report.index = record.index;
    report.instruction = isa::CallName(record);
    report.file = record.where.file;
    report.line = record.where.line;
    return Add(std::move(report));
}

void Findings::AddHere(Finding finding, std::string_view call, Where where) {
    Report report = ToReport(std::move(finding), call, where);
    report.instruction = call.substr(0, call.find('('));
    report.index = core_.next_index();
    Add(std::move(report));
}

}  // namespace sfumato::runtime
