// SPDX-License-Identifier: Apache-2.0
// The words for a wait between cores that never ends (framework.md 2.7).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/cores/cross_core.h"

namespace sfumato::runtime {
namespace {

constexpr size_t kMostNamedCores = 4;                // cores that one thing is told of
constexpr size_t kMostSetters = 6, kMostOthers = 3;  // things told

std::string Times(uint64_t n) { return n == 1 ? "once" : fmt::format("{} times", n); }

}  // namespace

std::string At(const Where& where) { return fmt::format("{}:{}", where.file, where.line); }

// same: a wait like this one is told as "here".
std::string CrossCore::StateOf(uint64_t core, const Waiting* same) {
    const Cores::Status status = cores_.StatusLocked(core);
    switch (status.state) {
        case Cores::State::kNotStarted: return "not started";
        case Cores::State::kEnded: return "ended";
        case Cores::State::kRunning: return "running";
        case Cores::State::kWaiting: break;
    }
    const auto waiting = waiting_.find(core);
    if (waiting == waiting_.end()) return fmt::format("waiting for {}", status.waits_for);
    const Call& call = waiting->second.call;
    if (same && waiting->second.counter == same->counter && call.name == same->call.name &&
        call.where.line == same->call.where.line) {
        return "waiting here, too";
    }
    return fmt::format("waiting in {} at {}", call.name, At(call.where));
}

// "aiv1, aiv2 and 44 more: ended; aiv47: waiting here, too": the cores one text is true of together.
std::string CrossCore::Listed(const std::vector<uint64_t>& cores, size_t most,
                              const std::function<std::string(uint64_t)>& text) const {
    std::vector<std::pair<std::string, std::vector<uint64_t>>> groups;
    for (const uint64_t core : cores) {
        const std::string own = text(core);
        auto group = std::ranges::find_if(groups, [&](const auto& g) { return g.first == own; });
        if (group == groups.end()) group = groups.insert(groups.end(), {own, {}});
        group->second.push_back(core);
    }
    std::string all;
    size_t left = cores.size();
    for (size_t i = 0; i < groups.size() && i < most; ++i) {
        const auto& [own, members] = groups[i];
        all += i ? "; " : "";
        for (size_t m = 0; m < members.size() && m < kMostNamedCores; ++m) all += (m ? ", " : "") + name_(members[m]);
        if (members.size() > kMostNamedCores) all += fmt::format(" and {} more", members.size() - kMostNamedCores);
        all += ": " + own;
        left -= members.size();
    }
    return left == 0 ? all : all + fmt::format("; and {} cores more", left);
}

std::string CrossCore::ListWaiting() {
    return cores_.Locked([&] {
        std::vector<uint64_t> cores;
        for (const auto& [core, unused] : waiting_) cores.push_back(core);
        const std::string list = Listed(cores, kMostOthers, [this](uint64_t core) { return StateOf(core, nullptr); });
        return list.empty() ? "running" : list;
    });
}

CrossCore::Explanation CrossCore::Explain(uint64_t core) {
    return cores_.Locked([&] {
        const auto at = waiting_.find(core);
        if (at == waiting_.end()) return Explanation{};
        const Waiting& waiting = at->second;
        const uint64_t counter = waiting.counter;
        const auto id = static_cast<uint32_t>(counter % kFlagIds);
        std::vector<uint64_t> setters = waiting.setters;
        if (waiting.is_flag) {
            // Its own set says that it waits for all of its kind.
            const auto own = last_set_.find({core, id});
            if (own != last_set_.end() && own->second.mode == 0) setters = counters_.Setters(core, 0);
            std::stable_partition(setters.begin(), setters.end(), [&](uint64_t setter) {
                return !last_set_.contains({setter, id});
            });
        }
        std::erase(setters, core);
        const bool meets = uses_.contains({core, counter});
        // Those that have come wait for the others.
        if (meets) {
            std::stable_partition(setters.begin(), setters.end(), [&](uint64_t setter) {
                const auto other = waiting_.find(setter);
                return other == waiting_.end() || other->second.counter != counter;
            });
        }
        const auto times = [&](uint64_t other) {
            const auto use = uses_.find({other, counter});
            return use == uses_.end() ? 0 : use->second;
        };
        Explanation why;
        const auto add = [&](const std::string& text) {
            if (!text.empty()) why.found += (why.found.empty() ? "" : "; ") + text;
        };
        if (!waiting.call.set.empty()) {
            const auto used = used_.find(counter);
            add(fmt::format("{} was called {}", waiting.call.set, used == used_.end() ? "never" : Times(used->second)));
        }
        add(Listed(setters, kMostSetters, [&](uint64_t setter) {
            std::string text = StateOf(setter, &waiting);
            if (waiting.is_flag) text += SetsOf(setter, id);
            if (meets && times(setter) != times(core)) {
                text += fmt::format(", came {} of {} times", times(setter), times(core));
            }
            return text;
        }));
        std::vector<uint64_t> others;
        for (const auto& [other, unused] : waiting_) {
            if (other != core && std::ranges::find(setters, other) == setters.end()) {
                others.push_back(other);
            }
        }
        add(Listed(others, kMostOthers, [&](uint64_t other) { return StateOf(other, &waiting); }));
        why.hint = waiting.is_flag ? FlagHint(core, id, setters) : waiting.call.hint;
        return why;
    });
}

// ", never set flag 3, but flag 4 at f.cpp:7", ", set flag 3 once in mode 1, last at f.cpp:7".
std::string CrossCore::SetsOf(uint64_t core, uint32_t id) const {
    const auto set = last_set_.find({core, id});
    if (set != last_set_.end()) {
        return fmt::format(", set flag {} {} in mode {}, last at {}", id, Times(set->second.times), set->second.mode,
                           At(set->second.where));
    }
    const std::vector<uint32_t> others = OtherIds(core, id);
    if (others.empty()) return fmt::format(", never set flag {}", id);
    return fmt::format(", never set flag {}, but flag {} at {}", id, fmt::join(others, " and "),
                       At(last_set_.at({core, others.back()}).where));
}

std::vector<uint32_t> CrossCore::OtherIds(uint64_t core, uint32_t id) const {
    std::vector<uint32_t> ids;
    for (uint32_t other = 0; other < kFlagIds; ++other) {
        if (other != id && last_set_.contains({core, other})) ids.push_back(other);
    }
    return ids;
}

std::string CrossCore::FlagHint(uint64_t core, uint32_t id, const std::vector<uint64_t>& setters) const {
    uint64_t set = 0;
    bool all_wait = !setters.empty();
    const Sets* sets = nullptr;
    std::vector<uint32_t> others;
    for (const uint64_t setter : setters) {
        all_wait = all_wait && waiting_.contains(setter);
        if (others.empty()) others = OtherIds(setter, id);
        const auto at = last_set_.find({setter, id});
        if (at == last_set_.end()) continue;
        ++set;
        sets = &at->second;
        if (counters_.IsCube(setter) != counters_.IsCube(core) && sets->mode != 2) {
            return fmt::format("set flag {} in mode 2, which joins cube with vector cores: mode {} joins {}", id,
                               sets->mode, sets->mode == 0 ? "all cores of one kind" : "the vector cores of a block");
        }
    }
    if (sets && set < setters.size()) {
        return fmt::format(
            "set flag {} on every core that its mode joins, in every branch: all of the kind in mode 0, the vector "
            "cores of the block in modes 1 and 2",
            id);
    }
    if (sets) return fmt::format("wait for flag {} as often as it is set, or set it once more", id);
    if (all_wait) return fmt::format("set flag {} before the wait, on this core or on one of those named", id);
    if (!others.empty()) return fmt::format("use one id: flag {} is waited for, flag {} is set", id, others.front());
    return fmt::format("set flag {} on a core named, in every branch and before it ends", id);
}

}  // namespace sfumato::runtime
