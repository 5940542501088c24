// SPDX-License-Identifier: Apache-2.0
// Queues, flags and the choice of the next record.
#include "runtime/pipes/pipes.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/spans.h"
#include "runtime/cores/number_behind.h"
namespace sfumato::runtime {

using isa::Opcode;
using isa::Pipe;
using isa::Record;

Schedule Schedule::Parse(const std::string& text) {
    if (text == "eager") return {};
    if (text == "serial") return {Kind::kEager, 0, true};
    if (text == "late") return {Kind::kLate, 0, true};
    if (text == "ahead") return {Kind::kAhead, 0, true};
    if (const auto seed = NumberBehind<uint64_t>("seed:", text)) return {Kind::kSeed, *seed, true};
    if (text == "skew" || NumberBehind<uint32_t>("skew:", text)) return {Kind::kEager, 0, true, true};
    if (text == "torn") return {Kind::kEager, 0, true, true, true};
    if (const auto seed = NumberBehind<uint64_t>("torn:", text)) return {Kind::kEager, *seed, true, true, true};
    throw Error(fmt::format(
        "unknown schedule '{}': legal are eager, serial, late, ahead, seed:N (N a number), all and all:N; for several "
        "ranks skew, skew:R, torn and torn:N, too",
        text));
}

Pipes::Pipes(PipeClient* client, Schedule schedule, bool auto_sync, uint64_t core_number, FlagIdentity identity)
    : client_(client),
      schedule_(schedule),
      auto_sync_(auto_sync),
      random_(schedule.seed, core_number),
      flags_(identity) {}

bool Pipes::Ready(Pipe pipe) const {
    const auto& q = queue_[static_cast<int>(pipe)];
    return !q.empty() && (q.front().record.op != Opcode::wait_flag || Satisfied(q.front().record));
}

void Pipes::Run(const Record& r) {
    switch (r.op) {
        case Opcode::set_flag:
            if (const auto& flag = r.As<isa::Flag>(); !flag.token && flags_.IsSet(flag))
                client_->FlagSetTwice(r, flags_.Of(flag).where, FindWait(flag));
            flags_.Set(r);
            break;
        case Opcode::wait_flag: flags_.Take(r); break;
        case Opcode::pipe_barrier: break;
        case Opcode::ffts_cross_core_sync: client_->SetCrossFlag(r); break;
        default: return client_->ExecuteRecord(r);
    }
    client_->Passed(r);
}

// Pipes see the stores of the scalar unit when they run, that is at a flag or a barrier; the scalar unit itself, raw
// pointers and other cores see them at once.
void Pipes::RunWaiting(const Waiting& waiting) {
    const Record& record = waiting.record;
    if (isa::IsControl(record)) return Run(record);
    std::vector<Waiting*> hidden;
    auto& stores = queue_[static_cast<int>(Pipe::kS)];
    for (auto store = stores.rbegin(); store != stores.rend(); ++store) {
        if (!isa::IsControl(store->record) && store->Touches().Conflicts(waiting.Touches()) && Hide(*store))
            hidden.push_back(&*store);
    }
    if (record.pipe != Pipe::kS) {
        Run(record);
    } else if (Hide(waiting)) {
        Run(record);
    } else {
        const uint64_t now = client_->Stored(record);
        Run(record);
        client_->SetStored(record, now);
    }
    for (auto store = hidden.rbegin(); store != hidden.rend(); ++store) Post(**store);
}

void Pipes::Post(Waiting& store) {
    store.before = client_->Stored(store.record);
    client_->SetStored(store.record, store.record.immediate);
}

bool Pipes::Hide(const Waiting& store) {
    const uint64_t bits = BitsOf(store.record.dst().type);
    const uint64_t mask = bits >= 64 ? ~0ull : (1ull << bits) - 1;
    if (client_->Stored(store.record) != (store.record.immediate & mask)) return false;
    client_->SetStored(store.record, store.before);
    return true;
}

const Record* Pipes::FindWait(const isa::Flag& flag) const {
    const Waiting* first = FirstWhere([&](const Waiting& w) {
        return w.record.op == Opcode::wait_flag && flags_.Same(w.record.As<isa::Flag>(), flag);
    });
    return first ? &first->record : nullptr;
}

// A set waits for the records before it and holds back none behind it; a wait that is satisfied holds back nothing
// (framework.md 2.3). So only an open wait and a barrier end what may overtake.
size_t Pipes::Pick(Pipe pipe) {
    const auto& q = queue_[static_cast<int>(pipe)];
    if (pipe == Pipe::kS || schedule_.kind == Schedule::Kind::kEager) return 0;
    if (IsControl(q.front().record)) return 0;
    std::array<size_t, kLookahead> candidates;
    size_t count = 0;
    for (size_t i = 0; i < q.size() && count < kLookahead; ++i) {
        if (!IsControl(q[i].record)) {
            candidates[count++] = i;
        } else if (q[i].record.op == Opcode::pipe_barrier ||
                   (q[i].record.op == Opcode::wait_flag && !Passes(pipe, i))) {
            break;
        }
    }
    if (count < 2) return 0;
    const size_t wanted = random_.Next() % count;
    const Overtaking overtaking(pipe, auto_sync_);
    for (size_t pick = wanted; pick > 0; --pick) {
        bool free = true;
        for (size_t earlier = 0; earlier < pick && free; ++earlier)
            free = overtaking.May(q[candidates[earlier]], q[candidates[pick]]);
        if (free) return PassWaits(pipe, candidates[pick]);
    }
    return 0;
}

bool Pipes::Passes(Pipe pipe, size_t position) const {
    const auto& q = queue_[static_cast<int>(pipe)];
    const auto& flag = q[position].record.As<isa::Flag>();
    for (size_t i = 0; i < position; ++i) {
        if (q[i].record.op != Opcode::wait_flag) continue;
        if (flags_.Same(q[i].record.As<isa::Flag>(), flag)) return false;  // the earlier wait takes the flag
    }
    return Satisfied(q[position].record);
}

size_t Pipes::PassWaits(Pipe pipe, size_t position) {
    auto& q = queue_[static_cast<int>(pipe)];
    for (size_t i = 0; i < position;) {
        if (q[i].record.op != Opcode::wait_flag) {
            ++i;
            continue;
        }
        RunOne(pipe, i);
        --position;
    }
    return position;
}

void Pipes::RunOne(Pipe pipe, size_t position) {
    auto& q = queue_[static_cast<int>(pipe)];
    const Waiting waiting = std::move(q[position]);
    q.erase(q.begin() + static_cast<std::ptrdiff_t>(position));
    --pending_;
    RunWaiting(waiting);
}

bool Pipes::ChoosePipe(Pipe* chosen) {
    int best = -1;
    int ready_count = 0;
    for (int p = 0; p < isa::kPipeCount; ++p) {
        const Pipe pipe = static_cast<Pipe>(p);
        if (!Ready(pipe)) continue;
        ++ready_count;
        bool better = best < 0;
        if (!better) {
            better = schedule_.kind == Schedule::Kind::kEager
                         ? queue_[p].front().record.index < queue_[best].front().record.index
                         : random_.Next() % static_cast<uint64_t>(ready_count) == 0;
        }
        if (better) best = p;
    }
    *chosen = static_cast<Pipe>(best);
    return best >= 0;
}

bool Pipes::CanStep() const {
    for (int p = 0; p < isa::kPipeCount; ++p) {
        if (Ready(static_cast<Pipe>(p))) return true;
    }
    return false;
}

bool Pipes::Step(const Adversary::Goal& goal) {
    if (IsAdversarial()) {
        const Adversary adversary(queue_, flags_, auto_sync_, schedule_.kind == Schedule::Kind::kLate);
        const auto place = adversary.Next(goal);
        if (place) RunOne(place->pipe, PassWaits(place->pipe, place->position));
        return place.has_value();
    }
    Pipe pipe;
    if (!ChoosePipe(&pipe)) return false;
    RunOne(pipe, Pick(pipe));
    return true;
}

void Pipes::StepOrDeadlock(const Adversary::Goal& goal) {
    if (Step(goal)) return;
    // Every queue is empty or starts with an unsatisfied wait: name the one the program issued first.
    const Record* first = nullptr;
    for (const auto& q : queue_) {
        if (!q.empty() && (!first || q.front().record.index < first->index)) first = &q.front().record;
    }
    const Record wait = *first;
    client_->Deadlock(wait);
    // The report was collected: let the pipe go on, or nothing after it would ever run.
    RunOne(wait.pipe, 0);
}

void Pipes::Push(const Record& record) {
    // The scalar unit itself stops here until the pipes have caught up.
    if (record.op == Opcode::wait_flag && record.pipe == Pipe::kS) return WaitOnScalar(record);
    if (record.pipe == Pipe::kAll) {
        DrainAll();
        return client_->Passed(record);
    }
    auto& q = queue_[static_cast<int>(record.pipe)];
    if (schedule_.kind == Schedule::Kind::kEager && q.empty() &&
        (record.op != Opcode::wait_flag || Satisfied(record))) {
        Run(record);
        // A set may release other pipes.
        while (pending_ != 0 && record.op == Opcode::set_flag && Step()) {
        }
        return;
    }
    AwaitUnitFlag(record);
    Waiting& waiting = q.emplace_back(record);
    ++pending_;
    if (record.pipe == Pipe::kS && !isa::IsControl(record)) {
        client_->Posting(record, client_->Stored(record));
        Post(waiting);
    }
    if (schedule_.kind == Schedule::Kind::kSeed) {
        while (pending_ != 0 && random_.Next() % 2 == 0 && Step()) {
        }
    }
    if (record.pipe == Pipe::kS) {
        while (q.size() > kStores) RunOne(Pipe::kS, 0);
    }
    while (q.size() > kWindow) StepOrDeadlock();
}

void Pipes::AwaitUnitFlag(const Record& record) {
    if (pending_ == 0 || !isa::HasUnitFlag(record)) return;
    const events::Accesses touched(record);
    const auto earlier = [&](const Waiting& w) { return isa::HasUnitFlag(w.record) && w.Touches().Conflicts(touched); };
    while (const Waiting* first = FirstWhere(earlier)) {
        if (!Step([index = first->record.index](const Waiting& w) { return w.record.index == index; })) return;
    }
}

const Waiting* Pipes::FirstWhere(const Adversary::Goal& wanted) const {
    const Waiting* first = nullptr;
    for (const Queue& q : queue_) {
        const auto found = std::ranges::find_if(q, wanted);
        if (found != q.end() && (!first || found->record.index < first->record.index)) first = &*found;
    }
    return first;
}

void Pipes::DrainWhile(const Adversary::Goal& wanted) {
    while (pending_ != 0) {
        const Waiting* first = FirstWhere(wanted);
        if (!first) return;
        StepOrDeadlock([index = first->record.index](const Waiting& w) { return w.record.index == index; });
    }
}

void Pipes::DrainAll() {
    while (pending_ != 0) StepOrDeadlock();
}

void Pipes::DrainPipe(Pipe pipe) {
    DrainWhile([pipe](const Waiting& w) { return w.record.pipe == pipe; });
}

void Pipes::DrainOverlapping(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool reads_too, PipeSet pipes) {
    const events::Access wanted{memory, allocation, bytes, reads_too};
    DrainWhile([&](const Waiting& waiting) {
        if ((pipes & SetOf(waiting.record.pipe)) == 0 || IsControl(waiting.record)) return false;
        return std::ranges::any_of(waiting.Touches(), [&](const auto& a) { return events::Conflict(wanted, a); });
    });
}

void Pipes::DrainConflicting(const Record& record) {
    if (pending_ == 0) return;
    const events::Accesses touches(record);
    DrainWhile([&](const Waiting& w) { return !IsControl(w.record) && w.Touches().Conflicts(touches); });
}

void Pipes::WaitOnScalar(const Record& wait) {
    const auto sets = [&](const Waiting& w) {
        return w.record.op == Opcode::set_flag && flags_.Same(w.record.As<isa::Flag>(), wait.As<isa::Flag>());
    };
    while (!Satisfied(wait)) {
        if (Step(sets)) continue;
        client_->Deadlock(wait);
        return;
    }
    Run(wait);
}

void Pipes::Clear() {
    for (auto& q : queue_) q.clear();
    pending_ = 0;
    flags_.Clear();
}

}  // namespace sfumato::runtime
