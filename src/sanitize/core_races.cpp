// SPDX-License-Identifier: Apache-2.0
// One core's records and scalar accesses, judged against what touched their bytes before.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "isa/touched.h"
#include "sanitize/core_order.h"
#include "sanitize/race_words.h"
#include "sanitize/races.h"

namespace sfumato::sanitize {
namespace {

using isa::Memory;
using isa::Pipe;

bool IsLong(const isa::Record& r) {
    const auto* shape = r.If<isa::Matmul>();
    return shape && isa::KeepsOrder(*shape);
}

bool HasUnitFlag(const isa::Record& r) {
    if (const auto* matmul = r.If<isa::Matmul>()) return matmul->unit_flag != 0;
    if (const auto* fixpipe = r.If<isa::Fixpipe>()) return fixpipe->unit_flag != 0;
    return false;
}

// The compiler's own synchronisation is for cores with a vector unit (framework.md 2.5).
bool Inserts(isa::CoreKind kind) { return kind != isa::CoreKind::kCube; }

bool IsVectorSide(Pipe pipe) { return pipe == Pipe::kV || pipe == Pipe::kMte2 || pipe == Pipe::kMte3; }

}  // namespace

class CoreRaces final : public CoreDetector {
public:
    CoreRaces(Races& races, const trace::Place& place, Detector::Tell tell)
        : races_(races),
          launch_(races.launch()),
          place_(place),
          tell_(std::move(tell)),
          on_chip_(races.WantsOnChip()),
          auto_sync_(launch_.auto_sync && Inserts(place.kind)) {}

    void Issued(const isa::Record& record, bool in_order) override {
        order_.Issued(record);
        if (in_order) in_order_.insert(record.index);
    }

    void Passed(const isa::Record& control) override { order_.Passed(control); }

    void Executing(const isa::Record& record, const isa::MemoryMap& memory) override {
        Access access;
        access.tick = TickOf(record.index);
        access.where = record.where;
        access.call = isa::CallName(record);
        access.core = static_cast<uint32_t>(place_.order);
        access.pipe = record.pipe;
        access.by_scalar = record.pipe == Pipe::kS;
        access.listed = access.by_scalar && record.dst().memory != Memory::kGm;  // not GlobalTensor::SetValue
        access.long_matmul = IsLong(record);
        access.unit_flag = HasUnitFlag(record);
        const bool in_order = !in_order_.empty() && in_order_.erase(record.index) != 0;
        // S is in order by hardware: what it did before is done.
        clock_ = record.pipe == Pipe::kS ? order_.At(Pipe::kS, access.tick) : order_.Starts(record);
        const uint8_t* ub = memory.base[static_cast<int>(Memory::kUb)];
        for (int i = record.operand_count - 1; i >= 0; --i) {
            const isa::Operand& operand = record.operand[static_cast<size_t>(i)];
            access.kind = !isa::IsWritten(record, i) ? Access::Kind::kRead
                          : isa::IsAtomic(record)    ? Access::Kind::kAtomic
                                                     : Access::Kind::kWrite;
            if (operand.memory == Memory::kGm) {
                TouchGm(record, i, access, memory, in_order);
            } else if (on_chip_) {
                isa::ForEachRun(record, i, ub,
                                [&](const isa::Span& run) { TouchOnChip(operand.memory, run, access, in_order); });
            }
        }
        const isa::Span words = isa::WordsSpan(record);
        if (on_chip_ && words.begin != words.end) {
            access.kind = Access::Kind::kRead;
            TouchOnChip(Memory::kUb, words, access, in_order);
        }
    }

    // Two writes of the same bytes are a warning only where they differ.
    void Executed(const isa::Record& record, const isa::MemoryMap& memory) override {
        if (!outcome_.writes.empty()) {
            const isa::Span span = isa::SpanOf(record, 0);
            const uint8_t* now = memory.gm[record.dst().allocation] + span.begin;
            const bool equal =
                before_.size() == span.end - span.begin && std::memcmp(now, before_.data(), before_.size()) == 0;
            for (const Races::Race& race : outcome_.writes)
                races_.Note(race.other, written_, record.dst().allocation, race.bytes, equal);
            outcome_.writes.clear();
        }
        if (std::exchange(outcome_.has_seen, false) && record.op == isa::Opcode::data_move) {
            const isa::Span from = isa::SpanOf(record, 1), to = isa::SpanOf(record, 0);
            if (from.end - from.begin == to.end - to.begin)
                std::memcpy(memory.Address(record.dst()) + (to.begin - record.dst().offset), outcome_.seen.data(),
                            from.end - from.begin);
        }
    }

    const uint8_t* Scalar(const ScalarAccess& scalar, const isa::MemoryMap& memory) override {
        if (scalar.memory != Memory::kGm && !on_chip_) return nullptr;
        Access access;
        access.tick = ScalarTick(scalar.index);
        access.where = scalar.where;
        access.call = scalar.call;
        access.core = static_cast<uint32_t>(place_.order);
        access.by_scalar = true;
        access.listed = scalar.memory != Memory::kGm || !scalar.write;  // not GlobalTensor::SetValue
        access.kind = scalar.write ? Access::Kind::kWrite : Access::Kind::kRead;
        clock_ = order_.At(Pipe::kS, access.tick + 1);
        if (scalar.memory != Memory::kGm) return TouchOnChip(scalar.memory, scalar.bytes, access, false), nullptr;
        access.few_bytes = scalar.bytes.end - scalar.bytes.begin <= kMostPolled;
        Races::Outcome& outcome = outcome_;
        outcome = {};
        races_.TouchGm(
            {access, scalar.allocation, scalar.bytes}, scalar.bytes, clock_,
            memory.gm[scalar.allocation] + scalar.bytes.begin,
            [&](const Access& earlier, const History::Stretch& at) {
                if (on_chip_) Judge(earlier, access, Memory::kGm, at, false, scalar.allocation);
            },
            &outcome);
        if (outcome.learnt) Learn(outcome.learnt);
        for (const Races::Race& race : outcome.writes)
            races_.Note(race.other, access, scalar.allocation, race.bytes, false);
        outcome.writes.clear();
        return std::exchange(outcome.has_seen, false) ? outcome.seen.data() : nullptr;
    }

    void Cleaned(const uint32_t* allocation, uint64_t byte) override {
        races_.Cleaned(static_cast<uint32_t>(place_.order), allocation, byte);
    }

    void Synced(const CrossSync& sync) override {
        CrossOrder& cross = races_.cross();
        using Kind = CrossSync::Kind;
        switch (sync.kind) {
            case Kind::kFlagSet: {
                const auto& flag = sync.record->As<isa::CrossFlag>();
                order_.Starts(*sync.record);
                return cross.FlagSet(place_, flag.mode, flag.id,
                                     Published(sync.record->pipe, TickOf(sync.record->index)));
            }
            case Kind::kFlagWaited: return Learn(cross.FlagWaited(place_, sync.record->As<isa::CrossFlag>().id));
            case Kind::kRaised: return cross.Raised(sync.counter, PublishedAll(sync.index));
            case Kind::kReached: return Learn(cross.Reached(sync.counter, sync.level, sync.takes));
            case Kind::kArrived: return cross.Arrived(sync.counter, PublishedAll(sync.index), sync.level);
            case Kind::kMet: return Learn(cross.Met(place_.order, sync.counter));
            case Kind::kDrained: return order_.Drained(ScalarTick(sync.index));
        }
    }

private:
    // Compares an access with those before it on the same bytes.
    class Judging final : public History::Judge {
    public:
        Judging(CoreRaces& core, Memory memory, const Access& access, bool in_order)
            : core_(core), memory_(memory), access_(access), in_order_(in_order) {}
        void Meet(const Access& earlier, const History::Stretch& bytes) override {
            core_.Judge(earlier, access_, memory_, bytes, in_order_);
        }

    private:
        CoreRaces& core_;
        const Memory memory_;
        const Access& access_;
        const bool in_order_;
    };

    void TouchOnChip(Memory memory, isa::Span bytes, const Access& access, bool in_order) {
        if (memory == Memory::kNone || memory >= Memory::kCount || memory == Memory::kRegister) return;
        auto& history = on_chip_memory_[static_cast<size_t>(memory)];
        if (!history) history = std::make_unique<History>(&pasts_, launch_.chip.Bytes(memory));
        Judging judging(*this, memory, access, in_order);
        history->Touch(bytes, access, judging);
    }

    // An operand in global memory.
    void TouchGm(const isa::Record& record, int i, Access access, const isa::MemoryMap& memory, bool in_order) {
        const isa::Operand& operand = record.operand[static_cast<size_t>(i)];
        const isa::Span span = isa::SpanOf(record, i);
        access.few_bytes = span.end - span.begin <= kMostPolled;
        const GmAccess gm{access, operand.allocation, span};
        const uint8_t* content = memory.gm[operand.allocation] + span.begin;
        outcome_ = {};
        isa::ForEachRun(record, i, nullptr, [&](const isa::Span& run) {
            races_.TouchGm(
                gm, run, clock_, content,
                [&](const Access& earlier, const History::Stretch& at) {
                    if (on_chip_) Judge(earlier, access, Memory::kGm, at, in_order, operand.allocation);
                },
                &outcome_);
        });
        if (outcome_.learnt) {
            order_.Learns(record.pipe, ClockOf(outcome_.learnt));
            clock_.Join(ClockOf(outcome_.learnt));
        }
        if (outcome_.writes.empty()) return;
        written_ = access;
        before_.assign(content, content + (span.end - span.begin));
    }

    // Both of this core. What the hardware, the compiler or TIK orders is learnt, as a flag's wait would teach it.
    void Judge(const Access& earlier, const Access& later, Memory memory, const History::Stretch& stretch,
               bool in_order, uint32_t allocation = 0) {
        if (earlier.tick == later.tick) return;  // a record that works in place
        const auto from = static_cast<size_t>(earlier.pipe);
        if (clock_.own[from] > earlier.tick) return;
        if (earlier.pipe == Pipe::kS && later.pipe == Pipe::kS) return;  // in order by hardware (framework.md 2.6)
        if (earlier.long_matmul && later.long_matmul && memory == Memory::kL0C) return;
        if (earlier.unit_flag && later.unit_flag && memory == Memory::kL0C) return;
        const bool scalar_pair =
            (earlier.listed && IsVectorSide(later.pipe)) || (later.listed && IsVectorSide(earlier.pipe));
        const bool vector_pair = earlier.pipe == Pipe::kV && later.pipe == Pipe::kV;
        if (!in_order && !(auto_sync_ && (vector_pair || scalar_pair)))
            tell_(RaceReport(earlier, later, memory, Bytes(memory, stretch.Bytes(), allocation), launch_.auto_sync));
        // A race that is told counts as ordered from here on: one missing flag, one report.
        Clock learnt = order_.At(earlier.pipe, 0);
        learnt.own[from] = std::max(learnt.own[from], earlier.tick + 1);
        order_.Learns(later.pipe, learnt);
        clock_.Join(learnt);
    }

    std::string Bytes(Memory memory, isa::Span bytes, uint32_t allocation) const {
        if (memory == Memory::kGm)
            return fmt::format("bytes {} to {} of '{}'", bytes.begin, bytes.end - 1, launch_.gm[allocation].name);
        return fmt::format("bytes {} to {}", bytes.begin, bytes.end - 1);
    }

    Known Published(Pipe pipe, uint64_t tick) const {
        return races_.cross().Publish(place_.order, order_.At(pipe, tick));
    }
    // After everything issued.
    Known PublishedAll(uint64_t next_index) {
        order_.Drained(ScalarTick(next_index));
        // Accesses of S since the last record have this very tick.
        return races_.cross().Publish(place_.order, order_.At(Pipe::kS, ScalarTick(next_index) + 1));
    }
    // What others know of this core comes back, too.
    Clock ClockOf(const Known& known) const {
        Clock clock;
        clock.others = known;
        if (known) clock.own = (*known)[place_.order];
        return clock;
    }
    void Learn(const Known& known) { order_.ScalarLearns(ClockOf(known)); }

    Races& races_;
    const LaunchView& launch_;
    const trace::Place place_;
    const Detector::Tell tell_;
    const bool on_chip_, auto_sync_;
    CoreOrder order_;
    Clock clock_;  // of the access that is judged
    // Of the record that runs.
    Races::Outcome outcome_;
    Access written_;
    std::vector<uint8_t> before_;
    std::set<uint64_t> in_order_;  // records that TIK synchronises, issued and not executed
    Pasts pasts_;
    std::array<std::unique_ptr<History>, isa::kMemoryCount> on_chip_memory_;
};

std::unique_ptr<CoreDetector> Races::Begin(const trace::Place& place, Tell tell) {
    return std::make_unique<CoreRaces>(*this, place, std::move(tell));
}

}  // namespace sfumato::sanitize
