// SPDX-License-Identifier: Apache-2.0
// Waits between cores, and what only the whole launch shows.
#include "runtime/cores/cross_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/finding.h"

namespace sfumato::runtime {
namespace {

constexpr const char* kTurn = "its turn to store atomically";
// Flags of SyncAll (framework.md 6.2 S16).
constexpr uint32_t kFirstReservedId = 11, kLastReservedId = 14;

}  // namespace

CrossCore::CrossCore(Cores* cores, Shape shape, uint64_t blocks, NameOf name)
    : cores_(*cores), name_(std::move(name)), counters_(shape, blocks), turns_(shape, blocks) {
    cores_.set_standstill([this] { return Standstill(); });
    cores_.set_slow([this] { return Slow(); });
}

void CrossCore::Set(uint64_t core, uint8_t mode, uint32_t id, Where where) {
    cores_.Update([&] {
        sets_[core].push_back(where);
        Sets& sets = last_set_[{core, id}];
        sets = {mode, sets.times + 1, where};
        counters_.Set(core, mode, id);
        turns_.Set(core, mode, id);
        CheckOverflow();
    });
}

void CrossCore::Add(uint64_t core, uint64_t counter, const std::function<void()>& also) {
    cores_.Update([&] {
        if (also) also();
        ++used_[counter];
        counters_.Add(counter);
        turns_.Add(core, counter);
        CheckOverflow();
    });
}

bool CrossCore::Used(uint64_t counter) {
    return cores_.Locked([&] { return used_.contains(counter); });
}

std::vector<uint64_t> CrossCore::FlagSetters(uint64_t core) const {
    std::vector<uint64_t> cores = counters_.BlockMates(core);
    if (cores.empty()) cores = counters_.Setters(core, 0);
    std::erase(cores, core);
    return cores;
}

bool CrossCore::Holds(const Condition& condition) {
    return cores_.Locked([&] { return counters_.Holds(condition); });
}

Condition CrossCore::Arrive(uint64_t core, uint64_t counter, uint64_t members) {
    uint64_t use = 0;
    cores_.Update([&] {
        use = ++uses_[{core, counter}];
        counters_.Add(counter);
        turns_.Add(core, counter);
        CheckOverflow();
    });
    return {counter, use * members, false, true};
}

uint64_t CrossCore::Uses(uint64_t core, uint64_t counter) {
    return cores_.Locked([&] {
        const auto at = uses_.find({core, counter});
        return at == uses_.end() ? 0 : at->second;
    });
}

Cores::Woken CrossCore::Await(uint64_t core, const Condition& condition, Call call, std::vector<uint64_t> setters,
                              bool can_work, const std::function<void()>& taken) {
    const bool again = cores_.Locked([&] { return waiting_.contains(core); });  // it worked, and asks once more
    if (!again) {
        cores_.Update([&] {
            turns_.Wait(core, condition);
            CheckOverflow();
            waiting_[core] = {std::move(call), std::move(setters), condition.counter,
                              condition.takes && condition.counter >> 56 == 0};
        });
    }
    const uint64_t* counter = cores_.Locked([&] { return counters_.Place(condition.counter); });
    const Cores::Woken woken =
        cores_.WaitFor(core, {"a flag of another core", {}, can_work, false, counter, condition.at_least});
    if (woken == Cores::Woken::kWork) return woken;
    cores_.Update([&] {
        if (woken == Cores::Woken::kDone) {
            counters_.Take(condition);
            waiting_.erase(core);
            if (taken) taken();
        } else if (woken == Cores::Woken::kNever) {
            turns_.GiveUp(core);
        }
    });
    return woken;
}

Cores::Woken CrossCore::AwaitChange(uint64_t core, std::function<bool()> differs, bool last_time, Call call,
                                    std::function<std::string()> on) {
    cores_.Locked([&] { waiting_[core] = {std::move(call), {}, 0, false, std::move(on)}; });
    const Cores::Woken woken =
        cores_.WaitFor(core, {"a change of global memory", std::move(differs), !last_time, true});
    if (woken != Cores::Woken::kNever) cores_.Locked([&] { waiting_.erase(core); });
    return woken;
}

Cores::Woken CrossCore::AwaitTurn(uint64_t core) {
    cores_.Locked([&] { ++for_turn_; });
    const Cores::Woken woken = cores_.WaitFor(core, {kTurn, [&] { return turns_.IsIn(core); }});
    cores_.Locked([&] { --for_turn_; });
    return woken;
}

void CrossCore::Forget(uint64_t core) {
    cores_.Locked([&] { waiting_.erase(core); });
}

void CrossCore::End(uint64_t core) {
    cores_.Update([&] {
        // A cube core that serves the block's vector cores goes on when all have ended.
        if (counters_.IsMixed() && !counters_.IsCube(core)) {
            const uint64_t counter = MeetingCounter(Meeting::kServe, counters_.Block(core));
            counters_.Add(counter);
            turns_.Add(core, counter);
        }
        turns_.End(core);
        CheckOverflow();
        waiting_.erase(core);
    });
}

// The state of the cores is the same in every run when none can go on, so what happens here is, too.
bool CrossCore::Standstill() {
    if (for_turn_ == 0) return false;
    bool any = false;
    for (uint64_t core = 0; core < cores_.count(); ++core) {
        if (turns_.IsPassed(core) && !cores_.PollsLocked(core)) {
            turns_.PollEnds(core);
            any = true;
        }
    }
    if (any) return true;
    if (turns_.current() == Turns::kNobody || !cores_.PollsLocked(turns_.current())) return false;
    turns_.PassPoller();
    return true;
}

// A core that polls a raw pointer looks like one that runs.
bool CrossCore::Slow() {
    if (for_turn_ == 0 || turns_.current() == Turns::kNobody) return false;
    turns_.PassPoller();
    return true;
}

uint64_t CrossCore::live_pollers() {
    return cores_.Locked([&] {
        uint64_t count = 0;
        for (const auto& [core, waiting] : waiting_) count += cores_.PollsLocked(core);
        return count;
    });
}

// framework.md 2.7: counters to 15. Found in the canonical run, so that every run finds it.
void CrossCore::CheckOverflow() {
    const Turns::Overflow& found = turns_.overflow();
    if (!found.found || overflow_) return;
    Report report = ToReport(
        {Rule::kCrossFlagOverflow, fmt::format("flagId {}", found.id), "the flag is set too often",
         fmt::format("{} sets that {} has not waited for", found.raised.count, name_(found.raised.core)),
         fmt::format("at most {}: more is an exception on the board", kMostOutstanding),
         fmt::format("let {} wait for a flag of the other direction before it sets again", name_(found.setter))},
        "CrossCoreSetFlag", sets_[found.setter][found.set]);
    overflow_ = {found.setter, std::move(report)};
}

std::vector<CrossCore::Late> CrossCore::TakeLate(bool clean_end) {
    std::vector<Late> late;
    if (overflow_) {
        late.push_back(*overflow_);
    } else if (clean_end) {
        NoteReservedIds(&late);
        const auto left = [&](uint64_t setter, uint32_t id, std::string found, std::string hint) {
            const auto set = last_set_.find({setter, id});
            late.push_back(
                {setter,
                 ToReport({Rule::kCrossFlagLeft, fmt::format("flagId {}", id),
                           "the flag is still set when the launch ends", std::move(found),
                           "as many waits as sets: what is left lets a wait of the next kernel pass", std::move(hint)},
                          "CrossCoreSetFlag", set == last_set_.end() ? Where{} : set->second.where)});
        };
        // The lowest core that set the flag tells, once a flag.
        std::map<uint32_t, std::pair<uint64_t, uint64_t>> not_waited;  // id: waiter, count
        counters_.VisitFlags([&](uint64_t core, uint32_t id, uint64_t count) {
            auto& entry = not_waited.try_emplace(id, core, count).first->second;
            if (core < entry.first) entry = {core, count};
        });
        for (const auto& [id, entry] : not_waited) {
            uint64_t setter = entry.first;
            for (const auto& [key, set] : last_set_) {
                if (key.second != id) continue;
                const std::vector<uint64_t> receivers = counters_.Receivers(key.first, set.mode);
                if (std::ranges::find(receivers, entry.first) == receivers.end()) continue;
                setter = key.first;
                break;
            }
            left(setter, id,
                 fmt::format("{} set{} that {} never waits for", entry.second, entry.second == 1 ? "" : "s",
                             name_(entry.first)),
                 "add the missing CrossCoreWaitFlag, or remove the CrossCoreSetFlag");
        }
        std::map<uint32_t, std::pair<uint64_t, uint8_t>> partial;
        counters_.VisitPartial([&](uint64_t core, uint8_t mode, uint32_t id) {
            auto& entry = partial.try_emplace(id, core, mode).first->second;
            if (core < entry.first) entry = {core, mode};
        });
        for (const auto& [id, entry] : partial) {
            left(entry.first, id,
                 fmt::format("a set of mode {} that others of {}'s group never joined", entry.second,
                             name_(entry.first)),
                 "every core of the group sets the flag: all of the kind in mode 0, the vector cores of the block in "
                 "modes 1 and 2");
        }
    }
    return late;
}

void CrossCore::NoteReservedIds(std::vector<Late>* late) const {
    const bool meet = std::ranges::any_of(uses_, [](const auto& use) {
        return use.first.second == MeetingCounter(Meeting::kCores, 1) ||
               use.first.second == MeetingCounter(Meeting::kCores, 2);
    });
    if (!meet) return;
    std::set<uint32_t> told;
    for (const auto& [key, set] : last_set_) {
        const auto [core, id] = key;
        if (id < kFirstReservedId || id > kLastReservedId || !told.insert(id).second) continue;
        late->push_back(
            {core,
             ToReport({Rule::kCrossFlagId, "flagId", "the flag belongs to SyncAll, which the launch calls, too",
                       fmt::format("{}", id), "0 to 10; 11 to 14 where SyncAll is not used", "use an id up to 10"},
                      "CrossCoreSetFlag", set.where)});
    }
}

}  // namespace sfumato::runtime
