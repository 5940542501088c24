// SPDX-License-Identifier: Apache-2.0
// The scalar unit of a core: it issues, waits, sets flags.
#include "timing/core_run.h"

#include <algorithm>

#include "timing/without.h"

namespace sfumato::timing {

using isa::Pipe;

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
    return std::ranges::all_of(queues_, [](const Queue& q) { return q.count == 0; });
}

trace::Slice CoreRun::SliceOf(const Event& e, trace::Row row, Cycles begin, Cycles end) const {
    const char* name = *e.call ? e.call : "end of the block";  // its last wait for all pipes
    return {core_, static_cast<uint32_t>(row), trace::Slice::Kind::kRecord, begin, end, name, e.where, e.index, "", 0,
            ""};
}

void CoreRun::Join(Cycles at, Path::Node node, const Event& e, trace::Row row) {
    if (at <= scalar_) return;
    PipeOf(Pipe::kS).waiting += at - scalar_;
    if (common_.drawing) {
        trace::Slice wait = SliceOf(e, row, scalar_, at);
        wait.kind = row == trace::Row::kFlow ? trace::Slice::Kind::kBarrier : trace::Slice::Kind::kWait;
        if (e.kind == Event::Kind::kBarrierAll) wait.causes = BitOf(Without::kBarriers);
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
    PipeOf(Pipe::kS).busy += cycles;
    common_.ledger.line(common_.ledger.LineOf(e.where)).busy[static_cast<size_t>(Pipe::kS)] += cycles;
    CostParts cost;
    cost.work = cycles;
    cost.causes = Blame(e, Without::kScalar, cycles);
    Path::Step step = StepOf(e);
    step.pipe = TimedPipe::kS;
    step.At(Spent::kIssue) = static_cast<float>(scalar_ - base_);
    step.At(Spent::kWork) = static_cast<float>(cycles);
    const Path::Node start = base_node_;
    base_node_ = common_.path.Add(start, step);
    if (common_.drawing)
        Draw(SliceOf(e, trace::Row::kScalar, scalar_, scalar_ + cycles), cost, Cause::kIssue, start, base_node_);
    scalar_ += cycles;
    base_ = scalar_;
}

uint32_t CoreRun::Blame(const Event& e, Without cause, double cost) {
    common_.ledger.AddCause(common_.ledger.line(common_.ledger.LineOf(e.where)), cause, cost);
    return BitOf(cause);
}

void CoreRun::Draw(trace::Slice slice, const CostParts& cost, Cause cause, Path::Node start, Path::Node node) {
    slice.after = common_.path.SliceOf(start);
    if (const uint32_t number = common_.drawing->Worked(slice, cost, cause)) common_.path.SetSlice(node, number);
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
        case Kind::kWork:
        case Kind::kTransfer:
        case Kind::kSet:
        case Kind::kWait:
        case Kind::kAfter:
        case Kind::kBarrier:
        case Kind::kCrossSet: break;
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
    PipeOf(Pipe::kS).busy += cycles;
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
    dirty_ = kEveryPipe;  // by one reading any of them may take it
}

bool CoreRun::TakeFlag(const Event& e, Flag* flag) {
    // Of several pipes that wait for one flag, the one that was told first takes it.
    const auto sooner = [&e](const Queue& q) {
        const Event& first = q.ring[q.first].event;
        return q.count != 0 && first.kind == Event::Kind::kWait && first.sync.key == e.sync.key &&
               first.index < e.index;
    };
    if (std::ranges::any_of(queues_, sooner)) return false;
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
