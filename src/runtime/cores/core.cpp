// SPDX-License-Identifier: Apache-2.0
// Issue, findings and the end of a block.
#include "runtime/cores/core.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "exec/exec.h"
#include "isa/geometry.h"
#include "isa/touched.h"
#include "report/finding.h"
#include "runtime/code/unwinding.h"
#include "runtime/launch/launch_state.h"
#include "runtime/launch/strict.h"

namespace sfumato::runtime {

constinit thread_local ScalarPort* t_core [[gnu::tls_model("initial-exec")]] = nullptr;

Core::Core(LaunchState* launch, Place place, CoreMemory* memory)
    : launch_(launch),
      place_(std::move(place)),
      memory_(memory),
      pipes_(this, launch->schedule, launch->options.auto_sync, place_.order, launch->options.flags),
      check_context_{&launch->chip, launch->gm_range.data(), this, launch->options.strict},
      observed_(!launch->observers.empty()),
      tells_executed_(std::ranges::any_of(
          launch->observers, [](const trace::Observer* o) { return o->WantsExecuted() || o->WantsTouches(); })) {
    // What the compiler inserts is for cores with a vector unit (framework.md 2.5).
    if (place_.kind != isa::CoreKind::kCube)
        scalar_waits_for_ = SetOf(isa::Pipe::kV) | SetOf(isa::Pipe::kMte2) | SetOf(isa::Pipe::kMte3);
    map_.gm = launch->gm_base.data();
    if (!launch->gm_borrowed.empty()) gm_places_ = launch->gm_base;
    map_.scratch = &memory->scratch();
    map_.base[static_cast<int>(isa::Memory::kRegister)] = vector_registers_.data();
    registers_.BeginUnset(launch->chip.split_cores, launch->options.dirty_state);
    registers_.control.overflow = launch->overflow;
    registers_.control.overflow_asked = launch->options.overflow.has_value();
    if (!registers_.control.overflow_asked && launch->overflow != launch->chip.board_overflow)
        limited_.emplace(*launch->view);
    memory_->set_owner(place_.name);
    shown_ = {.name = place_.name.c_str(),
              .block = place_.block,
              .blocks = launch->blocks,
              .memory = memory->bases().data(),
              .memory_bytes = memory->bytes().data(),
              .allocations = debug::ListOf(launch->gm_by_address)};
    shown = &shown_;
    launch_->cores->Watch(place_.order, &records);
    Enter();
    for (trace::Observer* o : launch_->observers) o->BlockBegun(place_);
    for (const auto& detector : launch_->detectors) {
        watching_.push_back(detector->Begin(place_, [this](Report report) {
            if (report.index == 0) report.index = records;
            Find(std::move(report));
        }));
        watches_on_chip_ = watches_on_chip_ || detector->WantsOnChip();
    }
}

Core::~Core() {
    while (!references_.empty()) DropReference(0);
    for (trace::Observer* o : launch_->observers) o->BlockEnded(place_);
    launch_->cores->Watch(place_.order, nullptr);
    SetCurrentCore(nullptr);
}

// Not inlined: the thread may be another than before.
[[gnu::noinline]] void Core::Enter() {
    SetCurrentCore(this);
    pthread_setname_np(pthread_self(), place_.name.substr(0, 15).c_str());
}

bool Core::launch_auto_sync() const { return launch_->options.auto_sync; }

uint8_t* Core::FillMemory(isa::Memory memory) {
    uint8_t* base = memory_->Base(memory);
    if (base) std::memset(base, launch_->options.fill, memory_->Bytes(memory));
    map_.base[static_cast<int>(memory)] = base;
    if (memory == isa::Memory::kUb && base && !observed_ && !watches_on_chip_) OpenScalarPort();
    return base;
}

// Stores of other schedules are records for the pipes; a cube core's are reported.
void Core::OpenScalarPort() {
    ub = map_.base[static_cast<int>(isa::Memory::kUb)];
    ub_bytes = memory_->Bytes(isa::Memory::kUb);
    pending = &pipes_.pending();
    stopped_above = &launch_->cores->stopped_above();
    order = place_.order + 1;
    if (launch_->schedule.kind != Schedule::Kind::kEager || place_.kind == isa::CoreKind::kCube) return;
    stores = chip().types[static_cast<size_t>(isa::Api::kAscendC)][static_cast<size_t>(isa::Opcode::scalar_store)];
}

int Core::FindGm(const void* p) const { return launch_->FindGm(p); }
const check::GmRange& Core::Gm(uint32_t allocation) const { return launch_->gm_range[allocation]; }
uint8_t* Core::GmBase(uint32_t allocation) const { return launch_->gm_base[allocation]; }

void Core::Stop() {
    if (landing != nullptr && !IsCaught(typeid(StopCore))) std::longjmp(*landing, 1);
    throw StopCore{};
}

bool Core::Cancelled() const { return deferred_stop_ || launch_->cores->Stopped(place_.order); }

void Core::StopAt(std::string_view call, Where where, bool waiting) {
    if (!stood_.stopped) stood_ = {true, waiting, std::string(call), where, records};
    Stop();
}

// "Gelu: Mul". Kept for good: findings and logs of later hold the pointer.
const char* Core::NameInScope(const isa::Record& record) {
    const char* call = isa::CallName(record);
    ScopedName& latest = scoped_names_[static_cast<size_t>(record.op) % scoped_names_.size()];
    if (latest.scope != scope_ || latest.call != call) {
        static std::mutex mutex;
        static std::set<std::string> names;
        const std::lock_guard lock(mutex);
        latest = {scope_, call, names.insert(std::string(scope_) + ": " + call).first->c_str()};
    }
    return latest.name;
}

void Core::Issue(isa::Record& record, bool in_order) {
    if (Cancelled()) [[unlikely]]
        StopAt(isa::CallName(record), record.where, false);
    LookAtReferences();
    record.index = Count();
    record.core_kind = place_.kind;
    record.sub_block = static_cast<uint8_t>(place_.sub_block);
    if (scope_) record.call = NameInScope(record);
    if (launch_->last_bits.any()) [[unlikely]]
        launch_->last_bits.Tell(&record);
    if (record.If<isa::Elementwise>()) record.packed = isa::IsPacked(record);
    if (registers_.unset != 0) [[unlikely]]
        LookAtUnset(record);
    if (tells_front_end_) [[unlikely]]
        front_end_->Issuing(record);
    if (!CheckRecord(record, check_context_)) return;
    // Inside a call the library hands C over in its own way.
    if (!scope_ && (record.op == isa::Opcode::mmad || record.op == isa::Opcode::fixpipe) && !FollowsUnitFlags(record))
        return;
    if (observed_ || Watches(record)) [[unlikely]]
        TellIssued(record, in_order);
    // Room is for many records: observers are asked now and then.
    if (observed_ && record.index % 64 == 63) [[unlikely]]
        AwaitRoom();
    if (isa::IsAtomic(record) || record.op == isa::Opcode::ffts_cross_core_sync) ++to_tell_;
    if (pipes_.RunsAtOnce(record)) return ExecuteRecord(record);
    if (in_order) pipes_.DrainConflicting(record);
    pipes_.Push(record);
}

void Core::Drain() {
    LookAtReferences();
    pipes_.DrainAll();
    Synced({.kind = sanitize::CrossSync::Kind::kDrained});
}

void Core::Settle() {
    Drain();
    exec::Publish();
}

void Core::TellIssued(const isa::Record& record, bool in_order) {
    for (trace::Observer* o : launch_->observers) {
        if (in_order) o->InOrder(place_, record);
        o->Issued(place_, record);
    }
    if (!Watches(record)) return;
    for (const auto& watch : watching_) watch->Issued(record, in_order);
}

void Core::TellExecuted(const isa::Record& record) {
    for (trace::Observer* o : launch_->observers) {
        if (o->WantsTouches()) {
            VisitTouched(record, [&](isa::Memory memory, uint32_t allocation, isa::Span bytes, bool write) {
                o->Touched(place_, &record, {memory, allocation, bytes, write});
            });
        }
        o->Executed(place_, record);
    }
}

void Core::Passed(const isa::Record& control) {
    for (const auto& watch : watching_) watch->Passed(control);
    if (tells_executed_) TellExecuted(control);
}

void Core::TellSynced(const trace::CrossSync& sync) {
    for (trace::Observer* o : launch_->observers) o->Synced(place_, sync);
}

void Core::TellWaits(const Call& call) {
    for (trace::Observer* o : launch_->observers) o->Waits(place_, call.name, call.where);
}

void Core::CallBegun(const char* name, Where where) {
    for (trace::Observer* o : launch_->observers) o->CallBegun(place_, name, where);
}

void Core::CallEnded() {
    for (trace::Observer* o : launch_->observers) o->CallEnded(place_);
}

void Core::ExecuteRecord(const isa::Record& record) {
    if (launch_->options.skip_data) [[unlikely]]
        return Skip(record);
    NotePolling(record);
    if (isa::IsAtomic(record)) [[unlikely]] {
        --to_tell_;
        if (!has_turn_) AwaitTurn();
    }
    if (check::ReadsContents(record)) {
        if (watches_on_chip_) {
            for (const auto& watch : watching_) watch->Choosing(record, map_);
        }
        if (!CheckContents(record, check_context_, map_.base[static_cast<int>(isa::Memory::kUb)])) return;
    }
    if (Watches(record)) {
        for (const auto& watch : watching_) watch->Executing(record, map_);
        Run(record);
        for (const auto& watch : watching_) watch->Executed(record, map_);
    } else {
        Run(record);
    }
    if (tells_executed_) [[unlikely]]
        TellExecuted(record);
}

void Core::Skip(const isa::Record& record) {
    if (isa::IsAtomic(record)) --to_tell_;
    if (record.operand_count > 0 && record.dst().memory == isa::Memory::kGm)
        launch_->unwritten[record.dst().allocation].store(true, std::memory_order_relaxed);
    if (tells_executed_) TellExecuted(record);
}

// Scalar code of a launch that skips data may read what the host gave, and nothing that instructions write.
void Core::RefuseSkipped(isa::Memory memory, uint32_t allocation, const char* call, Where where) {
    if (memory == isa::Memory::kGm && !launch_->unwritten[allocation].load(std::memory_order_relaxed)) return;
    FindHere(
        {.rule = Rule::kSkippedData,
         .message = "the kernel reads what an instruction that was skipped would have written",
         .found = fmt::format("a read of {}", memory == isa::Memory::kGm ? Gm(allocation).name : isa::Name(memory)),
         .legal = "scalar code that depends on the arguments and on input arrays alone",
         .hint = "estimate this kernel without --skip-data"},
        call, where);
}

void Core::Run(const isa::Record& record) {
    if (record.operand_count > 0 && record.dst().memory == isa::Memory::kGm)
        launch_->stores.Note(place_.order, record.dst().allocation, SpanOf(record, 0));
    const isa::MemoryMap& map = gm_places_.empty() ? map_ : MapOf(record);
    if (limited_) limited_->Save(record, map);
    if (exec::Execute(record, map)) NoteSaturation(record, map);
}

// Operands in borrowed arrays lie where those say; nobody else may look there.
const isa::MemoryMap& Core::MapOf(const isa::Record& record) {
    bool borrows = false;
    for (int i = 0; i < record.operand_count; ++i) {
        const isa::Operand& operand = record.operand[static_cast<size_t>(i)];
        if (operand.memory != isa::Memory::kGm) continue;
        Borrowed* const array = launch_->gm_borrowed[operand.allocation];
        if (!array) continue;
        borrows = true;
        uint8_t*& place = gm_places_[operand.allocation];
        if (isa::IsWritten(record, i)) {
            // A store under an atomic mode reads what it changes.
            const bool whole = !isa::IsAtomic(record);
            isa::ForEachRun(record, i, map_.base[static_cast<int>(isa::Memory::kUb)],
                            [&](const isa::Span& run) { place = array->ForWriting(run, whole); });
        } else {
            place = const_cast<uint8_t*>(array->ForReading(isa::SpanOf(record, i)));
        }
    }
    if (!borrows) return map_;
    borrowed_map_ = map_;
    borrowed_map_.gm = gm_places_.data();
    return borrowed_map_;
}

bool Core::Find(Report report) {
    ApplyStrict(launch_->options, &report);
    report.core_order = static_cast<int64_t>(place_.order);
    launch_->Stamp(&report);
    const bool fault = report.severity == Severity::kFault;
    if (seen_.insert(SiteOf(report)).second) findings_.push_back(std::move(report));
    if (!fault) return true;
    if (!launch_->options.collect) {
        launch_->cores->StopAbove(place_.order);
        Stop();
    }
    return false;
}

void Core::Find(const isa::Record& record, Report report) { Tell(record, std::move(report)); }

bool Core::Tell(const isa::Record& record, Report report) {
    for (const auto& watch : watching_) watch->Found(record, report);
    report.index = record.index;
    report.instruction = isa::CallName(record);
    report.file = record.where.file;
    report.line = record.where.line;
    return Find(std::move(report));
}

void Core::DrainNoThrow() noexcept {
    try {
        Drain();
    } catch (const StopCore&) {
        deferred_stop_ = true;
        ub_bytes = 0;  // the next access stops
    }
}

void Core::Finish() {
    CheckCancelled();
    Drain();
    if (front_end_) front_end_->KernelEnd();
    if (registers_.control.atomic != isa::Atomic::kNone && registers_.atomic_where.line != 0) AtomicLeftOn();
    if (registers_.counter_where.line == 0) registers_.counter_mode = false;  // a kernel before left it
    if (registers_.counter_mode || registers_.mask_where.line != 0) MaskLeft();
    for (const FlagBank::State& flag : pipes_.flags().Left()) FlagLeftSet(flag);
    for (const auto& watch : watching_) watch->Ended();
}

}  // namespace sfumato::runtime
