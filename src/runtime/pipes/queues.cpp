// SPDX-License-Identifier: Apache-2.0
// What records touch, and what that lets them overtake.
#include "runtime/pipes/queues.h"

#include <algorithm>

#include "isa/spans.h"
#include "isa/touched.h"
#include "isa/vector_registers.h"

namespace sfumato::runtime {

Accesses::Accesses(const isa::Record& r) {
    const auto operand = [&](int i) { Add({r.operand[i].memory, r.operand[i].allocation, isa::SpanOf(r, i), i}); };
    const bool works = r.operand_count > 2 && isa::IsWritten(r, 2);
    if (r.operand_count > 0) operand(0);
    if (works) operand(2);
    const isa::Span written = isa::RegisterWritten(r);
    if (written.begin != written.end) Add({isa::Memory::kRegister, 0, written});
    writes_ = count_;
    for (int i = 1; i < (works ? 2 : r.operand_count); ++i) operand(i);
    const isa::Span words = isa::WordsSpan(r);
    if (words.begin != words.end) Add({isa::Memory::kUb, 0, words});
}

bool Accesses::Conflicts(const Accesses& other) const {
    for (int i = 0; i < count_; ++i) {
        for (int j = 0; j < other.count_; ++j) {
            if (i >= writes_ && j >= other.writes_) continue;  // two reads
            if (access_[i].Overlaps(other.access_[j])) return true;
        }
    }
    return false;
}

const std::vector<isa::Span>& Waiting::RunsOf(int access) const {
    std::vector<isa::Span>& runs = runs_[static_cast<size_t>(access)];
    if (!runs.empty()) return runs;
    const Access& whole = Touches()[access];
    if (whole.operand < 0) return runs = {whole.span};
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
    const Accesses &mine = Touches(), &theirs = other.Touches();
    for (int i = 0; i < mine.count(); ++i) {
        for (int j = 0; j < theirs.count(); ++j) {
            if ((i >= mine.writes() && j >= theirs.writes()) || !mine[i].Overlaps(theirs[j])) continue;
            const std::vector<isa::Span>&a = RunsOf(i), &b = other.RunsOf(j);
            for (size_t x = 0, y = 0; x < a.size() && y < b.size(); a[x].end <= b[y].end ? ++x : ++y) {
                if (a[x].Overlaps(b[y])) return true;
            }
        }
    }
    return false;
}

void VisitTouched(const isa::Record& record, const std::function<void(isa::Memory, uint32_t, isa::Span, bool)>& visit) {
    if (IsControl(record)) return;
    const Accesses accesses(record);
    for (int i = 0; i < accesses.count(); ++i) {
        const Access& a = accesses[i];
        if (a.span.begin != a.span.end) visit(a.memory, a.allocation, a.span, i < accesses.writes());
    }
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
