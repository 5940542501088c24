// SPDX-License-Identifier: Apache-2.0
// One simulated core while it runs one block: its place, its memory, and the records it issues. Front ends build
// records and call Issue; what happens then is in docs/machine.md.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "events/listener.h"
#include "isa/vector_registers.h"
#include "runtime/cores/execution.h"
#include "runtime/cores/findings.h"
#include "runtime/cores/front_end_state.h"
#include "runtime/cores/polls.h"
#include "runtime/cores/registers.h"
#include "runtime/cores/scalar_unit.h"
#include "runtime/cores/scopes.h"
#include "runtime/cores/stopping.h"
#include "runtime/cores/waits.h"
#include "runtime/memory/core_memory.h"
#include "runtime/pipes/unit_flags.h"
#include "sfumato/debugger.h"
#include "sfumato/scalar_port.h"

namespace sfumato::runtime {

class LaunchState;
class LocalWatch;
class RawAccess;
struct LocalRange;

class Core final : public ScalarPort {
public:
    using Place = events::Place;

    // Until it ends, the calling thread carries the core's name and CurrentCore() is this.
    Core(LaunchState* launch, Place place, CoreMemory* memory);
    ~Core();
    // The same again, on the thread that goes on with it after a rest.
    void Enter();

    const Place& place() const { return place_; }
    const soc::Chip& chip() const { return *check_context_.chip; }
    LaunchState& launch() { return *launch_; }
    bool auto_sync() const;

    // What it consists of; each knows its own subject.
    Registers& registers() { return registers_; }
    Pipes& pipes() { return pipes_; }
    Execution& execution() { return execution_; }
    ScalarUnit& scalar() { return scalar_; }
    Waits& waits() { return waits_; }
    Polls& polls() { return polls_; }
    Stopping& stopping() { return stopping_; }
    Findings& findings() { return findings_; }
    Scopes& scopes() { return scopes_; }
    const events::Told& told() const { return told_; }
    FrontEndState* front_end() { return front_end_.get(); }
    void set_front_end(std::unique_ptr<FrontEndState> state) { front_end_ = std::move(state); }
    // The front end sees every record from here on.
    void TellFrontEnd() { tells_front_end_ = true; }
    // What looks at pointers of the kernel's own; nullptr without --check raw.
    RawAccess* raw = nullptr;
    // What TPipe hands out, for debuggers.
    void set_shown_pipe(const debug::Pipe* pipe) { shown_.pipe = pipe; }

    // Memory. First byte of an on-chip one: it is filled with the pattern on first use in a block.
    uint8_t* MemoryBase(isa::Memory memory) {
        uint8_t* base = map_.base[static_cast<int>(memory)];
        return base ? base : FillMemory(memory);
    }
    const isa::MemoryMap& map() const { return map_; }
    const CoreMemory& memory() const { return *memory_; }
    // First byte of the element at the start of the operand.
    uint8_t* AddressOf(const isa::Operand& operand);
    // Index of the GM allocation that holds p, or -1.
    int FindGm(const void* p) const;
    const check::GmRange& Gm(uint32_t allocation) const;
    uint8_t* GmBase(uint32_t allocation) const;
    // A register the vector unit leaves results in, once the records that write it have run.
    uint64_t VectorRegister(const isa::VectorRegister& which);

    // Issue. Checks the record, tells listeners, gives it to its pipe. Nothing is written when it is refused.
    // in_order: waits first for pending records whose order with it decides bytes, as TIK synchronises.
    void Issue(isa::Record& record, bool in_order = false);
    // The same of a wait between cores that is a record.
    void IssueWait(isa::Record& record, const Condition& condition, const Waits::Call& call);
    // Rules that concern bytes of UB as they stand when the record executes; false: it is refused.
    bool CheckContents(const isa::Record& record);
    // PipeBarrier<PIPE_ALL> and the end of the kernel.
    void Drain();
    // Drain, and what was written is visible to other threads.
    void Settle();
    // Drain for destructors: a fault on the way is raised by the next Issue or at the end of the kernel.
    void DrainNoThrow() noexcept;
    // Runs at the end of the block: drains, and reports what was left undone.
    void Finish();
    // SetFixPipeConfig with isUnitFlag true.
    void ClearUnitFlags() { unit_flags_.Clear(); }
    // How many so far: the index of the next, which reports of calls that issue none name.
    uint64_t next_index() const { return records.load(std::memory_order_relaxed); }
    // Instructions, and calls of this.
    uint64_t NextCycle() { return next_index() + ++cycle_calls_; }

    // Telling listeners of what is no record.
    void Synced(const events::Sync& sync) const {
        if (!told_.Hears<events::Sync>()) return;
        events::Sync now = sync;
        now.index = next_index();
        told_(now);
    }
    void TellWait(const Condition& condition, const Waits::Call& call) const;
    void Called(std::string_view call, Where where) const {
        told_(events::Call{events::Call::Kind::kMade, call, where});
    }
    void Marks(events::Marked marked) const {
        marked.index = next_index();
        told_(marked);
    }
    // CheckLocalMemoryIA: range `number` of UB is watched from here on; null: it no longer is.
    void WatchLocal(size_t number, const LocalRange* range);

private:
    uint8_t* FillMemory(isa::Memory memory);
    void OpenScalarPort();
    void Number(isa::Record& record);
    void JoinFor(const isa::Record& record);
    bool FollowsUnitFlags(const isa::Record& record);
    events::Tell Tell();

    LaunchState* launch_;
    Place place_;
    CoreMemory* memory_;
    isa::MemoryMap map_;
    std::array<uint8_t, isa::kVectorRegisterBytes> vector_registers_{};
    Registers registers_;
    UnitFlags unit_flags_;
    Stopping stopping_;
    Findings findings_{*this};
    Execution execution_;
    Pipes pipes_;
    ScalarUnit scalar_;
    Waits waits_{*this};
    Polls polls_{*this};
    Scopes scopes_;
    check::Context check_context_;
    std::unique_ptr<FrontEndState> front_end_;
    bool tells_front_end_ = false;
    uint64_t cycle_calls_ = 0;
    events::Told told_;
    LocalWatch* local_watch_ = nullptr;  // among them, once the program asks for it
    debug::Core shown_;                  // to debuggers

    friend class CallScope;
};

// The core the calling thread runs, or nullptr outside a launch.
inline Core* CurrentCore() { return static_cast<Core*>(t_core); }
inline void SetCurrentCore(Core* core) { t_core = core; }

}  // namespace sfumato::runtime
