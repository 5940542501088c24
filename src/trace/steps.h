// SPDX-License-Identifier: Apache-2.0
// The timeline of a run without times. Every instruction takes one step; it begins when its pipe is free and everything
// it waits for has ended: flags, barriers, other cores. What the program leaves unordered is at the same step.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "events/cross_order.h"
#include "events/listener.h"
#include "sfumato/flag_identity.h"
#include "trace/timeline.h"

namespace sfumato::trace {

// When a core had come so far, and the slice that ended then; a row beyond the pipes: none.
struct Moment {
    double at = -1;
    Point from{0, kRows, 0};
};
inline Moment LaterMoment(Moment a, const Moment& b) { return b.at > a.at ? b : a; }

class Steps final : public events::Listener {
public:
    Steps(TimelineSink* sink, FlagIdentity flags) : sink_(sink), flags_(flags) {}

    void LaunchBegun(const events::LaunchFacts& facts) override;
    std::unique_ptr<events::CoreListener> Begin(const events::Place& place, events::Tell) override;

    // After the launch: where cores stopped, with the findings that say why.
    void Close(std::span<const Report> findings);

    using Order = events::CrossOrder<Moment, LaterMoment>;
    // What a pipe stood at when its core ended; it goes on to the end of the timeline.
    struct Left {
        Slice::Kind kind;
        uint32_t row;
        double since;
        std::string name, details;
        Where where;
        uint64_t index;
        std::string note;  // what is queued behind it
    };
    struct Stopped {
        events::Place place;
        double since;  // of the scalar unit
        std::vector<Left> left;
    };

private:
    friend class CoreSteps;
    void AddLeft(const events::Place& place, const Left& left, Slice::Kind kind, double end, const std::string& note);

    TimelineSink* sink_;
    const FlagIdentity flags_;
    std::mutex mutex_;  // of all that follows
    Order order_;
    double end_ = 0;
    std::map<std::string, Stopped> stopped_;  // by the core's name
};

}  // namespace sfumato::trace
