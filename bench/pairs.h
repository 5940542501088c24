// SPDX-License-Identifier: Apache-2.0
// Interleaved measurement of Sfumato and a native twin: absolute times on a busy host mean nothing, ratios of
// neighbours do.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>

#include "sfumato/launch.h"

namespace sfumato::bench {

// What a benchmark must reach. kSpeed: work per time of Sfumato over the twin's, at least `bound`. kCost: time of
// Sfumato over the twin's, at most `bound`.
enum class Measure { kSpeed, kCost };
struct Goal {
    Measure measure;
    double bound;
};
inline constexpr double kNoBound = 0;  // of a speed that is only shown

// CPU time of the calling thread, or of all threads of the process: other programs disturb it less than elapsed time,
// which alone shows how long threads wait for each other.
enum class Clock { kThread, kProcess, kElapsed };
double Seconds(Clock clock);

struct Side {
    std::function<void()> run;
    double work;  // what one run does, in a unit both sides share
};

// Runs the pair until the benchmark's time is up and reports the median ratio, with the time of one `call_count`th of a
// run of either side in nanoseconds.
void MeasurePairs(benchmark::State& state, Goal goal, Clock clock, const Side& sfumato, const Side& native,
                  double call_count);

// Launches a kernel on a chip; a fault fails the benchmark.
void LaunchOrFail(benchmark::State& state, uint32_t blocks, GlobalMemory& memory, const std::function<void()>& kernel);

}  // namespace sfumato::bench
