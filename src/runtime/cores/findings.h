// SPDX-License-Identifier: Apache-2.0
// What is found of one core, each place once.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "check/check.h"
#include "report/finding.h"

namespace sfumato::runtime {

class Core;

class Findings final : public check::Sink {
public:
    explicit Findings(Core& core) : core_(core) {}

    // Adds a finding with this core's place. strict turns warnings into faults. A fault ends the core unless the launch
    // collects; then it returns false: do not go on with the call.
    bool Add(Report report);
    // The same with the record's instruction, index and source line: false where the finding refuses it.
    bool AddOf(const isa::Record& record, Report report);
    // check::Sink.
    void Find(const isa::Record& record, Report report) override { AddOf(record, std::move(report)); }
    // The same at the next record. call: with its arguments or without.
    void AddHere(Finding finding, std::string_view call, Where where);

    const std::vector<Report>& all() const { return all_; }
    std::vector<Report> Take() { return std::move(all_); }

private:
    Core& core_;
    std::vector<Report> all_;
    std::set<Site> seen_;
};

}  // namespace sfumato::runtime
