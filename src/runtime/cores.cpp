// SPDX-License-Identifier: Apache-2.0
// Which core runs next on a worker, and who is told when none can.
#include "runtime/cores.h"

#include <algorithm>
#include <utility>

namespace sfumato::runtime {

struct Cores::Worker {
    const soc::Chip& chip;
    const Body& body;
    std::vector<Live*> mine;  // started on this thread and not ended, ascending
    std::vector<std::unique_ptr<CoreMemory>> spare;

    ~Worker() {
        for (auto& memory : spare) CoreMemory::Release(std::move(memory));
    }
};

bool Cores::CanGoOn(const Live& live) const {
    return live.done && (live.never || Stopped(live.order) || (*live.done)());
}

bool Cores::CanStart() const { return Startable() && (next_ % per_block_ != 0 || open_.size() < blocks_at_once_); }

bool Cores::MoreToStart() {
    std::lock_guard lock(mutex_);
    return Startable();
}

bool Cores::StuckBeforeStart(uint64_t* seen) {
    std::lock_guard lock(mutex_);
    return std::exchange(*seen, changes_) == changes_ && CanStart();
}

Cores::Live* Cores::LowestReady(const std::vector<Live*>& mine) const {
    const auto ready = std::find_if(mine.begin(), mine.end(), [this](const Live* live) { return CanGoOn(*live); });
    return ready == mine.end() ? nullptr : *ready;
}

// A sleeping worker is woken only when there is something for it: a wake-up costs more than asking every core.
void Cores::Changed() {
    ++changes_;
    if (sleeping_ == 0) return;
    const bool wanted = CanStart() || (!Startable() && running_ == 0) ||
                        std::any_of(live_.begin(), live_.end(), [this](const auto& l) { return CanGoOn(l.second); });
    if (wanted) changed_.notify_all();
}

void Cores::StopAbove(uint64_t order) {
    uint64_t current = stop_above_.load();
    while (order < current && !stop_above_.compare_exchange_weak(current, order)) {
    }
    std::lock_guard lock(mutex_);
    Changed();
}

void Cores::Fail(std::exception_ptr failure) {
    std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    no_more_ = true;
    stop_above_.store(0);
    Changed();
}

Cores::Live* Cores::Start(Worker& worker, std::unique_lock<std::mutex>& lock) {
    const uint64_t order = next_++;
    open_.try_emplace(order / per_block_, per_block_);
    Live* live = &live_[order];
    live->order = order;
    ++running_;
    lock.unlock();
    try {
        if (worker.spare.empty()) worker.spare.push_back(CoreMemory::Acquire(worker.chip));
        live->fibre = std::make_unique<Fibre>(worker.spare.back()->stack(),
                                              [&body = worker.body, live] { body(live->order, *live->memory); });
        live->memory = std::move(worker.spare.back());
        worker.spare.pop_back();
        lock.lock();
        worker.mine.push_back(live);
        return live;
    } catch (...) {
        Fail(std::current_exception());
        lock.lock();
        End(order);
        return nullptr;
    }
}

void Cores::End(uint64_t order) {
    --running_;
    live_.erase(order);
    const auto block = open_.find(order / per_block_);
    if (--block->second == 0) open_.erase(block);
    Changed();
}

void Cores::Run(Worker& worker, Live* live, std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    live->fibre->Resume();
    lock.lock();
    if (!live->fibre->ended()) return;
    worker.spare.push_back(std::move(live->memory));
    std::erase(worker.mine, live);
    End(live->order);
}

bool Cores::BreakStandstill() {
    if (running_ != 0 || CanStart() || live_.empty()) return false;
    for (const auto& [order, live] : live_) {
        if (CanGoOn(live)) return false;
    }
    live_.begin()->second.never = true;
    Changed();
    return true;
}

void Cores::Work(const soc::Chip& chip, const Body& body, uint64_t most) {
    Worker worker{chip, body, {}, {}};
    std::unique_lock lock(mutex_);
    for (;;) {
        Live* live = LowestReady(worker.mine);
        if (live) {
            live->done = nullptr;
            live->waits_for = nullptr;
            ++running_;
        } else if (most > 0 && CanStart()) {
            --most;
            live = Start(worker, lock);
            if (!live) continue;
        }
        if (live) {
            Run(worker, live, lock);
        } else if (worker.mine.empty() && (most == 0 || !Startable())) {
            break;
        } else if (!BreakStandstill()) {
            ++sleeping_;
            changed_.wait(lock, [this, seen = changes_] { return changes_ != seen; });
            --sleeping_;
        }
    }
}

bool Cores::WaitUntil(uint64_t order, const char* what, const std::function<bool()>& done) {
    std::unique_lock lock(mutex_);
    if (done()) return true;
    if (Stopped(order)) return false;
    Live& live = live_.at(order);
    live.waits_for = what;
    live.done = &done;
    --running_;
    Changed();
    lock.unlock();
    live.fibre->Suspend();
    lock.lock();
    const bool reached = done();
    live.never = false;
    return reached;
}

Cores::Status Cores::status(uint64_t order) {
    std::lock_guard lock(mutex_);
    const auto live = live_.find(order);
    if (live != live_.end()) return {live->second.done ? State::kWaiting : State::kRunning, live->second.waits_for};
    return {order < next_ ? State::kEnded : State::kNotStarted, nullptr};
}

}  // namespace sfumato::runtime
