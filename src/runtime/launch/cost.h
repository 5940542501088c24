// SPDX-License-Identifier: Apache-2.0
// Counts what a launch moves and computes: numbers that neither time nor the schedule changes.
#pragma once

#include <mutex>

#include "sfumato/launch.h"
#include "events/listener.h"

namespace sfumato::runtime {

class Cost final : public events::Listener {
public:
    std::unique_ptr<events::CoreListener> Begin(const events::Place&, events::Tell) override;

    // After the launch.
    const LaunchCost& total() const { return total_; }

private:
    class OfCore;
    void Add(const LaunchCost& more);

    std::mutex mutex_;
    LaunchCost total_;
};

}  // namespace sfumato::runtime
