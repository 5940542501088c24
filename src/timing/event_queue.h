// SPDX-License-Identifier: Apache-2.0
// Events on the way from a core to the model, in lots that are handed over whole and used again.
#pragma once

#include <deque>
#include <utility>
#include <vector>

#include "timing/event.h"

namespace sfumato::timing {

class EventQueue {
public:
    bool empty() const { return lots_.empty(); }
    size_t size() const { return size_; }
    Event& front() { return lots_.front()[at_]; }
    void pop_front() {
        --size_;
        if (++at_ < lots_.front().size()) return;
        at_ = 0;
        lots_.front().clear();
        if (spare_.empty()) spare_ = std::move(lots_.front());
        lots_.pop_front();
    }
    // Takes the events, and leaves an empty lot.
    void Take(std::vector<Event>& lot) {
        if (lot.empty()) return;
        size_ += lot.size();
        lots_.push_back(std::move(lot));
        lot = std::exchange(spare_, std::vector<Event>());
        lot.clear();
    }

private:
    std::deque<std::vector<Event>> lots_;
    std::vector<Event> spare_;
    size_t at_ = 0, size_ = 0;
};

}  // namespace sfumato::timing
