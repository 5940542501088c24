// SPDX-License-Identifier: Apache-2.0
// The queues of one core: records wait here until the schedule runs them, held back by flags and barriers.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/record.h"
#include "runtime/cores/schedule.h"
#include "runtime/pipes/adversary.h"
#include "runtime/pipes/flag_bank.h"
#include "runtime/pipes/queues.h"

namespace sfumato::runtime {

// What a core does for its pipes.
class PipeClient {
public:
    virtual ~PipeClient() = default;
    virtual void ExecuteRecord(const isa::Record& record) = 0;
    // A flag was set or waited for, or a barrier passed.
    virtual void Passed(const isa::Record&) {}
    // What the element that a store of the scalar unit writes holds now, and making it hold other bits.
    virtual uint64_t Stored(const isa::Record&) { return 0; }
    virtual void SetStored(const isa::Record&, uint64_t /*bits*/) {}
    // Such a store is about to be seen before it has run; before: the bits it replaces.
    virtual void Posting(const isa::Record&, uint64_t /*before*/) {}
    // A flag for other cores is set: what was before it on its pipe is done.
    virtual void SetCrossFlag(const isa::Record& set) = 0;
    // A flag was set while it was still set. `first` is the earlier set; `wait`, where not null, was issued and has not
    // run.
    virtual void FlagSetTwice(const isa::Record& second, const Where& first, const isa::Record* wait) = 0;
    // Nothing can run any more, yet `wait` waits.
    virtual void Deadlock(const isa::Record& wait) = 0;
};

// Bit p: pipe p.
using PipeSet = uint8_t;
constexpr PipeSet kAllPipes = 0xFF;
constexpr PipeSet SetOf(isa::Pipe pipe) { return static_cast<PipeSet>(1u << static_cast<int>(pipe)); }

class Pipes {
public:
    Pipes(PipeClient* client, Schedule schedule, bool auto_sync, uint64_t core_number,
          FlagIdentity identity = FlagIdentity::kEvent);

    // True: Push would execute the record, which moves or computes data, at once and nothing else.
    bool RunsAtOnce(const isa::Record& record) const {
        return schedule_.kind == Schedule::Kind::kEager && pending_ == 0 && !isa::IsControl(record);
    }
    // Takes a checked record. Runs it at once when the schedule says so and nothing holds it back.
    void Push(const isa::Record& record);
    // Runs everything. Calls Deadlock when a wait is never satisfied.
    void DrainAll();
    // Runs until none of these pipes has a pending record that writes (or, with `reads_too`, reads) the bytes.
    void DrainOverlapping(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool reads_too,
                          PipeSet pipes = kAllPipes);
    // Runs until no pending record is left whose order with this one decides bytes.
    void DrainConflicting(const isa::Record& record);
    // Runs what the pipe has queued.
    void DrainPipe(isa::Pipe pipe);
    uint64_t NewToken() { return flags_.NewToken(); }
    bool Idle() const { return pending_ == 0; }
    bool CanStep() const;
    // Runs one record; false when none can. Under late and ahead one that the goal needs, or that goes before it.
    bool Step(const Adversary::Goal& goal = {});
    const size_t& pending() const { return pending_; }  // records that wait
    const FlagBank& flags() const { return flags_; }
    void Clear();

private:
    static constexpr size_t kWindow = 4096;  // pending records a pipe may hold
    static constexpr size_t kStores = 256;   // of the scalar unit, which pipes do not see yet

    // The scalar unit waits for a flag: runs until it is set, then clears it.
    void WaitOnScalar(const isa::Record& wait);
    bool Ready(isa::Pipe pipe) const;
    bool Satisfied(const isa::Record& wait) const { return flags_.IsSet(wait.As<isa::Flag>()); }
    bool IsAdversarial() const {
        return schedule_.kind == Schedule::Kind::kLate || schedule_.kind == Schedule::Kind::kAhead;
    }
    // The first wait for this flag that is still in its queue, or nullptr.
    const isa::Record* FindWait(const isa::Flag& flag) const;
    // The record of the queue that runs next.
    size_t Pick(isa::Pipe pipe);
    // True: the wait at this place of the queue holds nothing back.
    bool Passes(isa::Pipe pipe, size_t position) const;
    // Takes the flags of the waits before a record that overtakes them; the record's new place.
    size_t PassWaits(isa::Pipe pipe, size_t position);
    void RunOne(isa::Pipe pipe, size_t position);
    void Run(const isa::Record& record);
    void RunWaiting(const Waiting& waiting);
    // Only the scalar unit sees the store, until it runs.
    void Post(Waiting& store);
    // Takes it back for a record that may run before it; false where others have written the element since.
    bool Hide(const Waiting& store);
    // Mmad and Fixpipe with unit flags hand over C in order, without a flag of the program.
    void AwaitUnitFlag(const isa::Record& record);
    // The pending record issued first of those that `wanted` is true for, or nullptr.
    const Waiting* FirstWhere(const Adversary::Goal& wanted) const;
    void DrainWhile(const Adversary::Goal& wanted);
    void StepOrDeadlock(const Adversary::Goal& goal = {});
    bool ChoosePipe(isa::Pipe* chosen);

    PipeClient* client_;
    Schedule schedule_;
    bool auto_sync_;
    Random random_;
    size_t pending_ = 0;
    Queues queue_;
    FlagBank flags_;
};

}  // namespace sfumato::runtime
