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

uint32_t OwnParts::Lock(Part& part, uint32_t mine) {
    uint32_t state = part.state.load(std::memory_order_relaxed);
    while (true) {
        if (state & kLocked) {
            state = part.state.load(std::memory_order_relaxed);
            continue;
        }
        if (state == kShared || (state != kNobody && state != mine && mine != kShared)) return state;
        if (part.state.compare_exchange_weak(state, state | kLocked, std::memory_order_acquire)) return state;
    }
}

bool OwnParts::Keep(isa::Span bytes, const Access& access, uint32_t site) {
    constexpr uint32_t kMostSites = 1u << 24;
    const uint64_t at = bytes.begin / kPart;
    Part& part = parts_[at];
    const uint32_t mine = kFirst + access.core, before = Lock(part, mine);
    if (before != mine && before != kNobody) return false;
    const auto begin = static_cast<uint16_t>(bytes.begin - at * kPart);
    const auto last = static_cast<uint16_t>(bytes.end - 1 - at * kPart);
    const auto kind = static_cast<uint8_t>(access.kind);
    const auto way = static_cast<uint8_t>(static_cast<uint8_t>(access.pipe) << 2 | kind);
    // A plain write stands for all that came before on its bytes, others for what the same pipe did the same way.
    const auto replaces = [&](const Kept& kept) {
        return begin <= kept.begin && kept.last <= last && (kind == kWrite || kept.way == way);
    };
    const Kept now{access.tick, site, way, begin, last};
    bool fits = site < kMostSites;
    const std::span<Kept> kept = part.kept();
    Kept& next = kept.data()[part.next];  // there is one, if it counts
    if (fits && !part.overlap && part.next < part.count && next.begin == begin && next.last == last && replaces(next)) {
        next = now;
        part.next = static_cast<uint8_t>((part.next + 1) % part.count);
    } else {
        if (part.count != 0 && begin <= part.top) {
            const auto end = std::remove_if(kept.begin(), kept.end(), replaces);
            part.count = static_cast<uint8_t>(end - kept.begin());
            part.overlap = part.overlap || std::any_of(kept.begin(), end, [&](const Kept& k) {
                               return k.begin <= last && begin <= k.last;
                           });
        }
        Kept* const room = fits ? RoomIn(part) : nullptr;
        fits = room != nullptr;
        if (fits) *room = now, ++part.count;
        part.top = part.count == 1 ? last : std::max(part.top, last);
        part.next = 0;
    }
    part.state.store(mine, std::memory_order_release);
    return fits;
}

}  // namespace sfumato::sanitize
