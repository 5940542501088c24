// SPDX-License-Identifier: Apache-2.0
// Who listens to a launch: the log, the timeline, the model of time, the checks, the history of a run. A Listener for
// the launch makes a CoreListener for each core, which names the events it hears.
#pragma once

#include <functional>
#include <memory>
#include <tuple>
#include <vector>

#include "events/event.h"

namespace sfumato::events {

// Adds a finding to the core's, with chip, kernel and core; throws when it stops the core.
using Tell = std::function<void(Report)>;

template <class Event>
class Hearer {
public:
    virtual ~Hearer() = default;
    virtual void On(const Event&) = 0;
};

class Told;

// Events of one core come one after another; those of different cores may come at once from several threads, so
// listeners guard what they share.
class CoreListener {
public:
    virtual ~CoreListener() = default;
    virtual void ListenTo(Told& told, bool on_chip) = 0;
    // False: the core rests, while others can go on, until it is true again. Asked by any thread, under a lock.
    virtual bool HasRoom() const { return true; }
    virtual bool AsksForRoom() const { return false; }
};

// Those of a listener that hears these events: one `On` each.
template <class... Event>
class Hears : public CoreListener, public Hearer<Event>... {
public:
    void ListenTo(Told& told, bool on_chip) final;
};

class Listener {
public:
    virtual ~Listener() = default;
    virtual void LaunchBegun(const LaunchFacts&) {}
    // Whether it hears of records that stay inside a core, and of accesses of the scalar unit to UB.
    virtual bool WantsOnChip() const { return true; }
    // A core begins a block. Several cores may at once. One that is cancelled before it starts does not.
    virtual std::unique_ptr<CoreListener> Begin(const Place& place, Tell tell) = 0;
    // After the last core: what only the whole launch shows. clean: no core faulted.
    virtual std::vector<Report> Finish(bool /*clean*/) { return {}; }
};

// The listeners of one core, and who of them hears which event.
class Told {
public:
    Told() = default;
    Told(const Told&) = delete;
    Told& operator=(const Told&) = delete;

    // on_chip: of a listener that hears of what stays inside the core, too.
    void Add(std::unique_ptr<CoreListener> listener, bool on_chip) {
        listener->ListenTo(*this, on_chip);
        if (listener->AsksForRoom()) rooms_.push_back(listener.get());
        on_chip_ = on_chip_ || on_chip;
        listeners_.push_back(std::move(listener));
    }
    void Clear() {
        if (listeners_.empty()) return;
        hearers_ = {};
        rooms_.clear();
        listeners_.clear();
    }
    // Those whose room is to be asked for now and then.
    const std::vector<CoreListener*>& rooms() const { return rooms_; }

    bool any() const { return !listeners_.empty(); }
    // Whether one hears of what stays inside the core.
    bool on_chip() const { return on_chip_; }
    // Whether anybody hears it; inside: of a record or an access that stays inside the core.
    template <class Event>
    bool Hears(bool inside = false) const {
        return !Of<Event>(inside).empty();
    }
    template <class Event>
    void operator()(const Event& event, bool inside = false) const {
        for (Hearer<Event>* hearer : Of<Event>(inside)) hearer->On(event);
    }

private:
    template <class... Event>
    friend class Hears;
    template <class Event>
    struct Hearers {
        std::vector<Hearer<Event>*> all, on_chip;
    };
    template <class Event>
    const std::vector<Hearer<Event>*>& Of(bool inside) const {
        const auto& hearers = std::get<Hearers<Event>>(hearers_);
        return inside ? hearers.on_chip : hearers.all;
    }
    template <class Event>
    void Add(Hearer<Event>* hearer, bool on_chip) {
        auto& hearers = std::get<Hearers<Event>>(hearers_);
        hearers.all.push_back(hearer);
        if (on_chip) hearers.on_chip.push_back(hearer);
    }

    std::vector<std::unique_ptr<CoreListener>> listeners_;
    std::vector<CoreListener*> rooms_;
    bool on_chip_ = false;
    std::tuple<Hearers<Issued>, Hearers<Choosing>, Hearers<Posted>, Hearers<Executing>, Hearers<Executed>,
               Hearers<Skipped>, Hearers<Accessed>, Hearers<Loading>, Hearers<Sync>, Hearers<Call>, Hearers<Marked>,
               Hearers<Found>, Hearers<CoreEnded>>
        hearers_;
};

template <class... Event>
void Hears<Event...>::ListenTo(Told& told, bool on_chip) {
    (told.Add(static_cast<Hearer<Event>*>(this), on_chip), ...);
}

}  // namespace sfumato::events
