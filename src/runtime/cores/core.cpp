// SPDX-License-Identifier: Apache-2.0
// From a record to its pipe, and the end of a block.
#include "runtime/cores/core.h"

#include <cstring>

#include "exec/exec.h"
#include "isa/geometry.h"
#include "runtime/cores/core_reports.h"
#include "runtime/cores/local_watch.h"
#include "runtime/cores/workers.h"
#include "runtime/launch/launch_state.h"
#include "runtime/world/held_stores.h"

namespace sfumato::runtime {

__thread ScalarPort* t_core [[gnu::tls_model("initial-exec")]] = nullptr;

Core::Core(LaunchState* launch, Place place, CoreMemory* memory)
    : launch_(launch),
      place_(std::move(place)),
      memory_(memory),
      stopping_(*launch->cores, place_.order, records),
      execution_(*this, *launch),
      pipes_(&execution_, launch->schedule, launch->options.auto_sync, place_.order, launch->options.flags),
      scalar_(*this, place_.kind),
      check_context_{&launch->chip, launch->gm_range.data(), &findings_, launch->options.strict} {
    map_.gm = launch->gm_base.data();
    map_.scratch = &memory->scratch();
    map_.half_tables = &launch->last_bits.half_tables();
    map_.base[static_cast<int>(isa::Memory::kRegister)] = vector_registers_.data();
    registers_.BeginUnset(launch->chip.split_cores, launch->options.dirty_state);
    registers_.control.overflow = launch->overflow;
    registers_.control.overflow_asked = launch->options.overflow.has_value();
    memory_->set_owner(place_.name);
    shown_ = {.name = place_.name.c_str(),
              .block = place_.block,
              .blocks = launch->blocks,
              .memory = memory->bases().data(),
              .memory_bytes = memory->bytes().data(),
              .allocations = debug::ListOf(launch->gm_by_address)};
    shown = &shown_;
    if (launch->schedule.torn) held_ = std::make_unique<HeldStores>(*this, launch->schedule);
    launch_->cores->Watch(place_.order, &records);
    Enter();
    for (events::Listener* listener : launch_->listeners)
        told_.Add(listener->Begin(place_, Tell()), listener->WantsOnChip());
}

Core::~Core() {
    held_.reset();
    told_.Clear();
    launch_->cores->Watch(place_.order, nullptr);
    SetCurrentCore(nullptr);
}

// Not inlined: the thread may be another than before.
[[gnu::noinline]] void Core::Enter() {
    SetCurrentCore(this);
    NameThread(place_.name);
}

events::Tell Core::Tell() {
    return [this](Report report) { findings_.Add(std::move(report)); };
}

bool Core::auto_sync() const { return launch_->options.auto_sync; }

uint8_t* Core::FillMemory(isa::Memory memory) {
    uint8_t* base = memory_->Base(memory);
    if (base) std::memset(base, launch_->options.fill, memory_->Bytes(memory));
    map_.base[static_cast<int>(memory)] = base;
    if (memory == isa::Memory::kUb && base && !told_.on_chip()) OpenScalarPort();
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

uint8_t* Core::AddressOf(const isa::Operand& operand) {
    return (operand.memory == isa::Memory::kGm ? GmBase(operand.allocation) : MemoryBase(operand.memory)) +
           operand.offset;
}

uint64_t Core::VectorRegister(const isa::VectorRegister& which) {
    stopping_.IfAsked();
    pipes_.DrainOverlapping(isa::Memory::kRegister, 0, which.span(), false);
    uint64_t word = 0;
    std::memcpy(&word, vector_registers_.data() + which.at, sizeof(word));
    return word;
}

void Core::Number(isa::Record& record) {
    record.index = Count();
    record.core_kind = place_.kind;
    record.sub_block = static_cast<uint8_t>(place_.sub_block);
}

void Core::Issue(isa::Record& record, bool in_order) {
    if (stopping_.Asked()) [[unlikely]]
        stopping_.At(isa::CallName(record), record.where, false);
    scalar_.LookAtReferences();
    Number(record);
    if (scopes_.outermost()) record.call = scopes_.NameOf(record);
    if (launch_->last_bits.any()) [[unlikely]]
        launch_->last_bits.Tell(&record);
    if (record.If<isa::Elementwise>()) record.packed = isa::IsPacked(record);
    if (registers_.unset != 0 && registers_.ReadsUnset(record) && launch_->options.dirty_state) [[unlikely]]
        findings_.Add(UnsetReport(chip(), registers_.unset_read));
    if (tells_front_end_) [[unlikely]]
        front_end_->Issuing(record);
    if (!CheckRecord(record, check_context_)) return;
    // Inside a call the library hands C over in its own way.
    if (!scopes_.outermost() && (record.op == isa::Opcode::mmad || record.op == isa::Opcode::fixpipe) &&
        !FollowsUnitFlags(record))
        return;
    if (told_.any()) {
        told_(events::Issued{record, in_order}, StaysInside(record));
        // Room is for many records: listeners are asked now and then.
        if (record.index % 64 == 63 && !told_.rooms().empty()) [[unlikely]]
            waits_.AwaitRoom();
    }
    if (launch_->work) [[unlikely]]
        JoinFor(record);
    waits_.NoteIssued(record);
    if (pipes_.RunsAtOnce(record)) return execution_.ExecuteRecord(record);
    if (in_order) pipes_.DrainConflicting(record);
    pipes_.Push(record);
}

void Core::JoinFor(const isa::Record& record) {
    for (int i = 0; i < record.operand_count; ++i) {
        const isa::Operand& operand = record.operand[i];
        if (operand.memory == isa::Memory::kGm && launch_->IsShared(operand.allocation))
            waits_.Join(isa::CallName(record), record.where);
    }
}

void Core::IssueWait(isa::Record& record, const Condition& condition, const Waits::Call& call) {
    stopping_.IfAsked(call.name, call.where);
    Number(record);
    told_(events::Issued{record, false});
    waits_.AwaitUnordered(condition, call, launch_->cross_core->FlagSetters(place_.order));
    Synced({.kind = events::Sync::Kind::kFlagWaited, .record = &record});
    execution_.Passed(record);
}

bool Core::CheckContents(const isa::Record& record) {
    return check::CheckContents(record, check_context_, map_.base[static_cast<int>(isa::Memory::kUb)]);
}

bool Core::FollowsUnitFlags(const isa::Record& record) {
    auto wrong = unit_flags_.Follow(record);
    return !wrong || findings_.AddOf(record, ToReport(std::move(*wrong), isa::CallName(record), record.where));
}

void Core::TellWait(const Condition& condition, const Waits::Call& call) const {
    Synced({.kind = events::Sync::Kind::kWaits,
            .counter = condition.counter,
            .level = condition.at_least,
            .takes = condition.takes,
            .call = call.name,
            .where = call.where});
}

void Core::WatchLocal(size_t number, const LocalRange* range) {
    if (!local_watch_) {
        auto made = std::make_unique<LocalWatch>(Tell());
        local_watch_ = made.get();
        told_.Add(std::move(made), true);
        ub_bytes = 0;  // accesses come the long way from here on
    }
    local_watch_->Set(number, range, next_index());
}

void Core::Drain() {
    scalar_.LookAtReferences();
    pipes_.DrainAll();
    if (held_) held_->ArriveAll();
    Synced({.kind = events::Sync::Kind::kDrained});
}

void Core::Settle() {
    Drain();
    exec::Publish();
}

void Core::DrainNoThrow() noexcept {
    try {
        Drain();
    } catch (const StopCore&) {
        stopping_.Defer();
        ub_bytes = 0;  // the next access stops
    }
}

void Core::Finish() {
    stopping_.IfAsked();
    Drain();
    if (front_end_) front_end_->KernelEnd();
    if (registers_.control.atomic != isa::Atomic::kNone && registers_.atomic_where.line != 0) ReportAtomicLeftOn(*this);
    if (registers_.loops_in.on) ReportLoopModeLeft(*this, registers_.loops_in, "OUT_TO_UB");
    if (registers_.loops_out.on) ReportLoopModeLeft(*this, registers_.loops_out, "UB_TO_OUT");
    if (registers_.counter_where.line == 0) registers_.counter_mode = false;  // a kernel before left it
    if (registers_.counter_mode || registers_.mask_where.line != 0) ReportMaskLeft(*this);
    for (const FlagBank::State& flag : pipes_.flags().Left()) ReportFlagLeftSet(*this, flag);
    told_(events::CoreEnded{next_index()});
}

CallScope::CallScope(Core& core, const char* name, Where where) : core_(core), outer_(core.scopes_.Begin(name)) {
    core_.told_(events::Call{events::Call::Kind::kBegun, name, where});
    if (!outer_) core_.check_context_.listed_call = core_.chip().high_level.Lists(name);
}

CallScope::~CallScope() {
    core_.scopes_.End(outer_);
    if (!outer_) core_.check_context_.listed_call = false;
    core_.told_(events::Call{events::Call::Kind::kEnded});
}

}  // namespace sfumato::runtime
