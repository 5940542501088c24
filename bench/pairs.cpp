// SPDX-License-Identifier: Apache-2.0
// The measuring loop.
#include "pairs.h"

#include <ctime>

#include <algorithm>
#include <vector>

namespace sfumato::bench {
namespace {

double Median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double TimeOf(Clock clock, const Side& side) {
    const double start = Seconds(clock);
    side.run();
    return Seconds(clock) - start;
}

}  // namespace

double Seconds(Clock clock) {
    timespec time{};
    clock_gettime(clock == Clock::kThread    ? CLOCK_THREAD_CPUTIME_ID
                  : clock == Clock::kProcess ? CLOCK_PROCESS_CPUTIME_ID
                                             : CLOCK_MONOTONIC,
                  &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void MeasurePairs(benchmark::State& state, Goal goal, Clock clock, const Side& sfumato, const Side& native,
                  double call_count) {
    std::vector<double> ratios, ours, theirs;
    TimeOf(clock, sfumato);
    TimeOf(clock, native);
    bool first = true;
    for (auto _ : state) {
        // Each goes first every other time.
        double a = 0, b = 0;
        if (first) a = TimeOf(clock, sfumato);
        b = TimeOf(clock, native);
        if (!first) a = TimeOf(clock, sfumato);
        first = !first;
        ours.push_back(a);
        theirs.push_back(b);
        const double cost = (a / sfumato.work) / (b / native.work);
        ratios.push_back(goal.measure == Measure::kSpeed ? 1 / cost : cost);
        state.SetIterationTime(a);
    }
    state.counters["ratio"] = Median(std::move(ratios));
    state.counters["bound"] = goal.bound;
    state.counters["at_most"] = goal.measure == Measure::kCost;
    state.counters["sfumato_ns"] = Median(std::move(ours)) / call_count * 1e9;
    state.counters["native_ns"] = Median(std::move(theirs)) / call_count * 1e9;
}

void LaunchOrFail(benchmark::State& state, uint32_t blocks, GlobalMemory& memory, const std::function<void()>& kernel) {
    LaunchOptions options;
    options.chip = "Ascend910B1";
    const LaunchResult result = Launch(options, blocks, memory, kernel);
    if (!result.ok()) state.SkipWithError(result.findings.back().Text().c_str());
}

}  // namespace sfumato::bench
