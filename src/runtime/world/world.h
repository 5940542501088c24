// SPDX-License-Identifier: Apache-2.0
// Many devices in one process, the ranks (ranks.md 3, 4): what was submitted for each, and the one thread that runs the
// cores of all their launches, one at a time, in an order that no clock decides.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "runtime/cores/cores.h"
#include "runtime/cores/cross_core.h"
#include "runtime/world/hosts.h"
#include "sfumato/report.h"

namespace sfumato::runtime {

// Which rank runs next among those that can go on; inside a launch its own schedule says which core.
struct RankOrder {
    enum class Kind : uint8_t {
        kEager,  // the earliest submission, then the lowest rank
        kLate,   // the earliest submission, then the highest rank
        kSkew,   // rank `number` as far as it can; the others as kEager
        kSeed    // any
    };
    Kind kind = Kind::kEager;
    uint64_t number = 0;
};

class World {
public:
    explicit World(uint32_t ranks, RankOrder order = {});
    // Gives up what has not ended.
    ~World();
    World& operator=(World&&) = delete;
    uint32_t ranks() const { return ranks_; }

    // Ranks that communicate. The n-th works on a domain of all its ranks belong together.
    using Domain = uint32_t;
    Domain AddDomain(std::vector<uint32_t> ranks);

    // What a report calls a piece of work: "add<<<>>>", "HcclAllReduce".
    struct Name {
        std::string call;
        Where where;
    };
    // Work of the host's on a queue: a copy, the record of an event, a rank's part of a collective. No thread of its
    // own: `run` must not wait.
    struct Step {
        Name name;
        std::function<void()> run;
        std::function<bool()> ready = {};                 // none: at once
        std::function<std::string()> waits_for = {};      // for reports, while it is not ready
        std::function<void(const Report&)> give_up = {};  // it will never be: instead of `run`
    };
    // A launch: `run` has a thread of its own, and what it launches (sfumato::Launch) runs its cores in this world. It
    // waits at its beginning for the other ranks of its domains; one without goes on until it touches memory of other
    // ranks (Join).
    class Work;
    struct Launch {
        Name name;
        std::function<void()> run;
        std::vector<Domain> domains = {};
    };
    // Behind what the rank's queue holds already; never waits for another rank. True: it has ended when this returns.
    bool Submit(uint32_t rank, const void* queue, Step step);
    bool Submit(uint32_t rank, const void* queue, Launch launch);
    // Nothing is left of the queue, of all queues of the rank; Locked: where the world asks, in `done` and `ready`.
    bool IdleLocked(uint32_t rank, const void* queue) const { return !queues_.contains({rank, queue}); }
    bool IdleLocked(uint32_t rank) const;
    bool Idle(uint32_t rank, const void* queue) const;
    bool Idle(uint32_t rank) const;

    // Threads that submit. What waits for other ranks goes on only while all of them are blocked, so that what they
    // submit next has its place whatever time they take.
    // The calling thread works for the rank from now on; until Leave.
    void Serve(uint32_t rank);
    void Leave();
    // Blocks the calling thread until `done`, which is asked under the world's lock whenever work has ended. `call`:
    // for reports.
    void Block(const Name& call, const std::function<bool()>& done);
    // Runs all that can run before the host goes on: for queries.
    void Drive(const Name& call);

    // Of the launch whose thread this is; null elsewhere.
    static Work* Current();
    // On a launch's thread: its cores run until all have ended. `look` is called every few milliseconds. The report of
    // a launch that was given up because of another rank.
    std::optional<Report> Run(Work& work, Cores& cores, CrossCore& cross_core, const soc::Chip& chip,
                              const Cores::Body& body, const std::function<void()>& look);
    // The launch has a fault: who waits for its rank is told of it, instead of a deadlock.
    void Failed(Work& work, const Report& fault);

    // What others wait for, for the report of a core that nobody wakes: "rank 1: aiv0: waiting in DataCopy at f:7".
    std::string Explain(const Work& work);
    // Cores of all launches that poll.
    uint64_t live_pollers();

private:
    using Lock = std::unique_lock<std::mutex>;
    struct Item {
        uint64_t position;
        Step step;                   // unless there is
        std::shared_ptr<Work> work;  // a launch
        bool running = false;        // the step
    };
    using Key = std::pair<uint32_t, const void*>;  // of a queue: its rank first
    struct Members {
        std::vector<uint32_t> ranks;
        std::map<uint32_t, uint64_t> submitted;
    };
    struct Cause {
        uint32_t rank;
        Report report;
    };

    // Drivers: one, and one more for each core that polls a raw pointer and so keeps its thread. Each of these does one
    // thing, or finds nothing to do and says false.
    void DriveAll(bool extra);
    bool RunStep(Lock& lock);
    bool Join();
    bool StepCores(Lock& lock);
    bool BreakStandstill();
    void AddDriver();
    void Reap(Lock& lock);

    bool Advance(Work& work, Lock& lock);
    bool MayRun(const Work& work);
    bool IsComplete(const Work& work) const;
    void Insert(Work* work);
    bool GiveUp();
    std::string StateOf(uint32_t rank) const;
    void Start(std::shared_ptr<Work> work);
    // The head of the queue has ended: the next one starts.
    void End(const Key& queue);

    const uint32_t ranks_;
    const RankOrder order_;
    Random random_;
    mutable std::mutex mutex_;
    std::condition_variable driver_;  // has something to do, perhaps
    Hosts hosts_;
    std::vector<Members> domains_;
    std::vector<uint64_t> positions_;          // of the next submission, by rank
    std::map<Key, std::deque<Item>> queues_;   // none is empty
    std::vector<Work*> active_;                // launches whose cores run, in the order of ranks
    std::vector<std::shared_ptr<Work>> over_;  // whose threads are to be joined
    uint32_t in_transit_ = 0;                  // launches whose own thread runs
    std::optional<Cause> cause_;               // the first fault, until nothing is left
    uint64_t steps_ = 0;                       // of cores, to see whether one holds up the others
    uint32_t stepping_ = 0;                    // drivers that run a core
    bool closing_ = false;
    std::vector<std::thread> threads_;
};

// A launch from its submission to its end.
class World::Work {
public:
    World& world() const { return world_; }
    uint32_t rank() const { return rank_; }
    // What concerns other ranks may happen.
    bool joined() const { return joined_; }

private:
    friend World;
    Work(World& world, uint32_t rank, uint64_t position, const void* queue, Launch launch)
        : world_(world), rank_(rank), position_(position), queue_(queue), launch_(std::move(launch)) {}

    World& world_;
    const uint32_t rank_;
    const uint64_t position_;
    const void* const queue_;
    const Launch launch_;
    std::vector<std::pair<Domain, uint64_t>> places_;  // which work of each domain it is
    std::condition_variable changed_;
    std::atomic<bool> joined_ = false;
    bool parked_ = false;    // not joined, and nothing of it can go on
    bool stepping_ = false;  // one of its cores runs
    bool cores_ended_ = false, over_ = false;
    Cores* cores_ = nullptr;
    CrossCore* cross_core_ = nullptr;
    std::optional<Cores::Stepper> stepper_;
    std::optional<Report> given_up_;
    std::thread thread_;
};

}  // namespace sfumato::runtime
