// SPDX-License-Identifier: Apache-2.0
// Recording the steps of a run, and the backward search for two that another run has the other way round.
#include "runtime/launch/run_history.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <set>

#include "isa/touched.h"

namespace sfumato::runtime {

using events::Access;

namespace {

// The search goes through so many steps at most.
constexpr size_t kMostVisited = 256;

// The hull of the bytes of one memory that both touch and one writes; none: their order decides nothing.
std::optional<Access> Shared(const Step& a, const std::vector<Access>& of_a, const Step& b) {
    std::optional<Access> shared;
    b.Visit([&](const Access& y) {
        for (const Access& x : of_a) {
            if (!(x.write || y.write) || !events::Meet(a.core, x, b.core, y)) continue;
            const isa::Span common{std::max(x.bytes.begin, y.bytes.begin), std::min(x.bytes.end, y.bytes.end)};
            if (!shared) shared = {x.memory, x.allocation, common, true};
            if (shared->memory != x.memory || shared->allocation != x.allocation) continue;
            shared->bytes.begin = std::min(shared->bytes.begin, common.begin);
            shared->bytes.end = std::max(shared->bytes.end, common.end);
        }
    });
    return shared;
}

std::vector<Access> BytesOfStep(const Step& step) {
    std::vector<Access> bytes;
    step.Visit([&](const Access& run) { bytes.push_back(run); });
    return bytes;
}

// Whether their hulls meet: cheap, and enough to leave most pairs out.
bool MayShare(const std::vector<Access>& of_a, const Step& a, const Step& b) {
    if (!b.record()) return true;
    return std::ranges::any_of(events::Accesses(*b.record()), [&](const Access& hull) {
        return std::ranges::any_of(of_a, [&](const Access& x) { return events::Meet(a.core, x, b.core, hull); });
    });
}

}  // namespace

uint64_t Step::index() const { return record() ? record()->index : std::get<events::ScalarAccess>(what).index; }
Where Step::where() const { return record() ? record()->where : std::get<events::ScalarAccess>(what).where; }
const char* Step::call() const {
    return record() ? isa::CallName(*record()) : std::get<events::ScalarAccess>(what).call;
}

void Step::Visit(const std::function<void(const Access&)>& visit) const {
    if (const auto* access = std::get_if<events::ScalarAccess>(&what))
        return visit({access->memory, access->allocation, access->bytes, access->write});
    for (const Access& a : events::Accesses(*record())) {
        if (a.operand >= 0) {
            isa::ForEachRun(*record(), a.operand, nullptr, [&](const isa::Span& run) {
                visit({a.memory, a.allocation, run, a.write});
            });
        } else if (a.memory != isa::Memory::kRegister) {
            visit(a);
        }
    }
}

bool Step::WritesSome(const Access& bytes) const {
    bool writes = false;
    Visit([&](const Access& b) { writes = writes || (b.write && events::Meet(b, bytes)); });
    return writes;
}

bool Step::Writes(const GmByte& byte) const {
    return WritesSome({isa::Memory::kGm, byte.allocation, {byte.offset, byte.offset + 1}, false});
}

std::optional<DataType> Step::TypeInGm() const {
    if (!record() || record()->dst().memory != isa::Memory::kGm) return std::nullopt;
    return record()->dst().type;
}

class RunHistory::CoreFeed final : public events::Hears<events::Executed, events::Accessed> {
public:
    CoreFeed(RunHistory* history, const events::Place& place)
        : history_(*history), core_(place.order), name_(place.name) {}

    void On(const events::Executed& event) override { history_.Add({core_, name_, event.record.index, event.record}); }
    void On(const events::Accessed& event) override {
        if (event.access.through != events::ScalarAccess::Through::kLeftAlone)
            history_.Add({core_, name_, scalar_++, event.access});
    }

private:
    RunHistory& history_;
    const uint64_t core_;
    const std::string name_;
    uint64_t scalar_ = 0;
};

class RunHistory::Feed final : public events::Listener {
public:
    explicit Feed(RunHistory* history) : history_(history) {}
    std::unique_ptr<events::CoreListener> Begin(const events::Place& place, events::Tell) override {
        return std::make_unique<CoreFeed>(history_, place);
    }

private:
    RunHistory* history_;
};

std::unique_ptr<events::Listener> RunHistory::Watch() { return std::make_unique<Feed>(this); }

void RunHistory::Add(Step step) {
    std::lock_guard lock(mutex_);
    if (step.Writes(watched_)) writer_ = step;
    steps_.push_back(std::move(step));
    if (steps_.size() > kMostSteps) steps_.pop_front();
}

std::map<std::tuple<uint64_t, bool, uint64_t>, size_t> RunHistory::Places() const {
    std::map<std::tuple<uint64_t, bool, uint64_t>, size_t> places;
    for (size_t i = 0; i < steps_.size(); ++i) places.emplace(steps_[i].key(), i);
    return places;
}

bool RunHistory::Reaches(size_t from, size_t to, const Access& bytes) const {
    for (size_t i = from + 1; i < to; ++i) {
        bool covered = false;
        steps_[i].Visit([&](const Access& b) {
            covered = covered || (b.write && events::Meet(steps_[i].core, b, steps_[from].core, bytes) &&
                                  b.bytes.begin <= bytes.bytes.begin && b.bytes.end >= bytes.bytes.end);
        });
        if (covered) return false;
    }
    return true;
}

std::optional<SwappedSteps> RunHistory::FindSwapped(const RunHistory& other) const {
    std::optional<SwappedSteps> indirect;
    const auto here = Places(), there = other.Places();
    std::deque<size_t> queue;
    std::set<size_t> seen;
    const auto visit = [&](const Step* step) {
        const auto at = step ? here.find(step->key()) : here.end();
        if (at != here.end() && there.contains(at->first) && seen.insert(at->second).second)
            queue.push_back(at->second);
    };
    visit(writer());
    visit(other.writer());
    for (size_t visited = 0; !queue.empty() && visited < kMostVisited; ++visited) {
        const size_t at = queue.front();
        queue.pop_front();
        const Step& step = steps_[at];
        const size_t at_there = there.at(step.key());
        const std::vector<Access> bytes = BytesOfStep(step);
        std::vector<size_t> inputs;
        std::optional<std::pair<size_t, Access>> nearest;
        const auto distance = [at](size_t i) { return i < at ? at - i : i - at; };
        for (size_t i = 0; i < steps_.size(); ++i) {
            if (i == at || !MayShare(bytes, step, steps_[i])) continue;
            const std::optional<Access> shared = Shared(step, bytes, steps_[i]);
            if (!shared) continue;
            const auto other_place = there.find(steps_[i].key());
            const bool swapped = other_place != there.end() && (i < at) != (other_place->second < at_there);
            if (swapped && (!nearest || distance(i) < distance(nearest->first))) nearest = {i, *shared};
            if (i < at) inputs.push_back(i);
        }
        if (nearest) {
            const size_t first = std::min(nearest->first, at), second = std::max(nearest->first, at);
            const SwappedSteps swapped{&steps_[first], &steps_[second], nearest->second};
            // What a step wrote and others have covered since reaches no step behind them: look on for one it reaches.
            if (!swapped.first->WritesSome(swapped.bytes) || Reaches(first, second, swapped.bytes)) return swapped;
            if (!indirect) indirect = swapped;
        }
        // The latest first: what an earlier one wrote may be gone.
        for (auto i = inputs.rbegin(); i != inputs.rend(); ++i) visit(&steps_[*i]);
    }
    return indirect;
}

}  // namespace sfumato::runtime
