// SPDX-License-Identifier: Apache-2.0
// Counts what a launch moves and computes: numbers that neither time nor the schedule changes.
#pragma once

#include <mutex>

#include "sfumato/launch.h"
#include "trace/observer.h"

namespace sfumato::runtime {

class Cost final : public trace::Observer {
public:
    void Executed(const trace::Place&, const isa::Record& record) override;
    // Of the scalar unit, whose stores are records where they are no plain references.
    bool WantsTouches() const override { return true; }
    void Touched(const trace::Place&, const isa::Record* record, const trace::Touch& touch) override;

    // After the launch.
    const LaunchCost& total() const { return total_; }

private:
    std::mutex mutex_;
    LaunchCost total_;
};

}  // namespace sfumato::runtime
