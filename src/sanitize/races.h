// SPDX-License-Identifier: Apache-2.0
// Accesses of the same bytes that nothing orders (framework.md 2.3 to 2.8): between the pipes of a core, and between
// cores on global memory.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "sanitize/cache_lines.h"
#include "sanitize/cross_order.h"
#include "sanitize/detector.h"
#include "sanitize/history.h"
#include "sanitize/polls.h"

namespace sfumato::sanitize {

class Races final : public Detector {
public:
    explicit Races(const LaunchView& launch) : launch_(launch), cross_(launch.cores), gm_(launch.gm.size()) {}

    bool WantsOnChip() const override { return launch_.checks.Has(Check::kRaces); }
    std::unique_ptr<CoreDetector> Begin(const trace::Place& place, Tell tell) override;
    std::vector<Report> Finish(bool clean) override;

    const LaunchView& launch() const { return launch_; }
    CrossOrder& cross() { return cross_; }

    // Another core's access that races with one.
    struct Race {
        Access other;
        isa::Span bytes;
    };
    // What an access of global memory leads to.
    struct Outcome {
        Known learnt;                 // by a read that waited for another core's store
        std::vector<Access> not_yet;  // stores that the read shall not see
        // What a read of few bytes sees: taken in one step with the judgement, or a store between the two would end a
        // poll that was judged before it.
        std::array<uint8_t, kMostPolled> seen;
        bool has_seen = false;
        std::vector<Race> writes;  // of other cores, that race with a write
    };
    // clock: what the access may rely on. earlier: judges accesses of the same core. content: of the bytes, as they are
    // before the access.
    using Earlier = std::function<void(const Access&, const History::Stretch&)>;
    void TouchGm(const GmAccess& gm, isa::Span run, const Clock& clock, const uint8_t* content, const Earlier& earlier,
                 Outcome* outcome);
    // A race of two cores. equal: the write changed nothing.
    void Note(const Access& a, const Access& b, uint32_t allocation, isa::Span bytes, bool equal);
    void Cleaned(uint32_t core, const uint32_t* allocation, uint64_t byte);

private:
    class Judging;
    // Two lines of two cores, the lower core first.
    struct Pair {
        Access lower, higher;
        uint32_t allocation;
        isa::Span bytes;
        bool equal;
    };
    // A line of a cached access, and one that disagrees with the cache.
    struct CachePair {
        CacheLines::Trouble trouble;
        Access earlier, later;
        uint32_t allocation;
        isa::Span bytes;
        bool polls;  // the later access is a poll
    };
    using Key = std::tuple<std::string, uint32_t, std::string, uint32_t>;
    void NoteLocked(const Access& a, const Access& b, uint32_t allocation, isa::Span bytes, bool equal);
    void NoteCache(CacheLines::Trouble trouble, const Access& earlier, const GmAccess& later, isa::Span bytes,
                   bool polls);
    std::string Bytes(uint32_t allocation, isa::Span bytes) const;

    const LaunchView& launch_;
    CrossOrder cross_;
    std::mutex mutex_;  // of what follows
    Pasts pasts_;
    std::vector<std::unique_ptr<History>> gm_;
    Polls polls_;
    CacheLines lines_;
    std::map<Key, Pair> pairs_;
    std::map<Key, CachePair> cache_pairs_;
    // Polls that met a store its core had not cleaned yet.
    struct PolledLine {
        Access store;
        GmAccess read;
        isa::Span bytes;
    };
    std::vector<PolledLine> polled_;
};

}  // namespace sfumato::sanitize
