// SPDX-License-Identifier: Apache-2.0
// Flags as both readings have them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "events/flag_key.h"
#include "report/finding.h"
#include "sanitize/detectors.h"

namespace sfumato::sanitize {
namespace {

// "MTE2_V".
std::string EventName(const isa::Flag& flag) {
    const auto word = [](isa::Pipe pipe) { return std::string_view(isa::Name(pipe)).substr(5); };
    return fmt::format("{}_{}", word(flag.from), word(flag.to));
}

class CoreFlags final : public events::Hears<events::Issued, events::Sync> {
public:
    explicit CoreFlags(events::Tell tell) : tell_(std::move(tell)) {}

    void On(const events::Issued& event) override {
        const isa::Record& record = event.record;
        const isa::Flag* flag = Named(record);
        if (!flag || !Has(record.op, isa::kWaits)) return;
        waits_[Key(*flag)].push_back(record);
        const auto& sets = sets_[Key(*flag)];
        const auto own = [flag](const isa::Record& r) { return FlagOf(r)->event == flag->event; };
        if (!sets.empty() && std::ranges::none_of(sets, own))
            Tell(record, sets.front(), "sets it, and nobody has waited for it yet");
    }

    void On(const events::Sync& sync) override {
        if (sync.kind != events::Sync::Kind::kPassed) return;
        const isa::Record& record = *sync.record;
        const isa::Flag* flag = Named(record);
        if (!flag) return;
        auto& sets = sets_[Key(*flag)];
        auto& waits = waits_[Key(*flag)];
        const auto other = [flag](const isa::Record& r) { return FlagOf(r)->event != flag->event; };
        if (Has(record.op, isa::kWaits)) {
            const auto own = [flag](const isa::Record& r) { return FlagOf(r)->event == flag->event; };
            for (auto* list : {&sets, &waits}) {
                const auto at = std::find_if(list->begin(), list->end(), own);
                if (at != list->end()) list->erase(at);
            }
            return;
        }
        // One bit for both: a wait takes what was set for the other, which then waits for ever.
        const auto set = std::ranges::find_if(sets, other);
        const auto wait = std::ranges::find_if(waits, other);
        if (set != sets.end()) {
            Tell(record, *set, "sets it, and nobody has waited for it yet");
        } else if (wait != waits.end()) {
            Tell(record, *wait, "waits for it already");
        }
        sets.push_back(record);
    }

private:
    static uint64_t Key(const isa::Flag& flag) { return events::FlagKey(flag, sfumato::FlagIdentity::kSetter); }
    // A flag with an id that the program chose; queues take care of their own.
    static const isa::Flag* Named(const isa::Record& record) {
        const isa::Flag* flag = FlagOf(record);
        return flag && flag->token == 0 ? flag : nullptr;
    }

    void Tell(const isa::Record& set, const isa::Record& other, const char* does) {
        const isa::Flag &flag = *FlagOf(set), &apart = *FlagOf(other);
        Report report = ToReport(
            {.rule = Rule::kFlagIdentity,
             .operand = fmt::format("{} id {}", EventName(flag), flag.id),
             .message = "two flags in use at once differ only in the pipe that waits",
             .found = fmt::format("{} id {} is in use", EventName(apart), apart.id),
             .legal = fmt::format("both readings: another id while {} has set one that is not waited for",
                                  isa::Name(flag.from)),
             .hint =
                 "use another id for one of the two: a chip that keeps one flag for each setting pipe and id lets a "
                 "wait pass early and the other hang"},
            isa::CallName(set), set.where);
        report.index = set.index;
        report.related.push_back(
            {other.where.file, other.where.line, fmt::format("{} {}", isa::CallName(other), does)});
        tell_(std::move(report));
    }

    const events::Tell tell_;
    std::map<uint64_t, std::vector<isa::Record>> sets_, waits_;  // not waited for yet; not passed yet
};

class FlagIdentity final : public events::Listener {
public:
    bool WantsOnChip() const override { return false; }
    std::unique_ptr<events::CoreListener> Begin(const events::Place&, events::Tell tell) override {
        return std::make_unique<CoreFlags>(std::move(tell));
    }
};

}  // namespace

std::unique_ptr<events::Listener> MakeFlagIdentity() { return std::make_unique<FlagIdentity>(); }

}  // namespace sfumato::sanitize
