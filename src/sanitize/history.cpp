// SPDX-License-Identifier: Apache-2.0
// Pasts and the cells that share them.
#include "sanitize/history.h"

#include <algorithm>
#include <utility>

namespace sfumato::sanitize {

Pasts::Handle Pasts::Like(Handle like, uint32_t uses) {
    Handle h;
    if (free_.empty()) {
        h = static_cast<Handle>(slots_.size());
        slots_.emplace_back();
    } else {
        h = free_.back();
        free_.pop_back();
    }
    slots_[h].past = slots_[like].past;
    slots_[h].uses = uses;
    return h;
}

class History::Steps {
public:
    Steps(const History& history, uint64_t end, const Access& access, Judge& judge)
        : history_(history), pasts_(history.pasts_), end_(end), access_(access), judge_(judge) {}
    ~Steps() {
        Settle();
        // Each made past was held once for the time of the walk.
        for (size_t i = 0; i < count_; ++i) {
            pasts_.Leave(before_[i], 1);
            pasts_.Leave(after_[i], 1);
        }
    }
    Steps(const Steps&) = delete;
    Steps& operator=(const Steps&) = delete;

    // The past of `count` bytes or cells that had this one.
    Pasts::Handle Of(Pasts::Handle before, uint64_t first_byte) {
        if (last_ < count_ && before_[last_] == before) return ++moved_, after_[last_];
        Settle();
        for (last_ = 0; last_ < count_ && before_[last_] != before;) ++last_;
        if (last_ == count_) {
            if (count_ == kMost) {
                last_ = count_ - 1;
                pasts_.Leave(before_[last_], 1);
                pasts_.Leave(after_[last_], 1);
                --count_;
            }
            pasts_.Use(before, 1);
            before_[last_] = before;
            after_[last_] = Step(before, first_byte);
            ++count_;
        }
        ++moved_;
        return after_[last_];
    }

    // Counts what has moved from the last past to the one after it.
    void Settle() {
        if (moved_ == 0) return;
        pasts_.Use(after_[last_], moved_);
        pasts_.Leave(before_[last_], moved_);
        moved_ = 0;
    }

private:
    static constexpr size_t kMost = 16;

    Pasts::Handle Step(Pasts::Handle before, uint64_t first) {
        const bool write = access_.kind == Access::Kind::kWrite;
        bool keeps = false;
        if (before) {
            const isa::Span bytes{first, history_.EndOf(before, first, end_)};
            const Past& past = pasts_[before];
            // Who came last, first: an order behind a reader is one behind the write before it.
            for (const Access& other : past.others) {
                if (other.kind != access_.kind || write) judge_.Meet(other, bytes);
            }
            if (past.written) {
                judge_.Meet(past.write, bytes);
                keeps = write && judge_.Keeps(past.write);
            }
        }
        if (write && !keeps) {
            // All bytes have the same past after a plain write.
            if (!written_) {
                written_ = pasts_.Like(0, 0);
                Past& past = pasts_.Change(written_);
                past.write = access_;
                past.written = true;
            }
            pasts_.Use(written_, 1);
            return written_;
        }
        const Pasts::Handle after = pasts_.Like(before, 1);
        Past& past = pasts_.Change(after);
        if (write) {
            past.others.clear();
        } else {
            const auto same = std::find_if(past.others.begin(), past.others.end(),
                                           [this](const Access& other) { return access_.Replaces(other); });
            if (same == past.others.end()) {
                past.others.push_back(access_);
            } else {
                *same = access_;
            }
        }
        return after;
    }

    const History& history_;
    Pasts& pasts_;
    const uint64_t end_;
    const Access& access_;
    Judge& judge_;
    std::array<Pasts::Handle, kMost> before_{}, after_{};
    size_t count_ = 0, last_ = 0;
    uint32_t moved_ = 0;
    Pasts::Handle written_ = 0;
};

History::~History() {
    for (const uint32_t cell : cells_) {
        if (cell & kSplit) {
            for (const Pasts::Handle h : splits_[cell & ~kSplit]) pasts_.Leave(h, 1);
        } else {
            pasts_.Leave(cell, 1);
        }
    }
}

void History::TouchPart(uint32_t& cell, uint64_t cell_begin, uint64_t first, uint64_t end, Steps& steps) {
    if (!(cell & kSplit)) {
        uint32_t index;
        if (free_splits_.empty()) {
            index = static_cast<uint32_t>(splits_.size());
            splits_.emplace_back();
        } else {
            index = free_splits_.back();
            free_splits_.pop_back();
        }
        splits_[index].fill(cell);
        pasts_.Use(cell, kCell - 1);
        cell = index | kSplit;
    }
    Split& split = splits_[cell & ~kSplit];
    for (uint64_t byte = first; byte < end; ++byte) {
        split[byte - cell_begin] = steps.Of(split[byte - cell_begin], byte);
    }
    if (std::all_of(split.begin(), split.end(), [&](Pasts::Handle h) { return h == split[0]; })) {
        free_splits_.push_back(cell & ~kSplit);
        cell = split[0];
        steps.Settle();
        pasts_.Leave(cell, kCell - 1);
    }
}

void History::Touch(isa::Span bytes, const Access& access, Judge& judge) {
    bytes.end = std::min(bytes.end, bytes_);
    if (bytes.begin >= bytes.end) return;
    Steps steps(*this, bytes.end, access, judge);
    for (uint64_t at = bytes.begin; at < bytes.end;) {
        const uint64_t index = at / kCell, begin = index * kCell;
        const uint64_t end = std::min(bytes.end, begin + kCell);
        uint32_t& cell = cells_[index];
        if (at == begin && end == std::min(begin + kCell, bytes_) && !(cell & kSplit)) {
            cell = steps.Of(cell, at);
        } else {
            TouchPart(cell, begin, at, end, steps);
        }
        at = end;
    }
}

Pasts::Handle History::HandleAt(uint64_t byte) const {
    const uint32_t cell = cells_[byte / kCell];
    return cell & kSplit ? splits_[cell & ~kSplit][byte % kCell] : cell;
}

uint64_t History::EndOf(Pasts::Handle past, uint64_t from, uint64_t end) const {
    uint64_t at = from;
    while (at < end && HandleAt(at) == past) at = cells_[at / kCell] & kSplit ? at + 1 : (at / kCell + 1) * kCell;
    return std::min(at, end);
}

const Past* History::At(uint64_t byte) const {
    const Pasts::Handle past = byte < bytes_ ? HandleAt(byte) : 0;
    return past ? &pasts_[past] : nullptr;
}

}  // namespace sfumato::sanitize
