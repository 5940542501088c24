// SPDX-License-Identifier: Apache-2.0
// What orders two accesses of a vector function.
#include "frontends/ascendc/reg/access_order.h"

#include <algorithm>

namespace sfumato::ascendc {

std::optional<AccessOrder::Access> AccessOrder::Note(const Access& access, const LoadsBehind& behind, uint32_t load,
                                                     const Counts& counts) {
    std::optional<Access> unordered;
    const uint64_t oldest = Meets(access) ? next_ - std::min<uint64_t>(next_, kMost) : next_;
    for (uint64_t i = next_; i-- > oldest && !unordered;) {
        const Noted& earlier = notes_[i % kMost];
        if (!earlier.access.bytes.Overlaps(access.bytes) || (!earlier.access.store && !access.store)) continue;
        if (i < Fenced(earlier.access.store, access.store) || earlier.access.number == access.number) continue;
        // Whatever is older: the same bytes were stored in between, and that is the pair to tell of.
        if (earlier.load != 0 && behind.Has(earlier.load)) break;
        const isa::Span both{std::max(earlier.access.bytes.begin, access.bytes.begin),
                             std::min(earlier.access.bytes.end, access.bytes.end)};
        if (earlier.load != 0 && !counts(earlier.load, both)) continue;
        unordered = earlier.access;
    }
    if (notes_.size() < kMost) notes_.resize(kMost);
    notes_[next_++ % kMost] = {access, load};
    return unordered;
}

bool AccessOrder::Meets(const Access& access) {
    bool meets = false;
    const uint64_t last = (access.bytes.end - 1) / isa::kBlockBytes;
    for (auto& latest : latest_) {
        if (latest.size() <= last) latest.resize(last + 1);
    }
    for (uint64_t block = access.bytes.begin / isa::kBlockBytes; block <= last; ++block) {
        meets = meets || latest_[1][block] > Fenced(true, access.store) ||
                (access.store && latest_[0][block] > Fenced(false, true));
        latest_[access.store][block] = next_ + 1;
    }
    return meets;
}

void AccessOrder::Fence(bool stores_before, bool loads_before, bool stores_behind, bool loads_behind) {
    for (const bool earlier : {false, true}) {
        for (const bool later : {false, true}) {
            if ((earlier ? stores_before : loads_before) && (later ? stores_behind : loads_behind))
                fences_[earlier][later] = next_;
        }
    }
}

void AccessOrder::Clear() {
    for (auto& of_kind : fences_) of_kind.fill(next_);
}

Loads::Load& Loads::Add(const RegisterAccess& access, uint32_t element, uint32_t pitch, uint32_t spread) {
    ++count_;
    if (loads_.size() == 64) loads_.pop_front();
    loads_.push_back({access, element, pitch, spread, {}});
    return loads_.back();
}

void Loads::Use(const LoadsBehind& lanes, const Bits& bits, const Used& used) {
    for (uint32_t age = 0; age < 64 && age < lanes.last; ++age) {
        if ((lanes.recent >> age & 1) == 0) continue;
        const uint32_t back = count_ - (lanes.last - age);  // loads since
        if (back >= loads_.size()) continue;
        Load& load = loads_[loads_.size() - 1 - back];
        Bits fresh;
        uint64_t any = 0, all = ~uint64_t{0};
        for (size_t word = 0; word < fresh.size(); ++word) {
            fresh[word] = bits[word] & ~load.used[word];
            load.used[word] |= bits[word];
            any |= fresh[word];
            all &= fresh[word];
        }
        if (any == 0) continue;
        if (~all == 0 && load.element == load.pitch && load.pitch == load.spread) {
            used(load, {load.access.bytes.begin, load.access.bytes.begin + kRegisterBytes});
            continue;
        }
        const uint64_t lane = load.spread < 64 ? (uint64_t{1} << load.spread) - 1 : ~uint64_t{0};
        for (uint32_t at = 0; at < kRegisterBytes; at += load.spread) {
            if ((fresh[at / 64] >> (at % 64) & lane) == 0) continue;
            const uint64_t from = load.access.bytes.begin + uint64_t{at / load.spread} * load.pitch;
            used(load, {from, from + load.element});
        }
    }
}

bool Loads::Uses(uint32_t load, isa::Span bytes) const {
    const uint32_t back = count_ - load;
    if (load > count_ || back >= loads_.size()) return true;
    const Load& it = loads_[loads_.size() - 1 - back];
    for (uint64_t byte = bytes.begin; byte < bytes.end; ++byte) {
        const uint64_t from = byte - it.access.bytes.begin, within = from % it.pitch;
        const uint64_t lane = from / it.pitch * it.spread + within;
        if (within < it.element && lane < kRegisterBytes && (it.used[lane / 64] >> (lane % 64) & 1) != 0) return true;
    }
    return false;
}

}  // namespace sfumato::ascendc
