// SPDX-License-Identifier: Apache-2.0
// Cuts and merges stretches of blocks.
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
    const auto at = std::partition_point(stretches_.begin(), stretches_.end(),
                                         [block](const Stretch& s) { return s.blocks.end <= block; });
    return static_cast<size_t>(at - stretches_.begin());
}

uint32_t BlockOwners::FirstIn(Span blocks) const {
    const size_t at = FirstEndingAfter(blocks.begin);
    return at < stretches_.size() && stretches_[at].blocks.begin < blocks.end ? stretches_[at].owner : kNobody;
}

void BlockOwners::Give(const std::vector<Span>& ascending, uint32_t owner,
                       const std::function<void(uint32_t, uint64_t)>& lost) {
    if (ascending.empty()) return;
    const size_t first = FirstEndingAfter(ascending.front().begin);
    merged_.clear();
    size_t at = first;
    for (const Span& run : ascending) {
        for (; at < stretches_.size() && stretches_[at].blocks.begin < run.end; ++at) {
            Stretch& old = stretches_[at];
            const Span cut{std::max(old.blocks.begin, run.begin), std::min(old.blocks.end, run.end)};
            if (cut.begin >= cut.end) {
                merged_.push_back(old);
                continue;
            }
            lost(old.owner, cut.end - cut.begin);
            if (old.blocks.begin < cut.begin) merged_.push_back({{old.blocks.begin, cut.begin}, old.owner});
            old.blocks.begin = cut.end;
            if (old.blocks.begin < old.blocks.end) break;  // the rest may meet the next run
        }
        if (owner != kNobody) merged_.push_back({run, owner});
    }
    // The places of those that were looked at take what became of them.
    const size_t kept = std::min(merged_.size(), at - first);
    const auto begin = stretches_.begin() + static_cast<std::ptrdiff_t>(first);
    std::copy_n(merged_.begin(), kept, begin);
    const auto after = begin + static_cast<std::ptrdiff_t>(kept);
    if (kept < at - first) {
        stretches_.erase(after, begin + static_cast<std::ptrdiff_t>(at - first));
    } else {
        stretches_.insert(after, merged_.begin() + static_cast<std::ptrdiff_t>(kept), merged_.end());
    }
}

void BlockOwners::Remove(uint32_t owner) {
    std::erase_if(stretches_, [owner](const Stretch& s) { return s.owner == owner; });
}

}  // namespace sfumato::sanitize
