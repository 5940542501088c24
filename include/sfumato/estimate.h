// SPDX-License-Identifier: Apache-2.0
// How long a launch would take on a board: an estimate from published figures, never a measurement (docs/timing.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sfumato/data_type.h"

namespace sfumato {

struct TimeOptions {
    bool l2_warm = false;      // L2 holds the inputs, and the launch is one of many: as operators are measured
    bool launch_cold = false;  // the first launch: no head hidden by others
    double scalar_cycles = 0;  // of the scalar unit before each instruction, for C++ code the model does not see
    // Gains of hints are found by modelling the launch again, from events that are kept: of launches up to kKept
    // instructions, of all (some 140 bytes each), or of none.
    enum class Gains : uint8_t { kSmall, kAll, kNone };
    Gains gains = Gains::kSmall;
    static constexpr uint64_t kKept = 131072;
};

// What an estimate tells apart: the pipes of a core, and what other cores make it wait for.
enum class TimedPipe : uint8_t { kS, kV, kM, kMte1, kMte2, kMte3, kFix, kOtherCores, kCount };
SFUMATO_API const char* Name(TimedPipe pipe);  // "MTE2"

// What the cycles of the critical path are spent on.
enum class Spent : uint8_t { kWork, kHead, kConflict, kLatency, kShared, kIssue, kWait, kCount };
SFUMATO_API const char* Name(Spent spent);  // "bank conflicts"

// A kind of pipe of the cores of one kind that worked, mean over these cores. Microseconds.
struct PipeTime {
    const char* kind = "";  // "aiv", "aic"
    TimedPipe pipe{};
    double busy = 0;     // an instruction in it, and for loads until the data are there
    double waiting = 0;  // at a flag or barrier, while it is not busy
    double share = 0;    // of busy in the core time
};

struct PathTime {
    TimedPipe pipe{};
    Spent cause{};
    double us = 0, share = 0;
};

struct LineTime {
    std::string file;
    uint32_t line = 0;
    uint64_t records = 0, gm_bytes = 0;
    std::array<double, 7> busy{};  // us by TimedPipe, all cores together
    double conflicts = 0;          // us of V, all cores together
    double path = 0;               // share of the critical path
};

// A cause that costs time: what the launch showed of it with the threshold, and what to do.
struct TimeHint {
    std::string name, found, advice;
    std::string source;  // ids of docs/spec/timing.md 1
    std::string file;    // where most of it is; line 0: no one line
    uint32_t line = 0;
    // Of core time that a model of the launch without the cause needs less. None: not modelled.
    std::optional<double> gain_us;
    bool at_most = false;  // a kernel can hardly be rid of all of it
};

struct TimeEstimate {
    std::string chip, kernel;
    uint64_t blocks = 0, cores = 0, records = 0;
    double megahertz = 0;
    double cycles = 0, core_us = 0;   // until the last core ends
    double mean_core_us = 0;          // mean over the cores of the larger kind, as profilers say
    double head_us = 0, task_us = 0;  // what the launch adds, and with it
    char error_class = 'e';           // docs/timing.md
    double factor = 0;                // 1.1: from estimate / 1.1 to estimate * 1.1; 0: no interval
    std::string error_why;
    std::vector<std::string> assumed;  // what without a figure is on the critical path
    std::vector<PipeTime> pipes;
    std::vector<PathTime> path;
    std::vector<LineTime> lines;
    uint64_t gm_read = 0, gm_written = 0;  // bytes asked for
    uint64_t l2_hits = 0;                  // bytes of these reads
    double gm_tbs = 0, gm_share = 0;       // of the port of global memory: used, and of what it can
    double conflict_cycles = 0;            // of V, all cores together
    std::vector<TimeHint> hints;           // by their gain
    std::vector<std::string> notes;
};

// Why there are no estimates for a chip, family or product; "" when there are. Throws UnsupportedError as Launch does
// for a name that is none.
SFUMATO_API std::string WhyNoEstimate(const std::string& chip);

// What `sfumato time` prints, and the same as one JSON object.
SFUMATO_API std::string TextOf(const TimeEstimate& estimate);
SFUMATO_API std::string JsonOf(const TimeEstimate& estimate);

}  // namespace sfumato
