// SPDX-License-Identifier: Apache-2.0
// Who stored last to bytes that somebody waits for, or nearly.
#include <fmt/format.h>

#include <algorithm>

#include "sanitize/ranks/rank_history.h"

namespace sfumato::sanitize {

std::string RankHistory::By(const RankStore& store) const {
    Access access;
    access.core = store.slot.packed();
    access.tick = store.tick;
    return fmt::format("rank {}, {}", store.slot.rank, LifeOf(access).name);
}

std::string RankHistory::LastStore(const uint8_t* address, uint64_t bytes) {
    std::lock_guard lock(mutex_);
    const int64_t found = memory_.Find(address);
    if (found < 0) return "";
    const auto number = static_cast<uint32_t>(found);
    const auto byte = static_cast<uint64_t>(address - memory_[number].base);
    const isa::Span polled{byte, byte + bytes};
    const auto at = [](const RankStore& store) {
        return fmt::format("{} at {}:{}", store.site->call, store.site->file, store.site->line);
    };
    const RankStore *last = nullptr, *lost = nullptr, *other_rank = nullptr, *other_offset = nullptr;
    uint64_t distance = UINT64_MAX;
    for (const auto& store : stores_.all()) {
        if (!memory_[store->region].live) continue;
        if (store->region == number && store->span.Overlaps(polled)) {
            lost = last && !last->seen && last->slot != store->slot ? last : nullptr;
            last = store.get();
        } else if (store->region != number && store->span.Overlaps(polled)) {
            other_rank = store.get();
        } else if (store->region == number) {
            const uint64_t away =
                store->span.begin >= polled.end ? store->span.begin - polled.end : polled.begin - store->span.end;
            if (away > distance) continue;
            distance = away;
            other_offset = store.get();
        }
    }
    waits_.push_back({number, polled});
    if (last) {
        std::string text = fmt::format("{} stored there last ({})", By(*last), at(*last));
        if (lost) text += fmt::format(", over what {} had stored and nobody had read ({})", By(*lost), at(*lost));
        return text;
    }
    std::string text = "nobody has stored there";
    if (other_rank) {
        text += fmt::format("; {} stored at the same bytes of '{}' ({})", By(*other_rank),
                            memory_[other_rank->region].name, at(*other_rank));
    } else if (other_offset) {
        text += fmt::format("; nearest is byte {}, where {} stored ({})", other_offset->span.begin, By(*other_offset),
                            at(*other_offset));
    }
    return text;
}

}  // namespace sfumato::sanitize
