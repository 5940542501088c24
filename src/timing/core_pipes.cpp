// SPDX-License-Identifier: Apache-2.0
// The pipes of a core: the first of each queue runs as soon as it may.
#include <fmt/format.h>

#include <algorithm>

#include "timing/core_run.h"
#include "timing/without.h"

namespace sfumato::timing {

using isa::Pipe;

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
    step.At(Spent::kIssue) = static_cast<float>(entry.issued - entry.base);
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
    step.At(Spent::kWait) = static_cast<float>(wakeup);
    q.free = flag.at + wakeup;
    q.free_node = common_.path.Add(flag.node, step);
    q.cause = Cause::kFlag;
    PipeOf(pipe).waiting += std::max(0.0, q.free - std::max(here, q.done));
    if (q.free > q.done) {
        q.done = q.free;
        q.done_node = q.free_node;
    }
    if (!common_.drawing) return;
    const trace::Row row = trace::RowOf(pipe), from = trace::RowOf(flag.from);
    trace::Slice wait = SliceOf(e, row, here, q.free);
    wait.kind = trace::Slice::Kind::kWait;
    if (GivesBack(e)) wait.causes = BitOf(Without::kBuffers);
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
            step.At(Spent::kWait) = static_cast<float>(more);
            const bool late = entry.issued > q.done;
            q.free_node = common_.path.Add(late ? StartNode(q, entry) : q.done_node, step);
            q.done_node = q.free_node;
            PipeOf(pipe).waiting += more;
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
        case Kind::kBarrierAll:
        case Kind::kAwait:
        case Kind::kRaise:
        case Kind::kScalarRead:
        case Kind::kScalar:
        case Kind::kEnd: break;
    }
    Leave(q, std::max(q.free, entry.issued));
    return true;
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
        cost.causes = Blame(e, Without::kStarved, cost.head - common_.constants.mmad_head);
    }
    cost.work = static_cast<double>(e.cost.work);
    cost.conflict = static_cast<double>(e.cost.conflict);
    cost.assumed = e.assumed;
    const Cycles end = std::max(at_least, begin + cost.head + cost.work + cost.conflict);
    Path::Step step = StepOf(e);
    step.At(Spent::kHead) = static_cast<float>(cost.head);
    step.At(Spent::kWork) = static_cast<float>(cost.work);
    step.At(Spent::kConflict) = static_cast<float>(cost.conflict);
    step.At(Spent::kWait) = static_cast<float>(begin - std::max(q.free, entry.issued) +
                                               (end - begin - cost.head - cost.work - cost.conflict));
    Complete(q, pipe, begin, end, end, step, cost);
}

void CoreRun::Complete(Queue& q, Pipe pipe, Cycles begin, Cycles end, Cycles done, Path::Step step, CostParts cost) {
    Entry& entry = q.front();
    const Event& e = entry.event;
    const Cause cause = entry.issued > q.free ? Cause::kIssue : q.cause;
    if (pipe == Pipe::kV) {
        common_.ledger.vector_cycles += cost.head + cost.work + cost.conflict;
        if (cost.conflict > 0) cost.causes |= Blame(e, Without::kConflicts, cost.conflict);
        if (cost.work < kFewCycles) cost.causes |= Blame(e, Without::kHeads, cost.head);
        if (e.long_reduction) cost.causes |= Blame(e, Without::kReduction, cost.work);
    }
    if (e.many_loads) cost.causes |= Blame(e, Without::kLoadHeads, 1);
    if (e.odd_width) cost.causes |= Blame(e, Without::kOddWidth, 1);
    const Path::Node start = StartNode(q, entry), node = common_.path.Add(start, step);
    if (common_.drawing) {
        const std::string text = e.has_text ? common_.launch.TakeText(core_, e.index) : "";
        trace::Slice slice = SliceOf(e, trace::RowOf(pipe), begin, end);
        slice.details = text;
        Draw(slice, cost, cause, start, node);
    }
    if (e.scope) common_.launch.Placed(core_, e.scope, begin, end);
    Ledger::Pipe& pipe_sum = PipeOf(pipe);
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
            latency.At(Spent::kLatency) = static_cast<float>(done - end);
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

void CoreRun::SetCharged(Pipe pipe, double bytes, uint32_t causes) {
    QueueOf(pipe).charged = bytes;
    QueueOf(pipe).causes = causes;
}

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
    cost.causes = q.causes;
    cost.latency = e.write ? 0
                           : common_.constants.gm_latency *
                                 (e.is_part ? static_cast<double>(e.copy.rows * e.copy.row_bytes) / kSmallCopy : 1);
    cost.assumed = e.assumed;
    Path::Step step = StepOf(e);
    step.At(Spent::kWork) = static_cast<float>(cost.work);
    step.At(Spent::kShared) = static_cast<float>(cost.shared);
    step.At(Spent::kWait) = static_cast<float>(std::max(0.0, end - q.begin - cost.work - cost.shared) + q.begin -
                                               std::max(q.free, q.front().issued));
    q.moves = false;
    Complete(q, pipe, q.begin, end, end + cost.latency, step, cost);
    dirty_ |= Bit(pipe);
}

}  // namespace sfumato::timing
