// SPDX-License-Identifier: Apache-2.0
// What every core of a launch does: not started, running, waiting for what, ended. Every wait of one core for another
// goes through here, so that it is known when no core can go on, and the workers take the next core to run from here.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "runtime/cores/fibre.h"
#include "runtime/cores/schedule.h"
#include "runtime/memory/core_memory.h"
#include "soc/chip.h"

namespace sfumato::runtime {

class Cores {
public:
    enum class State : uint8_t { kNotStarted, kRunning, kWaiting, kEnded };
    struct Status {
        State state;
        const char* waits_for;  // of a waiting core, else null
        bool operator==(const Status&) const = default;
    };

    // Cores 0 to count - 1, `per_block` of them a block. At most `blocks_at_once` blocks run together; the cores of one
    // that has ended are free for the next block.
    Cores(uint64_t count, uint64_t per_block, uint64_t blocks_at_once, const Schedule& schedule = {})
        : count_(count),
          per_block_(per_block),
          blocks_at_once_(blocks_at_once),
          schedule_(schedule),
          most_running_(schedule.one_core_at_a_time ? 1 : count),
          random_(schedule.seed) {
        OpenBlocks();
    }

    uint64_t count() const { return count_; }
    uint64_t blocks_at_once() const { return blocks_at_once_; }
    bool AllAtOnce() const { return count_ <= per_block_ * blocks_at_once_; }
    const Schedule& schedule() const { return schedule_; }

    struct Worker;
    using Body = std::function<void(uint64_t order, CoreMemory& memory)>;
    // On a worker thread: starts cores and resumes them as the schedule says, until all have ended; with `own`, starts
    // one core and runs no other. `body` is one core from its start to its end; it must not throw. What making a core
    // throws stops the launch and is kept.
    void Work(const soc::Chip& chip, const Body& body, bool own = false);
    // What Work does, one step at a time: for a thread that drives the cores of several launches (world/world.h).
    class Stepper {
    public:
        Stepper(Cores& cores, const soc::Chip& chip, const Body& body);
        ~Stepper();
        // A core goes on, or starts, and runs until it waits or ends, meanwhile without the lock `held`. False: none
        // can.
        bool Step(std::unique_lock<std::mutex>& held);
        bool Ended();
        // What BreakStandstill does, from the least on: a core works on what lies in its queues; one looks again at
        // memory it polls; whose turn it is changes; the lowest core is told that nobody will end its wait.
        enum class Break : uint8_t { kWork, kPoll, kTurn, kNever };
        // None of these cores can go on: false when this does not change it.
        bool BreakStandstill(Break how);

    private:
        Cores& cores_;
        const soc::Chip& chip_;
        const Body& body_;
        std::unique_ptr<Worker> worker_;
    };
    // Work would find a core to start, now or later.
    bool MoreToStart();
    // Asked every few milliseconds: true when cores that run may be polling memory for what another one writes, so that
    // one more worker is wanted.
    bool WantsAnotherWorker();
    // What Work had to give up on, or null.
    std::exception_ptr failure() const { return failure_; }
    // Cores cannot be run: no others start.
    void Fail(std::exception_ptr failure);

    struct Wait {
        const char* what;            // it waits for, for Status
        std::function<bool()> done;  // asked under the lock of Update, by any thread
        // When no core can go on: whether this one can do something else, be it to look again at memory it polls.
        bool can_work = false;
        // Memory decides, which changes without Update.
        bool polls = false;
        // Instead of `done`, which many cores that meet would ask for each other: *counter has reached at_least.
        const uint64_t* counter = nullptr;
        uint64_t at_least = 0;

        bool Over() const { return counter ? *counter >= at_least : done(); }
    };
    // kStopped: the core is to stop. kNever: no core can go on, and this is the lowest of them.
    enum class Woken : uint8_t { kDone, kWork, kStopped, kNever };
    // In a core's body. Others run on the thread meanwhile; afterwards the core may be on another thread.
    Woken WaitFor(uint64_t order, const Wait& wait);
    // Under a seed, half of the time: others may run first.
    bool Yields();
    Woken Yield(uint64_t order);

    // Changes what the `done` of others look at.
    template <class Change>
    void Update(const Change& change) {
        std::lock_guard lock(mutex_);
        change();
        Changed();
    }
    template <class Look>
    auto Locked(const Look& look) {
        std::lock_guard lock(mutex_);
        return look();
    }
    // Asked, under the lock, when no core can go on: true when it changed that.
    void set_standstill(std::function<bool()> hook) { standstill_ = std::move(hook); }
    // The same when cores have run for long without `progress`, while others wait.
    void set_slow(std::function<bool()> hook) { slow_ = std::move(hook); }
    // A count that rises while the core does anything but poll raw pointers; nullptr: it ends.
    void Watch(uint64_t order, const std::atomic<uint64_t>* progress);

    // Once the cores below this one have ended, or wait for ever, those above it stop: at their next instruction,
    // waiting ones at once; those that have not started never do. Until then those below may wait for those above.
    void StopAbove(uint64_t order);
    // Some core has called it.
    bool StopsEarly() {
        return Locked([this] { return stop_asked_ != UINT64_MAX; });
    }
    // All stop: at their next instruction, waiting ones at once; no others start.
    void StopAll();
    bool Stopped(uint64_t order) const { return stop_above_.load(std::memory_order_relaxed) <= order; }
    // In the numbers of ScalarPort, where cores count from 1.
    const std::atomic<uint64_t>& stopped_above() const { return stop_above_; }

    struct Progress {
        uint64_t ended, records;
    };
    Progress progress();
    // Instructions that a core that runs or waits has issued.
    uint64_t RecordsLocked(uint64_t order) const;

    Status status(uint64_t order) {
        return Locked([&] { return StatusLocked(order); });
    }
    Status StatusLocked(uint64_t order) const;
    bool PollsLocked(uint64_t order) const;

private:
    struct Live {
        uint64_t order;
        Worker* owner = nullptr;  // the only one to resume it, or null
        const Body* body = nullptr;
        std::unique_ptr<CoreMemory> memory;
        std::unique_ptr<Fibre> fibre;
        const Wait* wait = nullptr;
        std::optional<Woken> woken;
        bool running = true;
        const std::atomic<uint64_t>* progress = nullptr;
    };
    // A core to run next: a live one, or one to start.
    struct Next {
        Live* live = nullptr;
        uint64_t start = UINT64_MAX;
        bool none() const { return !live && start == UINT64_MAX; }
    };

    bool CanGoOn(const Live& live) const;
    void OpenBlocks();
    bool Startable() const;
    bool CanStart() const { return !to_start_.empty() && !no_more_ && !Stopped(*to_start_.begin()); }
    bool AnyCanGoOn() const;
    Next Choose(Worker& worker);
    // The body of a live core; exported as Fibre::Enter is.
    SFUMATO_API static void RunLive(void* live);
    void Start(Worker& worker, uint64_t order, const Body& body, const soc::Chip& chip,
               std::unique_lock<std::mutex>& lock);
    void Run(Worker& worker, Live* live, std::unique_lock<std::mutex>& lock);
    // The core that Choose gave, until it waits or ends.
    void RunNext(Worker& worker, const Next& next, const Body& body, const soc::Chip& chip,
                 std::unique_lock<std::mutex>& lock);
    // A waiting core that has something to do, or looks again at what it polls.
    Live* Working(bool polls);
    void End(uint64_t order);
    void Sleep(std::unique_lock<std::mutex>& lock);
    void StopIfNobodyIsBelow();
    // Nobody runs, starts or can go on: somebody is told, and can. False when somebody can already.
    bool BreakStandstill();
    void Changed();

    const uint64_t count_, per_block_, blocks_at_once_;
    const Schedule schedule_;
    uint64_t most_running_;
    Random random_;
    std::atomic<uint64_t> stop_above_{UINT64_MAX};  // from 1; 0: all stop
    uint64_t stop_asked_ = UINT64_MAX;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    uint64_t changes_ = 0;         // to see whether anything happened while a worker looked
    uint32_t sleeping_ = 0;        // workers that found nothing to do
    uint64_t running_ = 0;         // cores
    uint64_t ended_records_ = 0;   // of those that have ended
    uint64_t next_block_ = 0;      // to open
    std::set<uint64_t> to_start_;  // of open blocks
    std::map<uint64_t, Live> live_;
    std::map<uint64_t, uint64_t> open_;  // blocks that run, and how many of their cores have not ended
    std::optional<Next> chosen_;         // but not yet taken by its worker
    std::function<bool()> standstill_, slow_;
    uint64_t seen_changes_ = 0, seen_progress_ = 0;
    uint32_t quiet_asks_ = 0;
    bool no_more_ = false;
    std::exception_ptr failure_;
};

}  // namespace sfumato::runtime
