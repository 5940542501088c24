// SPDX-License-Identifier: Apache-2.0
// Work of ranks from its submission to its end.
#include "runtime/world/world.h"

#include <algorithm>
#include <utility>

#include "runtime/cores/of_thread.h"

namespace sfumato::runtime {
namespace {

// How often a launch's own thread looks at its time limit while its cores run.
constexpr std::chrono::milliseconds kLook{20};

// Looks without an instruction after which a core counts as polling a raw pointer.
constexpr uint32_t kQuietLooks = 5;

struct OfLaunchThread {
    World::Work* work = nullptr;
};

}  // namespace

World::World(uint32_t ranks, RankOrder order)
    : ranks_(ranks), order_(order), random_(order.number), positions_(ranks, 0) {}

World::~World() {
    {
        Lock lock(mutex_);
        closing_ = true;
        driver_.notify_all();
    }
    for (auto& thread : threads_) thread.join();
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
        step.run();
        lock.lock();
        driver_.notify_all();  // others may have waited for it
        return true;
    }
    queues_[key].push_back({positions_[rank]++, std::move(step), nullptr});
    if (threads_.empty()) AddDriver();
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
    auto& items = queues_[{rank, queue}];
    items.push_back({work->position_, {}, work});
    if (threads_.empty()) AddDriver();
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

void World::AddDriver() {
    threads_.emplace_back([this, extra = !threads_.empty()] { DriveAll(extra); });
}

void World::Serve(uint32_t rank) {
    std::lock_guard lock(mutex_);
    hosts_.Mine().ranks.insert(rank);
}

void World::Leave() {
    std::lock_guard lock(mutex_);
    hosts_.Forget();
    driver_.notify_all();
}

void World::Block(const Name& call, const std::function<bool()>& done) {
    Lock lock(mutex_);
    if (done()) return;
    driver_.notify_all();
    hosts_.Block(call.call, call.where, &done, lock);
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

std::optional<Report> World::Run(Work& work, Cores& cores, CrossCore& cross_core, const soc::Chip& chip,
                                 const Cores::Body& body, const std::function<void()>& look) {
    Lock lock(mutex_);
    work.cores_ = &cores;
    work.cross_core_ = &cross_core;
    work.stepper_.emplace(cores, chip, body);
    Insert(&work);
    --in_transit_;
    work.changed_.notify_all();
    driver_.notify_all();
    uint64_t seen = 0;
    uint32_t quiet = 0;
    while (!work.changed_.wait_for(lock, kLook, [&] { return work.cores_ended_; })) {
        lock.unlock();
        look();
        lock.lock();
        const uint64_t now = steps_ + cores.progress().records;
        quiet = work.stepping_ && std::exchange(seen, now) == now ? quiet + 1 : 0;
        if (quiet == kQuietLooks) AddDriver();
    }
    work.stepper_.reset();
    std::erase(active_, &work);
    return work.given_up_;
}

}  // namespace sfumato::runtime
