// SPDX-License-Identifier: Apache-2.0
// Which core runs next on a worker, and who is told when none can.
#include "runtime/cores/cores.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sfumato::runtime {
namespace {

// How long a worker rests before it looks again at memory that waiting cores poll.
constexpr std::chrono::microseconds kPollPeriod{100};
// Asks of WantsAnotherWorker without progress of a core after which it counts as polling a raw pointer, the first time.
constexpr uint32_t kQuietAsks = 5;
// The same before the order of atomic stores changes for it.
constexpr uint32_t kSlowAsks = 50;
#if defined(__x86_64__)
constexpr bool kStays = false;
#else
constexpr bool kStays = true;  // compilers may keep the address of a thread_local over a call
#endif

}  // namespace

struct Cores::Worker {
    bool own;              // starts one core, and runs no other
    bool started = false;  // it
    uint64_t mine = 0;     // cores that only this worker resumes
    std::vector<std::unique_ptr<CoreMemory>> spare;

    ~Worker() {
        for (auto& memory : spare) CoreMemory::Release(std::move(memory));
    }
};

bool Cores::CanGoOn(const Live& live) const {
    return !live.running && live.wait && (live.woken || Stopped(live.order) || live.wait->Over());
}

void Cores::OpenBlocks() {
    while (open_.size() < blocks_at_once_ && next_block_ < count_ / per_block_) {
        const uint64_t block = next_block_++;
        open_.emplace(block, per_block_);
        for (uint64_t i = 0; i < per_block_; ++i) to_start_.insert(block * per_block_ + i);
    }
}

bool Cores::Startable() const {
    if (no_more_) return false;
    const uint64_t next = to_start_.empty() ? next_block_ * per_block_ : *to_start_.begin();
    return next < count_ && !Stopped(next);
}

bool Cores::AnyCanGoOn() const {
    return std::ranges::any_of(live_, [this](const auto& l) { return CanGoOn(l.second); });
}

bool Cores::MoreToStart() {
    return Locked([this] { return Startable(); });
}

bool Cores::WantsAnotherWorker() {
    std::lock_guard lock(mutex_);
    uint64_t progress = 0;
    for (const auto& [order, live] : live_) {
        if (live.running && live.progress) progress += live.progress->load(std::memory_order_relaxed) + 1;
    }
    const bool moved = std::exchange(seen_progress_, progress) != progress;
    const bool changed = std::exchange(seen_changes_, changes_) != changes_;
    quiet_asks_ = moved || changed ? 0 : quiet_asks_ + 1;
    if (quiet_asks_ >= kSlowAsks && slow_ && slow_()) Changed();
    if (changed || !(CanStart() || AnyCanGoOn())) return false;
    if (running_ < most_running_) return true;
    if (quiet_asks_ < (most_running_ == 1 ? kQuietAsks : 1)) return false;
    ++most_running_;
    return true;
}

// A sleeping worker is woken only when there is something for it: a wake-up costs more than asking every core.
void Cores::Changed() {
    ++changes_;
    if (sleeping_ == 0) return;
    if (live_.empty() || running_ == 0 || (running_ < most_running_ && (CanStart() || AnyCanGoOn()))) {
        changed_.notify_all();
    }
}

void Cores::StopAbove(uint64_t order) {
    std::lock_guard lock(mutex_);
    stop_asked_ = std::min(stop_asked_, order);
    StopIfNobodyIsBelow();
    Changed();
}

void Cores::StopAll() {
    std::lock_guard lock(mutex_);
    stop_above_.store(0);
    Changed();
}

void Cores::StopIfNobodyIsBelow() {
    if (stop_asked_ == UINT64_MAX || stop_asked_ + 1 >= stop_above_.load()) return;
    const uint64_t to_start = to_start_.empty() ? next_block_ * per_block_ : *to_start_.begin();
    if (to_start < stop_asked_ || (!live_.empty() && live_.begin()->first < stop_asked_)) return;
    stop_above_.store(stop_asked_ + 1);
}

void Cores::Fail(std::exception_ptr failure) {
    std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    no_more_ = true;
    stop_above_.store(0);
    Changed();
}

void Cores::Watch(uint64_t order, const std::atomic<uint64_t>* progress) {
    std::lock_guard lock(mutex_);
    Live& live = live_.at(order);
    if (!progress && live.progress) ended_records_ += live.progress->load(std::memory_order_relaxed);
    live.progress = progress;
}

uint64_t Cores::RecordsLocked(uint64_t order) const {
    const auto live = live_.find(order);
    return live == live_.end() || !live->second.progress ? 0 : live->second.progress->load(std::memory_order_relaxed);
}

Cores::Progress Cores::progress() {
    return Locked([this] {
        Progress progress{next_block_ * per_block_ - to_start_.size() - live_.size(), ended_records_};
        for (const auto& [order, live] : live_) progress.records += RecordsLocked(order);
        return progress;
    });
}

// The schedule's choice among all cores that could run. With several at a time the lowest that this worker may run.
Cores::Next Cores::Choose(Worker& worker) {
    if (running_ >= most_running_) return {};
    const auto mine = [&](const Next& next) {
        return next.live ? !next.live->owner || next.live->owner == &worker : !worker.own || !worker.started;
    };
    const auto lowest = [&](const auto& may) {
        for (auto& [order, live] : live_) {
            if (CanGoOn(live) && may({&live})) return Next{&live};
        }
        return CanStart() && may({}) ? Next{nullptr, *to_start_.begin()} : Next{};
    };
    if (!schedule_.one_core_at_a_time) return lowest(mine);
    if (!chosen_ && schedule_.kind == Schedule::Kind::kEager) {
        const Next next = lowest([](const Next&) { return true; });
        if (next.none()) return {};
        chosen_ = next;
    }
    if (!chosen_) {
        std::vector<Next> ready;
        for (auto& [order, live] : live_) {
            if (CanGoOn(live)) ready.push_back({&live});
        }
        const size_t live = ready.size();
        for (const uint64_t order : to_start_) {
            if (!no_more_ && !Stopped(order)) ready.push_back({nullptr, order});
        }
        if (ready.empty()) return {};
        switch (schedule_.kind) {
            case Schedule::Kind::kEager: break;
            case Schedule::Kind::kLate: chosen_ = ready.back(); break;
            case Schedule::Kind::kAhead: chosen_ = ready[live < ready.size() ? live : 0]; break;
            case Schedule::Kind::kSeed: chosen_ = ready[random_.Next() % ready.size()]; break;
        }
    }
    if (mine(*chosen_)) return *std::exchange(chosen_, std::nullopt);
    changed_.notify_all();
    return {};
}

void Cores::RunLive(void* live) {
    const auto& self = *static_cast<const Live*>(live);
    (*self.body)(self.order, *self.memory);
}

void Cores::Start(Worker& worker, uint64_t order, const Body& body, const soc::Chip& chip,
                  std::unique_lock<std::mutex>& lock) {
    to_start_.erase(order);
    Live* live = &live_[order];
    live->order = order;
    if (worker.own || kStays) live->owner = &worker;
    if (worker.own) {
        worker.started = true;
        ++worker.mine;
    }
    ++running_;
    if (!worker.spare.empty()) {
        live->memory = std::move(worker.spare.back());
        worker.spare.pop_back();
    }
    lock.unlock();
    try {
        if (!live->memory) live->memory = CoreMemory::Acquire(chip);
        live->body = &body;
        live->fibre = std::make_unique<Fibre>(live->memory->stack(), &Cores::RunLive, live);
        lock.lock();
    } catch (...) {
        Fail(std::current_exception());
        lock.lock();
        if (worker.own) --worker.mine;
        End(order);
        return;
    }
    Run(worker, live, lock);
}

void Cores::End(uint64_t order) {
    --running_;
    live_.erase(order);
    const auto block = open_.find(order / per_block_);
    if (--block->second == 0) open_.erase(block);
    OpenBlocks();
    StopIfNobodyIsBelow();
    Changed();
}

void Cores::Run(Worker& worker, Live* live, std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    live->fibre->Resume();
    lock.lock();
    if (!live->fibre->ended()) {
        live->running = false;
        --running_;
        return Changed();
    }
    worker.spare.push_back(std::move(live->memory));
    if (worker.own) --worker.mine;
    End(live->order);
}

Cores::Live* Cores::Working(bool polls) {
    const auto working = std::ranges::find_if(live_, [polls](const auto& l) {
        return l.second.wait && l.second.wait->can_work && l.second.wait->polls == polls;
    });
    return working == live_.end() ? nullptr : &working->second;
}

bool Cores::BreakStandstill() {
    if (running_ != 0 || CanStart() || live_.empty() || AnyCanGoOn()) return false;
    Live* working = Working(false);
    if (!working) working = Working(true);
    if (working) {
        working->woken = Woken::kWork;
    } else if (!standstill_ || !standstill_()) {
        live_.begin()->second.woken = Woken::kNever;
    }
    Changed();
    return true;
}

void Cores::Sleep(std::unique_lock<std::mutex>& lock) {
    const bool polled = std::ranges::any_of(live_, [](const auto& l) { return l.second.wait && l.second.wait->polls; });
    const auto happened = [this, seen = changes_] { return changes_ != seen; };
    ++sleeping_;
    if (polled) {
        changed_.wait_for(lock, kPollPeriod, happened);
    } else {
        changed_.wait(lock, happened);
    }
    --sleeping_;
}

void Cores::RunNext(Worker& worker, const Next& next, const Body& body, const soc::Chip& chip,
                    std::unique_lock<std::mutex>& lock) {
    if (!next.live) return Start(worker, next.start, body, chip, lock);
    next.live->running = true;
    ++running_;
    Run(worker, next.live, lock);
}

void Cores::Work(const soc::Chip& chip, const Body& body, bool own) {
    Worker worker{own, false, 0, {}};
    std::unique_lock lock(mutex_);
    for (;;) {
        if (const Next next = Choose(worker); !next.none()) {
            RunNext(worker, next, body, chip, lock);
        } else if (own ? worker.mine == 0 && (worker.started || !Startable()) : live_.empty() && !Startable()) {
            break;
        } else if (!BreakStandstill()) {
            Sleep(lock);
        }
    }
    if (live_.empty()) changed_.notify_all();
}

Cores::Stepper::Stepper(Cores& cores, const soc::Chip& chip, const Body& body)
    : cores_(cores), chip_(chip), body_(body), worker_(new Worker{false, false, 0, {}}) {}
Cores::Stepper::~Stepper() = default;

bool Cores::Stepper::Step(std::unique_lock<std::mutex>& held) {
    {
        std::unique_lock lock(cores_.mutex_);
        const Next next = cores_.Choose(*worker_);
        if (next.none()) return false;
        held.unlock();
        cores_.RunNext(*worker_, next, body_, chip_, lock);
    }
    held.lock();
    return true;
}

bool Cores::Stepper::Ended() {
    return cores_.Locked([this] { return cores_.live_.empty() && !cores_.Startable(); });
}

bool Cores::Stepper::BreakStandstill(Break how) {
    return cores_.Locked([&] {
        if (cores_.running_ != 0 || cores_.live_.empty()) return false;
        Live* const live = how == Break::kNever  ? &cores_.live_.begin()->second
                           : how == Break::kTurn ? nullptr
                                                 : cores_.Working(how == Break::kPoll);
        if (how == Break::kTurn) return cores_.standstill_ && cores_.standstill_();
        if (!live) return false;
        live->woken = how == Break::kNever ? Woken::kNever : Woken::kWork;
        return true;
    });
}

Cores::Woken Cores::WaitFor(uint64_t order, const Wait& wait) {
    std::unique_lock lock(mutex_);
    if (wait.Over()) return Woken::kDone;
    if (Stopped(order)) return Woken::kStopped;
    Live& live = live_.at(order);
    live.wait = &wait;
    lock.unlock();
    live.fibre->Suspend();
    lock.lock();
    live.wait = nullptr;
    const std::optional<Woken> woken = std::exchange(live.woken, std::nullopt);
    if (wait.Over()) return Woken::kDone;
    return Stopped(order) ? Woken::kStopped : woken.value_or(Woken::kDone);
}

bool Cores::Yields() {
    return schedule_.kind == Schedule::Kind::kSeed && Locked([this] { return random_.Next() % 2 == 0; });
}

Cores::Woken Cores::Yield(uint64_t order) {
    bool looked = false;
    return WaitFor(order, {"nothing", [&looked] { return std::exchange(looked, true); }});
}

Cores::Woken Cores::Sleep(uint64_t order) {
    constexpr uint64_t kNothing = 0;
    return WaitFor(order, {.what = "the others", .done = {}, .counter = &kNothing, .at_least = 1});
}

bool Cores::Wake(uint64_t order) {
    return Locked([&] {
        const auto live = live_.find(order);
        if (live == live_.end() || !live->second.wait || live->second.running) return false;
        live->second.woken = Woken::kWork;
        return true;
    });
}

Cores::Status Cores::StatusLocked(uint64_t order) const {
    const auto live = live_.find(order);
    if (live != live_.end()) {
        const Wait* wait = live->second.wait;
        return {wait ? State::kWaiting : State::kRunning, wait ? wait->what : nullptr};
    }
    return {to_start_.contains(order) || order >= next_block_ * per_block_ ? State::kNotStarted : State::kEnded,
            nullptr};
}

bool Cores::PollsLocked(uint64_t order) const {
    const auto live = live_.find(order);
    return live != live_.end() && live->second.wait && live->second.wait->polls;
}

}  // namespace sfumato::runtime
