// SPDX-License-Identifier: Apache-2.0
// Stores to memory that several ranks touch: what each releases, what it replaced, who has waited for it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "isa/rank_block.h"
#include "sanitize/history.h"
#include "sanitize/ranks/rank_known.h"

namespace sfumato::sanitize {

using isa::kRankBlock;

inline isa::Span HullOf(const std::vector<isa::Span>& spans) {
    isa::Span hull = spans.front();
    for (const isa::Span& span : spans) hull = {std::min(hull.begin, span.begin), std::max(hull.end, span.end)};
    return hull;
}

// A call of the program that touches so many bytes; its strings outlive the kernel's code.
struct RankSite {
    std::string file, call;
    uint32_t line;
    uint64_t bytes;
    mutable bool polls = false;  // it has read the same bytes twice in a row (ranks.md 1)

    Where where() const { return {file.c_str(), line}; }
};

struct RankLaunch {
    uint32_t rank;
    uint64_t epoch;      // its number among those of its rank
    uint64_t submitted;  // moments of the world
    std::string kernel;
    bool looks_for_stale = false;  // reads of an earlier round's bytes are told (--check init)
    uint64_t ended = UINT64_MAX;
    // Of the host's: it may have been told by its own means of what had ended then.
    bool MayKnowThatEnded(const RankLaunch& other) const { return other.ended < submitted; }
};

struct RankStore {
    RankSlot slot;
    uint64_t tick;
    const RankSite* site;
    std::shared_ptr<const RankLaunch> launch;
    uint32_t region;
    isa::Span span;
    bool atomic;
    isa::Pipe pipe;
    // What it releases: what its pipe relied on.
    RankBounds own;
    RankKnown others;
    uint64_t serial = 0;              // in the order in which stores ran
    bool flag = false, seen = false;  // a poll has read it; anybody has
    bool cached = false;              // it is in the data cache of its core, which the program has not cleaned
    // Those it stored over, by core and tick: at most so many.
    static constexpr size_t kMostOver = 16;
    std::vector<std::pair<uint32_t, uint64_t>> over = {};
    // What it replaced, where that is kept: run by run.
    std::vector<isa::Span> runs;
    std::vector<uint8_t> old;
    // Polls that it ended: by whom, and which blocks they saw.
    struct Awaited {
        RankSlot slot;
        uint64_t tick;  // of the scalar unit that goes on
        uint64_t first_block, last_block;
        const RankSite* site;
        uint64_t epoch;
    };
    std::vector<Awaited> awaited = {};
    // Waits it ended, by core, call and place, and the launches in which; its core stored it once more, changing
    // nothing.
    struct Ended {
        RankSlot slot;
        const RankSite* site;
        uint64_t begin, epoch;
    };
    std::vector<Ended> ended = {};
    bool again = false;
    // Where and in which latest launch anybody did so.
    isa::Span renewed = {};
    uint64_t renewed_in = 0;

    void Renew(isa::Span bytes, uint64_t epoch) {
        if (epoch > renewed_in) renewed = bytes;
        if (epoch == renewed_in) renewed = {std::min(renewed.begin, bytes.begin), std::max(renewed.end, bytes.end)};
        renewed_in = std::max(renewed_in, epoch);
    }
    bool IsOf(uint64_t epoch, isa::Span bytes) const {
        return launch->epoch >= epoch ||
               (renewed_in >= epoch && renewed.begin <= bytes.begin && bytes.end <= renewed.end);
    }
};

// The latest ones.
class RankStores {
public:
    void Add(const std::shared_ptr<RankStore>& store) {
        store->serial = ++serial_;
        by_key_[KeyOf(store->slot.packed(), store->tick)] = store;
        order_.push_back(store);
        (store->old.size() <= kRankBlock ? flags_ : data_).Keep(store);
        if (order_.size() <= kMost) return;
        const RankStore& first = *order_.front();
        by_key_.erase(KeyOf(first.slot.packed(), first.tick));
        order_.pop_front();
    }
    // Null: too long ago.
    std::shared_ptr<RankStore> Find(uint32_t slot, uint64_t tick) const {
        const auto at = by_key_.find(KeyOf(slot, tick));
        return at == by_key_.end() ? nullptr : at->second;
    }
    // How many there were.
    uint64_t count() const { return serial_; }
    const std::deque<std::shared_ptr<RankStore>>& all() const { return order_; }

private:
    static constexpr size_t kMost = size_t{1} << 18;
    // Those whose older bytes are kept; flags apart from data, which are more.
    struct Old {
        static constexpr uint64_t kMost = uint64_t{32} << 20;
        uint64_t bytes = 0;
        std::deque<std::shared_ptr<RankStore>> stores = {};

        void Keep(const std::shared_ptr<RankStore>& store) {
            if (store->old.empty()) return;
            bytes += store->old.size();
            stores.push_back(store);
            for (; bytes > kMost && !stores.empty(); stores.pop_front()) {
                bytes -= stores.front()->old.size();
                stores.front()->old = {};
                stores.front()->runs = {};
            }
        }
    };
    struct Key {
        uint64_t tick;
        uint32_t slot;
        bool operator==(const Key&) const = default;
    };
    struct Hash {
        size_t operator()(const Key& key) const { return key.tick * 0x9E3779B97F4A7C15u + key.slot; }
    };
    static Key KeyOf(uint32_t slot, uint64_t tick) { return {tick, slot}; }

    uint64_t serial_ = 0;
    std::unordered_map<Key, std::shared_ptr<RankStore>, Hash> by_key_;
    std::deque<std::shared_ptr<RankStore>> order_;
    Old flags_, data_;
};

}  // namespace sfumato::sanitize
