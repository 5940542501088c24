// SPDX-License-Identifier: Apache-2.0
// Where the records of a core stand.
#include "trace/core_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/print.h"
#include "isa/spans.h"
#include "isa/touched.h"

namespace sfumato::trace {

using isa::Pipe;
using isa::Record;

namespace {

constexpr double kStep = 1;
constexpr double kInside = 0.125;  // where arrows leave a slice

// What crosses the border to global memory, or leaves L1 or L0C: of other records the lanes say enough.
uint64_t MovedBytes(const Record& record) {
    if (record.pipe == Pipe::kV || record.pipe == Pipe::kM || record.pipe == Pipe::kS) return 0;
    uint64_t bytes = 0;
    isa::ForEachRun(record, 0, nullptr, [&](const isa::Span& run) { bytes += run.end - run.begin; });
    return bytes;
}

Slice SliceOf(const Record& record, Slice::Kind kind, double begin, double end, std::string_view details) {
    if (details.starts_with(' ')) details.remove_prefix(1);
    return {0, 0, kind, begin, end, isa::CallName(record), record.where, record.index, details, 0, ""};
}

size_t QueueOf(const Record& record) {
    return static_cast<size_t>(record.pipe) < isa::kPipeCount ? static_cast<size_t>(record.pipe) : 0;
}

std::string FlagName(const isa::Flag& flag) {
    const std::string pipes = fmt::format("{} to {}", isa::Name(flag.from), isa::Name(flag.to));
    return flag.token ? pipes : fmt::format("{}, id {}", pipes, flag.id);
}

}  // namespace

CoreSteps::CoreSteps(Steps* steps, events::Place place)
    : steps_(steps), place_(std::move(place)), flags_(steps->flags_), scopes_([this](const Slice& call) {
          Slice slice = call;
          slice.core = place_.order;
          steps_->sink_->Add(slice);
      }) {}

CoreSteps::~CoreSteps() {
    const std::lock_guard lock(steps_->mutex_);
    steps_->stopped_.insert_or_assign(place_.name, Stood());
}

double CoreSteps::AllFree() const {
    double all = 0;
    for (const RowState& row : rows_) all = std::max(all, row.free);
    return all;
}

void CoreSteps::Place_(Row row, Slice slice) {
    RowState& state = At(row);
    slice.core = place_.order;
    slice.row = static_cast<uint32_t>(row);
    steps_->sink_->Add(slice);
    state.free = slice.end;
    state.last = {slice.core, slice.row, slice.end - kInside};
    // What ends a wait leads to its end.
    const bool work = slice.kind == Slice::Kind::kRecord;
    const Point to{slice.core, slice.row, work ? slice.begin : slice.end - kInside / 2};
    for (const Waiting& w : state.into) steps_->sink_->Add(Arrow{w.from, to, w.name});
    state.into.clear();
    steps_->end_ = std::max(steps_->end_, slice.end);
}

void CoreSteps::On(const events::Issued& event) {
    const std::lock_guard lock(steps_->mutex_);
    const Record& record = event.record;
    issued_ = record.index + 1;
    const bool in_order = event.in_order || isa::HasUnitFlag(record);
    pending_[QueueOf(record)].push_back({record, ScalarStep(), scopes_.Issued(record.index), in_order});
}

CoreSteps::Pending CoreSteps::TakePending(const Record& record) {
    auto& queue = pending_[QueueOf(record)];
    const auto at = std::ranges::find_if(queue, [&](const Pending& p) { return p.record.index == record.index; });
    if (at == queue.end()) return {record, ScalarStep(), 0, false};
    Pending pending = std::move(*at);
    queue.erase(at);
    return pending;
}

void CoreSteps::On(const events::Executed& event) {
    const std::lock_guard lock(steps_->mutex_);
    Done(event.record);
}

void CoreSteps::On(const events::Skipped& event) {
    const std::lock_guard lock(steps_->mutex_);
    Done(event.record);
}

void CoreSteps::Done(const Record& record) {
    const Pending pending = TakePending(record);
    const double from = std::max(At(RowOf(record.pipe)).free, pending.issued);
    if (!isa::IsControl(record)) return RunRecord(record, pending);
    isa::VisitControl(record, [&](const auto& parameters) { Pass(record, parameters, from); });
    scopes_.Placed(pending.scope, from, from);
}

void CoreSteps::RunRecord(const Record& record, const Pending& pending) {
    const Row row = RowOf(record.pipe);
    RowState& state = At(row);
    const Point since{place_.order, static_cast<uint32_t>(row), std::max(state.free, pending.issued)};
    const Point begin = pending.in_order ? hazards_.Before(record, since) : since;
    if (begin.at > since.at && begin.row != static_cast<uint32_t>(row)) {
        const Point& last = rows_[begin.row].last;
        state.into.push_back({{begin.core, begin.row, std::min(last.at, begin.at - kInside)}, "data"});
    }
    details_.clear();
    isa::PrintDetails(details_, record);
    Slice slice = SliceOf(record, Slice::Kind::kRecord, begin.at, begin.at + kStep, details_);
    slice.bytes = MovedBytes(record);
    Place_(row, slice);
    hazards_.Note(record, {place_.order, static_cast<uint32_t>(row), slice.end});
    scopes_.Placed(pending.scope, slice.begin, slice.end);
}

void CoreSteps::Pass(const Record& record, const isa::Flag& flag, double from) {
    if (!Has(record.op, isa::kWaits)) {
        flags_.Set(flag) = {from, At(RowOf(record.pipe)).last};
        return;
    }
    const FlagSet* set = flags_.Take(flag);
    if (!set) return;
    const Row row = RowOf(record.pipe);
    RowState& state = At(row);
    // Nothing to point from: the flag was set before its pipe had done anything.
    if (set->from.at >= 0) state.into.push_back({set->from, FlagName(flag)});
    state.free = std::max(state.free, from);
    if (set->at <= from) return;
    Place_(row, SliceOf(record, Slice::Kind::kWait, from, set->at, FlagName(flag)));
}

void CoreSteps::Pass(const Record& record, const isa::Barrier&, double from) {
    if (record.pipe != Pipe::kAll) return;
    const double begin = std::max({from, ScalarStep(), At(Row::kFlow).free}), end = std::max(begin, AllFree());
    RowState& flow = At(Row::kFlow);
    for (size_t row = 0; row < kRows; ++row) {
        const Point& last = rows_[row].last;
        if (row != static_cast<size_t>(Row::kFlow) && last.at >= 0 && rows_[row].free == end && end > begin)
            flow.into.push_back({last, "PIPE_ALL"});
    }
    if (end > begin) Place_(Row::kFlow, SliceOf(record, Slice::Kind::kBarrier, begin, end, "PIPE_ALL"));
    ScalarStep() = std::max(ScalarStep(), end);
}

void CoreSteps::On(const events::Accessed& event) {
    const events::ScalarAccess& access = event.access;
    if (access.write || !access.IsCall()) return;
    const std::lock_guard lock(steps_->mutex_);
    const Point since{place_.order, 0, ScalarStep()};
    ScalarStep() = hazards_.Before({access.memory, access.allocation, access.bytes, false}, since).at;
}

void CoreSteps::On(const events::Call& call) {
    using Kind = events::Call::Kind;
    const std::lock_guard lock(steps_->mutex_);
    if (call.kind == Kind::kBegun || call.kind == Kind::kRange) scopes_.Begin(call.name, call.where);
    if (call.kind == Kind::kEnded) scopes_.End();
}

Moment CoreSteps::DoneBy(const Record* record) const {
    if (record) {
        const RowState& row = At(RowOf(record->pipe));
        return {std::max(row.free, At(Row::kScalar).free), row.last.at < 0 ? Point{0, kRows, 0} : row.last};
    }
    Moment all{AllFree(), {}};
    all.from.row = kRows;
    for (const RowState& row : rows_) {
        if (row.last.at >= 0 && row.free == all.at) all.from = row.last;
    }
    return all;
}

// What waits for other cores ends when they have come so far.
void CoreSteps::Join(const Moment& other) {
    RowState& flow = At(Row::kFlow);
    const double begin = std::max(ScalarStep(), flow.free), end = std::max(begin, other.at);
    if (end > begin) {
        if (other.from.core != place_.order && other.from.row < kRows) flow.into.push_back({other.from, waits_for_});
        Place_(Row::kFlow, {0, 0, Slice::Kind::kBarrier, begin, end, waits_for_, waits_at_, issued_, "", 0, ""});
    }
    ScalarStep() = end;
    waits_for_.clear();
}

void CoreSteps::On(const events::Sync& sync) {
    using Kind = events::Sync::Kind;
    const std::lock_guard lock(steps_->mutex_);
    if (sync.kind == Kind::kPassed) return Done(*sync.record);
    if (sync.kind == Kind::kDrained) ScalarStep() = std::max(ScalarStep(), AllFree());
    if (sync.kind == Kind::kWaits) {
        waits_for_ = sync.call;
        waits_at_ = sync.where;
    }
    const auto known = steps_->order_.Synced(place_, sync, [&] { return DoneBy(sync.record); });
    if (known) Join(*known);
}

// The first record of a queue stands for the pipe; the others are behind it.
Steps::Stopped CoreSteps::Stood() {
    constexpr size_t kMostNamed = 8;
    scopes_.Close();
    Steps::Stopped stopped{place_, AllFree(), {}};
    const auto add = [&](Row row, Slice::Kind kind, std::string name, std::string details, Where where,
                         uint64_t index) {
        const double since = std::max(ScalarStep(), At(row).free);
        stopped.left.push_back(
            {kind, static_cast<uint32_t>(row), since, std::move(name), std::move(details), where, index, ""});
    };
    for (const auto& queue : pending_) {
        if (queue.empty()) continue;
        const Record& first = queue.front().record;
        const isa::Flag* flag = FlagOf(first);
        const bool cross = Has(first.op, isa::kWaits) && !flag;
        const bool waits = Has(first.op, isa::kWaits) && flag && !flags_.IsSet(*flag);
        std::string details;
        isa::PrintDetails(details, first);
        add(cross ? Row::kFlow : RowOf(first.pipe), waits || cross ? Slice::Kind::kWait : Slice::Kind::kQueued,
            isa::CallName(first), details.substr(details.starts_with(' ') ? 1 : 0), first.where, first.index);
        if (cross) waits_for_.clear();
        std::string& note = stopped.left.back().note;
        for (size_t i = 1; i < queue.size() && i <= kMostNamed; ++i) {
            const Record& behind = queue[i].record;
            note += fmt::format("{}{} (line {})", i == 1 ? "\nbehind it: " : ", ", isa::CallName(behind),
                                behind.where.line);
        }
        if (queue.size() > kMostNamed + 1) note += fmt::format(" and {} more", queue.size() - kMostNamed - 1);
    }
    if (!waits_for_.empty()) add(Row::kFlow, Slice::Kind::kWait, waits_for_, "", waits_at_, issued_);
    return stopped;
}

}  // namespace sfumato::trace
