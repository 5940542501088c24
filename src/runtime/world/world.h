// SPDX-License-Identifier: Apache-2.0
// Many devices in one process, the ranks (ranks.md 3, 4): what was submitted for each, and the one thread that runs the
// cores of all their launches, one at a time, in an order that no clock decides.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
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
#include "sanitize/ranks/rank_history.h"
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

    // What a schedule (Schedule::Parse) says of ranks: "late", "skew" (of rank 0), "skew:R", "seed:N"; the others
    // kEager. Throws as that does, and for a rank that is none of `ranks`.
    static RankOrder Parse(const std::string& schedule, uint32_t ranks);
};

// How long ranks wait for a host that is outside of calls of ours, with nothing else to do, until that is noted, and
// until it counts as absent.
struct Patience {
    std::chrono::milliseconds note = std::chrono::seconds(60);
    std::chrono::milliseconds absent = std::chrono::seconds(1836);
    // With the seconds of SFUMATO_RANK_TIMEOUT, or else HCCL_EXEC_TIMEOUT, as `absent`. Throws sfumato::Error where
    // that is no number above 0.
    static Patience FromEnvironment();
};

class World {
public:
    explicit World(uint32_t ranks, RankOrder order = {}, Patience patience = Patience::FromEnvironment());
    // Runs to its end what has not ended, or gives it up.
    ~World();
    World& operator=(World&&) = delete;
    uint32_t ranks() const { return ranks_; }
    // Of what is submitted from now on; nothing is left of what was.
    void SetOrder(RankOrder order);

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
    // for reports. give_up: asked there when nothing is left to run and all hosts are blocked; true: it made `done`
    // true, as nobody else will.
    void Block(const Name& call, const std::function<bool()>& done, const std::function<bool()>& give_up = {});
    // Asks `done` again: what the hosts wait for is no work.
    void Release();
    // Runs all that can run before the host goes on: for queries.
    void Drive(const Name& call);

    // Threads of all worlds of the process that run cores, and none of a kernel's.
    static size_t OwnThreads();
    // Of the launch whose thread this is; null elsewhere.
    static Work* Current();
    // The calling thread runs the cores of some world.
    static bool IsDriver();
    // On a launch's thread: its cores run until all have ended. `look` is called every few milliseconds, with the time
    // the launch has waited for others since.
    struct Ended {
        std::optional<Report> given_up;  // because of another rank
        std::vector<Report> notes;
    };
    using Look = std::function<void(std::chrono::nanoseconds waited)>;
    Ended Run(Work& work, Cores& cores, CrossCore& cross_core, const soc::Chip& chip, const Cores::Body& body,
              const Look& look);
    // The launch has a fault: who waits for its rank is told of it, instead of a deadlock.
    void Failed(Work& work, const Report& fault);

    // On a core of the launch: it goes on when nothing else can, in the order in which cores call this. polls: it may
    // wait for a host, so that queries are answered first.
    Cores::Woken GoBehind(Work& work, Cores& cores, uint64_t order, bool polls);

    // What others wait for, for the report of a core that nobody wakes: "rank 1: aiv0: waiting in DataCopy at f:7".
    std::string Explain(const Work& work);
    // A host works, or worked, for the rank; where the world asks.
    bool IsServedLocked(uint32_t rank) const { return hosts_.Serves(rank); }
    // What of these ranks goes on, or where their hosts are, for reports.
    std::string StatesLocked(const std::function<bool(uint32_t rank)>& told) const;
    // Cores of all launches that poll.
    uint64_t live_pollers();
    // What the ranks do to memory that several of them touch.
    sanitize::RankHistory& history() { return history_; }
    // Held while an access of global memory is judged and happens: two drivers may run cores at once.
    std::mutex& touching() { return touching_; }

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
    struct Driver {
        std::thread thread;
        bool over = false;
    };
    void DriveAll(Driver& self, bool extra);
    bool RunStep(Lock& lock);
    bool Join();
    bool StepCores(Lock& lock);
    bool BreakStandstill();
    void AddDriver();
    void JoinDrivers();  // those that are over
    size_t Drivers() const { return static_cast<size_t>(std::ranges::count(drivers_, false, &Driver::over)); }
    void Reap(Lock& lock);
    // Nothing can be done until a host comes back: notes it, and gives up, in time. False: not now.
    bool GiveUpAbsent();
    Report Absent(const Name& of, std::chrono::milliseconds waited) const;

    // Of the cores that went behind the others, of this launch or of any, the first.
    bool WakeBehind(const Work* of);
    bool Advance(Work& work, Lock& lock);
    bool MayRun(const Work& work);
    // No host is about to submit something. At the end of the world nobody is asked.
    bool HostsWait() { return closing_ || hosts_.AllBlocked(); }
    bool IsComplete(const Work& work) const;
    void Insert(Work* work);
    bool GiveUp();
    std::string ExplainLocked(uint32_t of) const;
    std::string StateOfLocked(uint32_t rank) const;
    void Start(std::shared_ptr<Work> work);
    // The head of the queue has ended: the next one starts.
    void End(const Key& queue);

    const uint32_t ranks_;
    RankOrder order_;
    const Patience patience_;
    std::optional<std::chrono::steady_clock::time_point> idle_since_;  // unless something was done
    bool absence_noted_ = false;
    Random random_;
    mutable std::mutex mutex_;
    std::condition_variable driver_;  // has something to do, perhaps
    Hosts hosts_;
    std::vector<Members> domains_;
    std::vector<uint64_t> positions_;         // of the next submission, by rank
    std::map<Key, std::deque<Item>> queues_;  // none is empty
    std::vector<Work*> active_;               // launches whose cores run, in the order of ranks
    struct Behind {
        Work* work;
        Cores* cores;
        uint64_t order;
        bool polls;
    };
    std::deque<Behind> behind_;                // cores that go on when no other can, the first that came here first
    std::vector<std::shared_ptr<Work>> over_;  // whose threads are to be joined
    uint32_t in_transit_ = 0;                  // launches whose own thread runs
    std::optional<Cause> cause_;               // the first fault, until nothing is left
    uint64_t steps_ = 0;                       // of cores, to see whether one holds up the others
    uint32_t stepping_ = 0;                    // drivers that run a core
    bool closing_ = false;
    std::list<Driver> drivers_;
    sanitize::RankHistory history_;
    std::mutex touching_;
};

// A launch from its submission to its end.
class World::Work {
public:
    World& world() const { return world_; }
    uint32_t rank() const { return rank_; }
    // What concerns other ranks may happen.
    bool joined() const { return joined_; }
    const sanitize::RankHistory::Submission& submission() const { return submission_; }

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
    bool parked_ = false;        // not joined, and nothing of it can go on
    uint32_t stepping_ = 0;      // drivers that run one of its cores
    clockid_t stepper_clock_{};  // of the CPU that the latest of them takes
    bool cores_ended_ = false, over_ = false;
    Cores* cores_ = nullptr;
    CrossCore* cross_core_ = nullptr;
    std::optional<Cores::Stepper> stepper_;
    std::optional<Report> given_up_;
    std::vector<Report> notes_;
    uint64_t steps_ = 0;
    std::thread thread_;
    sanitize::RankHistory::Submission submission_;
};

}  // namespace sfumato::runtime
