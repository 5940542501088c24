// SPDX-License-Identifier: Apache-2.0
// The replay of the canonical run.
#include "runtime/cores/turns.h"

namespace sfumato::runtime {

void Turns::Set(uint64_t core, uint8_t mode, uint32_t id) { Tell(core, {Event::Kind::kSet, mode, id, {}}); }

void Turns::Add(uint64_t core, uint64_t counter, uint64_t by) {
    Tell(core, {Event::Kind::kAdd, 0, 0, {counter, by, false}});
}

void Turns::Wait(uint64_t core, const Condition& condition) { Tell(core, {Event::Kind::kWait, 0, 0, condition}); }

void Turns::End(uint64_t core) { Tell(core, {Event::Kind::kEnd, 0, 0, {}}); }

void Turns::Tell(uint64_t core, const Event& event) {
    told_[core].push_back(event);
    if (core == current_) Advance();
}

void Turns::Advance() {
    while (current_ != kNobody) {
        auto& queue = told_[current_];
        if (queue.empty()) return;
        const Event event = queue.front();
        switch (event.kind) {
            case Event::Kind::kSet: RaisedBySet(current_, event); break;
            case Event::Kind::kAdd:
                counters_.Add(event.condition.counter, event.condition.at_least);
                Raised(event.condition.counter);
                break;
            case Event::Kind::kWait:
                if (!counters_.Holds(event.condition)) {
                    waits_[event.condition.counter].insert(current_);
                    Leave(false);
                    continue;
                }
                if (event.condition.all_rest) {
                    queue.front().condition.all_rest = false;
                    ready_.insert(current_);
                    Leave(false);
                    continue;
                }
                counters_.Take(event.condition);
                break;
            case Event::Kind::kEnd: Leave(true); continue;
        }
        queue.pop_front();
    }
}

void Turns::Leave(bool ended) {
    if (ended) told_.erase(current_);
    if (ready_.empty() && fresh_ >= cores_) ready_.swap(polls_);
    if (!ready_.empty() && (fresh_ >= cores_ || *ready_.begin() < fresh_)) {
        current_ = *ready_.begin();
        ready_.erase(ready_.begin());
    } else {
        current_ = fresh_ < cores_ ? fresh_++ : kNobody;
    }
}

// Who waits for the counter may go on; whether it is enough is seen when its wait is replayed.
void Turns::Raised(uint64_t counter) {
    const auto waiting = waits_.find(counter);
    if (waiting == waits_.end()) return;
    for (auto core = waiting->second.begin(); core != waiting->second.end();) {
        if (counters_.Holds(told_[*core].front().condition)) {
            ready_.insert(*core);
            core = waiting->second.erase(core);
        } else {
            ++core;
        }
    }
}

void Turns::RaisedBySet(uint64_t core, const Event& event) {
    const uint64_t set = sets_[core]++;
    const Counters::Raised raised = counters_.Set(core, event.mode, event.id);
    if (raised.count == 0) return;
    if (raised.count > kMostOutstanding && !overflow_.found) overflow_ = {true, core, set, raised, event.id};
    for (const uint64_t receiver : counters_.Receivers(core, event.mode)) Raised(FlagCounter(receiver, event.id));
}

void Turns::PassPoller() {
    const uint64_t poller = current_;
    Leave(false);
    polls_.insert(poller);
    Advance();
}

void Turns::PollEnds(uint64_t core) {
    if (polls_.erase(core) == 0) return;
    ready_.insert(core);
    if (current_ != kNobody) return;
    Leave(false);
    Advance();
}

void Turns::GiveUp(uint64_t core) {
    Event& event = told_[core].back();
    waits_[event.condition.counter].erase(core);
    const bool left = told_[core].size() == 1 && core != current_;
    event.condition.at_least = 0;
    if (left) ready_.insert(core);
    if (current_ != core && current_ != kNobody) return;
    if (current_ == kNobody) Leave(false);
    Advance();
}

}  // namespace sfumato::runtime
