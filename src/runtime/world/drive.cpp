// SPDX-License-Identifier: Apache-2.0
// Which rank goes on, and what becomes of ranks when none can.
#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "report/finding.h"
#include "runtime/code/crash.h"
#include "runtime/cores/of_thread.h"
#include "runtime/world/rank_texts.h"
#include "runtime/world/world.h"

namespace sfumato::runtime {
namespace {

// Between two looks at hosts that are outside of calls that wait.
constexpr std::chrono::milliseconds kHostPeriod{2};

struct OfDriver {
    bool drives = false;
};

}  // namespace

bool World::IsDriver() { return OfThread<OfDriver>().drives; }

void World::DriveAll(Driver& self, bool extra) {
    OfThread<OfDriver>().drives = true;
    const AlternateStack stack;  // for handlers that report a core's overflow of its stack
    Lock lock(mutex_);
    while (!(closing_ && queues_.empty() && over_.empty())) {
        Reap(lock);
        if (in_transit_ == 0 && (RunStep(lock) || Join() || StepCores(lock) || BreakStandstill() || GiveUpAbsent())) {
            idle_since_.reset();
            continue;
        }
        if (queues_.empty()) hosts_.ReleaseQueries();
        if (extra && stepping_ == 0) break;
        const bool waits = (queues_.empty() && !hosts_.AnyGivesUp()) || in_transit_ != 0;
        if (waits && over_.empty() && !closing_) {
            driver_.wait(lock);
        } else {
            driver_.wait_for(lock, kHostPeriod);
        }
    }
    self.over = true;
    driver_.notify_all();  // another joins it
}

void World::Reap(Lock& lock) {
    JoinDrivers();
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
    if (head.step.ready) history_.Meets(key.first);
    head.step.run();
    lock.lock();
    End(key);
    return true;
}

bool World::MayRun(const Work& work) {
    if (work.cores_ended_) return false;
    if (work.cores_->Stopped(0)) return true;  // all of it: an interrupt waits for nobody
    return work.joined_ ? HostsWait() : !work.parked_;
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
        if (work->joined_ || !work->parked_ || !IsComplete(*work) || !HostsWait()) continue;
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
    if (order_.kind != RankOrder::Kind::kSeed) return std::ranges::any_of(active_, steps) || WakeBehind(nullptr);
    std::vector<Work*> works = active_;
    Random random = random_;
    for (size_t i = works.size(); i > 1; --i) std::swap(works[i - 1], works[random.Next() % i]);
    if (!std::ranges::any_of(works, steps)) return WakeBehind(nullptr);
    random_ = random;
    return true;
}

bool World::WakeBehind(const Work* of) {
    if (!of && !behind_.empty() && std::ranges::all_of(behind_, &Behind::polls) && hosts_.ReleaseQueries()) return true;
    const auto first = std::ranges::find_if(
        behind_, [&](const Behind& b) { return (of ? b.work == of : MayRun(*b.work)) && b.cores->Wake(b.order); });
    if (first == behind_.end()) return false;
    behind_.erase(first);
    return true;
}

bool World::Advance(Work& work, Lock& lock) {
    ++stepping_, ++steps_, ++work.steps_, ++work.stepping_;
    pthread_getcpuclockid(pthread_self(), &work.stepper_clock_);
    const bool stepped = work.stepper_->Step(lock);
    --stepping_, --work.stepping_;
    if (work.stepper_->Ended()) {
        if (work.stepping_ != 0) return stepped;  // the last driver that leaves its cores says so
        work.cores_ended_ = true;
        ++in_transit_;
        work.changed_.notify_all();
        return true;
    }
    if (stepped || work.joined_ || work.parked_) return stepped;
    if (WakeBehind(&work) || work.stepper_->BreakStandstill(Cores::Stepper::Break::kWork)) return true;
    work.parked_ = true;
    work.changed_.notify_all();
    return true;
}

// No core can go on and no host is about to change that.
bool World::BreakStandstill() {
    if (stepping_ != 0 || !HostsWait()) return false;
    if (hosts_.ReleaseQueries()) return true;
    if (queues_.empty()) return hosts_.GiveUp();
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
    if (!cause_ && !works.empty()) {
        // Told of the same one in every order.
        const auto key = [](const Work* work) { return std::pair(work->position_, work->rank_); };
        return (*std::ranges::min_element(works, {}, key))->stepper_->BreakStandstill(Break::kNever);
    }
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
            Report report =
                ToReport({Rule::kDeadlock, "", "other ranks never come",
                          fmt::format("{}; {}", head.step.waits_for ? head.step.waits_for() : "it is not ready",
                                      ExplainLocked(key.first)),
                          "the same calls on all ranks", "make the call on every rank, in the same order"},
                         head.step.name.call, head.step.name.where);
            report.rank = key.first;
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

Report World::Absent(const Name& of, std::chrono::milliseconds waited) const {
    return ToReport(
        {Rule::kRankAbsent, "", "other ranks wait for a host that makes no call",
         fmt::format("{:.6g} s in which nothing could go on; {}", static_cast<double>(waited.count()) / 1000,
                     hosts_.Outside()),
         "hosts that submit or wait: what they might still submit comes first",
         "look what that thread does, and let every thread that serves a rank end in a wait for its streams; "
         "SFUMATO_RANK_TIMEOUT says how many seconds others wait for it"},
        of.call, of.where);
}

bool World::GiveUpAbsent() {
    if (queues_.empty() || stepping_ != 0 || HostsWait()) return false;
    const auto now = std::chrono::steady_clock::now();
    if (!idle_since_) {
        idle_since_ = now;
        absence_noted_ = false;
    }
    const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(now - *idle_since_);
    const auto first = std::ranges::find_if(active_, [](const Work* work) { return !work->cores_ended_; });
    if (waited >= patience_.note && !std::exchange(absence_noted_, true) && first != active_.end()) {
        Report note = Absent((*first)->launch_.name, waited);
        note.severity = Severity::kNote;
        (*first)->notes_.push_back(std::move(note));
    }
    // After a fault the hosts may still submit what can go on; after an absence all goes that waits for it.
    const bool patient = waited < patience_.absent && !(cause_ && cause_->report.rule == Rule::kRankAbsent);
    if (patient || cause_) return !patient && GiveUp();
    if (first != active_.end()) {
        (*first)->notes_.clear();
        cause_ = Cause{(*first)->rank_, Absent((*first)->launch_.name, waited)};
        (*first)->given_up_ = cause_->report;
        (*first)->cores_->StopAll();
        return true;
    }
    const auto& [key, items] = *queues_.begin();
    cause_ = Cause{key.first, Absent(items.front().step.name, waited)};
    return GiveUp();
}

std::string World::StateOfLocked(uint32_t rank) const {
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
    return ExplainLocked(work.rank_);
}

std::string World::ExplainLocked(uint32_t of) const {
    return StatesLocked([of](uint32_t rank) { return rank != of; });
}

std::string World::StatesLocked(const std::function<bool(uint32_t rank)>& told) const {
    constexpr size_t kMostNamed = 4;
    std::vector<std::pair<uint32_t, std::string>> states;
    for (uint32_t rank = 0; rank < ranks_; ++rank) {
        if (told(rank)) states.emplace_back(rank, StateOfLocked(rank));
    }
    return TextOfRanks(states, kMostNamed);
}

uint64_t World::live_pollers() {
    std::lock_guard lock(mutex_);
    uint64_t count = 0;
    for (const Work* work : active_) count += work->cross_core_->live_pollers();
    return count;
}

}  // namespace sfumato::runtime
