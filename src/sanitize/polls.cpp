// SPDX-License-Identifier: Apache-2.0
// Which reads came back.
#include "sanitize/polls.h"

#include <algorithm>
#include <string_view>

namespace sfumato::sanitize {
namespace {

bool SameLine(const Access& a, const Access& b) {
    return a.core == b.core && a.where.line == b.where.line && std::string_view(a.where.file) == b.where.file;
}

bool IsStore(const Access& a, const Access& b) { return a.core == b.core && a.tick == b.tick; }

// Whether an earlier turn of the read's loop was given the bytes before this store.
bool Awaits(const Polls::Open& open, const GmAccess& read, const Access& store) {
    return IsStore(open.store, store) && SameLine(open.read.access, read.access) &&
           open.read.allocation == read.allocation && open.met.Overlaps(read.bytes);
}

}  // namespace

void Polls::Post(const GmAccess& store, uint64_t before, uint64_t after, const Clock& clock) {
    Keep(store, reinterpret_cast<const uint8_t*>(&before), clock, store.access.tick);
    stores_.at({store.access.core, store.access.tick}).posted = after;
    posted_.push_back(store);
}

void Polls::Store(const GmAccess& store, const uint8_t* old, const Clock& clock, uint64_t done) {
    std::erase_if(posted_, [&](const GmAccess& posted) { return IsStore(posted.access, store.access); });
    Keep(store, old, clock, done);
    stores_.at({store.access.core, store.access.tick}).posted.reset();
}

// The first time it is told.
void Polls::Keep(const GmAccess& store, const uint8_t* old, const Clock& clock, uint64_t done) {
    const Key key(store.access.core, store.access.tick);
    const auto [at, fresh] = stores_.try_emplace(key);
    if (!fresh) return;
    at->second.store = store;
    at->second.clock = clock;
    Bounds& own = at->second.clock.own;
    const uint64_t stores = own[kScalarStores];
    RaiseBound(own, store.access.pipe, done);
    if (fenced_) own[kScalarStores] = stores;
    at->second.old.assign(old, old + (store.bytes.end - store.bytes.begin));
    order_.push_back(key);
    if (order_.size() <= kMostStores) return;
    stores_.erase(order_.front());
    order_.pop_front();
}

const Polls::Stored* Polls::Find(const Access& store) const {
    const auto found = stores_.find({store.core, store.tick});
    return found == stores_.end() ? nullptr : &found->second;
}

Polls::Answer Polls::Read(const GmAccess& read, const Access& store, isa::Span met) {
    const Stored* stored = Find(store);
    if (!stored || !read.access.few_bytes) return {};
    const auto waits = [&](const Open& open) {
        // One read may meet a store more than once.
        return open.read.access.tick != read.access.tick && Awaits(open, read, store);
    };
    if (std::ranges::any_of(open_, waits)) {
        std::erase_if(open_, waits);
        std::vector<uint64_t>& ticks = waited_[{read.access.core, store.core}];
        const auto place = std::ranges::lower_bound(ticks, store.tick);
        if (place == ticks.end() || *place != store.tick) ticks.insert(place, store.tick);
        return {Verdict::kOrdered, &stored->clock};
    }
    open_.push_back({read, store, met});
    return {Verdict::kOlder, nullptr};
}

bool Polls::ChangedNothing(const Access& store, const GmAccess& read, const uint8_t* now) const {
    const Stored* stored = Find(store);
    if (!stored) return false;
    const isa::Span of = stored->store.bytes;
    const uint64_t begin = std::max(read.bytes.begin, of.begin), end = std::min(read.bytes.end, of.end);
    const auto* left = stored->posted ? reinterpret_cast<const uint8_t*>(&*stored->posted) + (begin - of.begin)
                                      : now + (begin - read.bytes.begin);
    return std::equal(left, left + (end - begin), stored->old.begin() + static_cast<ptrdiff_t>(begin - of.begin));
}

void Polls::CloseAll(const GmAccess& read, const Access& store) {
    std::erase_if(open_, [&](const Open& open) { return Awaits(open, read, store); });
}

void Polls::Close(const Access& read, const Access& store) {
    std::erase_if(open_,
                  [&](const Open& open) { return IsStore(open.read.access, read) && IsStore(open.store, store); });
}

void Polls::PutOlder(const Access& store, const GmAccess& read, uint8_t* seen) const {
    const Stored* stored = Find(store);
    const isa::Span of = stored->store.bytes;
    const uint64_t begin = std::max(read.bytes.begin, of.begin), end = std::min(read.bytes.end, of.end);
    for (uint64_t byte = begin; byte < end; ++byte) seen[byte - read.bytes.begin] = stored->old[byte - of.begin];
}

bool Polls::StoreAfterRead(const Access& read, const GmAccess& store, isa::Span met) {
    if (!read.few_bytes || !store.access.few_bytes) return false;
    if (Waited(read.core, store.access)) return true;  // while it was posted
    open_.push_back({{read, store.allocation, met}, store.access, met});
    return true;
}

}  // namespace sfumato::sanitize
