// SPDX-License-Identifier: Apache-2.0
// Which pairs are kept.
#include "sanitize/ranks/rank_pairs.h"

#include <algorithm>
#include <utility>

namespace sfumato::sanitize {
namespace {

constexpr uint32_t kMostPairs = 64;  // kept of two sites

}  // namespace

void RankPairs::Add(RankPair pair) {
    const RankSite &a = *pair.earlier.site, &b = *pair.later.site;
    if (++kept_[{a.file, a.line, b.file, b.line}] > kMostPairs) return;
    pairs_.push_back(std::move(pair));
}

void RankPairs::CameBack(RankSlot reader, const RankStore& store) {
    std::erase_if(open_, [&](const Opened& open) {
        return open.pair.later.slot == reader && open.pair.earlier.store.get() == &store;
    });
}

RankPairs::Kept RankPairs::IsKept(RankSlot reader, const RankSite* site, isa::Span read, const RankStore& store) const {
    Kept kept = Kept::kNo;
    for (const Opened& open : open_) {
        if (open.pair.later.slot != reader || open.pair.earlier.store.get() != &store) continue;
        if (open.pair.later.site == site && open.read.begin == read.begin && open.read.end == read.end)
            return Kept::kThis;
        kept = Kept::kOther;
    }
    return kept;
}

void RankPairs::Keep(isa::Span read, RankPair pair) { open_.push_back({read, std::move(pair)}); }

std::vector<RankPair> RankPairs::Take() {
    std::vector<RankPair> pairs = std::move(pairs_);
    for (Opened& open : open_) pairs.push_back(std::move(open.pair));
    pairs_.clear(), kept_.clear(), open_.clear();
    return pairs;
}

}  // namespace sfumato::sanitize
