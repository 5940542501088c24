// SPDX-License-Identifier: Apache-2.0
// Accesses of the same bytes that nothing orders (framework.md 2.3 to 2.8): between the pipes of a core, and between
// cores on global memory.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "events/clock.h"
#include "events/cross_order.h"
#include "events/listener.h"
#include "sanitize/cache_lines.h"
#include "sanitize/history.h"
#include "sanitize/launch_view.h"
#include "sanitize/own_parts.h"
#include "sanitize/polls.h"

namespace sfumato::sanitize {

using CrossOrder = events::CrossOrder<Known, JoinKnown>;

class Races final : public events::Listener {
public:
    explicit Races(const LaunchView& launch);

    bool WantsOnChip() const override { return launch_.checks.Has(Check::kRaces); }
    std::unique_ptr<events::CoreListener> Begin(const events::Place& place, events::Tell tell) override;
    std::vector<Report> Finish(bool clean) override;

    const LaunchView& launch() const { return launch_; }
    CrossOrder& cross() { return cross_; }
    // What a core has done and knows, as others may learn it.
    Known Publish(uint64_t core, const Clock& clock) const;

    // Another core's access that races with one.
    struct Race {
        Access other;
        isa::Span bytes;
        bool written = true;  // the bytes had been stored in this launch, before
        bool polls = false;   // a read that may wait for the write
    };
    // What an access of global memory leads to.
    struct Outcome {
        Known learnt;                 // by a read that waited for another core's store
        std::vector<Access> not_yet;  // stores that the read shall not see
        // What a read of few bytes sees: taken in one step with the judgement, or a store between the two would end a
        // poll that was judged before it.
        std::array<uint8_t, MostPolled(true)> seen;
        bool has_seen = false;
        std::vector<Race> writes;  // of other cores, that race with a write
        std::vector<Race> reads;   // the same, that read

        void Clear() {
            learnt = nullptr;
            not_yet.clear();
            has_seen = false;
            writes.clear();
            reads.clear();
        }
    };
    class GmTouch;
    // Those of an allocation; nullptr where accesses of one core are judged against each other, too.
    OwnParts* PartsOf(uint32_t allocation) const { return parts_.empty() ? nullptr : parts_[allocation].get(); }
    // A number for all accesses that differ in tick alone.
    uint32_t SiteOf(const Access& access);
    // A race of two cores. equal: the write changed nothing.
    void Note(const Access& a, const Access& b, uint32_t allocation, isa::Span bytes, bool equal);
    // The write left the bytes as they were: the read does not wait for it.
    void PollsNothing(const Access& read, const Access& write);
    // Two writes that nothing orders: the later one left the bytes as they were.
    void AreEqual(const Access& earlier, const Access& write, uint32_t allocation, isa::Span bytes);
    void Cleaned(uint32_t core, const events::Sync::Line* line, uint64_t tick);
    // A store of the scalar unit that others see from here on, and that is judged when it runs: polls may end before.
    // before, after: its bytes.
    void Posting(const GmAccess& store, const Clock& clock, uint64_t before, uint64_t after);
    // A store runs from its judgement until it is done; one that races runs alone: whether two of them leave the same
    // bytes is nobody's speed. tick: 0 for none.
    void Runs(uint64_t core, uint64_t tick) { running_[core].tick.store(tick, std::memory_order_release); }
    bool IsRunning(const Access& store) const {
        return running_[store.core].tick.load(std::memory_order_acquire) == store.tick;
    }
    void AwaitDone(const Access& store) const;
    void Done(uint64_t core);
    // Counts stores to global memory that are shared; it is raised before they change a byte.
    uint64_t stores() const { return stores_.load(std::memory_order_acquire); }

private:
    // Two lines of two cores, the lower core first.
    struct Pair {
        Access lower, higher;
        uint32_t allocation;
        isa::Span bytes;
        bool equal;
        std::vector<isa::Span> others = {};  // of the same two cores, in order, apart from each other
    };
    // A line of a cached access, and one that disagrees with the cache.
    struct CachePair {
        CacheLines::Trouble trouble;
        Access earlier, later;
        uint32_t allocation;
        isa::Span bytes;
        bool polls;  // the later access is a poll
    };
    // A poll that met a store whose core had not cleaned it yet.
    struct PolledLine {
        Access store;
        GmAccess read;
        isa::Span bytes;
    };
    using Key = std::tuple<std::string, uint32_t, std::string, uint32_t>;
    std::unique_lock<std::mutex> Lock();
    // The mutex, when no other core's store runs alone.
    std::unique_lock<std::mutex> Turn(uint64_t core);
    // Of what follows, with the mutex held.
    History& HistoryOf(uint32_t allocation);
    // What lies in these bytes is everyone's from here on.
    void Share(uint32_t allocation, isa::Span bytes);
    void NoteLocked(const Access& a, const Access& b, uint32_t allocation, isa::Span bytes, bool equal);
    void NoteCache(CacheLines::Trouble trouble, const Access& earlier, const GmAccess& later, isa::Span bytes,
                   bool polls);
    void NotePolled(const PolledLine& now);
    std::string Bytes(uint32_t allocation, isa::Span bytes) const;
    std::string BytesOf(const Pair& pair) const;

    const LaunchView& launch_;
    CrossOrder cross_;
    std::atomic<uint64_t> stores_ = 1;
    struct alignas(
        128) Running {  // of one core; written at each store, so that no two share a line of the host's cache
        std::atomic<uint64_t> tick = 0;  // of its store
    };
    std::vector<Running> running_;
    std::mutex mutex_;  // of what follows
    std::condition_variable done_;
    uint64_t alone_ = 0;  // the core whose store runs alone, and 1
    Pasts pasts_;
    std::vector<std::unique_ptr<History>> gm_;
    std::vector<Access> sites_;
    std::vector<std::unique_ptr<OwnParts>> parts_;  // by allocation, as gm_; guard themselves
    Polls polls_;
    CacheLines lines_;
    std::map<Key, Pair> pairs_;
    std::map<Key, CachePair> cache_pairs_;
    std::vector<PolledLine> polled_;
};

// An access of global memory, run by run; the history is locked while it lives.
class Races::GmTouch final : private History::Judge, private CacheLines::Judge {
public:
    // clock: what the access may rely on, and what it has learnt when this ends. content: of its bytes, as they are
    // before it. own: judges accesses of the same core, or nullptr.
    GmTouch(Races& races, const GmAccess& gm, const Clock& clock, const uint8_t* content, History::Judge* own,
            Outcome* outcome);
    // only: there is no other one.
    void Run(isa::Span run, bool only = false);
    // After the last run. done: of the scalar unit, what it has done as well.
    void End(uint64_t done = 0);
    // No other core's access is judged until Done.
    void RunAlone() { races_.alone_ = gm_.access.core + uint64_t{1}; }
    // The number of stores while which the same scalar read again, its line cleaned before it or not, changes nothing
    // here; 0: none.
    uint64_t Settled() const;

private:
    void Meet(const Access& other, const History::Stretch& stretch) override;
    void MeetEqual(const Access& other, const History::Stretch& stretch) override;
    bool IsBehind(const Access& other) override;
    void MeetStore(const Access& store, isa::Span bytes);
    // Of writes that race the lowest core's stays: what is reported does not depend on who came first.
    bool Keeps(const Access& other) override { return other.core < gm_.access.core && !Ordered(other); }
    void Disagrees(CacheLines::Trouble trouble, const Access& other, isa::Span bytes) override;
    bool IsAfter(const Access& other) override { return Ordered(other); }
    uint64_t NotAwaited(isa::Span line, Access* last) override;
    void JudgeLines(isa::Span run);
    bool Ordered(const Access& other) const;
    bool PollsOwn(const Access& other, isa::Span bytes);

    Races& races_;
    const GmAccess& gm_;
    const Clock& clock_;
    const uint8_t* content_;
    History::Judge* own_;
    Outcome& outcome_;
    const std::unique_lock<std::mutex> lock_;
    std::optional<History::Walk> walk_;
};

}  // namespace sfumato::sanitize
