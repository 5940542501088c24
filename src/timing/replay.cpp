// SPDX-License-Identifier: Apache-2.0
// Hints with their gains: the launch is modelled again from its events, once for each cause that it shows.
#include <algorithm>

#include "timing/hints.h"
#include "timing/model.h"

namespace sfumato::timing {
namespace {

constexpr double kLeastGain = 0.005;  // of core time (decided)

}  // namespace

std::vector<TimeHint> Model::Hints(const TimeEstimate& base, bool all_cores) {
    const std::vector<uint32_t> one_pass = l2_.Overflows() ? l2_.OnePass() : std::vector<uint32_t>();
    for (const uint32_t allocation : one_pass)
        ledger_.causes[static_cast<size_t>(Without::kOnePass)] += static_cast<double>(l2_.BytesOf(allocation));
    std::vector<TimeHint> hints;
    for (Candidate& found : FindHints(ledger_, base, all_cores)) {
        TimeHint& hint = found.hint;
        if (kept_.whole() && setup_.options.gains != TimeOptions::Gains::kNone && found.without != Without::kNothing &&
            found.without != Without::kOddWidth) {
            Setup again = setup_;
            again.drawing = nullptr;
            again.options.gains = TimeOptions::Gains::kNone;
            const bool unkept = found.without == Without::kOnePass;
            Model model(std::move(again), found.without);
            hint.gain_us = base.core_us - model.Replay(kept_, unkept ? one_pass : std::vector<uint32_t>());
        }
        // A cause that nothing waits for is none.
        if (hint.gain_us && *hint.gain_us <= kLeastGain * base.core_us) continue;
        hints.push_back(std::move(hint));
    }
    std::stable_sort(hints.begin(), hints.end(),
                     [](const auto& a, const auto& b) { return a.gain_us.value_or(0) > b.gain_us.value_or(0); });
    return hints;
}

double Model::Replay(const Kept& kept, const std::vector<uint32_t>& uncached) {
    const std::lock_guard lock(mutex_);
    for (const auto& [allocation, cached] : kept.cache_hints) l2_.SetCached(allocation, cached);
    for (const uint32_t allocation : uncached) l2_.SetCached(allocation, false);
    for (size_t core = 0; core < feeds_.size(); ++core) {
        feeds_[core]->place.order = core;
        for (std::vector<Event> lot : kept.Of(core)) {
            for (Event& event : lot) Remove(without_, event);
            feeds_[core]->stream.Take(lot);
        }
    }
    while (next_block_ < std::min(setup_.blocks, setup_.blocks_at_once)) BeginBlock(0, Path::kStart);
    Advance();
    return last_ / cycles_per_us_;
}

}  // namespace sfumato::timing
