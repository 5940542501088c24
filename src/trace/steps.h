// SPDX-License-Identifier: Apache-2.0
// The timeline of a run without times. Every instruction takes one step; it begins when its pipe is free and everything
// it waits for has ended: flags, barriers, other cores. What the program leaves unordered is at the same step.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sfumato/flag_identity.h"
#include "trace/cross_order.h"
#include "trace/timeline.h"

namespace sfumato::trace {

// When a core had come so far, and the slice that ended then; a row beyond the pipes: none.
struct Moment {
    double at = -1;
    Point from{0, kRows, 0};
};
inline Moment LaterMoment(Moment a, const Moment& b) { return b.at > a.at ? b : a; }

class CoreSteps;

class Steps final : public Observer {
public:
    Steps(TimelineSink* sink, FlagIdentity flags);
    ~Steps() override;

    void LaunchBegun(const LaunchFacts&) override;
    void BlockBegun(const Place&) override;
    void BlockEnded(const Place&) override;
    void InOrder(const Place&, const isa::Record&) override;
    void Issued(const Place&, const isa::Record&) override;
    void Executed(const Place&, const isa::Record&) override;
    bool WantsScalarTouches() const override { return true; }
    void Touched(const Place&, const isa::Record*, const Touch&) override;
    void Waits(const Place&, std::string_view call, Where) override;
    void Synced(const Place&, const CrossSync&) override;
    void CallBegun(const Place&, const char*, Where) override;
    void CallEnded(const Place&) override;

    // After the launch: where cores stopped, with the findings that say why.
    void Finish(std::span<const Report> findings);

    using Order = CrossOrder<Moment, LaterMoment>;
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
        Place place;
        double since;  // of the scalar unit
        std::vector<Left> left;
    };

private:
    friend class CoreSteps;
    void AddLeft(const Place& place, const Left& left, Slice::Kind kind, double end, const std::string& note);
    template <class Act>
    void With(const Place& place, const Act& act);  // act(the steps of its core)

    TimelineSink* sink_;
    const FlagIdentity flags_;
    std::mutex mutex_;  // of all that follows
    Order order_;
    double end_ = 0;
    std::vector<std::unique_ptr<CoreSteps>> cores_;
    std::map<std::string, Stopped> stopped_;  // by the core's name
};

}  // namespace sfumato::trace
