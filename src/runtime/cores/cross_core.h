// SPDX-License-Identifier: Apache-2.0
// Cores of a launch that set flags for each other, meet, poll, and take turns at atomic stores (framework.md 2.7, 2.8).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/cores/cores.h"
#include "runtime/cores/counters.h"
#include "runtime/cores/turns.h"
#include "sfumato/report.h"

namespace sfumato::runtime {

// "file:line", for reports.
std::string At(const Where& where);

class CrossCore {
public:
    using NameOf = std::function<std::string(uint64_t core)>;
    CrossCore(Cores* cores, Shape shape, uint64_t blocks, NameOf name);

    // A call of the program, for reports: "CrossCoreWaitFlag(3)". hint: against waiting in it for ever. set: the call
    // that ends the wait.
    struct Call {
        std::string name;
        Where where;
        std::string hint = {}, set = {};
    };

    // CrossCoreSetFlag.
    void Set(uint64_t core, uint8_t mode, uint32_t id, Where where);
    // Raises a counter that a call of its own waits for. `also` changes what goes with it, in the same step.
    void Add(uint64_t core, uint64_t counter, const std::function<void()>& also = {});
    // Whether any core has raised it.
    bool Used(uint64_t counter);
    // Whether the condition holds now, or who waits for it need not rest.
    bool Holds(const Condition& condition);
    // Rests until the condition holds, and takes it. kWork: only with can_work; ask again. kNever: it counts as held.
    // `setters`: cores whose doing could make it hold, for the report. `taken`: what goes with taking it.
    Cores::Woken Await(uint64_t core, const Condition& condition, Call call, std::vector<uint64_t> setters,
                       bool can_work = false, const std::function<void()>& taken = {});
    // The core's next meeting of `members` at the counter: it arrives, and what it then waits for.
    Condition Arrive(uint64_t core, uint64_t counter, uint64_t members);
    // How often this core has done so.
    uint64_t Uses(uint64_t core, uint64_t counter);
    // Rests until memory has changed. kWork: look again, nobody else can go on. kNever: it will not change.
    Cores::Woken AwaitChange(uint64_t core, std::function<bool()> differs, bool last_time, Call call);
    // Rests until the core's atomic stores are next.
    Cores::Woken AwaitTurn(uint64_t core);
    // After kNever: the report is made, and the core goes on.
    void Forget(uint64_t core);
    void End(uint64_t core);

    // Live cores that poll, to share the time spent on finding that nothing changes.
    uint64_t live_pollers();
    // Why the core's wait never ends: where the cores are that could have ended it, and all others that wait; and what
    // the program can do.
    struct Explanation {
        std::string found, hint;
    };
    Explanation Explain(uint64_t core);
    // Cores whose flags this one could be waiting for: of its block, and without such those of its kind.
    std::vector<uint64_t> FlagSetters(uint64_t core) const;

    // What only the whole launch shows, with the core it belongs to: a flag set too often, or set and never waited for.
    struct Late {
        uint64_t core;
        Report report;
    };
    std::vector<Late> TakeLate(bool clean_end);
    bool overflowed() const { return overflow_.has_value(); }

    // "aiv0, aiv1: ended; aiv2: ...": at most so many texts, each with the cores it is true of.
    std::string Listed(const std::vector<uint64_t>& cores, size_t most,
                       const std::function<std::string(uint64_t)>& text) const;

    // All that wait: "aiv0, aiv1: waiting in DataCopy at f.cpp:7"; "running" where none does.
    std::string ListWaiting();

private:
    struct Waiting {
        Call call;
        std::vector<uint64_t> setters;
        uint64_t counter;
        bool is_flag;
    };
    struct Sets {
        uint8_t mode = 0;
        uint32_t times = 0;
        Where where;  // the last
    };
    bool Standstill();
    bool Slow();
    std::string StateOf(uint64_t core, const Waiting* same);
    std::string SetsOf(uint64_t core, uint32_t id) const;
    std::vector<uint32_t> OtherIds(uint64_t core, uint32_t id) const;
    std::string FlagHint(uint64_t core, uint32_t id, const std::vector<uint64_t>& setters) const;
    void NoteReservedIds(std::vector<Late>* late) const;
    void CheckOverflow();

    Cores& cores_;
    const NameOf name_;
    // Under the lock of cores_:
    Counters counters_;
    Turns turns_;
    std::map<uint64_t, Waiting> waiting_;
    uint64_t for_turn_ = 0;                                   // cores that wait for their turn
    std::unordered_map<uint64_t, std::vector<Where>> sets_;   // of each core
    std::map<std::pair<uint64_t, uint32_t>, Sets> last_set_;  // of (core, id)
    std::map<std::pair<uint64_t, uint64_t>, uint64_t> uses_;  // of (core, counter)
    std::map<uint64_t, uint64_t> used_;                       // counters of Add, and how often
    std::optional<Late> overflow_;
};

}  // namespace sfumato::runtime
