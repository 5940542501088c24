// SPDX-License-Identifier: Apache-2.0
// A launch from its beginning to its end.
#include "sanitize/ranks/rank_watch.h"

#include "sanitize/ranks/rank_core.h"

namespace sfumato::sanitize {

RankWatch::RankWatch(RankHistory& history, const LaunchView& view, RankHistory::Launch launch)
    : history_(history),
      view_(view),
      owner_of_(std::move(launch.owner_of)),
      torn_(launch.torn),
      launch_(std::make_shared<RankLaunch>(
          RankLaunch{launch.rank, 0, launch.submission.moment, launch.kernel, view.checks.Has(Check::kInit)})),
      regions_(owner_of_.size()) {
    std::lock_guard lock(history.mutex_);
    launch_->epoch = history.launches_[launch.rank]++;
    start_ = end_ = JoinRankKnown(launch.submission.known, history.ended_[launch.rank]);
    auto& lanes = history.lanes_[launch.rank];
    while (!lanes.insert(lane_).second) ++lane_;
    ++history.running_;
}

std::unique_ptr<events::CoreListener> RankWatch::Begin(const events::Place& place, events::Tell) {
    return MakeRankCore(*this, place);
}

uint32_t RankWatch::RegionOf(uint32_t allocation) {
    auto& region = regions_[allocation];
    if (!region) {
        const GmAllocation& gm = view_.gm[allocation];
        region = history_.memory_.Of(gm.base, gm.bytes, gm.name, *owner_of_[allocation]);
    }
    return *region;
}

RankSlot RankWatch::SlotOf(const events::Place& place) {
    const uint32_t rank = launch_->rank;
    auto& places = history_.places_[rank];
    const auto [at, fresh] = history_.slots_.try_emplace({rank, lane_, place.order}, 0);
    if (fresh) {
        at->second = static_cast<uint32_t>(places.size());
        places.emplace_back();
    }
    RankHistory::Core& core = places[at->second];
    core.lives.push_back({core.base, launch_, place.name});
    return {rank, at->second};
}

void RankWatch::Ended(RankSlot slot, uint64_t records, const RankKnown& known) {
    std::lock_guard lock(history_.mutex_);
    RankHistory::Core& core = history_.places_[slot.rank][slot.index];
    core.base += records + 1;
    RankBounds all;
    all.fill(events::TickOf(core.base - 1) + 1);
    end_ = JoinRankKnown(WithBounds(end_, slot, all), known);
}

void RankWatch::End() {
    std::lock_guard lock(history_.mutex_);
    if (std::exchange(ended_, true)) return;
    history_.lanes_[launch_->rank].erase(lane_);
    history_.End(*launch_, end_);
}

std::vector<Report> RankWatch::Finish(bool clean) {
    End();
    std::lock_guard lock(history_.mutex_);
    return history_.TakeReports(clean);
}

}  // namespace sfumato::sanitize
