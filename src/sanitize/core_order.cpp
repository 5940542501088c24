// SPDX-License-Identifier: Apache-2.0
// The clocks of a core's pipes.
#include "sanitize/core_order.h"

namespace sfumato::sanitize {

using isa::Pipe;

void CoreOrder::Issued(const isa::Record& record) {
    if (record.pipe == Pipe::kS || record.pipe >= Pipe::kCount) return;
    const auto pipe = static_cast<size_t>(record.pipe);
    if (std::exchange(issued_version_[pipe], scalar_version_) != scalar_version_)
        issues_[pipe].push_back({record.index, scalar_});
}

const Clock& CoreOrder::Starts(const isa::Record& record) {
    if (record.pipe == Pipe::kS) return scalar_;
    const auto pipe = static_cast<size_t>(record.pipe);
    const uint64_t tick = TickOf(record.index);
    if (tick < started_[pipe]) return overtaken_ = Then(record.pipe, tick);
    started_[pipe] = tick;
    auto& issues = issues_[pipe];
    while (!issues.empty() && issues.front().index <= record.index) {
        Changes(record.pipe, TickOf(issues.front().index));
        pipes_[pipe].Join(issues.front().clock);
        issues.pop_front();
    }
    return pipes_[pipe];
}

void CoreOrder::Changes(Pipe pipe, uint64_t tick) {
    auto& earlier = earlier_[static_cast<size_t>(pipe)];
    if (!earlier.empty() && earlier.back().tick >= tick) return;
    earlier.push_back({tick, ClockOf(pipe)});
    if (earlier.size() > kKept) earlier.pop_front();
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
    for (auto at = earlier.rbegin(); at != earlier.rend() && at->tick > tick; ++at) at->clock.Join(clock);
    if (tick < started_[static_cast<size_t>(pipe)]) overtaken_.Join(clock);
    ClockOf(pipe).Join(clock);
}

const Clock& CoreOrder::Then(Pipe pipe, uint64_t tick) const {
    const auto& earlier = earlier_[static_cast<size_t>(pipe)];
    const Clock* then = &ClockOf(pipe);
    for (auto at = earlier.rbegin(); at != earlier.rend() && at->tick > tick; ++at) then = &at->clock;
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
    if (!Has(control.op, isa::kWaits)) return flags_.Set(flag, At(control.pipe, tick));
    if (const Clock* done = flags_.Take(flag)) Learns(control.pipe, *done, tick);
    if (!flag.token) waits_.insert_or_assign(flags_.Key(flag), FlagWait{control.pipe, tick, control.where});
}

const CoreOrder::FlagWait* CoreOrder::NotTaken(const isa::Record& set) {
    const isa::Flag* flag = FlagOf(set);
    if (!flag || flag->token || Has(set.op, isa::kWaits)) return nullptr;
    const auto wait = waits_.find(flags_.Key(*flag));
    // What the scalar unit waits for is done before it issues the set.
    if (wait == waits_.end() || wait->second.pipe == Pipe::kS) return nullptr;
    const uint64_t done = Starts(set).own[static_cast<size_t>(wait->second.pipe)];
    return done > wait->second.tick ? nullptr : &wait->second;
}

}  // namespace sfumato::sanitize
