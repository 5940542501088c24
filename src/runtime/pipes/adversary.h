// SPDX-License-Identifier: Apache-2.0
// The choice of `late` and `ahead`: of two accesses that nothing orders, the one that was issued later runs first.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "runtime/pipes/flag_bank.h"
#include "runtime/pipes/queues.h"

namespace sfumato::runtime {

// Decides from what waits in the queues. Before a record runs, a later one that conflicts with it runs if it can
// without it, with all that needs: what flags, barriers and the hardware order is never turned round.
//
// `late` holds a record back behind every such one, `ahead` behind the first only. So of A, B and C, where C reads what
// B and A write and waits for B alone, late runs B C A and ahead B A C: each hides what the other shows.
class Adversary {
public:
    struct Place {
        isa::Pipe pipe;
        size_t position;  // in its queue, behind waits that let it pass
    };
    // True: the record is what must run.
    using Goal = std::function<bool(const Waiting&)>;

    Adversary(const Queues& queues, const FlagBank& flags, bool auto_sync, bool late)
        : queues_(queues), flags_(flags), auto_sync_(auto_sync), late_(late) {}

    // The record that runs next: with a goal one that the goal needs, where there is one. nullopt: none can run.
    std::optional<Place> Next(const Goal& goal) const;

private:
    using Held = std::vector<const Waiting*>;  // records that shall not run

    class Walk;
    std::vector<Place> Startable(const Held& held) const;
    std::optional<Place> Toward(const Goal& goal, Held& held) const;
    Place Before(const Place& place, Held& held) const;
    // Visits what can run without those held, and without what lies behind `stop` in its queue, until the visitor says
    // true; whether it did.
    bool Reach(const Held& held, const Goal& visit, const Waiting* stop = nullptr) const;
    bool Between(const Waiting& first, const Waiting& second) const;
    // Marks what the record runs before although it was issued later.
    void MarkOvertaken(const Waiting& by) const;
    bool Precedes(const Place& a, const Place& b) const;
    const Waiting& At(const Place& place) const { return queues_[static_cast<size_t>(place.pipe)][place.position]; }

    const Queues& queues_;
    const FlagBank& flags_;
    const bool auto_sync_, late_;
};

}  // namespace sfumato::runtime
