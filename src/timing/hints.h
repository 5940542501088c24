// SPDX-License-Identifier: Apache-2.0
// What makes a kernel slower than it need be, and what it would gain. Conditions are counted
// while the launch runs; each gain is the difference to a model of the same launch that leaves the cause out.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "isa/record.h"
#include "sfumato/estimate.h"
#include "timing/event.h"

namespace sfumato::timing {

// What a run of the model leaves out.
enum class Without : uint8_t {
    kNothing,
    kConflicts,  // UB bank conflicts
    kUnaligned,  // rows that begin or end inside lines of 512 bytes
    kSmall,      // what a copy takes at least, however small
    kShortRows,  // what ND2NZ takes for each row, and its loss on rows below 512 bytes
    kHeads,      // of vector instructions of few repeats
    kLoadHeads,  // of Load2D
    kBuffers,    // flags by which a later pipe gives a buffer back to an earlier one
    kBarriers,   // PipeBarrier<PIPE_ALL>
    kScalar,     // accesses of the scalar unit to memory
    kCount
};

// The event of a record, as a model without this has it.
void Remove(Without without, const isa::Record& record, Event& event);

// A cause that costs time, with what the launch showed of it and the threshold.
struct TimeHint {
    std::string name, found, advice;
    std::string source;  // of docs/spec/timing.md
    std::string file;    // where most of it is; line 0: no one line
    uint32_t line = 0;
    double us = 0;         // of core time that a model without the cause needs less
    bool at_most = false;  // a kernel can hardly be rid of all of it
};
std::string TextOf(const TimeHint& hint);

// What hints are given for, counted over all cores.
class Tally {
public:
    void Note(const Event& event);
    // What the launch shows; `gain` is in microseconds of core time.
    std::vector<TimeHint> Hints(const TimeEstimate& base,
                                const std::array<double, static_cast<size_t>(Without::kCount)>& core_us) const;

private:
    // Of the lines of one cause: where most of it is.
    struct Lines {
        std::map<std::pair<const char*, uint32_t>, double> cost;
        double all = 0;
        void Add(Where where, double more) {
            cost[{where.file, where.line}] += more;
            all += more;
        }
        Where Worst() const;
    };
    Lines conflicts_, unaligned_, small_, short_rows_, heads_, loads_, barriers_;
    std::array<uint64_t, 64> sizes_{};  // copies of global memory by the bits of their bytes
    double vector_cycles_ = 0, asked_ = 0;
    uint64_t copies_ = 0, mmads_ = 0, barrier_count_ = 0;
};

}  // namespace sfumato::timing
