// SPDX-License-Identifier: Apache-2.0
// What the world's history hears of one launch.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "events/cross_order.h"
#include "sanitize/ranks/rank_history.h"

namespace sfumato::sanitize {

class RankWatch final : public events::Listener {
public:
    RankWatch(RankHistory& history, const LaunchView& view, RankHistory::Launch launch);
    ~RankWatch() override { End(); }
    RankWatch& operator=(RankWatch&&) = delete;

    bool WantsOnChip() const override { return false; }
    std::unique_ptr<events::CoreListener> Begin(const events::Place& place, events::Tell tell) override;
    std::vector<Report> Finish(bool clean) override;

    RankHistory& history() { return history_; }
    const LaunchView& view() const { return view_; }
    const std::shared_ptr<RankLaunch>& launch() const { return launch_; }
    const RankKnown& start() const { return start_; }
    bool torn() const { return torn_; }
    // Whether accesses are judged; else only stores are kept.
    bool judges() const { return view_.checks.Has(Check::kCores); }
    bool IsShared(uint32_t allocation) const {
        return allocation < owner_of_.size() && owner_of_[allocation].has_value();
    }
    // Under the history's lock: the number of the region that the allocation is; the slot of a core.
    uint32_t RegionOf(uint32_t allocation);
    RankSlot SlotOf(const events::Place& place);
    // A core has ended, with so many records.
    void Ended(RankSlot slot, uint64_t records, const RankKnown& known);

    using Cross = events::CrossOrder<RankKnown, JoinRankKnown>;
    Cross& cross() { return cross_; }

private:
    void End();

    RankHistory& history_;
    const LaunchView& view_;
    const std::vector<std::optional<uint32_t>> owner_of_;
    const bool torn_;
    const std::shared_ptr<RankLaunch> launch_;
    RankKnown start_, end_;
    uint32_t lane_ = 0;
    bool ended_ = false;
    std::vector<std::optional<uint32_t>> regions_;
    Cross cross_;
};

}  // namespace sfumato::sanitize
