// SPDX-License-Identifier: Apache-2.0
// The queues of one core: records wait here until the schedule runs them, held back by flags and barriers.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "isa/record.h"
#include "runtime/schedule.h"

namespace sfumato::runtime {

// What a core does for its pipes.
class PipeClient {
public:
    virtual ~PipeClient() = default;
    virtual void ExecuteRecord(const isa::Record& record) = 0;
    // A flag was set or waited for, or a barrier passed.
    virtual void Passed(const isa::Record&) {}
    // A flag for other cores is set: what was before it on its pipe is done.
    virtual void SetCrossFlag(const isa::Record& set) = 0;
    // A flag was set while it was still set. `first` is the earlier set; `wait`, where not null, was issued and has not
    // run.
    virtual void FlagSetTwice(const isa::Record& second, const Where& first, const isa::Record* wait) = 0;
    // Nothing can run any more, yet `wait` waits.
    virtual void Deadlock(const isa::Record& wait) = 0;
};

// Bytes of one memory that a record touches.
struct Access {
    isa::Memory memory;
    uint32_t allocation;  // GM only
    isa::Span span;

    bool Overlaps(const Access& o) const {
        return memory == o.memory && (memory != isa::Memory::kGm || allocation == o.allocation) &&
               span.Overlaps(o.span);
    }
};

// What the record writes comes first: its destination, its work tensor, and the register it leaves a result in. The
// words of a vector scale are read from UB when the record executes, too, though no operand names them.
class Accesses {
public:
    explicit Accesses(const isa::Record& record);
    int count() const { return count_; }
    int writes() const { return writes_; }
    const Access& operator[](int i) const { return access_[i]; }
    // True when the order of the two records decides bytes: one writes what the other touches.
    bool Conflicts(const Accesses& other) const;

private:
    void Add(const Access& access) { access_[count_++] = access; }
    Access access_[6];
    int count_ = 0, writes_ = 0;
};

// Visits every (memory, GM allocation, hull of bytes, whether written) that a record touches.
void VisitTouched(const isa::Record& record, const std::function<void(isa::Memory, uint32_t, isa::Span, bool)>& visit);

class Pipes {
public:
    Pipes(PipeClient* client, Schedule schedule, bool auto_sync, uint64_t core_number);

    // True: Push would execute the record, which moves or computes data, at once and nothing else.
    bool RunsAtOnce(const isa::Record& record) const {
        return schedule_.kind == Schedule::Kind::kEager && pending_ == 0 && !isa::IsControl(record);
    }
    // Takes a checked record. Runs it at once when the schedule says so and nothing holds it back.
    void Push(const isa::Record& record);
    // Runs everything. Calls Deadlock when a wait is never satisfied.
    void DrainAll();
    // Runs until no pending record that writes (or, with `reads_too`, reads) the bytes is left.
    void DrainOverlapping(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool reads_too);
    // Runs until no pending record is left whose order with this one decides bytes.
    void DrainConflicting(const isa::Record& record);
    // Runs what the scalar unit itself has queued (stores are in order with loads).
    void DrainPipe(isa::Pipe pipe);
    // The queues insert synchronisation of their own: a token is a flag used once.
    uint64_t NewToken() { return tokens_.push_back(0), tokens_.size() - 1; }
    bool Idle() const { return pending_ == 0; }
    bool CanStep() const;
    // Runs one record; false when none can.
    bool Step();
    const size_t& pending() const { return pending_; }  // records that wait
    // Flags still set, for the report at the end of a kernel: (event, id, where and by which front end it was set).
    struct SetFlagLeft {
        uint8_t event;
        int8_t id;
        Where where;
        isa::Api api;
    };
    std::vector<SetFlagLeft> FlagsLeft() const;
    void Clear();

private:
    static constexpr size_t kWindow = 4096;  // pending records a pipe may hold
    static constexpr size_t kLookahead = 8;  // records of one pipe that may overtake each other without a barrier

    // A record that waits. Many are never compared with another; those that are, are again and again.
    struct Waiting {
        explicit Waiting(const isa::Record& r) : record(r) {}
        const Accesses& Touches() const { return accesses_ ? *accesses_ : accesses_.emplace(record); }

        isa::Record record;

    private:
        mutable std::optional<Accesses> accesses_;
    };
    class Overtaking;

    struct FlagState {
        bool set = false;
        Where where;
        isa::Api api = isa::Api::kAscendC;
    };

    // The scalar unit waits for a flag: runs until it is set, then clears it.
    void WaitOnScalar(const isa::Record& wait);
    bool Ready(isa::Pipe pipe) const;
    bool Satisfied(const isa::Record& wait) const;
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
    void StepOrDeadlock();
    bool ChoosePipe(isa::Pipe* chosen);

    PipeClient* client_;
    Schedule schedule_;
    bool auto_sync_;
    Random random_;
    size_t pending_ = 0;
    std::array<std::deque<Waiting>, isa::kPipeCount> queue_;
    std::array<std::array<FlagState, 16>, 64> flags_{};
    std::vector<uint8_t> tokens_;
};

}  // namespace sfumato::runtime
