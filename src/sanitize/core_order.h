// SPDX-License-Identifier: Apache-2.0
// What orders the pipes of one core: flags, barriers, tokens of queues, waits of the scalar unit
// (framework.md 2.3, 2.4).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "events/clock.h"
#include "events/flags.h"
#include "isa/record.h"

namespace sfumato::sanitize {

using events::Clock, events::JoinKnown, events::kScalarStores, events::RaiseBound, events::RecordAt, events::ScalarTime,
    events::TickOf;

// The latest values of a line that grows at one end; what they took is used again.
template <class T>
class Latest {
public:
    // A place behind the others; with `most` of them the first one's. It holds what was there before.
    T& Add(size_t most) {
        if (count_ == most) return places_[std::exchange(first_, Place(first_ + 1, most))];
        if (count_ == places_.size()) {
            std::rotate(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(first_), places_.end());
            first_ = 0;
            places_.resize(std::min(most, 2 * count_ + 4));
        }
        return places_[Place(first_ + count_++, places_.size())];
    }
    size_t size() const { return count_; }
    T& operator[](size_t i) { return places_[Place(first_ + i, places_.size())]; }
    const T& operator[](size_t i) const { return places_[Place(first_ + i, places_.size())]; }
    void RemoveFirst() {
        first_ = Place(first_ + 1, places_.size());
        --count_;
    }

private:
    static size_t Place(size_t i, size_t size) { return i < size ? i : i - size; }

    std::vector<T> places_;
    size_t first_ = 0, count_ = 0;
};

class CoreOrder {
public:
    explicit CoreOrder(FlagIdentity identity = FlagIdentity::kEvent) : flags_(identity) {}
    // In program order: what the scalar unit has waited for is done before anything it issues later.
    void Issued(const isa::Record& record) {
        const auto pipe = static_cast<size_t>(record.pipe);
        if (record.pipe != isa::Pipe::kS && pipe < issued_version_.size() && issued_version_[pipe] != scalar_version_)
            NoteIssue(record);
    }
    // What the record may rely on when it starts. One that others of its pipe have overtaken knows less than they do.
    const Clock& Starts(const isa::Record& record) {
        if (record.pipe == isa::Pipe::kS) return scalar_;
        const auto pipe = static_cast<size_t>(record.pipe);
        const uint64_t tick = TickOf(record.index);
        if (tick < started_[pipe]) return Overtaken(record.pipe, tick);
        started_[pipe] = tick;
        if (issues_[pipe].size() != 0) TakeIssues(record);
        return pipes_[pipe];
    }
    void Passed(const isa::Record& control);
    struct FlagWait {
        isa::Pipe pipe = isa::Pipe::kS;
        uint64_t tick = 0;  // 0: there was none
        Where where = {};
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
    void NoteIssue(const isa::Record& record);
    void TakeIssues(const isa::Record& record);
    const Clock& Overtaken(isa::Pipe pipe, uint64_t tick) { return overtaken_ = Then(pipe, tick); }
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
        uint64_t index = 0;
        Clock clock;
    };
    static constexpr size_t kKept = 256;
    struct Earlier {
        uint64_t tick = 0;  // before which
        Clock clock;
    };
    Clock scalar_;
    uint64_t scalar_version_ = 0;
    std::array<Clock, isa::kPipeCount> pipes_;
    std::array<uint64_t, isa::kPipeCount> started_{};  // the latest tick
    Clock overtaken_;
    std::array<uint64_t, isa::kPipeCount> issued_version_{};
    std::array<Latest<Issue>, isa::kPipeCount> issues_;
    std::array<Latest<Earlier>, isa::kPipeCount> earlier_;
    events::Flags<Clock> flags_;
    events::OfFlags<FlagWait> waits_;  // the latest
};

}  // namespace sfumato::sanitize
