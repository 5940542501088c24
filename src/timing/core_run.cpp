// SPDX-License-Identifier: Apache-2.0
// The scalar unit and the pipes of a core.
#include "timing/core_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "timing/without.h"

namespace sfumato::timing {

using isa::Pipe;

namespace {

constexpr uint8_t kEveryPipe = (1u << isa::kPipeCount) - 1;

constexpr uint8_t Bit(Pipe pipe) { return static_cast<uint8_t>(1u << static_cast<int>(pipe)); }
constexpr Pipe Other(Pipe pipe) { return pipe == Pipe::kM ? Pipe::kFix : Pipe::kM; }

float& At(Path::Step& step, Spent spent) { return step.spent[static_cast<size_t>(spent)]; }

}  // namespace

CoreRun::CoreRun(const Common& common, uint32_t core, bool cube, Cycles begin, Path::Node node, EventQueue& stream)
    : common_(common), core_(core), cube_(cube), stream_(stream), scalar_(begin), base_(begin), base_node_(node) {
    for (Queue& q : queues_) {
        q.free = q.done = begin;
        q.free_node = q.done_node = node;
    }
}

Path::Step CoreRun::StepOf(const Event& e) const {
    Path::Step step;
    step.pipe = Timed(e.pipe);
    step.line = common_.ledger.LineOf(e.where);
    step.assumed = e.assumed;
    return step;
}

bool CoreRun::Run() {
    for (;;) {
        const bool fed = Issue();
        if (ended_) return true;
        if (dirty_ == 0) return fed;
        while (dirty_ != 0) {
            const auto pipe = static_cast<Pipe>(__builtin_ctz(dirty_));
            dirty_ = static_cast<uint8_t>(dirty_ & ~Bit(pipe));
            while (RunPipe(pipe)) {
            }
        }
    }
}

// False: it needs events that are not there.
bool CoreRun::Issue() {
    for (;;) {
        if (stream_.empty()) return false;
        if (!IssueOne(stream_.front())) return true;
        stream_.pop_front();
        if (ended_) return true;
    }
}

bool CoreRun::Quiet() const {
    return std::all_of(queues_.begin(), queues_.end(), [](const Queue& q) { return q.count == 0; });
}

trace::Slice CoreRun::SliceOf(const Event& e, trace::Row row, Cycles begin, Cycles end) const {
    trace::Slice slice;
    slice.core = core_;
    slice.row = static_cast<uint32_t>(row);
    slice.begin = begin;
    slice.end = end;
    slice.name = *e.call ? e.call : "end of the block";  // its last wait for all pipes
    slice.where = e.where;
    slice.index = e.index;
    return slice;
}

void CoreRun::Join(Cycles at, Path::Node node, const Event& e, trace::Row row) {
    if (at <= scalar_) return;
    common_.ledger.AddWaiting(cube_, Pipe::kS, at - scalar_);
    if (common_.drawing) {
        trace::Slice wait = SliceOf(e, row, scalar_, at);
        wait.kind = row == trace::Row::kFlow ? trace::Slice::Kind::kBarrier : trace::Slice::Kind::kWait;
        common_.drawing->Took(wait);
    }
    scalar_ = base_ = at;
    base_node_ = node;
}

void CoreRun::JoinAll(const Event& e) {
    const Queue* latest = &queues_[0];
    for (const Queue& q : queues_) {
        if (q.done > latest->done) latest = &q;
    }
    Join(latest->done, latest->done_node, e, trace::Row::kFlow);
}

void CoreRun::Scalar(const Event& e, double cycles) {
    common_.ledger.AddBusy(cube_, Pipe::kS, cycles);
    common_.ledger.line(common_.ledger.LineOf(e.where)).busy[static_cast<size_t>(Pipe::kS)] += cycles;
    Blame(e, Without::kScalar, cycles);
    Path::Step step = StepOf(e);
    step.pipe = TimedPipe::kS;
    At(step, Spent::kIssue) = static_cast<float>(scalar_ - base_);
    At(step, Spent::kWork) = static_cast<float>(cycles);
    base_node_ = common_.path.Add(base_node_, step);
    if (common_.drawing) {
        CostParts cost;
        cost.work = cycles;
        common_.drawing->Worked(SliceOf(e, trace::Row::kScalar, scalar_, scalar_ + cycles), cost, Cause::kIssue);
    }
    scalar_ += cycles;
    base_ = scalar_;
}

void CoreRun::Blame(const Event& e, Without cause, double cost) {
    common_.ledger.AddCause(common_.ledger.line(common_.ledger.LineOf(e.where)), cause, cost);
}

bool CoreRun::IssueOne(Event& e) {
    using Kind = Event::Kind;
    switch (e.kind) {
        case Kind::kBarrierAll:
            if (!Quiet()) return false;
            JoinAll(e);
            ++common_.ledger.barriers;
            Blame(e, Without::kBarriers, 1);
            return true;
        case Kind::kRaise:
            if (!Quiet()) return false;
            JoinAll(e);
            common_.launch.RaiseAt(scalar_, core_, e.sync.key, base_node_);
            return true;
        case Kind::kEnd:
            if (!Quiet()) return false;
            JoinAll(e);
            ended_ = true;
            common_.launch.Ended(scalar_, core_);
            return true;
        case Kind::kAwait: {
            Cycles at = 0;
            Path::Node node = Path::kStart;
            if (!common_.launch.Reached(core_, e, &at, &node)) return false;
            Join(at, node, e, trace::Row::kFlow);
            return true;
        }
        case Kind::kScalarRead: {
            const Queue& v = QueueOf(Pipe::kV);
            if (v.count != 0) return false;
            Join(v.done, v.done_node, e, trace::Row::kScalar);
            Scalar(e, static_cast<double>(e.cost.work));
            return true;
        }
        case Kind::kScalar: Scalar(e, static_cast<double>(e.cost.work)); return true;
        default: break;
    }
    if (e.pipe != Pipe::kS) return Enqueue(e);
    if (e.kind == Kind::kSet) {
        SetFlag(e, scalar_, base_node_);
    } else if (e.kind == Kind::kWait) {
        Flag flag;
        if (!TakeFlag(e, &flag)) return false;
        Join(flag.at, flag.node, e, trace::Row::kScalar);
    } else if (e.kind == Kind::kCrossSet) {
        common_.launch.SetCrossAt(scalar_, core_, e, base_node_);
    }
    return true;
}

bool CoreRun::Enqueue(Event& e) {
    Queue& q = QueueOf(e.pipe);
    if (q.count == kDepth) return false;
    const double cycles = common_.constants.scalar_issue + common_.scalar_cycles;
    scalar_ += cycles;
    common_.ledger.AddBusy(cube_, Pipe::kS, cycles);
    if (q.entered >= kDepth) {
        const Cycles room = q.left[q.entered % kDepth];
        if (room > scalar_) Join(room, q.free_node, e, trace::Row::kFlow);
    }
    if (e.kind == Event::Kind::kAfter && !by_operands_) WatchCompletions();
    Entry& entry = q.ring[(q.first + q.count) % kDepth];
    ++q.count;
    ++q.entered;
    entry.issued = scalar_;
    entry.base = base_;
    entry.base_node = base_node_;
    if (e.unit_flag) {
        ++q.issued;
        entry.other = QueueOf(Other(e.pipe)).issued;
    }
    dirty_ |= Bit(e.pipe);
    entry.event = std::move(e);
    return true;
}

void CoreRun::SetFlag(const Event& e, Cycles at, Path::Node node) {
    flags_.push_back({e.sync.key, at, node, e.pipe});
    dirty_ |= Bit(e.to);
}

bool CoreRun::TakeFlag(const Event& e, Flag* flag) {
    for (size_t i = 0; i < flags_.size(); ++i) {
        if (flags_[i].key != e.sync.key) continue;
        *flag = flags_[i];
        flags_.erase(flags_.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
    }
    return false;
}

// Of what was done before, the latest is known.
void CoreRun::WatchCompletions() {
    by_operands_ = true;
    for (Queue& q : queues_) q.latest.fill({q.done, q.done_node});
}

bool CoreRun::Reached(const Event& e, Flag* flag) {
    if (e.kind == Event::Kind::kWait) return TakeFlag(e, flag);
    const Queue& q = QueueOf(e.from);
    if (q.completed < e.sync.count) return false;
    // Of older ones the oldest that is known: they are done as well.
    const uint64_t number = std::max(e.sync.count, q.completed < kDepth ? 1 : q.completed - kDepth + 1);
    const Queue::Done& done = q.latest[number % kDepth];
    *flag = {0, done.at, done.node, e.from};
    return true;
}

bool CoreRun::RunPipe(Pipe pipe) {
    Queue& q = QueueOf(pipe);
    return q.count != 0 && !q.moves && RunFirst(q, pipe);
}

void CoreRun::Leave(Queue& q, Cycles at) {
    q.left[(q.entered - q.count) % kDepth] = at;
    q.first = (q.first + 1) % kDepth;
    --q.count;
}

// What its beginning waited for: the scalar unit, or what its pipe did before.
Path::Node CoreRun::StartNode(const Queue& q, const Entry& entry) {
    if (entry.issued <= q.free) return q.free_node;
    Path::Step step = StepOf(entry.event);
    step.pipe = TimedPipe::kS;
    At(step, Spent::kIssue) = static_cast<float>(entry.issued - entry.base);
    return common_.path.Add(entry.base_node, step);
}

// Mmad and Fixpipe hand over C fractal by fractal: one begins no earlier than what the other has before it.
bool CoreRun::UnitReady(const Queue& q, Pipe pipe) {
    const Entry& entry = q.ring[q.first];
    return !entry.event.unit_flag || QueueOf(Other(pipe)).ran >= entry.other;
}

void CoreRun::WaitForFlag(Queue& q, Pipe pipe, const Event& e, const Flag& flag, Cycles here) {
    const double wakeup = common_.constants.flag_wakeup;
    Path::Step step = StepOf(e);
    At(step, Spent::kWait) = static_cast<float>(wakeup);
    q.free = flag.at + wakeup;
    q.free_node = common_.path.Add(flag.node, step);
    q.cause = Cause::kFlag;
    common_.ledger.AddWaiting(cube_, pipe, q.free - here);
    if (q.free > q.done) {
        q.done = q.free;
        q.done_node = q.free_node;
    }
    if (!common_.drawing) return;
    const trace::Row row = trace::RowOf(pipe), from = trace::RowOf(flag.from);
    trace::Slice wait = SliceOf(e, row, here, q.free);
    wait.kind = trace::Slice::Kind::kWait;
    common_.drawing->Took(wait);
    const std::string name = fmt::format("{} to {}, id {}", isa::Name(flag.from), isa::Name(pipe), e.flag);
    common_.drawing->Linked(
        {{core_, static_cast<uint32_t>(from), flag.at}, {core_, static_cast<uint32_t>(row), q.free}, name});
}

bool CoreRun::RunFirst(Queue& q, Pipe pipe) {
    using Kind = Event::Kind;
    Entry& entry = q.front();
    const Event& e = entry.event;
    switch (e.kind) {
        case Kind::kWork:
            if (!UnitReady(q, pipe)) return false;
            RunWork(q, pipe);
            return true;
        case Kind::kTransfer: {
            if (!UnitReady(q, pipe)) return false;
            q.begin = std::max(q.free, entry.issued);
            if (e.unit_flag) q.begin = std::max(q.begin, QueueOf(Other(pipe)).last_begin);
            q.moves = true;
            common_.launch.StartAt(q.begin, core_, pipe);
            return false;
        }
        case Kind::kSet: {
            const bool late = entry.issued > q.done;
            SetFlag(e, std::max(q.done, entry.issued), late ? StartNode(q, entry) : q.done_node);
            Leave(q, std::max(q.free, entry.issued));
            return true;
        }
        case Kind::kAfter:
        case Kind::kWait: {
            Flag flag;
            if (!Reached(e, &flag)) return false;
            const Cycles here = std::max(q.free, entry.issued);
            if (flag.at > here) WaitForFlag(q, pipe, e, flag, here);
            Leave(q, std::max(q.free, entry.issued));
            return true;
        }
        case Kind::kBarrier: {
            const double more = pipe == Pipe::kV ? common_.constants.vec_barrier : 0;
            const Cycles at = std::max(q.done, entry.issued) + more;
            Path::Step step = StepOf(e);
            At(step, Spent::kWait) = static_cast<float>(more);
            const bool late = entry.issued > q.done;
            q.free_node = common_.path.Add(late ? StartNode(q, entry) : q.done_node, step);
            q.done_node = q.free_node;
            common_.ledger.AddWaiting(cube_, pipe, more);
            q.free = q.done = at;
            q.cause = Cause::kBarrier;
            Leave(q, at);
            return true;
        }
        case Kind::kCrossSet: {
            const bool late = entry.issued > q.done;
            common_.launch.SetCrossAt(std::max(q.done, entry.issued), core_, e,
                                      late ? StartNode(q, entry) : q.done_node);
            Leave(q, std::max(q.free, entry.issued));
            return true;
        }
        default: Leave(q, std::max(q.free, entry.issued)); return true;
    }
}

void CoreRun::RunWork(Queue& q, Pipe pipe) {
    const Entry& entry = q.front();
    const Event& e = entry.event;
    Cycles begin = std::max(q.free, entry.issued);
    Cycles at_least = 0;
    if (e.unit_flag) {
        const Queue& other = QueueOf(Other(pipe));
        begin = std::max(begin, other.last_begin);
        if (pipe == Pipe::kFix) at_least = other.last_end;
    }
    CostParts cost;
    cost.head = static_cast<double>(e.cost.head);
    if (pipe == Pipe::kM && begin > q.last_end) {
        cost.head = common_.constants.mmad_head_wait;
        Blame(e, Without::kStarved, cost.head - common_.constants.mmad_head);
    }
    cost.work = static_cast<double>(e.cost.work);
    cost.conflict = static_cast<double>(e.cost.conflict);
    cost.assumed = e.assumed;
    const Cycles end = std::max(at_least, begin + cost.head + cost.work + cost.conflict);
    Path::Step step = StepOf(e);
    At(step, Spent::kHead) = static_cast<float>(cost.head);
    At(step, Spent::kWork) = static_cast<float>(cost.work);
    At(step, Spent::kConflict) = static_cast<float>(cost.conflict);
    At(step, Spent::kWait) = static_cast<float>(begin - std::max(q.free, entry.issued) +
                                                (end - begin - cost.head - cost.work - cost.conflict));
    Complete(q, pipe, begin, end, end, step, cost);
}

void CoreRun::Complete(Queue& q, Pipe pipe, Cycles begin, Cycles end, Cycles done, Path::Step step, CostParts cost) {
    Entry& entry = q.front();
    const Event& e = entry.event;
    const Cause cause = entry.issued > q.free ? Cause::kIssue : q.cause;
    const Path::Node node = common_.path.Add(StartNode(q, entry), step);
    if (common_.drawing) {
        const std::string text = e.has_text ? common_.launch.TakeText(core_, e.index) : "";
        trace::Slice slice = SliceOf(e, trace::RowOf(pipe), begin, end);
        slice.details = text;
        common_.drawing->Worked(slice, cost, cause);
    }
    if (e.scope) common_.launch.Placed(core_, e.scope, begin, end);
    Ledger::Pipe& pipe_sum = common_.ledger.PipeOf(cube_, pipe);
    pipe_sum.busy += std::max(0.0, done - std::max(begin, q.done));
    ++pipe_sum.records;
    ++common_.ledger.records;
    Ledger::Line& line = common_.ledger.line(step.line);
    ++line.records;
    line.bytes += cost.bytes;
    line.busy[static_cast<size_t>(pipe)] += end - begin;
    line.conflicts += cost.conflict;
    common_.ledger.conflicts += cost.conflict;
    if (e.assumed) common_.ledger.NoteAssumed(e.call);
    if (pipe == Pipe::kV) {
        common_.ledger.vector_cycles += cost.head + cost.work + cost.conflict;
        if (cost.conflict > 0) common_.ledger.AddCause(line, Without::kConflicts, cost.conflict);
        if (cost.work < kFewCycles) common_.ledger.AddCause(line, Without::kHeads, cost.head);
        if (e.long_reduction) common_.ledger.AddCause(line, Without::kReduction, cost.work);
    }
    if (e.many_loads) common_.ledger.AddCause(line, Without::kLoadHeads, 1);
    if (e.odd_width) common_.ledger.AddCause(line, Without::kOddWidth, 1);
    if (e.unit_flag) {
        ++q.ran;
        dirty_ |= Bit(Other(pipe));
    }
    Leave(q, begin);
    q.last_begin = begin;
    q.last_end = end;
    q.free = end;
    q.free_node = node;
    q.cause = Cause::kPipe;
    if (done >= q.done) {
        q.done = done;
        q.done_node = node;
        if (done > end) {
            Path::Step latency;
            latency.pipe = step.pipe;
            latency.line = step.line;
            At(latency, Spent::kLatency) = static_cast<float>(done - end);
            q.done_node = common_.path.Add(node, latency);
        }
    }
    ++q.completed;
    if (by_operands_) {
        q.latest[q.completed % kDepth] = {q.done, q.done_node};
        dirty_ = kEveryPipe;
    }
}

const Event& CoreRun::Transfer(Pipe pipe) const {
    const Queue& q = queues_[static_cast<size_t>(pipe)];
    return q.ring[q.first].event;
}

void CoreRun::SetCharged(Pipe pipe, double bytes) { QueueOf(pipe).charged = bytes; }

void CoreRun::TransferEnded(Pipe pipe, Cycles at, double alone) {
    Queue& q = QueueOf(pipe);
    const Event& e = q.front().event;
    CostParts cost;
    cost.head = 0;
    Cycles end = std::max(at, q.begin + static_cast<double>(e.copy.least));
    if (e.unit_flag) end = std::max(end, QueueOf(Other(pipe)).last_end);
    cost.work = std::min(end - q.begin, std::max(alone, static_cast<double>(e.copy.least)));
    cost.shared = std::max(0.0, at - q.begin - std::max(alone, static_cast<double>(e.copy.least)));
    cost.bytes = e.copy.row_bytes * e.copy.rows;
    cost.charged = static_cast<uint64_t>(q.charged);
    cost.latency = e.write ? 0
                           : common_.constants.gm_latency *
                                 (e.is_part ? static_cast<double>(e.copy.rows * e.copy.row_bytes) / kSmallCopy : 1);
    cost.assumed = e.assumed;
    Path::Step step = StepOf(e);
    At(step, Spent::kWork) = static_cast<float>(cost.work);
    At(step, Spent::kShared) = static_cast<float>(cost.shared);
    At(step, Spent::kWait) = static_cast<float>(std::max(0.0, end - q.begin - cost.work - cost.shared) + q.begin -
                                                std::max(q.free, q.front().issued));
    q.moves = false;
    Complete(q, pipe, q.begin, end, end + cost.latency, step, cost);
    dirty_ |= Bit(pipe);
}

void CoreRun::CollectLeaves(std::vector<Path::Node*>& leaves) {
    leaves.push_back(&base_node_);
    for (Queue& q : queues_) {
        leaves.push_back(&q.free_node);
        leaves.push_back(&q.done_node);
        if (by_operands_) {
            for (Queue::Done& done : q.latest) leaves.push_back(&done.node);
        }
        for (size_t i = 0; i < q.count; ++i) leaves.push_back(&q.ring[(q.first + i) % kDepth].base_node);
    }
    for (Flag& flag : flags_) leaves.push_back(&flag.node);
}

}  // namespace sfumato::timing
