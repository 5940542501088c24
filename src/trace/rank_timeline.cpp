// SPDX-License-Identifier: Apache-2.0
// Slices of ranks on their way to one timeline.
#include "trace/rank_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sfumato::trace {
namespace {

constexpr uint64_t kCoresOfRank = 1 << 20;  // more than a launch has: cores of ranks do not meet

}  // namespace

class RankTimeline::Sink final : public TimelineSink {
public:
    Sink(RankTimeline& all, uint32_t rank) : all_(all), rank_(rank) {}

    void Begun(const TimelineFacts& facts) override {
        const std::lock_guard lock(all_.mutex_);
        since_ = std::ceil(last_);
        if (!std::exchange(all_.begun_, true)) all_.file_->Begun(facts);
    }
    void Add(const events::Place& place) override {
        const std::lock_guard lock(all_.mutex_);
        if (!places_.insert(place.order).second) return;
        events::Place named = place;
        named.order = Core(place.order);
        named.name = PlaceName(rank_, place.name);
        all_.file_->Add(named);
    }
    void Add(const Slice& slice) override {
        const std::lock_guard lock(all_.mutex_);
        Slice moved = slice;
        moved.core = Core(slice.core);
        moved.begin += since_;
        moved.end += since_;
        last_ = std::max(last_, moved.end);
        all_.file_->Add(moved);
    }
    void Add(const Arrow& arrow) override {
        const std::lock_guard lock(all_.mutex_);
        Arrow moved = arrow;
        for (Point* point : {&moved.from, &moved.to}) {
            point->core = Core(point->core);
            point->at += since_;
        }
        all_.file_->Add(moved);
    }
    void Add(const Rate&) override {}  // of estimates
    void Ended(std::span<const Report>, const TimelineEnd&) override {}
    std::string Close() override { return ""; }

private:
    uint64_t Core(uint64_t order) const { return rank_ * kCoresOfRank + order; }

    RankTimeline& all_;
    const uint32_t rank_;
    double since_ = 0, last_ = 0;
    std::set<uint64_t> places_;
};

RankTimeline::RankTimeline(const std::string& path, uint32_t ranks) : file_(OpenTimeline(path)) {
    for (uint32_t rank = 0; rank < ranks; ++rank) sinks_.push_back(std::make_unique<Sink>(*this, rank));
}

RankTimeline::~RankTimeline() = default;

TimelineSink* RankTimeline::Of(uint32_t rank) { return sinks_[rank].get(); }

std::string RankTimeline::PlaceName(uint32_t rank, const std::string& core) {
    return fmt::format("rank {} {}", rank, core);
}

std::string RankTimeline::Close(std::span<const Report> findings) {
    std::vector<Report> named(findings.begin(), findings.end());
    for (Report& report : named) {
        if (report.rank && !report.core.empty()) report.core = PlaceName(*report.rank, report.core);
    }
    if (!std::exchange(begun_, true)) file_->Begun({});
    file_->Ended(named, {});
    return file_->Close();
}

}  // namespace sfumato::trace
