// SPDX-License-Identifier: Apache-2.0
// What records touch, and what that lets them overtake.
#include "runtime/pipes/queues.h"

#include <algorithm>

#include "isa/spans.h"
#include "isa/touched.h"

namespace sfumato::runtime {

const std::vector<isa::Span>& Waiting::RunsOf(size_t access) const {
    std::vector<isa::Span>& runs = runs_[access];
    if (!runs.empty()) return runs;
    const events::Access& whole = Touches()[access];
    if (whole.operand < 0) return runs = {whole.bytes};
    std::vector<isa::Span> found;
    isa::ForEachRun(record, whole.operand, nullptr, [&](const isa::Span& run) { found.push_back(run); });
    std::ranges::sort(found, [](const auto& a, const auto& b) { return a.begin < b.begin; });
    for (const isa::Span& run : found) {
        if (!runs.empty() && run.begin <= runs.back().end) {
            runs.back().end = std::max(runs.back().end, run.end);
        } else {
            runs.push_back(run);
        }
    }
    return runs;
}

bool Waiting::ConflictsExactly(const Waiting& other) const {
    const events::Accesses &mine = Touches(), &theirs = other.Touches();
    for (size_t i = 0; i < mine.size(); ++i) {
        for (size_t j = 0; j < theirs.size(); ++j) {
            if (!events::Conflict(mine[i], theirs[j])) continue;
            const std::vector<isa::Span>&a = RunsOf(i), &b = other.RunsOf(j);
            for (size_t x = 0, y = 0; x < a.size() && y < b.size(); a[x].end <= b[y].end ? ++x : ++y) {
                if (a[x].Overlaps(b[y])) return true;
            }
        }
    }
    return false;
}

bool Overtaking::May(const Waiting& earlier, const Waiting& later) const {
    if (scalar_) return false;
    const auto* shape = matmul_ ? later.record.If<isa::Matmul>() : nullptr;
    const bool short_product = shape && !isa::KeepsOrder(*shape);
    const bool kept =
        vector_kept_ || (matmul_ && !short_product) || (isa::IsAtomic(earlier.record) && isa::IsAtomic(later.record));
    return !kept || !earlier.Touches().Conflicts(later.Touches());
}

}  // namespace sfumato::runtime
