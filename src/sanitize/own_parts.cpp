// SPDX-License-Identifier: Apache-2.0
// Who owns a part, and what it keeps.
#include "sanitize/own_parts.h"

#include <cstdlib>
#include <new>

namespace sfumato::sanitize {

OwnParts::OwnParts(uint64_t bytes) : count_(bytes / kPart + 1) {
    static_assert(std::atomic<uint32_t>::is_always_lock_free);
    parts_ = static_cast<Part*>(std::calloc(count_, sizeof(Part)));
    if (!parts_) throw std::bad_alloc();
}

OwnParts::~OwnParts() {
    for (uint64_t i = 0; i < count_; ++i) delete[] parts_[i].many;
    std::free(parts_);
}

OwnParts::Kept* OwnParts::RoomIn(Part& part) {
    if (part.count == kMost) return nullptr;
    if (part.count == kFew && !part.many) {
        part.many = new Kept[kMost];
        std::ranges::copy(part.few, part.many);
    }
    return part.kept().data() + part.count;
}

uint32_t OwnParts::Lock(Part& part, uint32_t mine, uint32_t state) {
    while (true) {
        if (state & kLocked) {
            state = part.state.load(std::memory_order_relaxed);
            continue;
        }
        if (state == kShared || (state != kNobody && state != mine && mine != kShared)) return state;
        if (part.state.compare_exchange_weak(state, state | kLocked, std::memory_order_acquire)) return state;
    }
}

bool OwnParts::Add(Part& part, const Kept& now, bool fits) {
    const auto replaces = [&now](const Kept& kept) { return Replaces(now, kept); };
    if (part.count != 0 && now.begin() <= part.top) {
        const std::span<Kept> kept = part.kept();
        const auto end = std::remove_if(kept.begin(), kept.end(), replaces);
        part.count = static_cast<uint8_t>(end - kept.begin());
        part.overlap = part.overlap || std::any_of(kept.begin(), end, [&now](const Kept& k) {
                           return k.begin() <= now.last() && now.begin() <= k.last();
                       });
    }
    Kept* const room = fits ? RoomIn(part) : nullptr;
    if (room) *room = now, ++part.count;
    part.top = static_cast<uint16_t>(part.count == 1 ? now.last() : std::max<uint32_t>(part.top, now.last()));
    part.next = 0;
    return room != nullptr;
}

}  // namespace sfumato::sanitize
