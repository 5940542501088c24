// SPDX-License-Identifier: Apache-2.0
// One core's records and scalar accesses, judged against what touched their bytes before.
#include "sanitize/core_races.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

#include "isa/spans.h"
#include "isa/touched.h"
#include "sanitize/core_order.h"
#include "sanitize/race_words.h"

namespace sfumato::sanitize {
namespace {

using isa::Memory;
using isa::Pipe;

// The compiler's own synchronisation is for cores with a vector unit (framework.md 2.5).
bool Inserts(isa::CoreKind kind) { return kind != isa::CoreKind::kCube; }

// What barriers of these pipes order is in no global memory.
bool OrdersGm(const isa::Record& r, const isa::Barrier&) { return r.pipe != Pipe::kV && r.pipe != Pipe::kM; }
bool OrdersGm(const isa::Record&, const isa::Flag&) { return true; }
bool OrdersGm(const isa::Record&, const isa::CrossFlag&) { return true; }

bool IsVectorSide(Pipe pipe) { return pipe == Pipe::kV || pipe == Pipe::kMte2 || pipe == Pipe::kMte3; }

}  // namespace

class CoreRaces final : public events::Hears<events::Issued, events::Posted, events::Executing, events::Executed,
                                             events::Accessed, events::Marked, events::Sync> {
public:
    CoreRaces(Races& races, const events::Place& place, events::Tell tell)
        : races_(races),
          launch_(races.launch()),
          place_(place),
          tell_(std::move(tell)),
          on_chip_(races.WantsOnChip()),
          auto_sync_(launch_.auto_sync && Inserts(place.kind)),
          order_(launch_.flags),
          polled_(races, static_cast<uint32_t>(place.order)),
          calls_(static_cast<uint32_t>(place.order)) {}

    void On(const events::Issued& event) override {
        order_.Issued(event.record);
        if (event.in_order) [[unlikely]]
            NoteInOrder(event.record);
    }

    void On(const events::Posted& event) override {
        const auto& [record, before] = event;
        if (record.dst().memory != Memory::kGm) return;
        Access access = calls_.Of(record).access;
        access.tick = TickOf(record.index);
        access.kind = Access::Kind::kWrite;
        access.few_bytes = true;
        races_.Posting({access, record.dst().allocation, isa::SpanOf(record, 0)}, order_.scalar(), before,
                       record.immediate);
    }

    void On(const events::Executing& event) override {
        const isa::Record& record = event.record;
        if (!on_chip_ && KeepsMove(record)) return;
        const isa::MemoryMap& memory = event.memory;
        Call& call = calls_.Of(record);
        Access access = call.access;
        access.tick = TickOf(record.index);
        if (on_chip_) {
            access.long_matmul = isa::KeepsOrder(record);
            access.unit_flag = isa::HasUnitFlag(record);
        }
        const bool in_order = !in_order_.empty() && in_order_.erase(record.index) != 0;
        clock_ = &order_.Starts(record);
        const uint8_t* ub = memory.base[static_cast<int>(Memory::kUb)];
        for (int i = record.operand_count - 1; i >= 0; --i) {
            const isa::Operand& operand = record.operand[static_cast<size_t>(i)];
            if (operand.memory != Memory::kGm && !on_chip_) continue;
            access.kind = !isa::IsWritten(record, i) ? Access::Kind::kRead
                          : isa::IsAtomic(record)    ? Access::Kind::kAtomic
                                                     : Access::Kind::kWrite;
            access.in_place = access.kind == Access::Kind::kRead && operand.memory == record.dst().memory &&
                              isa::SpanOf(record, i).Overlaps(isa::SpanOf(record, 0));
            if (operand.memory == Memory::kGm) {
                TouchGm(record, i, access, call, memory, in_order);
                access.few_bytes = false;
            } else {
                TouchOnChip(operand.memory, access, in_order,
                            [&](const auto& touch) { isa::ForEachRun(record, i, ub, touch); });
            }
        }
        const isa::Span words = isa::WordsSpan(record);
        if (on_chip_ && words.begin != words.end) {
            access.kind = Access::Kind::kRead;
            TouchOnChip(Memory::kUb, access, in_order, [&](const auto& touch) { touch(words); });
        }
        if (!unordered_.empty()) TellUnordered();
    }

    // Two writes of the same bytes are a warning only where they differ.
    void On(const events::Executed& event) override {
        const isa::Record& record = event.record;
        const isa::MemoryMap& memory = event.memory;
        if (!before_.empty()) {
            JudgeStores(record, memory);
            races_.Done(place_.order);
        } else if (std::exchange(runs_, false)) {
            races_.Runs(place_.order, 0);
        }
        if (std::exchange(outcome_.has_seen, false)) seen_.Put(record, memory, outcome_.seen.data(), launch_);
    }

    void On(const events::Accessed& event) override {
        const events::ScalarAccess& scalar = event.access;
        if (scalar.memory != Memory::kGm && !on_chip_) return;
        if (scalar.through == events::ScalarAccess::Through::kLeftAlone) return;
        if (scalar.memory == Memory::kGm) {
            if (polled_.Again(scalar, event.memory, outcome_.seen.data())) {
                event.instead = outcome_.seen.data();
                return;
            }
            polled_.CleanNow();
        }
        Access access;
        access.tick = time_.Step(scalar.index);
        access.where = scalar.where;
        access.call = scalar.call;
        access.core = static_cast<uint32_t>(place_.order);
        access.by_scalar = true;
        access.listed = scalar.memory != Memory::kGm || !scalar.write;  // not GlobalTensor::SetValue
        access.kind = scalar.write ? Access::Kind::kWrite : Access::Kind::kRead;
        clock_ = &order_.scalar();
        if (scalar.memory != Memory::kGm) {
            TouchOnChip(scalar.memory, access, false, [&](const auto& touch) { touch(scalar.bytes); });
            return TellUnordered();
        }
        access.few_bytes = scalar.bytes.end - scalar.bytes.begin <= MostPolled(scalar.allocation);
        Races::Outcome& outcome = outcome_;
        outcome.Clear();
        {
            const GmAccess gm{access, scalar.allocation, scalar.bytes};
            Judging judging(*this, Memory::kGm, access, false, scalar.allocation);
            const uint8_t* content =
                scalar.before ? scalar.before : event.memory.gm[scalar.allocation] + scalar.bytes.begin;
            Races::GmTouch touch(races_, gm, *clock_, content, on_chip_ ? &judging : nullptr, &outcome);
            touch.Run(scalar.bytes, true);
            touch.End(access.tick);
            polled_.Read(scalar, touch.Settled());
        }
        TellUnordered();
        if (outcome.learnt) Learn(outcome.learnt, access.tick);
        for (const Races::Race& race : outcome.writes)
            races_.Note(race.other, access, scalar.allocation, race.bytes, false);
        for (const Races::Race& race : outcome.reads) {
            if (!race.polls) races_.Note(race.other, access, scalar.allocation, race.bytes, false);
        }
        outcome.writes.clear();
        outcome.reads.clear();
        if (std::exchange(outcome.has_seen, false)) event.instead = outcome.seen.data();
    }

    void On(const events::Marked& event) override {
        if (event.as == events::Marked::As::kReleased) held_.Clear();
        if (event.as != events::Marked::As::kHeld || !on_chip_) return;
        Access access;
        access.where = event.where;
        access.call = event.call;
        held_.Add(event.memory, event.bytes, access);
    }

    void On(const events::Sync& sync) override {
        using Kind = events::Sync::Kind;
        if (sync.kind == Kind::kPassed) return Passed(*sync.record);
        if (sync.kind == Kind::kDrained) return order_.Drained(time_.Step(sync.index));
        if (sync.kind == Kind::kFenced) return order_.StoresDone(time_.Step(sync.index));
        if (sync.kind == Kind::kCleaned) return polled_.Clean(sync.line, time_.Step(sync.index));
        const auto known = races_.cross().Synced(place_, sync, [&] {
            if (!sync.record) return PublishedAll(sync.index);
            order_.Starts(*sync.record);
            return Published(sync.record->pipe, TickOf(sync.record->index));
        });
        if (known) Learn(*known, sync.record ? TickOf(sync.record->index) : time_.Step(sync.index));
    }

private:
    void Passed(const isa::Record& control) {
        if (on_chip_) {
            if (const CoreOrder::FlagWait* wait = order_.NotTaken(control)) tell_(FlagReport(control, *wait));
        }
        isa::VisitControl(control, [&](const auto& parameters) {
            if (on_chip_ || OrdersGm(control, parameters)) order_.Passed(control);
        });
    }

    // Compares an access with those before it on the same bytes.
    class Judging final : public History::Judge {
    public:
        Judging(CoreRaces& core, Memory memory, const Access& access, bool in_order, uint32_t allocation = 0)
            : core_(core), memory_(memory), access_(access), in_order_(in_order), allocation_(allocation) {}
        void Meet(const Access& earlier, const History::Stretch& bytes) override {
            core_.Judge(earlier, access_, memory_, bytes, in_order_, allocation_);
        }
        void MeetEqual(const Access& earlier, const History::Stretch& bytes) override {
            core_.Judge(earlier, access_, memory_, bytes, in_order_, allocation_, true);
        }
        bool IsBehind(const Access& earlier) override {
            return core_.clock_->own[static_cast<size_t>(earlier.pipe)] > earlier.tick;
        }

    private:
        CoreRaces& core_;
        const Memory memory_;
        const Access& access_;
        const bool in_order_;
        const uint32_t allocation_;
    };

    // each_run(touch): calls touch(span) for the bytes.
    template <class EachRun>
    void TouchOnChip(Memory memory, const Access& access, bool in_order, const EachRun& each_run) {
        if (!held_.empty() && access.kind != Access::Kind::kRead) {
            each_run([&](const isa::Span& run) {
                held_.Meet(memory, run, [&](const Access& by, isa::Span both) {
                    tell_(HeldReport(by, access, memory, Bytes(memory, both, 0)));
                });
            });
        }
        if (memory == Memory::kNone || memory >= Memory::kCount || memory == Memory::kRegister) return;
        auto& history = on_chip_memory_[static_cast<size_t>(memory)];
        if (!history) history = std::make_unique<History>(&pasts_, launch_.chip.Bytes(memory));
        Judging judging(*this, memory, access, in_order);
        std::optional<History::Walk> walk;
        isa::Span first;
        each_run([&](const isa::Span& run) {
            if (!walk && first.begin == first.end) {
                first = run;
                return;
            }
            if (!walk) walk.emplace(*history, access, judging).Touch(first);
            walk->Touch(run);
        });
        if (!walk && first.begin != first.end && !history->TouchAlone(first, access, judging))
            walk.emplace(*history, access, judging).Touch(first);
    }

    uint64_t MostPolled(uint32_t allocation) const { return sanitize::MostPolled(launch_.gm[allocation].of_ranks); }
    [[gnu::noinline]] void NoteInOrder(const isa::Record& record) { in_order_.insert(record.index); }

    // An operand in global memory.
    void TouchGm(const isa::Record& record, int i, Access& access, Call& call, const isa::MemoryMap& memory,
                 bool in_order) {
        const isa::Operand& operand = record.operand[static_cast<size_t>(i)];
        const isa::Span span = isa::SpanOf(record, i);
        access.few_bytes = span.end - span.begin <= MostPolled(operand.allocation);
        if (access.kind != Access::Kind::kRead) {
            runs_ = true;
            races_.Runs(place_.order, access.tick);
        }
        bool kept = false;
        if (!access.few_bytes) {
            if (OwnParts* parts = races_.PartsOf(operand.allocation)) {
                const uint64_t bytes = launch_.gm[operand.allocation].bytes;
                own_.Keep(record, i, access, call.Site(races_, access), bytes, *parts);
                if (own_.shared().empty()) return;
                kept = true;
            }
        }
        const GmAccess gm{access, operand.allocation, span};
        const uint8_t* content = memory.gm[operand.allocation] + span.begin;
        outcome_.Clear();
        polled_.CleanNow();
        bool alone = false;
        {
            Judging judging(*this, Memory::kGm, access, in_order, operand.allocation);
            Races::GmTouch touch(races_, gm, *clock_, content, on_chip_ ? &judging : nullptr, &outcome_);
            if (kept) {
                for (const isa::Span& run : own_.shared()) touch.Run(run);
            } else {
                const bool one = isa::OneBlock(record) != nullptr;
                isa::ForEachRun(record, i, nullptr, [&](const isa::Span& run) { touch.Run(run, one); });
            }
            // S is in order by hardware: what it did before is done.
            touch.End(record.pipe == Pipe::kS ? access.tick : 0);
            const bool again = std::ranges::any_of(unordered_, &Unordered::StoresAgain);
            alone = !outcome_.writes.empty() || !outcome_.reads.empty() || again;
            if (alone) touch.RunAlone();
        }
        if (outcome_.learnt) order_.Learns(record.pipe, ClockOf(outcome_.learnt), access.tick);
        if (!alone) return;
        for (const Races::Race& race : outcome_.writes) races_.AwaitDone(race.other);
        written_ = access;
        before_.assign(content, content + (span.end - span.begin));
    }

    // What a store that races left as it was (equal-bytes), once it has run.
    void JudgeStores(const isa::Record& record, const isa::MemoryMap& memory) {
        const uint32_t allocation = record.dst().allocation;
        const isa::Span span = isa::SpanOf(record, 0);
        const uint8_t* now = memory.gm[allocation] + span.begin;
        const auto kept = [&](isa::Span bytes) {
            const uint64_t from = bytes.begin - span.begin, end = std::min(bytes.end, span.end) - span.begin;
            return std::memcmp(now + from, before_.data() + from, end - from) == 0;
        };
        for (const Races::Race& race : outcome_.writes) {
            // What a sum leaves is equal by chance.
            const bool plain = race.other.kind == Access::Kind::kWrite && written_.kind == Access::Kind::kWrite;
            const bool equal = plain && kept(race.bytes);
            races_.Note(race.other, written_, allocation, race.bytes, equal);
            if (equal) races_.AreEqual(race.other, written_, allocation, race.bytes);
        }
        for (const Races::Race& race : outcome_.reads) {
            const bool equal = race.written && kept(race.bytes);
            if (race.polls && !equal) continue;
            if (race.polls) races_.PollsNothing(race.other, written_);
            races_.Note(race.other, written_, allocation, race.bytes, equal);
        }
        for (const Unordered& store : stored_again_) {
            const bool equal = kept(store.span);
            tell_(equal ? EqualReport(store.earlier, store.later, store.bytes)
                        : RaceReport(store.earlier, store.later, store.memory, store.bytes, launch_.auto_sync));
            if (equal) races_.AreEqual(store.earlier, store.later, allocation, store.span);
        }
        stored_again_.clear();
        outcome_.writes.clear();
        outcome_.reads.clear();
        before_.clear();
    }

    // What most records are: a move of one block within parts that no other core has touched. False: something else, or
    // parts that are shared; what has been kept then may be kept again.
    bool KeepsMove(const isa::Record& record) {
        if (!isa::OneBlock(record) || !in_order_.empty()) return false;
        const int i = record.dst().memory == Memory::kGm ? 0 : 1;
        const isa::Span span = isa::SpanOf(record, i);
        const isa::Operand& operand = record.operand[static_cast<size_t>(i)];
        if (operand.memory != Memory::kGm || span.end - span.begin <= MostPolled(operand.allocation) ||
            isa::IsAtomic(record) || (i == 0 && record.src0().memory == Memory::kGm))
            return false;
        OwnParts* parts = races_.PartsOf(operand.allocation);
        if (!parts || span.end > launch_.gm[operand.allocation].bytes) return false;
        Call& call = calls_.Of(record);
        call.access.tick = TickOf(record.index);
        call.access.kind = i == 0 ? Access::Kind::kWrite : Access::Kind::kRead;
        order_.Starts(record);
        if (i == 0) {
            runs_ = true;
            races_.Runs(place_.order, call.access.tick);
        }
        return OwnRuns::KeepAll(span, call.access, call.Site(races_, call.access), *parts);
    }

    // Both of this core. What the hardware, the compiler or TIK orders is learnt, as a flag's wait would teach it.
    // equal: `later` reads what a write it is behind left, too.
    void Judge(const Access& earlier, const Access& later, Memory memory, const History::Stretch& stretch,
               bool in_order, uint32_t allocation, bool equal = false) {
        if (earlier.tick == later.tick) return;  // a record that works in place
        const auto from = static_cast<size_t>(earlier.pipe);
        if (clock_->own[from] > earlier.tick) return;
        if (earlier.pipe == Pipe::kS && later.pipe == Pipe::kS) return;  // in order by hardware (framework.md 2.6)
        if (earlier.long_matmul && later.long_matmul && memory == Memory::kL0C) return;
        if (earlier.unit_flag && later.unit_flag && memory == Memory::kL0C) return;
        const bool scalar_pair =
            (earlier.listed && IsVectorSide(later.pipe)) || (later.listed && IsVectorSide(earlier.pipe));
        const bool vector_pair = earlier.pipe == Pipe::kV && later.pipe == Pipe::kV;
        if (in_order || (auto_sync_ && (vector_pair || scalar_pair))) return Orders(earlier, later);
        const auto same = [&](const Unordered& other) {
            return other.earlier.pipe == earlier.pipe && other.earlier.tick == earlier.tick;
        };
        if (std::ranges::none_of(unordered_, same)) {
            const isa::Span span = stretch.Bytes();
            unordered_.push_back({earlier, later, memory, Bytes(memory, span, allocation), span, equal});
        }
    }

    void Orders(const Access& earlier, const Access& later) {
        order_.Learns(later.pipe, order_.Behind(earlier.pipe, earlier.tick), later.tick);
    }

    // All bytes of an access have been judged: what is inserted before it orders it behind other pipes, too.
    void TellUnordered() {
        for (const Unordered& race : unordered_) {
            if (clock_->own[static_cast<size_t>(race.earlier.pipe)] > race.earlier.tick) continue;
            if (race.StoresAgain() && !before_.empty()) {
                stored_again_.push_back(race);
            } else if (race.equal) {
                tell_(EqualReport(race.earlier, race.later, race.bytes));
            } else {
                tell_(RaceReport(race.earlier, race.later, race.memory, race.bytes, launch_.auto_sync));
            }
            // It counts as ordered from here on: one missing flag, one report.
            Orders(race.earlier, race.later);
        }
        unordered_.clear();
    }

    std::string Bytes(Memory memory, isa::Span bytes, uint32_t allocation) const {
        if (memory == Memory::kGm)
            return fmt::format("bytes {} to {} of '{}'", bytes.begin, bytes.end - 1, launch_.gm[allocation].name);
        return fmt::format("bytes {} to {}", bytes.begin, bytes.end - 1);
    }

    Known Published(Pipe pipe, uint64_t tick) const { return races_.Publish(place_.order, order_.At(pipe, tick)); }
    // After everything issued.
    Known PublishedAll(uint64_t next_index) {
        const uint64_t tick = time_.Step(next_index);
        order_.Drained(tick);
        return races_.Publish(place_.order, order_.At(Pipe::kS, tick));
    }
    // What others know of this core comes back, too.
    Clock ClockOf(const Known& known) const {
        Clock clock;
        clock.others = known;
        if (known) clock.own = (*known)[place_.order];
        return clock;
    }
    void Learn(const Known& known, uint64_t tick) { order_.ScalarLearns(ClockOf(known), tick); }

    Races& races_;
    const LaunchView& launch_;
    const events::Place place_;
    const events::Tell tell_;
    const bool on_chip_, auto_sync_;
    CoreOrder order_;
    ScalarTime time_;
    const Clock* clock_ = nullptr;  // of the pipe whose access is judged; what it learns is there at once
    // Of the record that runs.
    Races::Outcome outcome_;
    SeenBytes seen_;
    std::vector<Unordered> unordered_, stored_again_;
    HeldBytes held_;
    Access written_;
    std::vector<uint8_t> before_;
    bool runs_ = false;  // a store to global memory
    PolledRead polled_;
    OwnRuns own_;
    Calls calls_;
    std::set<uint64_t> in_order_;  // records that TIK synchronises, issued and not executed
    Pasts pasts_;
    std::array<std::unique_ptr<History>, isa::kMemoryCount> on_chip_memory_;
};

std::unique_ptr<events::CoreListener> Races::Begin(const events::Place& place, events::Tell tell) {
    return std::make_unique<CoreRaces>(*this, place, std::move(tell));
}

}  // namespace sfumato::sanitize
