// SPDX-License-Identifier: Apache-2.0
// Pasts and the cells that share them.
#include "sanitize/history.h"

#include <algorithm>
#include <utility>

namespace sfumato::sanitize {

namespace {

// Whether the access is part of a past already, as its last.
bool StandsIn(const Past& past, const Access& access) {
    if (access.kind == Access::Kind::kWrite)
        return past.written && past.others.empty() && past.equals.empty() && past.write.Is(access);
    return std::ranges::any_of(past.others, [&access](const Access& other) { return other.Is(access); });
}

}  // namespace

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

History::Walk::~Walk() {
    Settle();
    for (size_t i = 0; i < count_; ++i) {
        pasts_.Leave(before_[i], 1);
        pasts_.Leave(after_[i], 1);
    }
}

Pasts::Handle History::Walk::Another(Pasts::Handle before, uint64_t first_byte) {
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

Pasts::Handle History::Walk::StepEqual(Pasts::Handle before) {
    const Past& past = pasts_[before];
    const Access* other = !before || !past.written ? nullptr
                          : past.write.Is(access_) ? equal_
                          : past.write.Is(*equal_) ? &access_
                                                   : nullptr;
    const auto known = [other](const Access& equal) { return equal.Is(*other); };
    if (!other || std::ranges::any_of(past.equals, known)) {
        pasts_.Use(before, 1);
        return before;
    }
    const Pasts::Handle after = pasts_.Like(before, 1);
    pasts_.Change(after).equals.push_back(*other);
    return after;
}

void History::Walk::MeetWrites(const Past& past, const Stretch& bytes) {
    const auto behind = [this](const Access& earlier) { return judge_.IsBehind(earlier); };
    const bool any = access_.kind == Access::Kind::kRead && !past.equals.empty() &&
                     (behind(past.write) || std::ranges::any_of(past.equals, behind));
    const auto meet = [&](const Access& earlier) {
        any ? judge_.MeetEqual(earlier, bytes) : judge_.Meet(earlier, bytes);
    };
    meet(past.write);
    for (const Access& equal : past.equals) meet(equal);
}

bool History::Walk::Meets(const Past& past, const Stretch& bytes) {
    const bool write = access_.kind == Access::Kind::kWrite;
    // Who came last, first: an order behind a reader is one behind the write before it.
    for (size_t i = past.others.size(); i-- > 0;) {
        const Access& other = past.others[i];
        if (other.kind != access_.kind || write) judge_.Meet(other, bytes);
    }
    if (!past.written) return false;
    MeetWrites(past, bytes);
    return write && judge_.Keeps(past.write);
}

void History::Walk::Change(Past& past, bool keeps) const {
    if (access_.kind != Access::Kind::kWrite) return Add(past.others);
    past.others.clear();
    past.equals.clear();
    if (keeps) return;
    past.write = access_;
    past.written = true;
}

Pasts::Handle History::Walk::Step(Pasts::Handle before, uint64_t first) {
    if (equal_) return StepEqual(before);
    const bool keeps = before && Meets(pasts_[before], Stretch(history_, before, {first, end_}));
    if (before && !keeps && StandsIn(pasts_[before], access_)) {
        pasts_.Use(before, 1);
        return before;
    }
    if (access_.kind == Access::Kind::kWrite && !keeps) {
        // All bytes have the same past after a plain write.
        if (!written_) {
            written_ = pasts_.Like(0, 0);
            Change(pasts_.Change(written_), false);
        }
        pasts_.Use(written_, 1);
        return written_;
    }
    const Pasts::Handle after = pasts_.Like(before, 1);
    Change(pasts_.Change(after), keeps);
    return after;
}

bool History::TouchAlone(isa::Span run, const Access& access, Judge& judge) {
    const Pasts::Handle past = PastOf(run);
    if (!past) return false;
    Walk walk(*this, access, judge);
    const bool keeps = walk.Meets(pasts_[past], Stretch(*this, past, run));
    if (keeps || !StandsIn(pasts_[past], access)) walk.Change(pasts_.Change(past), keeps);
    return true;
}

void History::Walk::Add(std::vector<Access>& others) const {
    const auto replaced = [this](const Access& other) { return access_.Replaces(other); };
    // One that others of its pipe have overtaken: they stand for it.
    const auto overtakes = [this](const Access& other) { return access_.Replaces(other) && other.tick > access_.tick; };
    if (std::ranges::any_of(others, overtakes)) return;
    if (access_.in_place) {
        // The record's own write is still to be judged against the read before this one.
        const auto latest = std::find_if(others.rbegin(), others.rend(), replaced);
        if (latest != others.rend()) {
            if (latest->tick == access_.tick) return;
            const Access kept = *latest;
            std::erase_if(others, replaced);
            others.push_back(kept);
            others.push_back(access_);
            return;
        }
    }
    std::erase_if(others, replaced);
    others.push_back(access_);
}

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
History::Node History::Joined(Node node, uint64_t branches, Walk& walk) {
    const Split& split = splits_[node & ~kSplit];
    const Node first = split[0];
    // The last one first: who fills a node in order need not look at all of it every time.
    if (first & kSplit || split[branches - 1] != first ||
        !std::all_of(split.begin(), split.begin() + static_cast<std::ptrdiff_t>(branches),
                     [first](Node branch) { return branch == first; }))
        return node;
    walk.Settle();
    pasts_.Leave(first, static_cast<uint32_t>(branches - 1));
    for (uint64_t i = branches; i < kBranches; ++i) Leave(split[i]);
    free_splits_.push_back(node & ~kSplit);
    return first;
}

History::Node History::Touched(Node node, uint64_t begin, int bits, isa::Span part, Walk& walk) {
    const uint64_t end = std::min(begin + (uint64_t{1} << bits), bytes_);
    if (!(node & kSplit)) {
        if (part.begin == begin && part.end == end) return walk.Of(node, begin);
        node = NewSplit(node);
    }
    const uint32_t index = node & ~kSplit;
    const int branch_bits = bits - kBits;
    const uint64_t branch_size = uint64_t{1} << branch_bits;
    bool changed = false;
    for (uint64_t at = part.begin; at < part.end;) {
        const uint64_t branch = (at - begin) >> branch_bits, branch_begin = begin + branch * branch_size;
        const isa::Span within{at, std::min(part.end, branch_begin + branch_size)};
        const Node before = splits_[index][branch];
        // Most are whole.
        const bool leaf = !(before & kSplit) && within.end - within.begin == branch_size;
        const Node after = leaf ? walk.Of(before, at) : Touched(before, branch_begin, branch_bits, within, walk);
        // Splits may move while a branch of this one is touched.
        splits_[index][branch] = after;
        changed = changed || after != before;
        at = within.end;
    }
    const uint64_t branches = (end - begin + branch_size - 1) >> branch_bits;
    const Split& split = splits_[index];
    // The last one first: who fills a node in order need not look at all of it every time.
    return changed && split[0] == split[branches - 1] ? Joined(node, branches, walk) : node;
}

// What fractals and strided moves have most of.
bool History::Walk::TouchBlock(isa::Span run) {
    constexpr uint64_t kPart = kRoot / kBranches;
    if (run.end - run.begin != kPart || run.begin % kPart != 0) return false;
    if ((run.begin / kRoot + 1) * kRoot > history_.bytes_) return false;
    Node& root = history_.roots_[run.begin / kRoot];
    if (!(root & kSplit)) return false;
    Split& split = history_.splits_[root & ~kSplit];
    Node& branch = split[run.begin / kPart % kBranches];
    if (branch & kSplit) return false;
    end_ = run.end;
    branch = Of(branch, run.begin);
    if (branch == split[0] && branch == split[kBranches - 1]) root = history_.Joined(root, kBranches, *this);
    return true;
}

void History::Walk::Touch(isa::Span run) {
    if (TouchBlock(run)) return;
    run.end = end_ = std::min(run.end, history_.bytes_);
    for (uint64_t at = run.begin; at < run.end;) {
        const uint64_t begin = at / kRoot * kRoot;
        const isa::Span part{at, std::min(run.end, begin + kRoot)};
        Node& root = history_.roots_[at / kRoot];
        const bool leaf = !(root & kSplit) && part.end - part.begin == kRoot;
        root = leaf ? Of(root, at) : history_.Touched(root, begin, 2 * kBits, part, *this);
        at = part.end;
    }
}

void History::AreEqual(isa::Span bytes, const Access& one, const Access& other) {
    NoJudge nothing;
    Walk(*this, one, nothing, &other).Touch(bytes);
}

void History::Touch(isa::Span bytes, const Access& access, Judge& judge) { Walk(*this, access, judge).Touch(bytes); }

Pasts::Handle History::HandleAt(uint64_t byte) const {
    Node node = roots_[byte / kRoot];
    for (int bits = kBits; node & kSplit; bits -= kBits) node = splits_[node & ~kSplit][byte >> bits & (kBranches - 1)];
    return node;
}

Pasts::Handle History::PastOf(isa::Span run) const {
    if (run.begin >= run.end || run.end > bytes_) return 0;
    const Pasts::Handle past = HandleAt(run.begin);
    if (!past || pasts_.uses(past) > run.end - run.begin) return 0;
    uint64_t cells = 0;
    for (uint64_t at = run.begin; at < run.end;) {
        const Node* node = &roots_[at / kRoot];
        uint64_t size = kRoot, left = 1;
        for (int bits = kBits; *node & kSplit; bits -= kBits) {
            const uint64_t branch = at >> bits & (kBranches - 1);
            node = &splits_[*node & ~kSplit][branch];
            size = uint64_t{1} << bits;
            left = kBranches - branch;
        }
        if ((at & (size - 1)) != 0) return 0;
        for (; left > 0 && at + size <= run.end && *node == past; --left, ++node, ++cells) at += size;
        if (left > 0 && at < run.end && !(*node & kSplit)) return 0;
    }
    return pasts_.uses(past) == cells ? past : 0;
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
