// SPDX-License-Identifier: Apache-2.0
// Tells reads that wait for another core's store from reads that race with it (framework.md 2.7). Both values are legal
// for a read that nothing orders, so it is given the older one once: a loop comes back for the newer, a computation
// does not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "events/clock.h"
#include "isa/rank_block.h"
#include "sanitize/history.h"

namespace sfumato::sanitize {

using events::Bounds, events::Clock, events::JoinBounds, events::JoinKnown, events::Known, events::kScalarStores,
    events::RaiseBound;

// Bytes of a read or store by which cores may wait for each other: more is data. In memory that several ranks touch
// flags come with data, in a block that arrives as a whole.
constexpr uint64_t MostPolled(bool of_ranks) { return of_ranks ? isa::kRankBlock : 64; }

// One access of global memory, and where.
struct GmAccess {
    Access access;
    uint32_t allocation;
    isa::Span bytes;  // all of them
};

class Polls {
public:
    // fenced: what the scalar unit has stored is done behind a barrier of the program's alone.
    explicit Polls(bool fenced) : fenced_(fenced) {}
    // A store of at most MostPolled bytes is about to run: what it replaces, and what its pipe relies on. done: what
    // that pipe has done besides.
    void Store(const GmAccess& store, const uint8_t* old, const Clock& clock, uint64_t done);

    enum class Verdict : uint8_t {
        kRace,     // no poll
        kOlder,    // not known yet: let it see the bytes before `store`
        kOrdered,  // it waits for the store, and now knows `clock` of the storing core
    };
    struct Answer {
        Verdict verdict = Verdict::kRace;
        const Clock* clock = nullptr;
    };
    // A read meets a store of another core that nothing orders.
    Answer Read(const GmAccess& read, const Access& store, isa::Span met);
    // The store of at most MostPolled bytes left those that are read, `now`, as they were. One that is posted: leaves;
    // memory may hold the bytes before it once more.
    bool ChangedNothing(const Access& store, const GmAccess& read, const uint8_t* now) const;
    // The read waits for nothing.
    void Close(const Access& read, const Access& store);
    // Nor do earlier ones of its line.
    void CloseAll(const GmAccess& read, const Access& store);
    // Puts the bytes before this store over `seen`, the bytes of a read.
    void PutOlder(const Access& store, const GmAccess& read, uint8_t* seen) const;
    // A store of the scalar unit of at most 8 bytes that memory is about to hold, and that is judged (Store) later.
    void Post(const GmAccess& store, uint64_t before, uint64_t after, const Clock& clock);
    const std::vector<GmAccess>& posted() const { return posted_; }
    // A store meets an earlier read of another core: false, no poll. Else it is known later.
    bool StoreAfterRead(const Access& read, const GmAccess& store, isa::Span met);
    // A core waited for this store: accesses of the same bytes are ordered behind it.
    bool Waited(uint32_t core, const Access& store) const {
        const auto waits = waited_.find({core, store.core});
        return waits != waited_.end() && std::binary_search(waits->second.begin(), waits->second.end(), store.tick);
    }

    // Reads that never came back: they race.
    struct Open {
        GmAccess read;
        Access store;
        isa::Span met;
    };
    const std::vector<Open>& open() const { return open_; }

private:
    const bool fenced_;
    void Keep(const GmAccess& store, const uint8_t* old, const Clock& clock, uint64_t done);

    static constexpr size_t kMostStores = 4096;  // remembered, the latest
    struct Stored {
        GmAccess store;
        std::vector<uint8_t> old;
        Clock clock;
        std::optional<uint64_t> posted;  // the bytes that it leaves
    };
    const Stored* Find(const Access& store) const;

    using Key = std::pair<uint32_t, uint64_t>;  // core and tick
    struct Hash {
        size_t operator()(const Key& key) const { return key.second * 0x9E3779B97F4A7C15u + key.first; }
    };
    std::unordered_map<Key, Stored, Hash> stores_;
    std::deque<Key> order_;
    std::vector<Open> open_;
    std::vector<GmAccess> posted_;
    // The ticks of the stores that a core waited for, ascending, by it and the core that stores.
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint64_t>> waited_;
};

}  // namespace sfumato::sanitize
