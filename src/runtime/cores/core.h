// SPDX-License-Identifier: Apache-2.0
// One simulated core while it runs one block: registers, memories, pipes. Front ends build records and call Issue.
#pragma once

#include <atomic>
#include <csetjmp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "check/check.h"
#include "isa/memory_map.h"
#include "isa/record.h"
#include "isa/vector_registers.h"
#include "report/finding.h"
#include "runtime/code/task_types.h"
#include "runtime/cores/cross_core.h"
#include "runtime/cores/polling.h"
#include "runtime/cores/references.h"
#include "runtime/memory/core_memory.h"
#include "runtime/pipes/pipes.h"
#include "runtime/pipes/unit_flags.h"
#include "sanitize/detector.h"
#include "sanitize/limited.h"
#include "sfumato/debugger.h"
#include "sfumato/scalar_port.h"
#include "soc/chip.h"
#include "trace/observer.h"

namespace sfumato::runtime {

class LaunchState;
class LocalWatch;
class RawAccess;
struct LocalRange;

// SetLoadDataRepeat and SetFixpipeNz2ndFlag.
struct LoadRepeat {
    uint32_t stride = 0, times = 1, mode = 0;
};
struct FixpipeNd {
    uint32_t count = 1, src_stride = 0, dst_stride = 0;
};

// What InitSocState and a TPipe set: the atomic mode; of separate cores also how the mask is read, its bits, and the
// pad value and boundary of Load3D.
enum State : uint8_t { kAtomicState = 1, kMaskModeState = 2, kMaskState = 4, kLoadState = 8 };

// What the scalar unit writes and later records snapshot.
struct Registers {
    std::array<uint64_t, 2> mask{~0ull, ~0ull};
    bool counter_mode = false;  // how the mask is read: as bits, or its low half as a number of elements
    isa::Control control;
    bool pad_value_set = false;
    uint64_t pad_value = 0;
    // The cube unit's (cube.md 3.6, 4, 5.3). Feature maps: [0] SetFmatrix LEFT, [1] RIGHT.
    std::array<isa::FeatureMap, 2> feature_map{};
    std::array<bool, 2> feature_map_set{};
    uint64_t load_pad = 0;
    uint32_t load_boundary = 0;  // in the unit of the instruction that reads it
    LoadRepeat load_repeat;
    bool hf32 = false, hf32_away = false;
    FixpipeNd fixpipe_nd;
    uint64_t fixpipe_quant = 0;
    uint16_t fixpipe_clip = 0;   // SetFixPipeClipRelu; 0 = never set
    isa::Operand fixpipe_words;  // SetFixPipeConfig; memory kNone = never set
    Where atomic_where;          // of the call that set control.atomic
    Where counter_where;         // of the one that set counter_mode
    Where mask_where;            // of the SetVectorMask whose mask is still there
    bool mask_counts = false;    // it was set in counter mode
    // Of State: what the kernel has not set so far, and what of that the vector call reads that is built.
    uint8_t unset = 0, unset_reads = 0;

    // As InitSocState leaves them.
    void Begin(bool split_cores);
    // As a kernel before may have left them; dirty: with what such a one leaves.
    void BeginUnset(bool split_cores, bool dirty);
    void Set(uint8_t state) { unset &= static_cast<uint8_t>(~state); }
};

// State a front end keeps per core and block; destroyed with it.
class FrontEndState {
public:
    virtual ~FrontEndState() = default;
    // Reports what the program left undone.
    virtual void KernelEnd() = 0;
    // A record is about to be checked; behind Core::TellFrontEnd alone.
    virtual void Issuing(const isa::Record&) {}
};

// Ends a core's run: a fault was reported, or another core stopped the launch.
struct StopCore {};

// Where a core was when others, or the launch, stopped it.
struct Stood {
    bool stopped = false, waiting = false;
    std::string call;  // empty: between instructions
    Where where;
    uint64_t index = 0;
};

class Core final : public check::Sink, public PipeClient, public ScalarPort {
public:
    using Place = trace::Place;

    // Until it ends, the calling thread carries the core's name and CurrentCore() is this.
    Core(LaunchState* launch, Place place, CoreMemory* memory);
    ~Core() override;

    const Place& place() const { return place_; }
    const soc::Chip& chip() const { return *check_context_.chip; }
    LaunchState& launch() { return *launch_; }
    // What TPipe hands out, for debuggers.
    void set_shown_pipe(const debug::Pipe* pipe) { shown_.pipe = pipe; }
    Registers& registers() { return registers_; }
    Pipes& pipes() { return pipes_; }
    FrontEndState* front_end() { return front_end_.get(); }
    void set_front_end(std::unique_ptr<FrontEndState> state) { front_end_ = std::move(state); }
    // The front end sees every record from here on.
    void TellFrontEnd() { tells_front_end_ = true; }
    // Whether a call of the program issues several records now.
    bool in_call() const { return scope_ != nullptr; }

    // The first record that depends on what the kernel has not set; state 0: none.
    struct UnsetRead {
        uint8_t state = 0;
        const char* call = "";
        Where where;
        uint64_t index = 0;
    };
    const UnsetRead& unset_read() const { return unset_read_; }
    Report UnsetReport(const UnsetRead& read) const;

    // Checks the record, tells observers, gives it to its pipe. Nothing is written when it is refused.
    // in_order: waits first for pending records whose order with it decides bytes, as TIK synchronises.
    void Issue(isa::Record& record, bool in_order = false);

    // First byte of an on-chip memory. The memory is filled with the pattern on first use in a block.
    uint8_t* MemoryBase(isa::Memory memory) {
        uint8_t* base = map_.base[static_cast<int>(memory)];
        return base ? base : FillMemory(memory);
    }
    // First byte of the element at the start of the operand.
    uint8_t* AddressOf(const isa::Operand& operand);
    // Index of the GM allocation that holds p, or -1.
    int FindGm(const void* p) const;
    const check::GmRange& Gm(uint32_t allocation) const;
    uint8_t* GmBase(uint32_t allocation) const;

    // The scalar unit reads or writes bytes directly: waits as auto_sync and the schedule say (framework.md 2.5).
    // Returns the bytes that a load shall see instead of those in memory, or nullptr.
    const uint8_t* ScalarAccess(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool write, const char* call,
                                Where where, bool by_reference = false);
    // The same of an element that the program gets a reference to: a read, and a write when its bytes differ at the
    // core's next call (decided). Returns the reference.
    uint8_t* Refer(isa::Memory memory, uint32_t allocation, isa::Span bytes, uint8_t* element, const char* call,
                   Where where);
    // What the checks see of an access through a pointer of the kernel's own, which waits for nothing.
    const uint8_t* TellRaw(const sanitize::ScalarAccess& access);
    // What looks at those pointers; nullptr without --check raw.
    RawAccess* raw = nullptr;
    // Where the kernel's code threw an exception last, and the exception.
    const void* thrown_at = nullptr;
    const void* thrown = nullptr;
    // The same for an access that is a record by itself: the waiting alone.
    void AwaitScalar(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool write);
    // A read of the scalar unit that TIK synchronises: waits for the pending writers on any pipe.
    void AwaitInOrder(isa::Memory memory, uint32_t allocation, isa::Span bytes);

    // Whether checks see GM, and what stays inside the core.
    bool watched() const { return !watching_.empty(); }
    bool watched_on_chip() const { return watches_on_chip_; }

    // These bytes begin a new life, by AllocTensor or InitBuffer; for the checks.
    void Renewed(isa::Memory memory, isa::Span bytes, const char* call, Where where) {
        for (const auto& watch : watching_) watch->Renewed(memory, bytes, call, where);
    }
    // An asynchronous call reads these bytes until the core has waited for it, and for all such calls; for the checks.
    void Holds(isa::Memory memory, isa::Span bytes, const char* call, Where where) {
        for (const auto& watch : watching_) watch->Held(memory, bytes, call, where);
    }
    void HoldsNothing() {
        for (const auto& watch : watching_) watch->Released();
    }
    // A pointer to global memory was given elements of this type, by SetGlobalBuffer; for the checks.
    void GlobalBuffer(const void* p, DataType type, Where where) {
        if (watching_.empty()) return;
        const int allocation = FindGm(p);
        if (allocation < 0) return;
        for (const auto& watch : watching_) watch->GlobalBuffer(static_cast<uint32_t>(allocation), type, where);
    }

    void CacheHint(const void* address, bool cached) {
        if (observed_) TellCacheHint(address, cached);
    }

    // SetFixPipeConfig with isUnitFlag true.
    void ClearUnitFlags() { unit_flags_.Clear(); }

    // The program made a call that is no record, or several; for the checks.
    void Called(std::string_view call, Where where) {
        for (const auto& watch : watching_) watch->Called(call, where);
    }

    // Adds a finding with this core's place. strict turns warnings into faults. A fault throws StopCore unless the
    // launch collects; then it returns false: do not go on with the call.
    bool Find(Report report);
    // check::Sink: as above, with the record's instruction, index and source line.
    void Find(const isa::Record& record, Report report) override;
    // PipeBarrier<PIPE_ALL> and the end of the kernel.
    void Drain();
    bool launch_auto_sync() const;
    // Drain, and what was written is visible to other threads.
    void Settle();
    // Lower cores have ended, or wait at a barrier, when it returns: before the first atomic store, and for blocks that
    // are to run one after another.
    void AwaitTurn();
    const std::vector<Report>& findings() const { return findings_; }
    // Ends the core when the launch wants it to: for loops that issue nothing.
    void StopIfAsked(std::string_view call, Where where) {
        if (Cancelled()) [[unlikely]]
            StopAt(call, where, false);
    }
    const Stood& stood() const { return stood_; }
    // By an exception, or where none can leave the kernel (runtime/unwinding.h) by a jump that destroys nothing.
    [[noreturn]] void Stop();
    std::jmp_buf* landing = nullptr;  // of that jump, while the kernel runs
    // Whether a result was limited under the policy `saturate` since the core began or ClearOverflow.
    bool overflowed() const { return overflowed_; }
    // Whether `saturate` is in force, nobody asked for it, and a board has another policy.
    bool LimitsUnasked() const { return limited_ && !registers_.control.overflow_asked; }
    void ClearOverflow() { overflowed_ = false; }
    // A barrier of all blocks, once the pipes are drained. nullptr, or why the others will never come.
    const char* MeetOthers();

    // Calls between cores. Their reports name `call`.
    using Call = CrossCore::Call;
    // Waits until the condition holds: at once, or when other cores made it so, which run meanwhile. A deadlock is
    // reported. `setters`: the cores that could make it hold.
    void Await(const Condition& condition, const Call& call, const std::vector<uint64_t>& setters,
               const std::function<void()>& taken = {});
    // The same where what the core may rely on comes from another wait.
    void AwaitUnordered(const Condition& condition, const Call& call, const std::vector<uint64_t>& setters) {
        AwaitCondition(condition, call, setters, {});
    }
    // The same for a wait that is a record: checks it, tells observers.
    void IssueWait(isa::Record& record, const Condition& condition, const Call& call);
    // Meets the `members` others of this counter, once all that was issued is done.
    void Meet(uint64_t counter, const std::vector<uint64_t>& members, const Call& call);
    // Raises a counter, after Settle. `taken` above and `also`: what changes together with it, in one step.
    void Signal(uint64_t counter, const std::function<void()>& also = {});
    // A scalar read of global memory; Cleaned: DataCacheCleanAndInvalid.
    void ReadsGlobal(const uint8_t* address, uint64_t bytes, const char* call, Where where) {
        if (polling_.Quiet()) [[unlikely]]
            Polled(address, bytes, true, records, {call, where});
    }
    // Under a seed, others may run first: after what they can see.
    void MaybeYield();
    // DataSyncBarrier: what the scalar unit has stored is there.
    void SyncsData();
    // DataCacheCleanAndInvalid of the line at an address, or of the whole cache (nullptr).
    void Cleaned(const void* address);
    // Drain for destructors: a fault on the way is raised by the next Issue or at the end of the kernel.
    void DrainNoThrow() noexcept;
    // A KERNEL_TASK_TYPE was reached. The launch knew it, or it is a fault: cores cannot change any more.
    void DeclareTaskType(TaskType type, const char* name, Where where);
    // A call of the program that issues several records: observers see it, and reports name it before the instruction.
    class CallScope {
    public:
        CallScope(Core& core, const char* name, Where where) : core_(core), outer_(core.scope_) {
            core.Called(name, where);
            if (core.observed_) core.CallBegun(name, where);
            if (outer_) return;
            core.scope_ = name;
            core.check_context_.listed_call = core.chip().high_level.Lists(name);
        }
        ~CallScope() {
            core_.scope_ = outer_;
            if (!outer_) core_.check_context_.listed_call = false;
            if (core_.observed_) core_.CallEnded();
        }
        CallScope& operator=(CallScope&&) = delete;

    private:
        Core& core_;
        const char* outer_;
    };
    // CheckLocalMemoryIA: range `number` of UB is watched from here on; null: it no longer is.
    void WatchLocal(size_t number, const LocalRange* range);
    // A range that the program marks, for observers; ranges and calls nest.
    void RangeBegun(const char* name, Where where) {
        if (observed_) CallBegun(name, where);
    }
    void RangeEnded() {
        if (observed_) CallEnded();
    }
    const CoreMemory& memory() const { return *memory_; }
    // Runs at the end of the block: drains, and reports what was left undone.
    void Finish();

    std::vector<Report> TakeFindings() { return std::move(findings_); }
    uint64_t issued() const { return records; }
    // The instruction count reports use; front-end calls that issue no record name the next one.
    uint64_t next_index() const { return records; }
    // Instructions, and calls of this.
    uint64_t NextCycle() { return records + ++cycle_calls_; }
    // A register the vector unit leaves results in, once the records that write it have run.
    uint64_t VectorRegister(const isa::VectorRegister& which);

private:
    void ExecuteRecord(const isa::Record& record) override;
    void FlagSetTwice(const isa::Record& second, const Where& first, const isa::Record* wait) override;
    void Deadlock(const isa::Record& wait) override;
    uint64_t Stored(const isa::Record& store) override;
    void SetStored(const isa::Record& store, uint64_t bits) override;
    void Posting(const isa::Record& store, uint64_t before) override;
    void SetCrossFlag(const isa::Record& set) override;
    void Passed(const isa::Record& control) override;
    void Run(const isa::Record& record);
    const isa::MemoryMap& MapOf(const isa::Record& record);
    void TellIssued(const isa::Record& record, bool in_order);
    // Records that stay inside the core are most of all.
    bool Watches(const isa::Record& record) const {
        return watches_on_chip_ || (!watching_.empty() && (isa::IsControl(record) || isa::TouchesGm(record)));
    }
    void Synced(sanitize::CrossSync sync) {
        sync.index = records;
        for (const auto& watch : watching_) watch->Synced(sync);
        if (observed_) TellSynced(sync);
    }
    void AwaitCondition(const Condition& condition, const Call& call, const std::vector<uint64_t>& setters,
                        const std::function<void()>& taken);
    [[gnu::cold]] void TellExecuted(const isa::Record& record);
    [[gnu::cold]] void TellSynced(const trace::CrossSync& sync);
    [[gnu::cold]] void TellWaits(const Call& call);
    [[gnu::cold]] void CallBegun(const char* name, Where where);
    [[gnu::cold]] void CallEnded();
    [[gnu::cold]] void TellCacheHint(const void* address, bool cached);
    // With LaunchOptions::skip_data: what the record would write is not there.
    void Skip(const isa::Record& record);
    // Of references: looks what the program has done with them since. They stay while it only reads.
    void LookAtReferences(bool keep = false) {
        if (!references_.empty()) [[unlikely]]
            TellReferences(keep);
    }
    [[gnu::cold]] void TellReferences(bool keep);
    void DropReference(size_t at);
    void TellAccess(const sanitize::ScalarAccess& access);
    void RefuseSkipped(isa::Memory memory, uint32_t allocation, const char* call, Where where);
    void TellAwaits(const Condition& condition);
    void TellRaised(uint64_t counter);
    // Rests while an observer wants it to.
    void AwaitRoom();
    void Enter();
    // Reports of this, at the current record.
    void FindHere(Finding finding, std::string_view call, Where where);
    void FlagLeftSet(const FlagBank::State& flag);
    void AtomicLeftOn();
    void MaskLeft();
    void BlocksExceedCores(const Call& call);
    void NotePolling(const isa::Record& record);
    // index: of the instruction that reads.
    void Polled(const uint8_t* address, uint64_t bytes, bool cached, uint64_t index, const Call& call);
    void StalePoll(const Call& call, uint64_t index);
    void StandsStill(const Call& call, uint64_t index, const CrossCore::Explanation& why);
    std::string PolledBytes() const;
    // This core rests until `wait` returns; others may run on its thread, and it may go on on another. Calls it `name`
    // at `where` if it is stopped there.
    template <class Wait>
    auto Rest(std::string_view name, Where where, const Wait& wait);
    uint8_t* FillMemory(isa::Memory memory);
    void OpenScalarPort();
    const char* NameInScope(const isa::Record& record);
    bool Cancelled() const;
    void CheckCancelled() { StopIfAsked("", {}); }
    [[noreturn, gnu::cold]] void StopAt(std::string_view call, Where where, bool waiting);
    // Find of a record; false where the finding refuses it.
    bool Tell(const isa::Record& record, Report report);
    // False where a finding refuses the record.
    bool FollowsUnitFlags(const isa::Record& record);
    void NoteSaturation(const isa::Record& record, const isa::MemoryMap& map);
    [[gnu::cold]] void LookAtUnset(const isa::Record& record);

    LaunchState* launch_;
    Place place_;
    CoreMemory* memory_;
    isa::MemoryMap map_;
    std::vector<uint8_t*> gm_places_;  // as map_.gm, for the record that runs; empty: no array is borrowed
    isa::MemoryMap borrowed_map_;      // map_ with them
    std::array<uint8_t, isa::kVectorRegisterBytes> vector_registers_{};
    Registers registers_;
    UnitFlags unit_flags_;
    Pipes pipes_;
    check::Context check_context_;
    std::unique_ptr<FrontEndState> front_end_;
    bool tells_front_end_ = false;
    UnsetRead unset_read_;
    std::vector<Report> findings_;
    std::set<Site> seen_;
    bool overflowed_ = false;
    std::optional<sanitize::Limited> limited_;  // where nobody asked for the policy, and a board has another
    uint64_t cycle_calls_ = 0;
    Polling polling_;
    uint64_t to_tell_ = 0;         // records issued, not executed, whose place in the canonical run counts
    uint64_t poll_index_ = 0;      // of the poll's first read
    bool owes_step_ = false;       // a poll found that no core can go on
    bool worked_out_ = false;      // nothing of this core's queues can run
    uint64_t poll_rounds_ = 0;     // unchanged ones, before the core rests again
    const char* scope_ = nullptr;  // the outermost call of the program that issues records now
    struct ScopedName {
        const char *scope = nullptr, *call = nullptr, *name = nullptr;
    };
    std::array<ScopedName, 64> scoped_names_;  // the latest, by opcode
    bool deferred_stop_ = false;
    Stood stood_;
    bool has_turn_ = false;
    PipeSet scalar_waits_for_ = 0;  // what auto_sync makes an element access wait for
    const bool observed_;           // by the log or another observer
    const bool tells_executed_;     // to one of them
    // The checks: all that watch, and whether one must see what stays inside the core.
    std::vector<std::unique_ptr<sanitize::CoreDetector>> watching_;
    bool watches_on_chip_ = false;
    LocalWatch* local_watch_ = nullptr;  // among watching_, once the program asks for it
    static constexpr size_t kMostReferences = 16;
    std::vector<Reference> references_;                          // the latest, oldest first
    std::array<std::array<uint8_t, 8>, kMostReferences> older_;  // of references that do not show memory itself
    size_t next_older_ = 0;
    debug::Core shown_;  // to debuggers
};

// The core the calling thread runs, or nullptr outside a launch.
inline Core* CurrentCore() { return static_cast<Core*>(t_core); }
inline void SetCurrentCore(Core* core) { t_core = core; }

}  // namespace sfumato::runtime
