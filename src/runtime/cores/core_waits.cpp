// SPDX-License-Identifier: Apache-2.0
// A core that waits for others: flags and meetings, turns, polls of global memory.
#include <fmt/format.h>

#include <algorithm>

#include "exec/exec.h"
#include "isa/geometry.h"
#include "report/finding.h"
#include "runtime/cores/core.h"
#include "runtime/launch/launch_state.h"
#include "sanitize/race_words.h"

namespace sfumato::runtime {

template <class Wait>
auto Core::Rest(std::string_view name, Where where, const Wait& wait) {
    exec::Publish();
    SetCurrentCore(nullptr);
    const auto result = wait();
    Enter();
    if (Cancelled()) StopAt(name, where, true);
    return result;
}

void Core::TellAwaits(const Condition& condition) {
    for (trace::Observer* o : launch_->observers)
        o->Awaits(place_, condition.counter, condition.at_least, condition.takes);
}

void Core::TellCacheHint(const void* address, bool cached) {
    const int allocation = FindGm(address);
    if (allocation < 0) return;
    for (trace::Observer* o : launch_->observers) o->CacheHint(place_, static_cast<uint32_t>(allocation), cached);
}

void Core::TellRaised(uint64_t counter) {
    for (trace::Observer* o : launch_->observers) o->Raises(place_, counter);
}

void Core::AwaitRoom() {
    for (trace::Observer* o : launch_->observers) {
        if (o->HasRoom(place_)) continue;
        // Where nobody else can go on, there is room after all.
        Rest("", {}, [&] {
            return launch_->cores->WaitFor(
                place_.order,
                {.what = "an observer", .done = [this, o] { return o->HasRoom(place_); }, .can_work = true});
        });
    }
}

void Core::AwaitTurn() {
    Rest("its turn to store atomically", {}, [this] { return launch_->cross_core->AwaitTurn(place_.order); });
    has_turn_ = true;
}

const char* Core::MeetOthers() {
    CheckCancelled();
    if (!launch_->cores->AllAtOnce()) return "a launch with more blocks than cores: they do not run together";
    CrossCore& cross_core = *launch_->cross_core;
    const uint64_t self = place_.order, counter = MeetingCounter(Meeting::kCores, 0);
    Synced({.kind = sanitize::CrossSync::Kind::kArrived, .counter = counter, .level = launch_->cores->count()});
    TellRaised(counter);
    const Condition all = cross_core.Arrive(self, counter, launch_->cores->count());
    TellAwaits(all);
    has_turn_ = false;
    if (observed_) TellWaits({"block_barrier", {}});
    const auto woken = Rest("block_barrier", {}, [&] {
        return cross_core.Await(self, all, {"block_barrier", {}}, {});
    });
    cross_core.Forget(self);
    if (woken == Cores::Woken::kNever && launch_->cores->StopsEarly()) Stop();
    if (woken == Cores::Woken::kDone) Synced({.kind = sanitize::CrossSync::Kind::kMet, .counter = counter});
    return woken == Cores::Woken::kDone ? nullptr : "a block that ended without reaching it";
}

void Core::IssueWait(isa::Record& record, const Condition& condition, const Call& call) {
    StopIfAsked(call.name, call.where);
    record.index = Count();
    record.core_kind = place_.kind;
    record.sub_block = static_cast<uint8_t>(place_.sub_block);
    if (observed_) TellIssued(record, false);
    AwaitCondition(condition, call, launch_->cross_core->FlagSetters(place_.order), {});
    Synced({.kind = sanitize::CrossSync::Kind::kFlagWaited, .record = &record});
    Passed(record);
}

void Core::Await(const Condition& condition, const Call& call, const std::vector<uint64_t>& setters,
                 const std::function<void()>& taken) {
    AwaitCondition(condition, call, setters, taken);
    Synced({.kind = sanitize::CrossSync::Kind::kReached,
            .counter = condition.counter,
            .level = condition.at_least,
            .takes = condition.takes});
}

void Core::AwaitCondition(const Condition& condition, const Call& call, const std::vector<uint64_t>& setters,
                          const std::function<void()>& taken) {
    CheckCancelled();
    LookAtReferences();
    if (observed_) TellWaits(call);
    TellAwaits(condition);
    CrossCore& cross_core = *launch_->cross_core;
    if (!launch_->cores->AllAtOnce()) BlocksExceedCores(call);
    polling_.Progress();
    // What was issued goes on. As late as possible: only when no other core can.
    const bool late =
        launch_->schedule.kind == Schedule::Kind::kLate || launch_->schedule.kind == Schedule::Kind::kSeed;
    // What the canonical run has before the wait is told before it.
    while ((to_tell_ != 0 || (!late && !cross_core.Holds(condition))) && pipes_.Step()) {
    }
    has_turn_ = false;
    for (;;) {
        const bool can_work = pipes_.CanStep();
        const auto woken = Rest(call.name, call.where, [&] {
            return cross_core.Await(place_.order, condition, call, setters, can_work, taken);
        });
        if (woken == Cores::Woken::kNever) StandsStill(call, records, cross_core.Explain(place_.order));
        if (woken != Cores::Woken::kWork) return;
        pipes_.Step();
    }
}

void Core::Meet(uint64_t counter, const std::vector<uint64_t>& members, const Call& call) {
    CheckCancelled();
    Settle();
    Synced({.kind = sanitize::CrossSync::Kind::kArrived, .counter = counter, .level = members.size()});
    TellRaised(counter);
    const Condition all = launch_->cross_core->Arrive(place_.order, counter, members.size());
    if (launch_->schedule.one_core_at_a_time)
        Rest(call.name, call.where, [this] { return launch_->cores->Yield(place_.order); });
    AwaitCondition(all, call, members, {});
    Synced({.kind = sanitize::CrossSync::Kind::kMet, .counter = counter});
}

void Core::Signal(uint64_t counter, const std::function<void()>& also) {
    CheckCancelled();
    LookAtReferences();
    polling_.Progress();
    Synced({.kind = sanitize::CrossSync::Kind::kRaised, .counter = counter});
    TellRaised(counter);
    launch_->cross_core->Add(place_.order, counter, also);
    MaybeYield();
}

void Core::MaybeYield() {
    if (launch_->cores->Yields()) Rest("", {}, [this] { return launch_->cores->Yield(place_.order); });
}

void Core::SetCrossFlag(const isa::Record& set) {
    exec::Publish();
    polling_.Progress();
    --to_tell_;
    const auto& flag = set.As<isa::CrossFlag>();
    Synced({.kind = sanitize::CrossSync::Kind::kFlagSet, .record = &set});
    launch_->cross_core->Set(place_.order, flag.mode, flag.id, set.where);
}

// A load of up to so many bytes may be a poll; more is data.
constexpr uint64_t kMostPolled = 512;
// Moves that find nothing changed, shared by the cores that poll, before it is certain that nothing will; and loads of
// one core: more than a loop makes that ends by itself (decided).
#if defined(__SANITIZE_THREAD__)
constexpr uint64_t kMostPolls = 30'000, kMostLoads = kMostPolls;  // each takes ten times as long there
#else
constexpr uint64_t kMostPolls = 300'000, kMostLoads = 1'200'000;
#endif

void Core::NotePolling(const isa::Record& record) {
    if (record.operand_count > 0 && record.dst().memory == isa::Memory::kGm) return polling_.Progress();
    if (record.operand_count != 2 || record.operand[1].memory != isa::Memory::kGm) return polling_.Worked();
    if (!polling_.Quiet()) return;
    const isa::Span span = SpanOf(record, 1);
    if (span.end - span.begin > kMostPolled) return polling_.Progress();
    Polled(GmBase(record.operand[1].allocation) + span.begin, span.end - span.begin, false, record.index,
           {isa::CallName(record), record.where});
}

void Core::StalePoll(const Call& call, uint64_t index) {
    Report report = ToReport(sanitize::StalePoll(), call.name, call.where);
    report.index = index;
    Find(std::move(report));
}

// "4 bytes at byte 0 of 'gm' and 4 bytes at byte 128 of 'gm'".
std::string Core::PolledBytes() const {
    constexpr size_t kMostNamed = 3;
    std::vector<Polling::Read> reads = polling_.reads();
    std::ranges::sort(reads, [](const auto& a, const auto& b) { return a.address < b.address; });
    std::string text;
    for (size_t i = 0; i < reads.size() && i < kMostNamed; ++i) {
        const int gm = FindGm(reads[i].address);
        text += fmt::format("{}{} bytes", i == 0 ? "" : " and ", reads[i].bytes);
        if (gm < 0) continue;
        const auto allocation = static_cast<uint32_t>(gm);
        text += fmt::format(" at byte {} of '{}'", reads[i].address - GmBase(allocation), Gm(allocation).name);
    }
    if (reads.size() > kMostNamed) text += fmt::format(" and {} other places", reads.size() - kMostNamed);
    return text;
}

void Core::Polled(const uint8_t* address, uint64_t bytes, bool cached, uint64_t index, const Call& call) {
    switch (polling_.Again(address, bytes, cached, call.where)) {
        case Polling::Found::kOther:
            if (polling_.Begins()) poll_index_ = index;
            return;
        case Polling::Found::kChanged: poll_rounds_ = 0; return;
        case Polling::Found::kStale: poll_rounds_ = 0; return StalePoll(call, index);
        case Polling::Found::kUnchanged: break;
    }
    if (polling_.rounds() < poll_rounds_) return;
    CheckCancelled();
    CrossCore& cross_core = *launch_->cross_core;
    const uint64_t shared = kMostPolls / std::max<uint64_t>(1, cross_core.live_pollers());
    const uint64_t most = (cached ? kMostLoads : shared) / polling_.reads().size();
    const bool last_time = polling_.rounds() >= most;
    const auto woken = Rest(call.name, call.where, [&] {
        return cross_core.AwaitChange(
            place_.order, [this] { return polling_.Differs(); }, last_time, call);
    });
    // Others may wait for what lies in this core's own queues; the next scalar access runs some of it, unless nothing
    // is pending.
    if (woken == Cores::Woken::kWork && owes_step_) worked_out_ = true;
    owes_step_ = woken == Cores::Woken::kWork && !worked_out_;
    poll_rounds_ = woken == Cores::Woken::kWork && worked_out_ ? most : 0;
    if (woken == Cores::Woken::kDone) {
        worked_out_ = false;
        // The program's read sees the change, and may be its last.
        if (polling_.LastIsStale()) StalePoll(call, index);
        polling_.Changed();
    }
    if (woken == Cores::Woken::kNever) {
        const std::string others = cross_core.Explain(place_.order).found;
        const auto& reads = polling_.reads();
        const auto lowest =
            std::ranges::min_element(reads, [](const auto& a, const auto& b) { return a.address < b.address; });
        StandsStill({call.name, lowest->where}, poll_index_,
                    {fmt::format("it reads {} again and again, and nobody changes them{}", PolledBytes(),
                                 others.empty() ? others : "; " + others),
                     "write these bytes on another core, on every path and before that core waits for this one"});
        Stop();  // with faults collected, too: the program would read for ever
    }
}

}  // namespace sfumato::runtime
