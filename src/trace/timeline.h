// SPDX-License-Identifier: Apache-2.0
// A timeline: what every pipe of every core does, one slice after another, and what waits for what. Made of a run's
// order (steps.h) or of estimated times; written as Chrome trace events or as a page to look at.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "events/place.h"
#include "isa/record.h"
#include "sfumato/report.h"

namespace sfumato::trace {

// The rows of a core (docs/timeline.md). FLOWCTRL has what holds all pipes of a core: PipeBarrier<PIPE_ALL> and waits
// for other cores. Calls that issue several records are in the rows from kCalls on, none of which has two at once.
enum class Row : uint8_t { kScalar, kVector, kCube, kMte1, kMte2, kMte3, kFixp, kFlow, kCalls };
constexpr int kRows = static_cast<int>(Row::kCalls);
std::string RowName(uint32_t row);  // "SCALAR", "CALLS", "CALLS 2" ...
Row RowOf(isa::Pipe pipe);

// Times are in the unit of the timeline; slices of one row come in order and do not overlap.
struct Slice {
    enum class Kind : uint8_t {
        kRecord,   // work
        kWait,     // a pipe, or the scalar unit, waits for a flag
        kBarrier,  // of all pipes of a core, or of cores
        kCall,     // from the first record of a call of the program to the end of its last
        kNever,    // a wait that is never satisfied
        kQueued,   // issued, and not executed when the core stopped
        kFault     // where the core stopped
    };
    uint64_t core = 0;  // Place::order
    uint32_t row = 0;
    Kind kind = Kind::kRecord;
    double begin = 0, end = 0;
    std::string_view name;
    Where where;
    uint64_t index = 0;        // of the record, or of the call's first
    std::string_view details;  // operands, mask, parameters, as the log prints them
    uint64_t bytes = 0;        // that it moves; 0: none
    std::string_view note;     // parts of the cost, or a report
    // Of an estimate. Slices are numbered from 1 on as they are added; 0: none.
    uint64_t after = 0;   // the slice before it on the longest way from the launch's beginning to its end
    uint32_t causes = 0;  // of lost time, a bit for each of TimelineEnd::causes
};
const char* Name(Slice::Kind kind);

// A place inside a slice.
struct Point {
    uint64_t core = 0;
    uint32_t row = 0;
    double at = 0;
};

// What waited for what: from a slice to one that could begin only after it.
struct Arrow {
    Point from, to;
    std::string_view name;  // "PIPE_MTE2 to PIPE_V, id 0"
};

// From here on, until the next of its name.
struct Rate {
    const char* name;  // "GM GB/s"
    double at, value;
};

struct TimelineFacts {
    std::string chip, kernel;  // the product; "": unknown
    uint32_t blocks = 0;
    const char* unit = "step";  // what times are in
    double us = 1;              // microseconds a unit; 1: a step, which has no length
    bool estimate = false;      // of times; else an order without
};

// How long the pipes of a place of an estimate were busy and waited, by row; what neither takes they were idle.
struct PlaceUse {
    uint64_t core = 0;
    double begin = 0, end = 0;
    std::array<double, kRows> busy{}, waiting{};
};

// What is known when all slices have been added; of an order without times nothing.
struct TimelineEnd {
    std::string error;                // of the estimate, in words
    std::string estimate;             // as JSON (sfumato/estimate.h); "": there is none
    uint64_t last = 0;                // the critical path's last slice
    std::vector<std::string> causes;  // the names of the hints about them
    std::vector<PlaceUse> uses;
};

// Calls come one after another.
class TimelineSink {
public:
    virtual ~TimelineSink() = default;
    virtual void Begun(const TimelineFacts&) = 0;
    virtual void Add(const events::Place&) = 0;  // before what happens on the core
    virtual void Add(const Slice&) = 0;
    virtual void Add(const Arrow&) = 0;
    virtual void Add(const Rate&) = 0;
    virtual void Ended(std::span<const Report> findings, const TimelineEnd& end) = 0;
    // The file it is in, complete. Throws Error when not all of it could be written.
    virtual std::string Close() = 0;
};

// Where a core stopped: in its scalar unit, behind all that it did.
void AddFault(TimelineSink* sink, const Report& fault, uint64_t core, double since, double end);

// As the name ends: .html is a page, .json and .json.gz are Chrome trace events. Throws Error for another end, and when
// there can be no such file.
std::unique_ptr<TimelineSink> OpenTimeline(const std::string& path);

}  // namespace sfumato::trace
