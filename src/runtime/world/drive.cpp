// SPDX-License-Identifier: Apache-2.0
// Which rank goes on, and what becomes of ranks when none can.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "report/finding.h"
#include "runtime/code/crash.h"
#include "runtime/world/world.h"

namespace sfumato::runtime {
namespace {

// Between two looks at hosts that are outside of calls that wait.
constexpr std::chrono::milliseconds kHostPeriod{2};

}  // namespace

void World::DriveAll(bool extra) {
    const AlternateStack stack;  // for handlers that report a core's overflow of its stack
    Lock lock(mutex_);
    while (!(closing_ && queues_.empty() && over_.empty())) {
        Reap(lock);
        if (in_transit_ == 0 && (RunStep(lock) || Join() || StepCores(lock) || BreakStandstill())) continue;
        if (queues_.empty()) hosts_.ReleaseQueries();
        if (extra && stepping_ == 0) return;
        const bool waits = queues_.empty() || in_transit_ != 0;
        if (waits && over_.empty() && !closing_) {
            driver_.wait(lock);
        } else {
            driver_.wait_for(lock, kHostPeriod);
        }
    }
}

void World::Reap(Lock& lock) {
    while (!over_.empty()) {
        const std::shared_ptr<Work> work = std::move(over_.back());
        over_.pop_back();
        lock.unlock();
        work->thread_.join();
        lock.lock();
    }
}

// Host work at the head of a queue: the earliest, of the lowest rank.
bool World::RunStep(Lock& lock) {
    const Key* first = nullptr;
    uint64_t position = 0;
    for (const auto& [key, items] : queues_) {
        const Item& head = items.front();
        if (head.work || head.running || (head.step.ready && !head.step.ready())) continue;
        if (first && position <= head.position) continue;
        first = &key;
        position = head.position;
    }
    if (!first) return false;
    const Key key = *first;
    Item& head = queues_.at(key).front();
    head.running = true;
    lock.unlock();
    head.step.run();
    lock.lock();
    End(key);
    return true;
}

bool World::MayRun(const Work& work) {
    if (work.cores_ended_) return false;
    return work.joined_ ? hosts_.AllBlocked() : !work.parked_;
}

bool World::IsComplete(const Work& work) const {
    return std::ranges::all_of(work.places_, [this](const auto& place) {
        const Members& members = domains_[place.first];
        return std::ranges::all_of(members.ranks, [&](uint32_t rank) {
            const auto submitted = members.submitted.find(rank);
            return submitted != members.submitted.end() && submitted->second > place.second;
        });
    });
}

bool World::Join() {
    bool any = false;
    for (Work* work : active_) {
        if (work->joined_ || !work->parked_ || !IsComplete(*work) || !hosts_.AllBlocked()) continue;
        work->joined_ = true;
        any = true;
    }
    return any;
}

void World::Insert(Work* work) {
    const auto key = [this](const Work* w) {
        const bool first = order_.kind == RankOrder::Kind::kSkew && w->rank_ == order_.number;
        const uint64_t rank = order_.kind == RankOrder::Kind::kLate ? UINT64_MAX - w->rank_ : w->rank_;
        return std::tuple(!first, w->position_, rank);
    };
    const auto before = [&](const Work* a, const Work* b) { return key(a) < key(b); };
    active_.insert(std::upper_bound(active_.begin(), active_.end(), work, before), work);
}

bool World::StepCores(Lock& lock) {
    // False where none can: nothing was unlocked meanwhile, and the list is the same.
    const auto steps = [&](Work* work) { return MayRun(*work) && Advance(*work, lock); };
    if (order_.kind != RankOrder::Kind::kSeed) return std::ranges::any_of(active_, steps);
    std::vector<Work*> works = active_;
    Random random = random_;
    for (size_t i = works.size(); i > 1; --i) std::swap(works[i - 1], works[random.Next() % i]);
    if (!std::ranges::any_of(works, steps)) return false;
    random_ = random;
    return true;
}

bool World::Advance(Work& work, Lock& lock) {
    ++stepping_, ++steps_;
    work.stepping_ = true;
    const bool stepped = work.stepper_->Step(lock);
    work.stepping_ = false;
    --stepping_;
    if (work.stepper_->Ended()) {
        work.cores_ended_ = true;
        ++in_transit_;
        work.changed_.notify_all();
        return true;
    }
    if (stepped || work.joined_) return stepped;
    if (work.stepper_->BreakStandstill(Cores::Stepper::Break::kWork)) return true;
    work.parked_ = true;
    work.changed_.notify_all();
    return true;
}

// No core can go on and no host is about to change that.
bool World::BreakStandstill() {
    if (queues_.empty() || stepping_ != 0 || !hosts_.AllBlocked()) return false;
    if (hosts_.ReleaseQueries()) return true;
    const std::vector<Work*>& works = active_;
    using Break = Cores::Stepper::Break;
    for (const Break how : {Break::kWork, Break::kTurn}) {
        for (Work* work : works) {
            if (work->joined_ && work->stepper_->BreakStandstill(how)) return true;
        }
    }
    // A rank that has not come may not be needed.
    const auto missing = std::ranges::find_if(works, [](const Work* work) { return !work->joined_ && work->parked_; });
    if (missing != works.end()) {
        (*missing)->joined_ = true;
        return true;
    }
    for (Work* work : works) {
        if (work->joined_ && work->stepper_->BreakStandstill(Break::kPoll)) return true;
    }
    if (!cause_ && !works.empty()) return works.front()->stepper_->BreakStandstill(Break::kNever);
    return GiveUp();
}

namespace {

Report Consequence(const std::string& call, Where where, uint32_t rank, const Report& cause) {
    Report report =
        ToReport({Rule::kRankExited, "", "what it waits for never comes: another rank has failed",
                  fmt::format("rank {} has ended with {}{}", rank, Name(cause.rule),
                              cause.line == 0 ? "" : fmt::format(" at {}:{}", cause.file, cause.line)),
                  "ranks that all reach their end", "mend what is reported of that rank; this is its consequence"},
                 call, where);
    if (cause.line != 0) report.related.push_back({cause.file, cause.line, fmt::format("rank {} fails here", rank)});
    return report;
}

}  // namespace

// All that waits for a rank that has failed ends.
bool World::GiveUp() {
    for (const auto& [key, items] : queues_) {
        const Item& head = items.front();
        if (head.work || head.running) continue;
        if (!cause_) {
            Report report = ToReport(
                {Rule::kDeadlock, "", "other ranks never come", head.step.waits_for ? head.step.waits_for() : "",
                 "the same calls on all ranks", "make the call on every rank, in the same order"},
                head.step.name.call, head.step.name.where);
            cause_ = Cause{key.first, report};
            if (head.step.give_up) head.step.give_up(report);
        } else if (head.step.give_up) {
            head.step.give_up(Consequence(head.step.name.call, head.step.name.where, cause_->rank, cause_->report));
        }
        const Key ended = key;
        End(ended);
        return true;
    }
    bool any = false;
    for (Work* work : active_) {
        if (!cause_ || work->given_up_ || work->cores_ended_) continue;
        work->given_up_ = Consequence(work->launch_.name.call, work->launch_.name.where, cause_->rank, cause_->report);
        work->cores_->StopAll();
        any = true;
    }
    return any;
}

std::string World::StateOf(uint32_t rank) const {
    std::string state;
    for (auto at = queues_.lower_bound({rank, nullptr}); at != queues_.end() && at->first.first == rank; ++at) {
        const Item& head = at->second.front();
        state += state.empty() ? "" : "; ";
        if (!head.work) {
            state += fmt::format("{} {}", head.step.name.call, head.step.waits_for ? head.step.waits_for() : "waits");
        } else if (!head.work->cross_core_) {
            state += head.work->launch_.name.call + " has not begun";
        } else {
            state += fmt::format("{}: {}", head.work->launch_.name.call, head.work->cross_core_->ListWaiting());
        }
    }
    return state.empty() ? "nothing is submitted, " + hosts_.StateOf(rank) : state;
}

std::string World::Explain(const Work& work) {
    std::lock_guard lock(mutex_);
    std::vector<std::pair<std::string, std::vector<uint32_t>>> states;
    for (uint32_t rank = 0; rank < ranks_; ++rank) {
        if (rank == work.rank_) continue;
        const std::string state = StateOf(rank);
        const auto same = std::ranges::find(states, state, [](const auto& s) { return s.first; });
        if (same != states.end()) {
            same->second.push_back(rank);
        } else {
            states.push_back({state, {rank}});
        }
    }
    constexpr size_t kMostStates = 6, kMostNamed = 4;
    std::string text;
    for (size_t i = 0; i < states.size() && i < kMostStates; ++i) {
        const auto& [state, ranks] = states[i];
        std::string names;
        for (size_t r = 0; r < ranks.size() && r < kMostNamed; ++r)
            names += fmt::format("{}{}", r ? ", " : "", ranks[r]);
        if (ranks.size() > kMostNamed) names += fmt::format(" and {} more", ranks.size() - kMostNamed);
        text += fmt::format("{}rank{} {}: {}", i ? "; " : "", ranks.size() == 1 ? "" : "s", names, state);
    }
    if (states.size() > kMostStates) text += fmt::format("; and {} ranks more", states.size() - kMostStates);
    return text;
}

uint64_t World::live_pollers() {
    std::lock_guard lock(mutex_);
    uint64_t count = 0;
    for (const Work* work : active_) count += work->cross_core_->live_pollers();
    return count;
}

}  // namespace sfumato::runtime
