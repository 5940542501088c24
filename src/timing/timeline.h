// SPDX-License-Identifier: Apache-2.0
// What the model of time tells about a launch while it runs: slices of pipes, arrows between them, rates of the shared
// ports. Everything here is an estimate (docs/timing.md).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/record.h"
#include "trace/observer.h"
#include "trace/timeline.h"

namespace sfumato::timing {

// Cycles of the core's clock since the cores of the launch began.
using Cycles = double;

// What a slice of a pipe is spent on.
enum class SliceKind : uint8_t {
    kRecord,   // an instruction works
    kFlag,     // a WaitFlag holds its pipe: the flag is not set yet
    kBarrier,  // PipeBarrier: the pipe, or with PIPE_ALL the scalar unit, waits for what is before it
    kCross,    // the scalar unit waits for other cores: CrossCoreWaitFlag, SyncAll and their relatives
    kScalar,   // the scalar unit's own accesses to memory
    kResult,   // the scalar unit waits for a pipe, whose result it reads
    kCount
};

// Why something began when it did, and not earlier.
enum class Cause : uint8_t {
    kStart,    // nothing was in its way: the block began
    kIssue,    // the scalar unit issued it only then
    kPipe,     // its pipe was busy
    kFlag,     // a flag of another pipe of the core
    kBarrier,  // a barrier
    kCross,    // another core
    kQueue,    // the queue of its pipe was full, so the scalar unit stood still
    kResult,   // the scalar unit reads what a pipe has still to write
    kBlock,    // the core was busy with another block
    kCount
};

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
};

// A slice by the core and the index of its record; index kNoRecord: none.
struct SliceId {
    static constexpr uint64_t kNoRecord = ~uint64_t{0};
    uint64_t core = 0;
    uint64_t index = kNoRecord;
};

struct Slice {
    SliceId id;
    isa::Pipe pipe = isa::Pipe::kS;  // never kAll
    SliceKind kind = SliceKind::kRecord;
    isa::Opcode op{};
    const char* call = "";  // as reports name it; lives as long as the process
    Where where;
    std::string_view text;      // the record as the log prints it, where the sink wants it; valid during the call
    Cycles issued = 0;          // by the scalar unit
    Cycles begin = 0, end = 0;  // the pipe is busy; end is when the next record may begin
    Cycles done = 0;            // a flag set behind it is seen; >= end
    CostParts cost;
    Cause cause = Cause::kStart;
    SliceId predecessor;  // what it waited for
};

// From what ends a wait to the wait: flags inside a core, flags and barriers between cores.
struct Arrow {
    SliceKind kind = SliceKind::kFlag;
    uint64_t from_core = 0, to_core = 0;
    isa::Pipe from_pipe = isa::Pipe::kS, to_pipe = isa::Pipe::kS;
    Cycles from = 0, to = 0;
    const char* name = "";  // "SetFlag", "CrossCoreSetFlag", "SyncAll"
    int32_t flag = 0;       // id
};

// From `at` on: bytes a cycle, all cores together.
struct Rates {
    Cycles at = 0;
    double gm_read = 0, gm_write = 0, l2 = 0;
};

struct TimelineFacts {
    std::string_view chip, kernel;
    double megahertz = 0;
    double gm_bytes_per_cycle = 0;
    uint64_t cores = 0;  // of all blocks
};

// Receives the timeline of one launch while it is worked out. Calls come one after another, from any thread; those
// about one pipe of one core in the order of time, others as the model gets there: never more than a few thousand
// records apart. It must not throw.
class TimelineSink {
public:
    virtual ~TimelineSink() = default;
    virtual bool WantsText() const { return false; }  // Slice::text is filled

    virtual void Begun(const TimelineFacts&) {}
    // Before its first slice.
    virtual void Core(const trace::Place&) {}
    virtual void Took(const Slice&) {}
    virtual void Linked(const Arrow&) {}
    virtual void Flow(const Rates&) {}
    // Calls of the program that issue several records: from the first to the last of them, complete but for the core.
    virtual void Scope(uint64_t /*core*/, const trace::Slice&) {}
    // total: the last core is done. Not called when the launch ends with a fault.
    virtual void Ended(Cycles /*total*/) {}
};

}  // namespace sfumato::timing
