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
#include <vector>

#include "runtime/core_memory.h"
#include "runtime/fibre.h"
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
    Cores(uint64_t count, uint64_t per_block, uint64_t blocks_at_once)
        : count_(count), per_block_(per_block), blocks_at_once_(blocks_at_once) {}

    uint64_t count() const { return count_; }
    bool AllAtOnce() const { return count_ <= per_block_ * blocks_at_once_; }

    using Body = std::function<void(uint64_t order, CoreMemory& memory)>;
    // On a worker thread: runs cores until no more are left for it, always the lowest it has that can go on, else the
    // next one that has not started, at most `most` of these. `body` is one core from its start to its end; it must not
    // throw. What making a core throws stops the launch and is kept.
    void Work(const soc::Chip& chip, const Body& body, uint64_t most = UINT64_MAX);
    // Work would find a core to start, now or later.
    bool MoreToStart();
    // A core could start, and nothing has changed since `seen`, which is then brought up to date: cores that run may be
    // polling memory for what that one writes.
    bool StuckBeforeStart(uint64_t* seen);
    // What Work had to give up on, or null.
    std::exception_ptr failure() const { return failure_; }
    // Cores cannot be run: no others start.
    void Fail(std::exception_ptr failure);

    // In a core's body: returns true once `done` holds. False: the core is to stop, or no live core can go on and this
    // is the lowest of them. `done` is asked under the lock of Update, by any thread.
    bool WaitUntil(uint64_t order, const char* what, const std::function<bool()>& done);
    // Changes what the `done` of others look at.
    template <class Change>
    void Update(const Change& change) {
        std::lock_guard lock(mutex_);
        change();
        Changed();
    }
    // Cores above this one stop at their next instruction, waiting ones at once; those that have not started never do.
    void StopAbove(uint64_t order);
    bool Stopped(uint64_t order) const { return stop_above_.load(std::memory_order_relaxed) < order; }

    Status status(uint64_t order);
    // Under the lock, that is in a `done` or a `change`: visits the cores between start and end in ascending order
    // until `visit` returns false.
    template <class Visit>
    void VisitLive(const Visit& visit) const {
        for (const auto& [order, live] : live_) {
            if (!visit(order)) return;
        }
    }

private:
    struct Live {
        uint64_t order;
        std::unique_ptr<CoreMemory> memory;
        std::unique_ptr<Fibre> fibre;
        const char* waits_for = nullptr;
        const std::function<bool()>* done = nullptr;
        bool never = false;  // nothing can make `done` hold any more
    };
    struct Worker;

    bool CanGoOn(const Live& live) const;
    bool Startable() const { return next_ < count_ && !no_more_ && !Stopped(next_); }
    bool CanStart() const;
    Live* LowestReady(const std::vector<Live*>& mine) const;
    Live* Start(Worker& worker, std::unique_lock<std::mutex>& lock);
    void Run(Worker& worker, Live* live, std::unique_lock<std::mutex>& lock);
    void End(uint64_t order);
    // Nobody runs, starts or can go on: tells the lowest waiting core. False when somebody can.
    bool BreakStandstill();
    void Changed();

    const uint64_t count_, per_block_, blocks_at_once_;
    std::atomic<uint64_t> stop_above_{UINT64_MAX};
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    uint64_t changes_ = 0;                 // to see whether anything happened while a worker looked
    uint32_t sleeping_ = 0, running_ = 0;  // workers that found nothing to do; cores
    uint64_t next_ = 0;                    // to start
    std::map<uint64_t, Live> live_;
    std::map<uint64_t, uint64_t> open_;  // blocks that run, and how many of their cores have not ended
    bool no_more_ = false;
    std::exception_ptr failure_;
};

}  // namespace sfumato::runtime
