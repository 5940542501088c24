// SPDX-License-Identifier: Apache-2.0
// What orders the pipes of one core: flags, barriers, tokens of queues, waits of the scalar unit
// (framework.md 2.3, 2.4).
#pragma once

#include <array>
#include <deque>
#include <unordered_map>
#include <utility>

#include "events/clock.h"
#include "events/flags.h"
#include "isa/record.h"

namespace sfumato::sanitize {

using events::Clock, events::JoinKnown, events::kScalarStores, events::RaiseBound, events::RecordAt, events::ScalarTime,
    events::TickOf;

class CoreOrder {
public:
    explicit CoreOrder(FlagIdentity identity = FlagIdentity::kEvent) : flags_(identity) {}
    // In program order: what the scalar unit has waited for is done before anything it issues later.
    void Issued(const isa::Record& record);
    // What the record may rely on when it starts. One that others of its pipe have overtaken knows less than they do.
    const Clock& Starts(const isa::Record& record);
    void Passed(const isa::Record& control);
    struct FlagWait {
        isa::Pipe pipe;
        uint64_t tick;
        Where where;
    };
    // The wait for the flag as it was set before, when nothing makes this set come behind it.
    const FlagWait* NotTaken(const isa::Record& set);

    // The scalar unit's own clock.
    const Clock& scalar() const { return scalar_; }
    void ScalarLearns(const Clock& clock, uint64_t tick);
    // Everything issued before this tick is done, for the scalar unit and what it issues.
    void Drained(uint64_t tick);
    // What the scalar unit has stored before this tick is done, to other cores, too.
    void StoresDone(uint64_t tick);
    // What a pipe has done and knows, up to a tick.
    Clock At(isa::Pipe pipe, uint64_t tick) const;
    // What a flag set right behind an access says. Of what the pipe learnt long ago it may say more.
    Clock Behind(isa::Pipe pipe, uint64_t tick) const;
    // A wait that is inserted before what the pipe does at this tick.
    void Learns(isa::Pipe pipe, const Clock& clock, uint64_t tick);

private:
    void Pass(const isa::Record& control, const isa::Barrier& barrier, uint64_t tick);
    void Pass(const isa::Record& control, const isa::Flag& flag, uint64_t tick);
    void Pass(const isa::Record&, const isa::CrossFlag&, uint64_t) {}
    // The clock of a pipe is about to change: what it did before this tick knew no more.
    void Changes(isa::Pipe pipe, uint64_t tick);
    // What a pipe knew at a tick.
    const Clock& Then(isa::Pipe pipe, uint64_t tick) const;
    const Clock& ClockOf(isa::Pipe pipe) const {
        return pipe == isa::Pipe::kS ? scalar_ : pipes_[static_cast<size_t>(pipe)];
    }
    Clock& ClockOf(isa::Pipe pipe) { return pipe == isa::Pipe::kS ? scalar_ : pipes_[static_cast<size_t>(pipe)]; }

    struct Issue {
        uint64_t index;
        Clock clock;
    };
    static constexpr size_t kKept = 256;
    struct Earlier {
        uint64_t tick;  // before which
        Clock clock;
    };
    Clock scalar_;
    uint64_t scalar_version_ = 0;
    std::array<Clock, isa::kPipeCount> pipes_;
    std::array<uint64_t, isa::kPipeCount> started_{};  // the latest tick
    Clock overtaken_;
    std::array<uint64_t, isa::kPipeCount> issued_version_{};
    std::array<std::deque<Issue>, isa::kPipeCount> issues_;
    std::array<std::deque<Earlier>, isa::kPipeCount> earlier_;  // the latest
    events::Flags<Clock> flags_;
    std::unordered_map<uint64_t, FlagWait> waits_;  // the latest
};

}  // namespace sfumato::sanitize
