// SPDX-License-Identifier: Apache-2.0
// Findings and numbers of several ranks, put together.
#include "runtime/world/rank_results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "report/rules.h"

namespace sfumato::runtime {
namespace {

bool SamePlace(const Report& a, const Report& b) {
    const auto key = [](const Report& r) {
        return std::tie(r.rule, r.severity, r.file, r.line, r.message, r.operand, r.kernel);
    };
    return key(a) == key(b);
}

void AddReadings(std::vector<Reading>* all, std::vector<Reading> more) {
    for (Reading& reading : more) {
        const auto same = std::ranges::find_if(
            *all, [&](const Reading& r) { return r.call == reading.call && r.reading == reading.reading; });
        if (same != all->end()) {
            same->count += reading.count;
        } else {
            all->push_back(std::move(reading));
        }
    }
    std::ranges::stable_sort(*all, {}, &Reading::call);
}

void AddNumbers(LaunchResult* whole, const LaunchResult& more) {
    whole->records += more.records;
    if (whole->task_type.empty()) {
        whole->task_type = more.task_type;
        whole->task_type_from = more.task_type_from;
    }
    AddReadings(&whole->rests_on, more.rests_on);
    whole->cost.bytes_gm_read += more.cost.bytes_gm_read;
    whole->cost.bytes_gm_written += more.cost.bytes_gm_written;
    whole->cost.vector_elements += more.cost.vector_elements;
    whole->cost.mac += more.cost.mac;
    if (whole->trace.empty()) whole->trace = more.trace;
    if (whole->trace_error.empty()) whole->trace_error = more.trace_error;
}

}  // namespace

void AddResult(LaunchResult* whole, LaunchResult more) {
    AddNumbers(whole, more);
    for (Report& report : more.findings) {
        const bool known = std::ranges::any_of(
            whole->findings, [&](const Report& r) { return r.core == report.core && SamePlace(r, report); });
        if (!known) whole->findings.push_back(std::move(report));
    }
}

LaunchResult Together(const std::vector<LaunchResult>& results) {
    LaunchResult whole;
    std::vector<size_t> owners;                    // of each finding of `whole`
    std::map<size_t, std::vector<uint32_t>> also;  // other ranks that have it
    for (size_t i = 0; i < results.size(); ++i) {
        AddNumbers(&whole, results[i]);
        for (const Report& report : results[i].findings) {
            size_t same = 0;
            while (same < owners.size() && (owners[same] == i || !SamePlace(whole.findings[same], report))) ++same;
            if (same == owners.size()) {
                owners.push_back(i);
                whole.findings.push_back(report);
                continue;
            }
            const Report& known = whole.findings[same];
            auto& others = also[same];
            if (report.rank && known.rank != report.rank && (others.empty() || others.back() != *report.rank))
                others.push_back(*report.rank);
        }
    }
    for (const auto& [at, ranks] : also) {
        if (ranks.empty()) continue;
        Report& report = whole.findings[at];
        report.found += fmt::format("{}the same on rank{} {}", report.found.empty() ? "" : "; ",
                                    ranks.size() == 1 ? "" : "s", fmt::join(ranks, ", "));
    }
    std::ranges::stable_partition(whole.findings, [](const Report& r) { return r.rule != Rule::kRankExited; });
    return whole;
}

void AddFoundUnder(const std::string& schedule, const LaunchResult& other, LaunchResult* result) {
    for (Report report : other.findings) {
        const bool known = std::ranges::any_of(result->findings, [&](const Report& r) {
            return r.rule == report.rule && r.file == report.file && r.line == report.line;
        });
        if (known) continue;
        report.found +=
            fmt::format("{}under the schedule {}, not under eager", report.found.empty() ? "" : "; ", schedule);
        result->findings.push_back(std::move(report));
    }
}

}  // namespace sfumato::runtime
