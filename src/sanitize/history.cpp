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
            const Stretch bytes(history_, before, {first, end_});
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
    for (const Node root : roots_) Leave(root);
}

void History::Leave(Node node) {
    if (!(node & kSplit)) return pasts_.Leave(node, 1);
    for (const Node branch : splits_[node & ~kSplit]) Leave(branch);
}

History::Node History::NewSplit(Node node) {
    uint32_t index;
    if (free_splits_.empty()) {
        index = static_cast<uint32_t>(splits_.size());
        splits_.emplace_back();
    } else {
        index = free_splits_.back();
        free_splits_.pop_back();
    }
    splits_[index].fill(node);
    pasts_.Use(node, kBranches - 1);
    return index | kSplit;
}

// One leaf instead of branches that are alike; those past the memory's end do not count.
History::Node History::Joined(Node node, uint64_t branches, Steps& steps) {
    const Split& split = splits_[node & ~kSplit];
    const Node first = split[0];
    if (first & kSplit || !std::all_of(split.begin(), split.begin() + static_cast<std::ptrdiff_t>(branches),
                                       [first](Node branch) { return branch == first; }))
        return node;
    steps.Settle();
    pasts_.Leave(first, static_cast<uint32_t>(branches - 1));
    for (uint64_t i = branches; i < kBranches; ++i) Leave(split[i]);
    free_splits_.push_back(node & ~kSplit);
    return first;
}

History::Node History::Touched(Node node, uint64_t begin, uint64_t size, isa::Span part, Steps& steps) {
    const uint64_t end = std::min(begin + size, bytes_);
    if (!(node & kSplit)) {
        if (part.begin == begin && part.end == end) return steps.Of(node, begin);
        node = NewSplit(node);
    }
    const uint32_t index = node & ~kSplit;
    const uint64_t branch_size = size / kBranches;
    for (uint64_t at = part.begin; at < part.end;) {
        const uint64_t branch = (at - begin) / branch_size, branch_begin = begin + branch * branch_size;
        const isa::Span within{at, std::min(part.end, branch_begin + branch_size)};
        // Splits may move while a branch of this one is touched.
        const Node after = Touched(splits_[index][branch], branch_begin, branch_size, within, steps);
        splits_[index][branch] = after;
        at = within.end;
    }
    return Joined(node, (end - begin + branch_size - 1) / branch_size, steps);
}

void History::Touch(isa::Span bytes, const Access& access, Judge& judge) {
    bytes.end = std::min(bytes.end, bytes_);
    if (bytes.begin >= bytes.end) return;
    Steps steps(*this, bytes.end, access, judge);
    for (uint64_t at = bytes.begin; at < bytes.end;) {
        const uint64_t begin = at / kRoot * kRoot;
        const isa::Span part{at, std::min(bytes.end, begin + kRoot)};
        Node& root = roots_[at / kRoot];
        root = Touched(root, begin, kRoot, part, steps);
        at = part.end;
    }
}

Pasts::Handle History::HandleAt(uint64_t byte) const {
    Node node = roots_[byte / kRoot];
    for (uint64_t size = kRoot / kBranches; node & kSplit; size /= kBranches)
        node = splits_[node & ~kSplit][byte / size % kBranches];
    return node;
}

uint64_t History::EndOf(Pasts::Handle past, uint64_t from, uint64_t end) const {
    uint64_t at = from;
    while (at < end && HandleAt(at) == past) ++at;
    return at;
}

const Past* History::At(uint64_t byte) const {
    const Pasts::Handle past = byte < bytes_ ? HandleAt(byte) : 0;
    return past ? &pasts_[past] : nullptr;
}

}  // namespace sfumato::sanitize
