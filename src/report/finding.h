// SPDX-License-Identifier: Apache-2.0
// What src/check, the runtime and the front ends find wrong, and the report it becomes.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "report/rules.h"

namespace sfumato {

struct Finding {
    Rule rule;
    std::string operand, message, found, legal, hint;  // message without the call's name
};

// A report of the rule, its other fields empty.
inline Report ReportOf(Rule rule) {
    Report report;
    report.severity = Info(rule).severity;
    report.rule = rule;
    return report;
}

// The same report, of a run.
inline Report Stamped(Report report, std::string_view chip, std::string_view kernel = {}) {
    report.chip = chip;
    report.kernel = kernel;
    return report;
}

// `call` as the user wrote it. Chip, kernel, core and index are for the launch to add.
inline Report ToReport(Finding finding, std::string_view call, Where where) {
    Report report = ReportOf(finding.rule);
    report.instruction = call;
    report.operand = std::move(finding.operand);
    report.message = call.empty() ? std::move(finding.message) : std::string(call) + ": " + finding.message;
    report.found = std::move(finding.found);
    report.legal = std::move(finding.legal);
    report.hint = std::move(finding.hint);
    report.file = where.file;
    report.line = where.line;
    return report;
}

// Findings of one place are told once for a core: those of a call site; of unlisted-on-chip those of a call's name.
using Site = std::tuple<Rule, std::string, uint32_t>;
inline Site SiteOf(const Report& report) {
    if (report.rule == Rule::kUnlistedOnChip) return {report.rule, report.instruction, 0};
    return {report.rule, report.file, report.line};
}

}  // namespace sfumato
