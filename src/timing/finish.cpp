// SPDX-License-Identifier: Apache-2.0
// What the model found, summed up, with the error of its kind (docs/spec/timing.md 8).
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "timing/model.h"

namespace sfumato::timing {
namespace {

// Of the critical path; above it an estimate has no interval (decided).
constexpr double kMuchAssumed = 0.2;

double Sum(const std::array<double, Path::kSpent>& spent) { return std::accumulate(spent.begin(), spent.end(), 0.0); }

struct ErrorClass {
    char name;
    double factor;
    std::string why;
};

// Of a launch with Mmads on cube cores that were `cube_busy` cycles at work.
ErrorClass ClassOfMatmul(const Ledger& ledger, const Ledger::Pipe& m, double core_us, Cycles cube_busy) {
    const double overlap = m.busy + ledger.PipeOf(true, isa::Pipe::kMte2).busy;
    // 512 cycles are a base block of 128x256x64 of half.
    const bool large = m.busy / static_cast<double>(m.records) >= 400;
    if (core_us < 10) return {'e', 0, "a matmul below 10 us; published ones took 1 to 6 times as long"};
    if (!ledger.Few(ledger.unaligned))
        return {'e', 0, "a matmul whose rows are not aligned; the published one took 2.5 times as long"};
    if (core_us >= 200 && large && overlap > 1.2 * cube_busy) return {'c', 1.25, "a double-buffered matmul"};
    return {'d', 2, "a matmul that is short, single-buffered or of small blocks"};
}

ErrorClass ClassOfVector(const Ledger& ledger, double core_us, Cycles vector_busy, double copies, double barriers) {
    if (barriers > 0.1) return {'d', 2, "barriers between vector instructions, whose cost two measurements give"};
    const double moved = ledger.PipeOf(false, isa::Pipe::kMte2).busy;
    if (ledger.copies == 0 || (copies < 0.05 && moved < 0.2 * vector_busy)) {
        if (core_us < 10) return {'e', 0, "vector work below 10 us; the published one took 2.5 times as long"};
        return ledger.conflicts > 0 ? ErrorClass{'a', 1.10, "vector work in UB with bank conflicts"}
                                    : ErrorClass{'a', 1.05, "vector work in UB"};
    }
    if (!ledger.Few(ledger.unaligned) || !ledger.Few(ledger.short_rows))
        return {'d', 2, "rows that are short or not aligned"};
    if (!ledger.Few(ledger.shared)) return {'d', 2, "cores that read the same lines"};
    if (core_us < 50) return {'d', 2, "a kernel shorter than 50 us"};
    return {'b', 1.10, "an elementwise kernel or copies"};
}

}  // namespace

// The share of cores of a kind that work, of the kind with the greater one.
double Model::SetPipes(TimeEstimate* t) const {
    const uint64_t at_once = std::min(setup_.blocks, setup_.blocks_at_once);
    const std::array<uint64_t, 2> used{at_once * setup_.vectors, at_once * setup_.cubes};
    const std::array<uint64_t, 2> all{setup_.chip.vector_cores, setup_.chip.cube_cores};
    t->cores = used[0] + used[1];
    double share = 0;
    for (const bool cube : {false, true}) {
        if (used[cube] == 0) continue;
        t->mean_core_us = std::max(t->mean_core_us, busy_[cube] / static_cast<double>(used[cube]) / cycles_per_us_);
        share = std::max(share, std::min(1.0, static_cast<double>(used[cube]) / static_cast<double>(all[cube])));
        for (size_t p = 0; p < isa::kPipeCount; ++p) {
            const Ledger::Pipe& pipe = ledger_.PipeOf(cube, static_cast<isa::Pipe>(p));
            if (pipe.busy == 0 && pipe.waiting == 0) continue;
            const double scale = 1 / static_cast<double>(used[cube]) / cycles_per_us_;
            t->pipes.push_back({cube ? "aic" : "aiv", static_cast<TimedPipe>(p), pipe.busy * scale,
                                pipe.waiting * scale, t->core_us > 0 ? pipe.busy * scale / t->core_us : 0});
        }
    }
    return share;
}

void Model::SetPath(const Path::Sums& path, TimeEstimate* t) const {
    for (size_t p = 0; p < path.by_pipe.size(); ++p) {
        for (size_t s = 0; s < Path::kSpent; ++s) {
            const double cycles = path.by_pipe[p][s];
            if (cycles <= last_ * 0.0005) continue;  // all of a kernel without instructions, too
            t->path.push_back(
                {static_cast<TimedPipe>(p), static_cast<Spent>(s), cycles / cycles_per_us_, cycles / last_});
        }
    }
    std::ranges::sort(t->path, [](const auto& a, const auto& b) { return a.us > b.us; });
    for (size_t i = 1; i < ledger_.lines().size(); ++i) {
        const Ledger::Line& line = ledger_.lines()[i];
        if (line.records == 0) continue;
        LineTime found{
            line.where.file, line.where.line, line.records, line.bytes, {}, line.conflicts / cycles_per_us_, 0};
        for (size_t p = 0; p < found.busy.size(); ++p) found.busy[p] = line.busy[p] / cycles_per_us_;
        const auto at = path.by_line.find(static_cast<uint32_t>(i));
        if (at != path.by_line.end() && last_ > 0) found.path = at->second / last_;
        t->lines.push_back(std::move(found));
    }
    std::ranges::sort(t->lines, [](const auto& a, const auto& b) {
        return a.path != b.path ? a.path > b.path : a.file != b.file ? a.file < b.file : a.line < b.line;
    });
}

void Model::SetError(const Path::Sums& path, TimeEstimate* t) const {
    const auto share = [&](double cycles) { return last_ > 0 ? cycles / last_ : 0; };
    const auto path_share = [&](TimedPipe pipe) { return share(Sum(path.by_pipe[static_cast<size_t>(pipe)])); };
    const Ledger::Pipe& m = ledger_.PipeOf(true, isa::Pipe::kM);
    const bool mix =
        setup_.cubes != 0 && setup_.vectors != 0 && m.records != 0 && ledger_.PipeOf(false, isa::Pipe::kV).records != 0;
    ErrorClass error;
    if (product_.tag == "assumed" || product_.gm_tag == "assumed") {
        error = {'e', 0, "figures of this chip are assumed"};
    } else if (share(path.assumed) > kMuchAssumed) {
        error = {'e', 0,
                 fmt::format("{:.0f} % of the critical path rests on assumed costs", 100 * path.assumed / last_)};
    } else if (mix) {
        error = {'e', 0, "no published kernel of both kinds of core was scored end to end"};
    } else if (m.records != 0) {
        error = ClassOfMatmul(ledger_, m, t->core_us, busy_[1]);
    } else {
        const double copies = path_share(TimedPipe::kMte2) + path_share(TimedPipe::kMte3) + path_share(TimedPipe::kFix);
        const double barriers = path.by_pipe[static_cast<size_t>(TimedPipe::kV)][static_cast<size_t>(Spent::kWait)];
        error = ClassOfVector(ledger_, t->core_us, busy_[0], copies, share(barriers));
    }
    t->error_class = error.name;
    t->factor = error.factor;
    t->error_why = std::move(error.why);
}

TimeEstimate Model::Estimate() {
    const std::lock_guard lock(mutex_);
    if (ended_blocks_ != setup_.blocks)
        throw Error("no estimate of time: cores wait for each other in a way that the model does not follow");
    const auto& c = timing_.constants;
    TimeEstimate t;
    t.chip = product_.name;
    t.kernel = kernel_;
    t.blocks = setup_.blocks;
    t.records = ledger_.records;
    t.megahertz = product_.megahertz;
    t.cycles = last_;
    t.core_us = last_ / cycles_per_us_;
    const double share = SetPipes(&t);
    t.head_us = setup_.options.l2_warm       ? c.launch_warm
                : setup_.options.launch_cold ? c.launch_base + c.launch_cold * share
                                             : c.launch_base + c.launch_full * share;
    t.task_us = t.core_us + t.head_us;
    const Path::Sums path = path_.To(last_node_);
    SetPath(path, &t);
    t.gm_read = ledger_.gm_read;
    t.gm_written = ledger_.gm_written;
    t.l2_hits = static_cast<uint64_t>(ledger_.l2_hits);
    if (t.core_us > 0) t.gm_tbs = ledger_.gm_moved / t.core_us / 1e6;
    t.gm_share = t.gm_tbs / product_.gm_tbs;
    t.conflict_cycles = ledger_.conflicts;
    for (const std::string& call : ledger_.assumed()) t.assumed.push_back(call);
    SetError(path, &t);
    t.hints = Hints(t, share >= 1);
    if (setup_.options.scalar_cycles == 0)
        t.notes.push_back(
            "C++ code between instructions costs nothing here; --scalar-cycles N charges N cycles for each "
            "instruction");
    if (setup_.drawing) setup_.drawing->Ended(last_, path_.SliceOf(last_node_));
    return t;
}

}  // namespace sfumato::timing
