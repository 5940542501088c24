// SPDX-License-Identifier: Apache-2.0
// The clocks of a core's pipes.
#include "sanitize/core_order.h"

namespace sfumato::sanitize {

using isa::Pipe;

void CoreOrder::NoteIssue(const isa::Record& record) {
    const auto pipe = static_cast<size_t>(record.pipe);
    issued_version_[pipe] = scalar_version_;
    Issue& issue = issues_[pipe].Add(SIZE_MAX);
    issue.index = record.index;
    issue.clock.Set(scalar_);
}

void CoreOrder::TakeIssues(const isa::Record& record) {
    const auto pipe = static_cast<size_t>(record.pipe);
    for (auto& issues = issues_[pipe]; issues.size() != 0 && issues[0].index <= record.index; issues.RemoveFirst()) {
        Changes(record.pipe, TickOf(issues[0].index));
        pipes_[pipe].Join(issues[0].clock);
    }
}

void CoreOrder::Changes(Pipe pipe, uint64_t tick) {
    auto& earlier = earlier_[static_cast<size_t>(pipe)];
    if (earlier.size() != 0 && earlier[earlier.size() - 1].tick >= tick) return;
    Earlier& now = earlier.Add(kKept);
    now.tick = tick;
    now.clock.Set(ClockOf(pipe));
}

void CoreOrder::ScalarLearns(const Clock& clock, uint64_t tick) {
    Changes(Pipe::kS, tick);
    scalar_.Join(clock);
    ++scalar_version_;
}

void CoreOrder::Learns(Pipe pipe, const Clock& clock, uint64_t tick) {
    if (pipe == Pipe::kS) return ScalarLearns(clock, tick);
    Changes(pipe, tick);
    // Those that have overtaken it ran before; what is compared with them later may rely on this all the same.
    auto& earlier = earlier_[static_cast<size_t>(pipe)];
    for (size_t i = earlier.size(); i-- > 0 && earlier[i].tick > tick;) earlier[i].clock.Join(clock);
    if (tick < started_[static_cast<size_t>(pipe)]) overtaken_.Join(clock);
    ClockOf(pipe).Join(clock);
}

const Clock& CoreOrder::Then(Pipe pipe, uint64_t tick) const {
    const auto& earlier = earlier_[static_cast<size_t>(pipe)];
    const Clock* then = &ClockOf(pipe);
    for (size_t i = earlier.size(); i-- > 0 && earlier[i].tick > tick;) then = &earlier[i].clock;
    return *then;
}

Clock CoreOrder::Behind(Pipe pipe, uint64_t tick) const {
    Clock clock = Then(pipe, tick);
    RaiseBound(clock.own, pipe, tick + 1);
    return clock;
}

Clock CoreOrder::At(Pipe pipe, uint64_t tick) const {
    Clock clock = ClockOf(pipe);
    RaiseBound(clock.own, pipe, tick);
    return clock;
}

void CoreOrder::Drained(uint64_t tick) {
    Clock all = scalar_;
    for (const Clock& pipe : pipes_) all.others = JoinKnown(std::move(all.others), pipe.others);
    all.own.fill(tick);
    ScalarLearns(all, tick);
}

void CoreOrder::StoresDone(uint64_t tick) {
    Clock done = scalar_;
    done.own[kScalarStores] = tick;
    ScalarLearns(done, tick);
}

void CoreOrder::Passed(const isa::Record& control) {
    const uint64_t tick = TickOf(control.index);
    if (control.pipe == Pipe::kAll) return Drained(tick);
    if (control.pipe >= Pipe::kCount) return;
    Starts(control);
    isa::VisitControl(control, [&](const auto& parameters) { Pass(control, parameters, tick); });
}

void CoreOrder::Pass(const isa::Record& control, const isa::Barrier&, uint64_t tick) {
    Changes(control.pipe, tick);
    ClockOf(control.pipe).own[static_cast<size_t>(control.pipe)] = tick;
}

void CoreOrder::Pass(const isa::Record& control, const isa::Flag& flag, uint64_t tick) {
    if (!Has(control.op, isa::kWaits)) {
        Clock& done = flags_.Set(flag);
        done.Set(ClockOf(control.pipe));
        return RaiseBound(done.own, control.pipe, tick);
    }
    if (const Clock* done = flags_.Take(flag)) Learns(control.pipe, *done, tick);
    if (!flag.token) waits_[flags_.Key(flag)] = {control.pipe, tick, control.where};
}

const CoreOrder::FlagWait* CoreOrder::NotTaken(const isa::Record& set) {
    const isa::Flag* flag = FlagOf(set);
    if (!flag || flag->token || Has(set.op, isa::kWaits)) return nullptr;
    const FlagWait& wait = waits_[flags_.Key(*flag)];
    // What the scalar unit waits for is done before it issues the set.
    if (wait.tick == 0 || wait.pipe == Pipe::kS) return nullptr;
    const uint64_t done = Starts(set).own[static_cast<size_t>(wait.pipe)];
    return done > wait.tick ? nullptr : &wait;
}

}  // namespace sfumato::sanitize
