// SPDX-License-Identifier: Apache-2.0
// What can run without what, and what to hold back for it.
#include "runtime/pipes/adversary.h"

#include <algorithm>

#include "isa/spans.h"
#include "runtime/cores/schedule.h"

namespace sfumato::runtime {
namespace {

using isa::Opcode;
using isa::Pipe;

constexpr size_t kHorizon = 256;  // records of a queue that are looked at

bool Contains(const std::vector<const Waiting*>& list, const Waiting* w) {
    return std::ranges::find(list, w) != list.end();
}

}  // namespace

// One queue from its front on, past records that are held: those, what must stay behind them, and sets, which wait
// for all before them.
class Adversary::Walk {
public:
    Walk(const Adversary& adversary, Pipe pipe, const Waiting* stop = nullptr)
        : pipe_(pipe),
          stop_(stop),
          queue_(adversary.queues_[static_cast<size_t>(pipe)]),
          overtaking_(pipe, adversary.auto_sync_) {}

    // The next record that can run under these flags, which change with it; nullptr: none now.
    const Waiting* Next(const Held& held, FlagBank::Trial& flags) {
        while (position_ < std::min(queue_.size(), kHorizon)) {
            const Waiting& w = queue_[position_];
            const bool behind = !skipped_.empty();
            if (&w == stop_) return nullptr;
            switch (w.record.op) {
                case Opcode::pipe_barrier:
                    if (behind) return nullptr;
                    return Take();
                case Opcode::wait_flag:
                    if (!flags.IsSet(w.record.As<isa::Flag>())) return nullptr;
                    flags.Take(w.record.As<isa::Flag>());
                    if (!behind) return Take();
                    ++position_;  // whatever overtakes takes its flag
                    continue;
                case Opcode::set_flag:
                case Opcode::ffts_cross_core_sync:
                    if (!behind) {
                        if (w.record.op == Opcode::set_flag) flags.Set(w.record.As<isa::Flag>());
                        return Take();
                    }
                    ++position_;
                    continue;
                default: break;
            }
            if (behind && skipped_.size() + passed_ >= kLookahead) return nullptr;
            if (Contains(held, &w) || !MayPass(w)) {
                skipped_.push_back(&w);
                ++position_;
                continue;
            }
            passed_ += behind;
            return Take();
        }
        return nullptr;
    }
    // Of the last record.
    Place place() const { return {pipe_, position_ - 1}; }

private:
    const Waiting* Take() { return &queue_[position_++]; }
    bool MayPass(const Waiting& w) const {
        return std::ranges::all_of(skipped_, [&](const Waiting* earlier) { return overtaking_.May(*earlier, w); });
    }

    const Pipe pipe_;
    const Waiting* const stop_;
    const Queue& queue_;
    const Overtaking overtaking_;
    size_t position_ = 0, passed_ = 0;
    Held skipped_;
};

bool Adversary::Reach(const Held& held, const Goal& visit, const Waiting* stop) const {
    FlagBank::Trial flags(flags_);
    std::vector<Walk> walks;
    for (int p = 0; p < isa::kPipeCount; ++p) {
        if (!queues_[static_cast<size_t>(p)].empty()) walks.emplace_back(*this, static_cast<Pipe>(p), stop);
    }
    for (bool moved = true; moved;) {
        moved = false;
        for (Walk& walk : walks) {
            while (const Waiting* w = walk.Next(held, flags)) {
                moved = true;
                if (visit(*w)) return true;
            }
        }
    }
    return false;
}

// Late runs what is nearest to the result, ahead what is nearest to the input, but first what was overtaken.
bool Adversary::Precedes(const Place& a, const Place& b) const {
    if (late_) return Downstream(a.pipe) > Downstream(b.pipe);
    const bool first = At(a).overtaken, second = At(b).overtaken;
    return first != second ? first : Downstream(a.pipe) < Downstream(b.pipe);
}

std::vector<Adversary::Place> Adversary::Startable(const Held& held) const {
    std::vector<Place> places;
    for (int p = 0; p < isa::kPipeCount; ++p) {
        if (queues_[static_cast<size_t>(p)].empty()) continue;
        FlagBank::Trial flags(flags_);
        Walk walk(*this, static_cast<Pipe>(p));
        if (walk.Next(held, flags)) places.push_back(walk.place());
    }
    std::ranges::stable_sort(places, [this](const Place& a, const Place& b) { return Precedes(a, b); });
    return places;
}

// A record of another pipe between two of one: it is what the second shall overtake, not what the first loads for it.
bool Adversary::Between(const Waiting& first, const Waiting& second) const {
    if (first.record.pipe != second.record.pipe) return false;
    return std::ranges::any_of(queues_, [&](const Queue& queue) {
        if (queue.empty() || queue.front().record.pipe == first.record.pipe) return false;
        return std::any_of(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(std::min(queue.size(), kHorizon)),
                           [&](const Waiting& w) {
                               return !isa::IsControl(w.record) && w.record.index > first.record.index &&
                                      w.record.index < second.record.index && w.ConflictsExactly(second);
                           });
    });
}

// The record itself, or another that shall run before it.
Adversary::Place Adversary::Before(const Place& place, Held& held) const {
    const Waiting& chosen = At(place);
    if (isa::IsControl(chosen.record) || (!late_ && chosen.overtaken)) return place;
    const Waiting* partner = nullptr;
    held.push_back(&chosen);
    Reach(held, [&](const Waiting& w) {
        if (!isa::IsControl(w.record) && w.record.index > chosen.record.index &&
            (!partner || w.record.index < partner->record.index) && chosen.ConflictsExactly(w) &&
            !(isa::HasUnitFlag(chosen.record) && isa::HasUnitFlag(w.record)) && (late_ || !Between(chosen, w)))
            partner = &w;
        return false;
    });
    std::optional<Place> first;
    if (partner) first = Toward([partner](const Waiting& w) { return &w == partner; }, held);
    return first ? *first : place;
}

std::optional<Adversary::Place> Adversary::Toward(const Goal& goal, Held& held) const {
    for (const Place& place : Startable(held)) {
        if (!Reach(held, goal, &At(place))) return Before(place, held);
    }
    return std::nullopt;
}

std::optional<Adversary::Place> Adversary::Next(const Goal& goal) const {
    Held held;
    std::optional<Place> next;
    if (goal) next = Toward(goal, held);
    if (!next) {
        const std::vector<Place> places = Startable(held);
        if (places.empty()) return std::nullopt;
        next = Before(places.front(), held);
    }
    if (!late_) MarkOvertaken(At(*next));
    return next;
}

void Adversary::MarkOvertaken(const Waiting& by) const {
    if (isa::IsControl(by.record)) return;
    for (const Queue& queue : queues_) {
        for (size_t i = 0; i < std::min(queue.size(), kHorizon) && queue[i].record.index < by.record.index; ++i) {
            const Waiting& w = queue[i];
            if (!isa::IsControl(w.record) && !w.overtaken && w.ConflictsExactly(by)) w.overtaken = true;
        }
    }
}

}  // namespace sfumato::runtime
