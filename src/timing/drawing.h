// SPDX-License-Identifier: Apache-2.0
// The estimated timeline as one that is written: rows, waits, arrows, rates of the shared ports.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "timing/event.h"
#include "trace/timeline.h"

namespace sfumato::timing {

// The parts of a record's cost, in cycles; those that do not apply are 0.
struct CostParts {
    Cycles head = 0;       // start-up of the instruction
    Cycles work = 0;       // at the published rate
    Cycles conflict = 0;   // UB bank conflicts
    Cycles latency = 0;    // after the pipe is free again, until the result is there
    Cycles shared = 0;     // slower than alone, because others used GM or L2
    uint64_t bytes = 0;    // of GM, without what short or unaligned rows add
    uint64_t charged = 0;  // with it
    bool assumed = false;  // a constant without a published figure decides the cost
    uint32_t causes = 0;   // of lost time: bits of `Without`
};

// Why work began when it did, and not earlier.
enum class Cause : uint8_t {
    kStart,    // nothing was in its way: the block began
    kIssue,    // the scalar unit issued it only then
    kPipe,     // its pipe was busy
    kFlag,     // a flag of another pipe of the core
    kBarrier,  // a barrier
    kCount
};

// Is told the timeline while it is worked out. Calls come one after another, from any thread; those about one pipe of
// one core in the order of time, others as the model gets there: never more than a few thousand records apart.
class Drawing {
public:
    explicit Drawing(trace::TimelineSink* to) : to_(to) {}

    void Begun(const events::LaunchFacts& facts, double megahertz);
    // Before its first slice.
    void Core(const events::Place& place);
    void Took(const trace::Slice& slice);
    // Work; its details are the record as the log prints it. The number of its slice; 0: it takes no time, and has
    // none.
    uint32_t Worked(trace::Slice slice, const CostParts& cost, Cause cause);
    // From when a flag was set to when the wait for it ended.
    void Linked(const trace::Arrow& arrow);
    // Bytes a cycle, of all cores together, from `at` on.
    void Flow(Cycles at, double gm, double l2);
    // Calls of the program that issue several records: from the first to the last of them, complete but for the core.
    void Scope(uint64_t core, trace::Slice call);
    // A core has ended.
    void Used(const trace::PlaceUse& use) { end_.uses.push_back(use); }
    // total: the last core is done; last: the critical path's last slice. Not called when the launch ends with a fault.
    void Ended(Cycles total, uint32_t last);
    // Instead of it: where cores stopped.
    void Stopped(std::span<const Report> findings);
    const trace::TimelineEnd& end() const { return end_; }

private:
    // The latest slices of a row, and arrows to what comes next in it.
    struct Row {
        static constexpr size_t kKept = 32;
        struct Piece {
            Cycles begin = 0, end = 0;
            bool waits = false;
            // Whether an arrow to `at` leads here: to the end of a wait, or to work that could begin only then.
            bool Takes(Cycles at) const { return (waits ? end : begin) >= at; }
        };
        std::array<Piece, kKept> latest;
        size_t count = 0;
        struct Waiting {
            trace::Point from;
            Cycles at;
            std::string name;
        };
        std::vector<Waiting> into;
        const Piece* Source(Cycles at) const;
        const Piece* Target(Cycles at) const;
    };
    // Means of the rates over a stretch, so that their number does not follow that of the transfers.
    struct Mean {
        static constexpr Cycles kStretch = 500;
        const char* name;
        double now = 0, sum = 0, told = -1;
    };
    Row& RowAt(uint64_t core, uint32_t row) { return rows_[core * trace::kRows + row]; }
    void Point(const Row::Waiting& arrow, uint64_t core, uint32_t row, const Row::Piece& to);
    void AdvanceRates(Cycles to);
    void Add(const trace::Slice& slice);

    trace::TimelineSink* to_;
    trace::TimelineEnd end_;
    uint32_t slices_ = 0;
    std::unordered_map<uint64_t, Cycles> done_;        // by core
    std::unordered_map<std::string, uint64_t> cores_;  // by their names
    double gbs_ = 1;                                   // GB/s of a byte a cycle
    std::unordered_map<uint64_t, Row> rows_;
    std::array<Mean, 2> means_{{{"GM GB/s"}, {"L2 GB/s"}}};
    Cycles rates_at_ = 0, stretch_ = 0;
};

}  // namespace sfumato::timing
