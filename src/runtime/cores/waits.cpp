// SPDX-License-Identifier: Apache-2.0
// A core that waits for others: flags and meetings, turns, rooms.
#include "runtime/cores/waits.h"

#include "exec/exec.h"
#include "runtime/cores/core.h"
#include "runtime/cores/core_reports.h"
#include "runtime/launch/launch_state.h"
#include "runtime/world/held_stores.h"

namespace sfumato::runtime {

using events::Sync;

void Waits::BeforeRest() {
    core_.polls().Rests();
    if (HeldStores* const held = core_.held()) held->ArriveAll();
}

void Waits::Leave() {
    exec::Publish();
    SetCurrentCore(nullptr);
}

void Waits::GoOn(std::string_view name, Where where) {
    core_.Enter();
    if (core_.stopping().Asked()) core_.stopping().At(name, where, true);
}

void Waits::Join(const char* call, Where where) {
    LaunchState& launch = core_.launch();
    if (launch.work->joined()) return;
    Rest(call, where, [&] {
        return launch.cores->WaitFor(core_.place().order,
                                     {"the other ranks", [work = launch.work] { return work->joined(); }});
    });
}

void Waits::AwaitRoom() {
    for (const events::CoreListener* listener : core_.told().rooms()) {
        if (listener->HasRoom()) continue;
        // Where nobody else can go on, there is room after all.
        Rest("", {}, [&] {
            return core_.launch().cores->WaitFor(
                core_.place().order,
                {.what = "an observer", .done = [listener] { return listener->HasRoom(); }, .can_work = true});
        });
    }
}

void Waits::AwaitTurn() {
    // What is stored behind others' backs stays there: an atomic store may overtake it.
    Leave();
    core_.launch().cross_core->AwaitTurn(core_.place().order);
    GoOn("its turn to store atomically", {});
    has_turn_ = true;
}

void Waits::MaybeYield() {
    Cores& cores = *core_.launch().cores;
    if (cores.Yields()) GiveWay();
}

void Waits::GoBehind(bool polls) {
    LaunchState& launch = core_.launch();
    Rest("", {},
         [&] { return launch.work->world().GoBehind(*launch.work, *launch.cores, core_.place().order, polls); });
}

void Waits::GiveWay() {
    Rest("", {}, [&] { return core_.launch().cores->Yield(core_.place().order); });
}

void Waits::Await(const Condition& condition, const Call& call, const std::vector<uint64_t>& setters,
                  const std::function<void()>& taken) {
    AwaitUnordered(condition, call, setters, taken);
    core_.Synced({.kind = Sync::Kind::kReached,
                  .counter = condition.counter,
                  .level = condition.at_least,
                  .takes = condition.takes});
}

void Waits::AwaitUnordered(const Condition& condition, const Call& call, const std::vector<uint64_t>& setters,
                           const std::function<void()>& taken) {
    core_.stopping().IfAsked();
    core_.scalar().LookAtReferences();
    core_.TellWait(condition, call);
    LaunchState& launch = core_.launch();
    CrossCore& cross_core = *launch.cross_core;
    if (!launch.cores->AllAtOnce()) ReportBlocksBeyondCores(core_, call);
    core_.polls().Progress();
    // What was issued goes on. As late as possible: only when no other core can.
    const bool late = launch.schedule.kind == Schedule::Kind::kLate || launch.schedule.kind == Schedule::Kind::kSeed;
    // What the canonical run has before the wait is told before it.
    while ((to_tell_ != 0 || (!late && !cross_core.Holds(condition))) && core_.pipes().Step()) {
    }
    has_turn_ = false;
    for (;;) {
        const bool can_work = core_.pipes().CanStep();
        const auto woken = Rest(call.name, call.where, [&] {
            return cross_core.Await(core_.place().order, condition, call, setters, can_work, taken);
        });
        if (woken == Cores::Woken::kNever)
            StandsStill(call, core_.next_index(), cross_core.Explain(core_.place().order));
        if (woken != Cores::Woken::kWork) return;
        core_.pipes().Step();
    }
}

void Waits::Meet(uint64_t counter, const std::vector<uint64_t>& members, const Call& call) {
    core_.stopping().IfAsked();
    core_.Settle();
    core_.Synced({.kind = Sync::Kind::kArrived, .counter = counter, .level = members.size()});
    LaunchState& launch = core_.launch();
    const uint64_t self = core_.place().order;
    const Condition all = launch.cross_core->Arrive(self, counter, members.size());
    if (launch.schedule.one_core_at_a_time) Rest(call.name, call.where, [&] { return launch.cores->Yield(self); });
    AwaitUnordered(all, call, members);
    core_.Synced({.kind = Sync::Kind::kMet, .counter = counter});
}

const char* Waits::MeetOthers() {
    core_.stopping().IfAsked();
    LaunchState& launch = core_.launch();
    if (!launch.cores->AllAtOnce()) return "a launch with more blocks than cores: they do not run together";
    CrossCore& cross_core = *launch.cross_core;
    const uint64_t self = core_.place().order, counter = MeetingCounter(Meeting::kCores, 0);
    const Call call{"block_barrier", {}};
    core_.Synced({.kind = Sync::Kind::kArrived, .counter = counter, .level = launch.cores->count()});
    const Condition all = cross_core.Arrive(self, counter, launch.cores->count());
    core_.TellWait(all, call);
    has_turn_ = false;
    const auto woken = Rest(call.name, {}, [&] { return cross_core.Await(self, all, call, {}); });
    cross_core.Forget(self);
    if (woken == Cores::Woken::kNever && launch.cores->StopsEarly()) core_.stopping().Now();
    if (woken == Cores::Woken::kDone) core_.Synced({.kind = Sync::Kind::kMet, .counter = counter});
    return woken == Cores::Woken::kDone ? nullptr : "a block that ended without reaching it";
}

void Waits::Signal(uint64_t counter, const std::function<void()>& also) {
    core_.stopping().IfAsked();
    core_.scalar().LookAtReferences();
    core_.polls().Progress();
    core_.Synced({.kind = Sync::Kind::kRaised, .counter = counter});
    core_.launch().cross_core->Add(core_.place().order, counter, also);
    MaybeYield();
}

void Waits::Committed(uint64_t task) { core_.Synced({.kind = Sync::Kind::kRaised, .counter = task}); }

void Waits::Completed(uint64_t task) { core_.Synced({.kind = Sync::Kind::kReached, .counter = task}); }

void Waits::SetFlag(const isa::Record& set) {
    exec::Publish();
    core_.polls().Progress();
    --to_tell_;
    const auto& flag = set.As<isa::CrossFlag>();
    core_.Synced({.kind = Sync::Kind::kFlagSet, .record = &set});
    core_.launch().cross_core->Set(core_.place().order, flag.mode, flag.id, set.where);
}

void Waits::StandsStill(const Call& call, uint64_t index, const CrossCore::Explanation& why) {
    LaunchState& launch = core_.launch();
    // What made it so has its own report: of the launch, or of a core that has stopped.
    if (launch.cross_core->overflowed() || launch.cores->StopsEarly()) core_.stopping().WithThoseAbove();
    CrossCore::Explanation all = why;
    if (launch.work) all.found += (all.found.empty() ? "" : "; ") + launch.work->world().Explain(*launch.work);
    core_.findings().Add(DeadlockOfCores(core_, call, index, all));
    launch.cross_core->Forget(core_.place().order);
}

}  // namespace sfumato::runtime
