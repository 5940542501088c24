// SPDX-License-Identifier: Apache-2.0
// Sorts runs of blocks, and cuts those of other owners out.
#include "sanitize/outputs_owners.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace sfumato::sanitize {

using isa::Span;

void BlockRuns::Add(Span blocks) {
    if (blocks.begin >= blocks.end) return;
    if (!runs_.empty()) {
        Span& last = runs_.back();
        if (blocks.begin >= last.begin && blocks.begin <= last.end) {
            last.end = std::max(last.end, blocks.end);
            return;
        }
        ordered_ = ordered_ && blocks.begin > last.end;
    }
    runs_.push_back(blocks);
}

const std::vector<Span>& BlockRuns::Ordered() {
    if (ordered_) return runs_;
    // Bits instead of sorting: a transposition writes thousands of runs out of order.
    Span hull = runs_.front();
    for (const Span& run : runs_) hull = {std::min(hull.begin, run.begin), std::max(hull.end, run.end)};
    bits_.resize(std::max<size_t>(bits_.size(), hull.end / 64 + 1));
    for (const Span& run : runs_) {
        for (uint64_t i = run.begin; i < run.end; ++i) bits_[i / 64] |= uint64_t{1} << (i % 64);
    }
    Clear();
    for (uint64_t w = hull.begin / 64; w <= hull.end / 64; ++w) {
        for (uint64_t word = std::exchange(bits_[w], 0); word != 0;) {
            const auto first = static_cast<uint64_t>(std::countr_zero(word));
            const auto end = first + static_cast<uint64_t>(std::countr_one(word >> first));
            Add({w * 64 + first, w * 64 + end});
            word = end == 64 ? 0 : word >> end << end;
        }
    }
    return runs_;
}

size_t BlockOwners::FirstEndingAfter(uint64_t block) const {
    const auto at = std::ranges::partition_point(owned_, [block](const Owned& o) { return o.blocks.end <= block; });
    return static_cast<size_t>(at - owned_.begin());
}

uint32_t BlockOwners::FirstIn(Span blocks) const {
    const size_t at = FirstEndingAfter(blocks.begin);
    return at < owned_.size() && owned_[at].blocks.begin < blocks.end ? owned_[at].owner : kNobody;
}

void BlockOwners::Give(const std::vector<Span>& ascending, uint32_t owner,
                       const std::function<void(uint32_t, uint64_t)>& lost) {
    if (ascending.empty()) return;
    const size_t first = FirstEndingAfter(ascending.front().begin);
    given_.clear();
    size_t at = first;
    for (const Span& run : ascending) {
        for (; at < owned_.size() && owned_[at].blocks.begin < run.end; ++at) {
            Owned& old = owned_[at];
            const Span cut{std::max(old.blocks.begin, run.begin), std::min(old.blocks.end, run.end)};
            if (cut.begin >= cut.end) {
                given_.push_back(old);
                continue;
            }
            lost(old.owner, cut.end - cut.begin);
            if (old.blocks.begin < cut.begin) given_.push_back({{old.blocks.begin, cut.begin}, old.owner});
            old.blocks.begin = cut.end;
            if (old.blocks.begin < old.blocks.end) break;  // what is left of it may meet the next run
        }
        if (owner != kNobody) given_.push_back({run, owner});
    }
    const auto looked_at = owned_.begin() + static_cast<std::ptrdiff_t>(first);
    owned_.insert(owned_.erase(looked_at, owned_.begin() + static_cast<std::ptrdiff_t>(at)), given_.begin(),
                  given_.end());
}

void BlockOwners::RemoveOwner(uint32_t owner) {
    std::erase_if(owned_, [owner](const Owned& o) { return o.owner == owner; });
}

}  // namespace sfumato::sanitize
