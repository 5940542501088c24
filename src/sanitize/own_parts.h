// SPDX-License-Identifier: Apache-2.0
// Parts of global memory that one core alone has touched so far: most of it, most of the time. What the core did there
// is kept beside the history that all share, until another core comes.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include "sanitize/history.h"

namespace sfumato::sanitize {

// Of one allocation. Cores call Keep side by side; Share only one at a time.
class OwnParts {
public:
    static constexpr uint64_t kPart = 16384;

    explicit OwnParts(uint64_t bytes);
    ~OwnParts();
    OwnParts& operator=(OwnParts&&) = delete;

    // An access of bytes within one part; `site` and `tick` say which. False, and nothing is kept: the part is shared,
    // or another core's, or full.
    bool Keep(isa::Span bytes, const Access& access, uint32_t site) {
        const uint64_t at = bytes.begin / kPart;
        Part& part = parts_[at];
        const uint32_t mine = kFirst + access.core;
        uint32_t before = mine;
        if (!part.state.compare_exchange_strong(before, mine | kLocked, std::memory_order_acquire)) {
            before = Lock(part, mine, before);
            if (before != mine && before != kNobody) return false;
        }
        const uint32_t way = static_cast<uint32_t>(access.pipe) << 2 | static_cast<uint32_t>(access.kind);
        const auto begin = static_cast<uint32_t>(bytes.begin - at * kPart);
        const auto last = static_cast<uint32_t>(bytes.end - 1 - at * kPart);
        const Kept now{access.tick, site << 8 | way, last << 16 | begin};
        // A loop that comes back in the same order.
        Kept* const next = (part.many ? part.many : part.few.data()) + part.next;
        bool fits = site < kMostSites;
        if (fits && !part.overlap && part.next < part.count && next->place == now.place && Replaces(now, *next)) {
            *next = now;
            part.next = static_cast<uint8_t>(part.next + 1 == part.count ? 0 : part.next + 1);
        } else {
            fits = Add(part, now, fits);
        }
        part.state.store(mine, std::memory_order_release);
        return fits;
    }
    // The part is everyone's from here on. Calls visit(bytes, tick, site) for what was kept, in order.
    template <class Visit>
    void Share(uint64_t part, const Visit& visit) {
        Part& p = parts_[part];
        const uint32_t before = Lock(p, kShared, p.state.load(std::memory_order_relaxed));
        if (before != kShared) {
            for (const Kept& k : p.kept()) visit(k.bytes(part), k.tick, k.site());
        }
        p.state.store(kShared, std::memory_order_release);
    }
    bool IsShared(uint64_t part) const { return parts_[part].state.load(std::memory_order_acquire) == kShared; }

private:
    static constexpr uint32_t kNobody = 0, kShared = 1, kFirst = 2;  // kFirst + core: its own
    static constexpr uint32_t kLocked = 1u << 31;
    static constexpr size_t kFew = 2, kMost = 64;
    static constexpr uint32_t kWrite = static_cast<uint32_t>(Access::Kind::kWrite);
    static constexpr uint32_t kMostSites = 1u << 24;

    struct Kept {
        uint64_t tick;
        uint32_t site_way;  // the way in the low byte
        uint32_t place;     // in the part: the first byte, and 16 bits up the last; compared at once
        uint32_t begin() const { return place & 0xFFFF; }
        uint32_t last() const { return place >> 16; }
        uint32_t site() const { return site_way >> 8; }
        uint32_t way() const { return site_way & 0xFF; }
        isa::Span bytes(uint64_t part) const { return {part * kPart + begin(), part * kPart + last() + 1}; }
    };
    // All zeros: nobody's. Small: a launch begins with fresh pages for the parts it touches.
    struct Part {
        std::atomic<uint32_t> state;
        uint8_t count;
        uint8_t next;  // behind the one that was replaced last: loops come back in order
        uint16_t top;  // the last byte of all that is kept
        bool overlap;  // of what is kept, or once was: its order counts
        std::array<Kept, kFew> few;
        Kept* many;  // instead of `few`: kMost
        std::span<Kept> kept() { return {many ? many : few.data(), count}; }
    };
    // A plain write stands for all that came before on its bytes, others for what the same pipe did the same way.
    static bool Replaces(const Kept& now, const Kept& kept) {
        return now.begin() <= kept.begin() && kept.last() <= now.last() &&
               ((now.way() & 3) == kWrite || kept.way() == now.way());
    }
    // Behind the others, or instead of some of them. False: it does not fit.
    static bool Add(Part& part, const Kept& now, bool fits);
    // Room for one more, behind those that are kept; nullptr when there is none.
    static Kept* RoomIn(Part& part);

    // Waits while another core has it locked. seen: its state, as it was. The state before; kShared stays as it is, and
    // so does what is not `mine` nor nobody's, unless `mine` is kShared.
    static uint32_t Lock(Part& part, uint32_t mine, uint32_t seen);

    const uint64_t count_;
    Part* parts_;  // takes memory where it is touched only
};

}  // namespace sfumato::sanitize
