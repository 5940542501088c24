// SPDX-License-Identifier: Apache-2.0
// Queues, flags and the choice of the next record.
#include "runtime/pipes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "isa/spans.h"
#include "isa/vector_registers.h"

namespace sfumato::runtime {

using isa::Opcode;
using isa::Pipe;
using isa::Record;

Accesses::Accesses(const Record& r) {
    const auto operand = [&](int i) { Add({r.operand[i].memory, r.operand[i].allocation, isa::SpanOf(r, i)}); };
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

// True when a later record may overtake an earlier one that lies before it in the same queue, without a barrier between
// them (framework.md 2.1).
class Pipes::Overtaking {
public:
    Overtaking(Pipe pipe, bool auto_sync)
        // The compiler's own V to V barriers keep dependent vector instructions apart when auto_sync is on (2.5).
        : vector_kept_(pipe == Pipe::kV && auto_sync), matmul_(pipe == Pipe::kM) {}

    bool May(const Waiting& earlier, const Waiting& later) const {
        const bool kept = vector_kept_ || (matmul_ && !IsShort(later.record)) ||
                          (isa::IsAtomic(earlier.record) && isa::IsAtomic(later.record));
        return !kept || !earlier.Touches().Conflicts(later.Touches());
    }

private:
    static bool IsShort(const Record& r) {
        const auto* shape = r.If<isa::Matmul>();
        return shape && !isa::KeepsOrder(*shape);
    }
    bool vector_kept_, matmul_;
};

Schedule Schedule::Parse(const std::string& text) {
    if (text == "eager") return {};
    if (text == "serial") return {Kind::kEager, 0, true};
    if (text == "late") return {Kind::kLate, 0, true};
    if (text == "ahead") return {Kind::kAhead, 0, true};
    if (text.rfind("seed:", 0) == 0) {
        uint64_t seed = 0;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data() + 5, end, seed);
        if (error == std::errc() && stop == end && text.size() > 5) return {Kind::kSeed, seed, true};
    }
    throw Error(fmt::format(
        "unknown schedule '{}': legal are eager, serial, late, ahead, seed:N (N a number), all and all:N", text));
}

Pipes::Pipes(PipeClient* client, Schedule schedule, bool auto_sync, uint64_t core_number)
    : client_(client), schedule_(schedule), auto_sync_(auto_sync), random_(schedule.seed, core_number) {
    tokens_.push_back(0);  // token 0 means "none"
}

bool Pipes::Satisfied(const Record& wait) const {
    const auto& flag = wait.As<isa::Flag>();
    return flag.token ? tokens_[flag.token] != 0 : flags_[flag.event][flag.id & 15].set;
}

bool Pipes::Ready(Pipe pipe) const {
    const auto& q = queue_[static_cast<int>(pipe)];
    return !q.empty() && (q.front().record.op != Opcode::wait_flag || Satisfied(q.front().record));
}

void Pipes::Run(const Record& r) {
    switch (r.op) {
        case Opcode::set_flag: {
            const auto& flag = r.As<isa::Flag>();
            if (flag.token) {
                tokens_[flag.token] = 1;
                break;
            }
            FlagState& state = flags_[flag.event][flag.id & 15];
            if (state.set) client_->FlagSetTwice(r, state.where, FindWait(flag));
            state = {true, r.where, r.api};
            break;
        }
        case Opcode::wait_flag:
            if (const auto& flag = r.As<isa::Flag>(); !flag.token) flags_[flag.event][flag.id & 15].set = false;
            break;
        case Opcode::pipe_barrier: break;
        case Opcode::ffts_cross_core_sync: client_->SetCrossFlag(r); break;
        default: return client_->ExecuteRecord(r);
    }
    client_->Passed(r);
}

const Record* Pipes::FindWait(const isa::Flag& flag) const {
    for (const Waiting& waiting : queue_[static_cast<int>(flag.to)]) {
        const auto* wait = waiting.record.op == Opcode::wait_flag ? waiting.record.If<isa::Flag>() : nullptr;
        if (wait && !wait->token && wait->event == flag.event && wait->id == flag.id) return &waiting.record;
    }
    return nullptr;
}

// A set waits for the records before it and holds back none behind it; a wait that is satisfied holds back nothing
// (framework.md 2.3). So only an open wait and a barrier end what may overtake.
size_t Pipes::Pick(Pipe pipe) {
    const auto& q = queue_[static_cast<int>(pipe)];
    if (pipe == Pipe::kS || schedule_.kind == Schedule::Kind::kEager || schedule_.kind == Schedule::Kind::kAhead)
        return 0;
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
    const size_t wanted = schedule_.kind == Schedule::Kind::kLate ? count - 1 : random_.Next() % count;
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
        const auto& other = q[i].record.As<isa::Flag>();
        if (other.event == flag.event && other.id == flag.id && other.token == flag.token) {
            return false;  // the earlier wait takes the flag
        }
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
    const Record record = q[position].record;
    q.erase(q.begin() + static_cast<std::ptrdiff_t>(position));
    --pending_;
    Run(record);
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
            const Pipe other = static_cast<Pipe>(best);
            switch (schedule_.kind) {
                case Schedule::Kind::kEager:
                    better = queue_[p].front().record.index < queue_[best].front().record.index;
                    break;
                case Schedule::Kind::kLate: better = Downstream(pipe) > Downstream(other); break;
                case Schedule::Kind::kAhead: better = Downstream(pipe) < Downstream(other); break;
                case Schedule::Kind::kSeed: better = random_.Next() % static_cast<uint64_t>(ready_count) == 0; break;
            }
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

bool Pipes::Step() {
    Pipe pipe;
    if (!ChoosePipe(&pipe)) return false;
    RunOne(pipe, Pick(pipe));
    return true;
}

void Pipes::StepOrDeadlock() {
    if (Step()) return;
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
    q.emplace_back(record);
    ++pending_;
    switch (schedule_.kind) {
        case Schedule::Kind::kEager: break;
        case Schedule::Kind::kAhead:
            while (Ready(Pipe::kS)) RunOne(Pipe::kS, 0);
            while (Ready(Pipe::kMte2)) RunOne(Pipe::kMte2, 0);
            break;
        case Schedule::Kind::kSeed:
            while (pending_ != 0 && random_.Next() % 2 == 0 && Step()) {
            }
            break;
        case Schedule::Kind::kLate: break;
    }
    while (q.size() > kWindow) StepOrDeadlock();
}

void Pipes::DrainAll() {
    while (pending_ != 0) StepOrDeadlock();
}

void Pipes::DrainPipe(Pipe pipe) {
    while (!queue_[static_cast<int>(pipe)].empty()) StepOrDeadlock();
}

void Pipes::DrainOverlapping(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool reads_too) {
    const Access wanted{memory, allocation, bytes};
    const auto touches = [&] {
        for (const auto& q : queue_) {
            for (const Waiting& waiting : q) {
                const Accesses& accesses = waiting.Touches();
                for (int i = 0; i < (reads_too ? accesses.count() : accesses.writes()); ++i) {
                    if (wanted.Overlaps(accesses[i])) return true;
                }
            }
        }
        return false;
    };
    while (pending_ != 0 && touches()) StepOrDeadlock();
}

void Pipes::DrainConflicting(const Record& record) {
    if (pending_ == 0) return;
    const auto conflicts = [&, touches = Accesses(record)] {
        for (const auto& q : queue_) {
            for (const Waiting& waiting : q) {
                if (!IsControl(waiting.record) && waiting.Touches().Conflicts(touches)) return true;
            }
        }
        return false;
    };
    while (pending_ != 0 && conflicts()) StepOrDeadlock();
}

void Pipes::WaitOnScalar(const Record& wait) {
    while (!Satisfied(wait)) {
        if (Step()) continue;
        client_->Deadlock(wait);
        return;
    }
    Run(wait);
}

std::vector<Pipes::SetFlagLeft> Pipes::FlagsLeft() const {
    std::vector<SetFlagLeft> left;
    for (size_t event = 0; event < flags_.size(); ++event) {
        for (size_t id = 0; id < flags_[event].size(); ++id) {
            const FlagState& flag = flags_[event][id];
            if (flag.set) left.push_back({static_cast<uint8_t>(event), static_cast<int8_t>(id), flag.where, flag.api});
        }
    }
    return left;
}

void VisitTouched(const Record& record, const std::function<void(isa::Memory, uint32_t, isa::Span, bool)>& visit) {
    if (IsControl(record)) return;
    const Accesses accesses(record);
    for (int i = 0; i < accesses.count(); ++i) {
        const Access& a = accesses[i];
        if (a.span.begin != a.span.end) visit(a.memory, a.allocation, a.span, i < accesses.writes());
    }
}

void Pipes::Clear() {
    for (auto& q : queue_) q.clear();
    pending_ = 0;
    flags_ = {};
    tokens_.assign(1, 0);
}

}  // namespace sfumato::runtime
