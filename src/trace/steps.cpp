// SPDX-License-Identifier: Apache-2.0
// The timeline of a launch without times.
#include "trace/steps.h"

#include <algorithm>

#include "report/rules.h"
#include "trace/core_steps.h"

namespace sfumato::trace {

void Steps::LaunchBegun(const events::LaunchFacts& facts) {
    std::lock_guard lock(mutex_);
    sink_->Begun({facts.chip, facts.kernel, facts.blocks, "step", 1, false});
}

std::unique_ptr<events::CoreListener> Steps::Begin(const events::Place& place, events::Tell) {
    std::lock_guard lock(mutex_);
    sink_->Add(place);
    return std::make_unique<CoreSteps>(this, place);
}

// What the cores stood at, from where they stood to the end.
void Steps::Close(std::span<const Report> findings) {
    const double end = end_ + std::max(4.0, end_ / 8);  // seen beside what was done
    const bool deadlock =
        std::ranges::any_of(findings, [&](const Report& finding) { return finding.rule == Rule::kDeadlock; });
    for (auto& [name, stopped] : stopped_) {
        std::vector<const Report*> faults;
        bool stuck = deadlock;
        for (const Report& finding : findings) {
            if (finding.severity != Severity::kFault || finding.core != name) continue;
            faults.push_back(&finding);
            stuck = stuck || finding.rule == Rule::kWaitNeverSatisfied;
        }
        for (const Left& left : stopped.left) {
            std::string note = left.note;
            const bool never = left.kind == Slice::Kind::kWait && stuck;
            if (left.kind == Slice::Kind::kWait && !stuck) note = "still waiting when the core stopped" + note;
            std::erase_if(faults, [&](const Report* fault) {
                if (!never || fault->index != left.index) return false;
                note = fault->Text() + note;
                return true;
            });
            AddLeft(stopped.place, left, never ? Slice::Kind::kNever : left.kind, end, note);
        }
        if (!faults.empty()) AddFault(sink_, *faults.front(), stopped.place.order, stopped.since, end);
    }
    sink_->Ended(findings, {});
}

void Steps::AddLeft(const events::Place& place, const Left& left, Slice::Kind kind, double end,
                    const std::string& note) {
    sink_->Add(
        Slice{place.order, left.row, kind, left.since, end, left.name, left.where, left.index, left.details, 0, note});
}

}  // namespace sfumato::trace
