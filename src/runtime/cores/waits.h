// SPDX-License-Identifier: Apache-2.0
// How a core waits: for other cores by counters (framework.md 2.7), for its turn, for room that a listener asks for.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "isa/record.h"
#include "runtime/cores/cross_core.h"

namespace sfumato::runtime {

class Core;

class Waits {
public:
    explicit Waits(Core& core) : core_(core) {}

    // Calls between cores. Their reports name `call`.
    using Call = CrossCore::Call;
    // Waits until the condition holds: at once, or when other cores made it so, which run meanwhile. A deadlock is
    // reported. `setters`: the cores that could make it hold.
    void Await(const Condition& condition, const Call& call, const std::vector<uint64_t>& setters,
               const std::function<void()>& taken = {});
    // The same where what the core may rely on comes from another wait.
    void AwaitUnordered(const Condition& condition, const Call& call, const std::vector<uint64_t>& setters,
                        const std::function<void()>& taken = {});
    // Meets the `members` others of this counter, once all that was issued is done.
    void Meet(uint64_t counter, const std::vector<uint64_t>& members, const Call& call);
    // A barrier of all blocks, once the pipes are drained. nullptr, or why the others will never come.
    const char* MeetOthers();
    // Raises a counter, after Settle. `taken` above and `also`: what changes together with it, in one step.
    void Signal(uint64_t counter, const std::function<void()>& also = {});
    // For checks: of a task that cores of several ranks share (TaskServer::CounterOf), this core has done its part; all
    // have, and the core has waited for it.
    void Committed(uint64_t task);
    void Completed(uint64_t task);
    // CrossCoreSetFlag, once what was before it on its pipe is done.
    void SetFlag(const isa::Record& set);

    // Under a seed, others may run first: after what they can see.
    void MaybeYield();
    // In a world: goes on when nothing else in it can, in the order in which cores come here.
    void GoBehind(bool polls);
    // Others that can go on may run first.
    void GiveWay();
    // Lower cores have ended, or wait at a barrier, when it returns: before the first atomic store, and for blocks that
    // are to run one after another.
    void AwaitTurn();
    // Before an atomic store runs.
    void AwaitTurnOf(const isa::Record& record) {
        if (isa::IsAtomic(record)) [[unlikely]] {
            --to_tell_;
            if (!has_turn_) AwaitTurn();
        }
    }
    // Before the first access to memory of other ranks: rests until the launch may meet them.
    void Join(const char* call, Where where);
    // Rests while a listener has no room.
    void AwaitRoom();

    // A record was issued, or is skipped, whose place in the canonical run counts.
    void NoteIssued(const isa::Record& record) {
        if (isa::IsAtomic(record) || record.op == isa::Opcode::ffts_cross_core_sync) ++to_tell_;
    }
    void NoteSkipped(const isa::Record& record) {
        if (isa::IsAtomic(record)) --to_tell_;
    }

    // This core rests until `wait` returns; others may run on its thread, and it may go on on another. Calls it `name`
    // at `where` if it is stopped there.
    template <class Wait>
    Cores::Woken Rest(std::string_view name, Where where, const Wait& wait) {
        BeforeRest();
        Leave();
        const Cores::Woken woken = wait();
        GoOn(name, where);
        return woken;
    }
    // Nobody will end the wait of `call` at instruction `index`: reports it, or stops where that has its own report.
    void StandsStill(const Call& call, uint64_t index, const CrossCore::Explanation& why);

private:
    void BeforeRest();
    void Leave();
    void GoOn(std::string_view name, Where where);

    Core& core_;
    uint64_t to_tell_ = 0;  // records issued, not executed, whose place in the canonical run counts
    bool has_turn_ = false;
};

}  // namespace sfumato::runtime
