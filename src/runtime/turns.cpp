// SPDX-License-Identifier: Apache-2.0
// Whose turn it is.
#include "runtime/turns.h"

namespace sfumato::runtime {

void Turns::Pass(uint64_t order) {
    if (ended_.size() <= order) ended_.resize(order + 1);
    ended_[order] = true;
    while (turn_ < ended_.size() && ended_[turn_]) ++turn_;
}

void Turns::End(uint64_t order) {
    {
        std::lock_guard lock(mutex_);
        ++finished_;
        Pass(order);
    }
    changed_.notify_all();
}

void Turns::Await(uint64_t order, const std::function<bool()>& stopped) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return turn_ >= order || stopped(); });
}

bool Turns::Meet(uint64_t order, uint64_t cores, const std::function<bool()>& stopped) {
    std::unique_lock lock(mutex_);
    const uint64_t barrier = barriers_;
    if (++arrived_ == cores) {
        ++barriers_;
        arrived_ = 0;
        ended_.clear();
        turn_ = 0;
        changed_.notify_all();
        return true;
    }
    Pass(order);
    changed_.notify_all();
    changed_.wait(lock, [&] { return barriers_ != barrier || finished_ != 0 || stopped(); });
    return barriers_ != barrier;
}

void Turns::Wake() {
    // Under the mutex, so that no core lies between looking at `stopped` and waiting.
    { std::lock_guard lock(mutex_); }
    changed_.notify_all();
}

void Turns::Clear() {
    std::lock_guard lock(mutex_);
    ended_.clear();
    turn_ = finished_ = arrived_ = 0;
}

}  // namespace sfumato::runtime
