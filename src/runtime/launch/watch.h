// SPDX-License-Identifier: Apache-2.0
// Ends a launch that takes too long or is interrupted, and tells how far it is: from the thread that launched.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report/rules.h"
#include "sfumato/launch.h"

namespace sfumato::runtime {

class Cores;
class CrossCore;
struct Stood;

class LaunchWatch {
public:
    // Time counts from here, over all the runs of a schedule. Throws Error for a timeout that is none.
    explicit LaunchWatch(const LaunchOptions& options);

    // Time in which the launch waited for other ranks does not count.
    void Waited(std::chrono::nanoseconds time) {
        if (deadline_) *deadline_ += std::chrono::duration_cast<Clock::duration>(time);
    }
    // Every few milliseconds while cores run.
    void Look(Cores& cores, CrossCore& cross_core);
    // Whether it asked the cores to stop, and where each was then: null for one that never started. The report, unless
    // all had ended by themselves.
    std::optional<Report> Ended(CrossCore& cross_core, const std::vector<const Stood*>& cores) const;

private:
    using Clock = std::chrono::steady_clock;
    Report Describe() const;
    void TellStuck(Cores& cores, CrossCore& cross_core);

    const LaunchOptions& options_;
    const Clock::time_point begun_ = Clock::now();
    std::optional<Clock::time_point> deadline_;
    std::optional<Rule> rule_;  // of the stop that was asked for
    Clock::time_point asked_, told_;
    bool stuck_told_ = false;
};

}  // namespace sfumato::runtime
