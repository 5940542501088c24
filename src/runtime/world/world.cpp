// SPDX-License-Identifier: Apache-2.0
// Work of ranks from its submission to its end.
#include "runtime/world/world.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <utility>

#include <fmt/format.h>

#include "runtime/cores/number_behind.h"
#include "runtime/cores/of_thread.h"

namespace sfumato::runtime {
namespace {

// How often a launch's own thread looks at its time limit while its cores run.
constexpr std::chrono::milliseconds kLook{20};

// Time of a CPU without an instruction after which a core counts as polling a raw pointer: on a busy machine threads
// stand still for longer.
constexpr std::chrono::milliseconds kQuiet{100};

// Zero of a thread that has ended.
std::chrono::nanoseconds TakenBy(clockid_t clock) {
    timespec taken{};
    if (clock_gettime(clock, &taken) != 0) return {};
    return std::chrono::seconds(taken.tv_sec) + std::chrono::nanoseconds(taken.tv_nsec);
}

std::atomic<size_t> g_driver_threads = 0;

struct OfLaunchThread {
    World::Work* work = nullptr;
};

}  // namespace

RankOrder RankOrder::Parse(const std::string& schedule, uint32_t ranks) {
    const Schedule parsed = Schedule::Parse(schedule);
    if (parsed.kind == Schedule::Kind::kLate) return {Kind::kLate, 0};
    if (parsed.kind == Schedule::Kind::kSeed) return {Kind::kSeed, parsed.seed};
    if (!schedule.starts_with("skew")) return {};
    const uint32_t rank = NumberBehind<uint32_t>("skew:", schedule).value_or(0);
    if (rank >= ranks) {
        throw Error(fmt::format("the schedule '{}' names rank {}: there are ranks 0 to {}", schedule, rank, ranks - 1));
    }
    return {Kind::kSkew, rank};
}

Patience Patience::FromEnvironment() {
    for (const char* name : {"SFUMATO_RANK_TIMEOUT", "HCCL_EXEC_TIMEOUT"}) {
        const char* const text = std::getenv(name);
        if (!text || *text == 0) continue;
        const auto seconds = NumberBehind<uint32_t>("", text);
        if (!seconds || *seconds == 0)
            throw Error(
                fmt::format("{}={}: legal are whole seconds above 0, to wait for the host of a rank", name, text));
        return {.absent = std::chrono::seconds(*seconds)};
    }
    return {};
}

World::World(uint32_t ranks, RankOrder order, Patience patience)
    : ranks_(ranks), order_(order), patience_(patience), random_(order.number), positions_(ranks, 0), history_(ranks) {}

World::~World() {
    Lock lock(mutex_);
    closing_ = true;
    driver_.notify_all();
    // More may come while one is joined.
    while (!drivers_.empty()) {
        std::thread& first = drivers_.front().thread;
        lock.unlock();
        first.join();
        lock.lock();
        drivers_.pop_front();
    }
}

void World::SetOrder(RankOrder order) {
    std::lock_guard lock(mutex_);
    order_ = order;
    random_ = Random(order.number);
}

World::Domain World::AddDomain(std::vector<uint32_t> ranks) {
    std::lock_guard lock(mutex_);
    domains_.push_back({std::move(ranks), {}});
    return static_cast<Domain>(domains_.size() - 1);
}

bool World::IdleLocked(uint32_t rank) const {
    const auto first = queues_.lower_bound({rank, nullptr});
    return first == queues_.end() || first->first.first != rank;
}

bool World::Idle(uint32_t rank, const void* queue) const {
    std::lock_guard lock(mutex_);
    return IdleLocked(rank, queue);
}

bool World::Idle(uint32_t rank) const {
    std::lock_guard lock(mutex_);
    return IdleLocked(rank);
}

bool World::Submit(uint32_t rank, const void* queue, Step step) {
    Lock lock(mutex_);
    hosts_.Mine().ranks.insert(rank);
    const Key key{rank, queue};
    if (IdleLocked(rank, queue) && (!step.ready || step.ready())) {
        ++positions_[rank];
        lock.unlock();
        if (step.ready) history_.Meets(rank);
        step.run();
        lock.lock();
        hosts_.Release();
        driver_.notify_all();  // others may have waited for it
        return true;
    }
    queues_[key].push_back({positions_[rank]++, std::move(step), nullptr});
    if (drivers_.empty()) AddDriver();
    driver_.notify_all();
    return false;
}

bool World::Submit(uint32_t rank, const void* queue, Launch launch) {
    Lock lock(mutex_);
    hosts_.Mine().ranks.insert(rank);
    const std::shared_ptr<Work> work(new Work(*this, rank, positions_[rank]++, queue, std::move(launch)));
    for (const Domain domain : work->launch_.domains)
        work->places_.emplace_back(domain, domains_[domain].submitted[rank]++);
    work->parked_ = !work->places_.empty();
    work->submission_ = history_.Submitted(hosts_.Mine().known);
    auto& items = queues_[{rank, queue}];
    items.push_back({work->position_, {}, work});
    if (drivers_.empty()) AddDriver();
    if (items.size() > 1) {
        driver_.notify_all();
        return false;
    }
    Start(work);
    driver_.notify_all();
    work->changed_.wait(lock, [&] { return work->over_ || (work->parked_ && work->cores_); });
    return work->over_;
}

World::Work* World::Current() { return OfThread<OfLaunchThread>().work; }

// They need no lock any more.
void World::JoinDrivers() {
    if (closing_) return;  // the end of the world does
    std::erase_if(drivers_, [](Driver& driver) {
        if (driver.over) driver.thread.join();
        return driver.over;
    });
}

void World::AddDriver() {
    JoinDrivers();
    const bool extra = !drivers_.empty();
    Driver& driver = drivers_.emplace_back();
    ++g_driver_threads;
    driver.thread = std::thread([this, &driver, extra] {
        DriveAll(driver, extra);
        --g_driver_threads;
    });
}

size_t World::OwnThreads() { return g_driver_threads; }

void World::Serve(uint32_t rank) {
    std::lock_guard lock(mutex_);
    hosts_.Mine().ranks.insert(rank);
}

void World::Leave() {
    std::lock_guard lock(mutex_);
    hosts_.Forget();
    driver_.notify_all();
}

void World::Block(const Name& call, const std::function<bool()>& done, const std::function<bool()>& give_up) {
    Lock lock(mutex_);
    if (!done()) {
        if (give_up && drivers_.empty()) AddDriver();
        driver_.notify_all();
        hosts_.Block(call.call, call.where, &done, lock, give_up ? &give_up : nullptr);
    }
    Hosts::Host* const host = hosts_.MineIfAny();
    if (!host) return;
    for (const uint32_t rank : host->ranks) host->known = history_.Awaited(rank, host->known);
}

void World::Release() {
    std::lock_guard lock(mutex_);
    hosts_.Release();
}

void World::Drive(const Name& call) {
    Lock lock(mutex_);
    if (queues_.empty()) return;
    driver_.notify_all();
    hosts_.Block(call.call, call.where, nullptr, lock);
}

void World::Failed(Work& work, const Report& fault) {
    std::lock_guard lock(mutex_);
    if (!cause_) cause_ = Cause{work.rank_, fault};
}

Cores::Woken World::GoBehind(Work& work, Cores& cores, uint64_t order, bool polls) {
    {
        std::lock_guard lock(mutex_);
        behind_.push_back({&work, &cores, order, polls});
    }
    const Cores::Woken woken = cores.Sleep(order);
    if (woken == Cores::Woken::kWork) return woken;
    std::lock_guard lock(mutex_);  // it was stopped
    std::erase_if(behind_, [&](const Behind& b) { return b.work == &work && b.order == order; });
    return woken;
}

void World::Start(std::shared_ptr<Work> work) {
    ++in_transit_;
    Work& started = *work;
    started.thread_ = std::thread([this, work = std::move(work)] {
        OfThread<OfLaunchThread>().work = work.get();
        work->launch_.run();
        Lock lock(mutex_);
        --in_transit_;
        work->over_ = true;
        over_.push_back(work);
        End({work->rank_, work->queue_});
        work->changed_.notify_all();
        driver_.notify_all();
    });
}

void World::End(const Key& queue) {
    const auto at = queues_.find(queue);
    at->second.pop_front();
    if (at->second.empty()) {
        queues_.erase(at);
        if (queues_.empty()) cause_.reset();
    } else if (const auto& next = at->second.front().work) {
        Start(next);
    }
    hosts_.Release();
}

World::Ended World::Run(Work& work, Cores& cores, CrossCore& cross_core, const soc::Chip& chip, const Cores::Body& body,
                        const Look& look) {
    Lock lock(mutex_);
    work.cores_ = &cores;
    work.cross_core_ = &cross_core;
    work.cores_ended_ = false;
    work.stepper_.emplace(cores, chip, body);
    Insert(&work);
    --in_transit_;
    work.changed_.notify_all();
    driver_.notify_all();
    uint64_t seen = 0, own = 0;
    clockid_t clock{};                 // of the driver
    std::chrono::nanoseconds since{};  // in its time: there was no instruction
    bool quiet = false;                // another driver was asked for
    auto looked = std::chrono::steady_clock::now();
    while (!work.changed_.wait_for(lock, kLook, [&] { return work.cores_ended_; })) {
        const auto now_is = std::chrono::steady_clock::now();
        const auto passed = now_is - std::exchange(looked, now_is);
        const bool waited = std::exchange(own, work.steps_) == work.steps_ && work.stepping_ == 0;
        lock.unlock();
        look(waited ? passed : std::chrono::nanoseconds(0));
        lock.lock();
        const uint64_t now = steps_ + cores.progress().records;
        const std::chrono::nanoseconds taken = TakenBy(work.stepper_clock_);
        const bool another = std::exchange(clock, work.stepper_clock_) != work.stepper_clock_;
        if (work.stepping_ == 0 || std::exchange(seen, now) != now || another) since = taken, quiet = false;
        if (taken - since < kQuiet || std::exchange(quiet, true)) continue;
        // A driver that found nothing to do may be there already.
        if (Drivers() <= stepping_) AddDriver();
    }
    work.stepper_.reset();
    work.cores_ = nullptr;
    work.cross_core_ = nullptr;
    std::erase(active_, &work);
    return {work.given_up_, std::move(work.notes_)};
}

}  // namespace sfumato::runtime
