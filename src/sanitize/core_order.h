// SPDX-License-Identifier: Apache-2.0
// What orders the pipes of one core: flags, barriers, tokens of queues, waits of the scalar unit
// (framework.md 2.3, 2.4).
#pragma once

#include <array>
#include <deque>
#include <map>
#include <unordered_map>
#include <utility>

#include "isa/record.h"
#include "sanitize/clock.h"

namespace sfumato::sanitize {

class CoreOrder {
public:
    // In program order: what the scalar unit has waited for is done before anything it issues later.
    void Issued(const isa::Record& record);
    // What the record may rely on when it starts; in the order of its pipe.
    const Clock& Starts(const isa::Record& record);
    void Passed(const isa::Record& control);

    // The scalar unit's own clock.
    const Clock& scalar() const { return scalar_; }
    void ScalarLearns(const Clock& clock);
    // Everything issued before this tick is done, for the scalar unit and what it issues.
    void Drained(uint64_t tick);
    // What a pipe has done and knows, up to a tick.
    Clock At(isa::Pipe pipe, uint64_t tick) const;
    // A wait that is inserted before what comes next on the pipe.
    void Learns(isa::Pipe pipe, const Clock& clock);

private:
    Clock& ClockOf(isa::Pipe pipe) { return pipe == isa::Pipe::kS ? scalar_ : pipes_[static_cast<size_t>(pipe)]; }

    Clock& ClockOfToken(uint64_t token);
    void Take(isa::Pipe pipe, uint64_t token);

    struct Issue {
        uint64_t index;
        Clock clock;
    };
    Clock scalar_;
    uint64_t scalar_version_ = 0;
    std::array<Clock, isa::kPipeCount> pipes_;
    std::array<uint64_t, isa::kPipeCount> issued_version_{};
    std::array<std::deque<Issue>, isa::kPipeCount> issues_;
    std::map<std::pair<uint8_t, int8_t>, Clock> flags_;
    // Tokens that were set and not waited for: a few, with numbers that follow each other; the rest apart.
    struct Token {
        uint64_t number = 0;
        Clock clock;
    };
    std::array<Token, 64> tokens_;
    std::unordered_map<uint64_t, Clock> more_tokens_;
};

}  // namespace sfumato::sanitize
