// SPDX-License-Identifier: Apache-2.0
// What the launches of all ranks of a world do to memory that several of them touch (ranks.md 3): what orders their
// accesses, and which nothing orders; who stored last.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "events/listener.h"
#include "sanitize/launch_view.h"
#include "sanitize/ranks/rank_memory.h"
#include "sanitize/ranks/rank_pairs.h"
#include "sanitize/ranks/rank_store.h"

namespace sfumato::sanitize {

class RankHistory {
public:
    explicit RankHistory(uint32_t ranks) : ended_(ranks), launches_(ranks, 0), places_(ranks), lanes_(ranks) {}
    RankHistory& operator=(RankHistory&&) = delete;

    // The host. A launch begins behind what its host knows when it submits it, and behind what has ended of its rank.
    struct Submission {
        uint64_t moment = 0;
        RankKnown known;
    };
    Submission Submitted(const RankKnown& by_host);
    // A host has waited for the rank: what it knows from then on.
    RankKnown Awaited(uint32_t rank, const RankKnown& by_host);
    // Work of the rank waited for others: it is behind all that has ended.
    void Meets(uint32_t rank);

    // A rank's part of a task of a server, and what that relies on; what the task is behind, once all have theirs.
    void Serves(uint64_t task, const RankKnown& known);
    RankKnown ServedBehind(uint64_t task);

    // A launch of a rank. owner_of: the rank whose memory an allocation is, where several may touch it.
    struct Launch {
        uint32_t rank;
        Submission submission;
        std::vector<std::optional<uint32_t>> owner_of;
        bool torn = false;        // stores arrive later than they run
        std::string kernel = "";  // its name
    };
    std::unique_ptr<events::Listener> Watch(const LaunchView& view, Launch launch);
    // The memory at this address begins a new life.
    void Forget(const uint8_t* base);
    // All of it is as if nobody had touched it.
    void ForgetAll();

    // Who stored last to these bytes, for reports of what waits for them: "rank 2, aiv0 stored there last (DataCopy at
    // f.cpp:7)", "nobody has stored there; rank 2, aiv0 stored at byte 0 of 'window of rank 1'". "": no other rank may.
    std::string LastStore(const uint8_t* address, uint64_t bytes);

private:
    friend class RankWatch;
    friend class RankCore;

    // The same core of one launch after another.
    struct Core {
        uint64_t base = 0;  // records of the launches before
        struct Life {
            uint64_t base;
            std::shared_ptr<const RankLaunch> launch;
            std::string name;
        };
        std::vector<Life> lives = {};
    };
    // An access, and by whom.
    struct Doing {
        RankSlot slot;
        Access access;
        uint32_t region;
        const std::vector<isa::Span>& runs;
        const RankSite* site;
        std::shared_ptr<const RankLaunch> launch;
        RankKnown known;             // what it may rely on
        uint64_t scalar;             // the time of the scalar unit that goes on behind it
        bool may_come_back = false;  // it may be the next turn of a poll that is not known yet
    };
    // What a read comes to.
    struct Answer {
        RankKnown learnt;
        std::vector<std::shared_ptr<RankStore>> older;   // stores that it shall not see yet
        std::vector<std::shared_ptr<RankStore>> polled;  // of other ranks, that it has read as a poll
    };
    struct Met {
        Access earlier;
        std::vector<isa::Span> spans;
    };

    // Under the lock:
    Answer Read(const Doing& read);
    // The call is a poll.
    static void Polls(const RankSite& site) { site.polls = true; }
    void Store(const Doing& doing, std::shared_ptr<RankStore> store, bool judges);
    std::vector<Met> Touch(const Doing& doing);
    bool IsOrdered(const Doing& doing, const Access& earlier) const;
    // A poll of the doer's rank, which it is behind, has waited for the store, and seen these bytes.
    bool IsAwaited(const Doing& doing, const RankStore& store, isa::Span bytes) const;
    static bool IsBehind(const Doing& doing, const RankStore::Awaited& by);
    void ReadStore(const Doing& read, const Met& met, Answer& answer);
    void NoteStale(const Doing& read, const RankStore& store, const Met& met);
    // A scalar read of a line that its data cache has loaded, when there were so many stores.
    void ReadFromCache(const Doing& read, uint64_t loaded);
    // Two ranks store into one line, and one of the two does by its data cache, which writes all of it back.
    void ShareLines(const Doing& doing, const RankStore& store);
    void Await(const Doing& read, const std::shared_ptr<RankStore>& store, const Met& met, Answer& answer);
    void StoreOver(const Doing& doing, const std::shared_ptr<RankStore>& store, const Met& met);
    // The read shall not see the store yet, nor those below it that nothing orders before the read.
    void Withhold(const Doing& read, const std::shared_ptr<RankStore>& store, Answer& answer) const;
    // The bytes have been polled by a pointer that nobody hears: what it has learnt from what others stored there.
    RankKnown ReadUnheard(const Doing& read);
    // The flag by which the doer's rank waited for a store of this core behind (or, with its tick, at) this moment.
    std::shared_ptr<RankStore> FlagBehind(const Doing& doing, RankSlot slot, uint64_t tick) const;
    struct Waited {
        uint64_t tick = 0;
        const RankSite* flag = nullptr;
    };
    // The reader's last wait, before this moment, for a flag of the writer.
    Waited LastWait(RankSlot reader, uint64_t before, RankSlot writer) const;
    const RankSite* GivenFree(RankSlot reader, uint64_t waited, RankSlot writer, uint64_t store,
                              const RankKnown& known) const;
    // Which flag is between the two; of_writer: what the store may rely on.
    void Explain(RankPair& pair, const RankKnown& of_writer) const;
    void NoteLost(const Doing& doing, const std::shared_ptr<RankStore>& earlier, const Met& met);
    // A poll has read its bytes for the last time: a wait of the launch has ended, by these stores.
    struct Ending {
        RankSide doer;
        uint64_t begin, epoch;
        std::vector<std::shared_ptr<RankStore>> stores;
    };
    void EndWait(const Ending& ending);
    // A store that changes nothing.
    void StoredAgain(const Doing& doing);
    RankSide SideOf(const Access& access) const;
    static Access AccessOf(const RankStore& store);
    RankSide SideOfStore(const std::shared_ptr<RankStore>& store) const;
    RankPair PairOf(Rule rule, const Doing& doing, const Met& met) const;
    const Core::Life& LifeOf(const Access& access) const;
    const RankSite* SiteOf(const char* file, uint32_t line, const char* call, uint64_t bytes);
    void End(RankLaunch& launch, const RankKnown& known);
    std::string By(const RankStore& store) const;
    std::vector<Report> TakeReports(bool clean);

    std::mutex mutex_;
    uint64_t moment_ = 0;
    std::vector<RankKnown> ended_;           // by rank: what has ended of it, and what that knew
    std::vector<uint64_t> launches_;         // of each rank so far
    std::vector<std::vector<Core>> places_;  // by rank and index of a slot
    std::map<uint64_t, RankKnown> served_;   // the latest tasks of servers
    // Of each rank: lanes of launches that run at once, and the slots of their cores.
    std::vector<std::set<uint32_t>> lanes_;
    std::map<std::tuple<uint32_t, uint32_t, uint64_t>, uint32_t> slots_;  // by rank, lane, core
    std::map<std::tuple<std::string, uint32_t, std::string, uint64_t>, std::unique_ptr<RankSite>> sites_;
    std::unordered_map<const char*, RankSite*> by_call_;
    RankMemory memory_;
    RankStores stores_;
    // Flags that a rank has waited for, by it and the core that stored them: the latest.
    std::map<std::pair<uint32_t, uint32_t>, std::deque<std::shared_ptr<RankStore>>> flags_;
    RankPairs pairs_;
    std::vector<std::pair<std::shared_ptr<RankStore>, RankSide>> reused_;
    std::vector<RankPair> cached_;                       // reads of what was still in a data cache
    std::vector<RankPair> stale_;                        // reads of what an earlier round stored
    std::vector<std::pair<uint32_t, isa::Span>> waits_;  // that never end, by region
    RankTold told_;
    uint32_t running_ = 0;  // launches
    bool clean_ = true;     // none of those since it was quiet has failed
};

}  // namespace sfumato::sanitize
