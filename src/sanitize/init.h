// SPDX-License-Identifier: Apache-2.0
// --check init: data nobody wrote, followed through records to where it first matters (docs/checks/init.md).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "events/listener.h"
#include "sanitize/launch_view.h"
#include "sanitize/init_origins.h"
#include "sanitize/init_shadow.h"

namespace sfumato::sanitize {

class InitCore;

class InitDetector final : public events::Listener {
public:
    // `launch` outlives it. Without `Check::kInit` it only follows.
    explicit InitDetector(const LaunchView& launch);

    bool WantsOnChip() const override { return true; }
    std::unique_ptr<events::CoreListener> Begin(const events::Place& place, events::Tell tell) override;
    // Undefined data that outputs still hold: what a later store mended is none.
    std::vector<Report> Finish(bool clean) override;

    const LaunchView& launch() const { return launch_; }
    Shadow* Gm(uint32_t allocation) { return gm_[allocation].get(); }
    Origins& origins() { return origins_; }
    // Of a core that has begun, while it watches.
    InitCore& Of(uint64_t order) {
        std::lock_guard lock(mutex_);
        return *cores_.at(order);
    }

private:
    const LaunchView& launch_;
    std::vector<std::unique_ptr<Shadow>> gm_;  // nullptr: freed before the launch
    Origins origins_;
    std::mutex mutex_;
    std::map<uint64_t, InitCore*> cores_;  // by the order of their places
};

}  // namespace sfumato::sanitize
