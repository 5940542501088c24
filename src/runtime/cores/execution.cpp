// SPDX-License-Identifier: Apache-2.0
// Records run, and stores of the scalar unit are seen.
#include "runtime/cores/execution.h"

#include <cstring>

#include "exec/exec.h"
#include "exec/registers/registers.h"
#include "isa/geometry.h"
#include "isa/touched.h"
#include "runtime/cores/core.h"
#include "runtime/cores/core_reports.h"
#include "runtime/launch/launch_state.h"
#include "runtime/world/held_stores.h"

namespace sfumato::runtime {

Execution::Execution(Core& core, LaunchState& launch) : core_(core), launch_(launch) {
    if (!launch.gm_borrowed.empty()) gm_places_ = launch.gm_base;
    if (!launch.options.overflow.has_value() && launch.overflow != launch.chip.board_overflow)
        limited_.emplace(*launch.view);
}

bool Execution::LimitsUnasked() const { return limited_ && !core_.registers().control.overflow_asked; }

// Inlined into both calls: every record comes here.
[[gnu::always_inline]] inline void Execution::Execute(const isa::Record& record) {
    const events::Told& told = core_.told();
    if (check::ReadsContents(record)) {
        told(events::Choosing{record, core_.map()}, true);
        if (!core_.CheckContents(record)) return;
    }
    if (!told.any()) {
        Run(record);
        return;
    }
    const bool inside = StaysInside(record);
    const Touch touch(*this, !inside);
    told(events::Executing{record, core_.map()}, inside);
    const bool limited = Run(record);
    told(events::Executed{record, core_.map(), limited}, inside);
}

Execution::Touch::Touch(Execution& execution, bool global) : execution_(execution) {
    World::Work* const work = execution.launch_.work;
    if (global && work) execution.touch_ = std::unique_lock(work->world().touching());
}

void Execution::ExecuteRecord(const isa::Record& record) {
    if (launch_.options.skip_data) [[unlikely]]
        return Skip(record);
    core_.polls().NoteRecord(record);
    core_.waits().AwaitTurnOf(record);
    HeldStores* const held = core_.held();
    if (!held) [[likely]]
        return Execute(record);
    held->Begin(record);
    Execute(record);
    held->End();
}

void Execution::Skip(const isa::Record& record) {
    core_.waits().NoteSkipped(record);
    if (record.operand_count > 0 && record.dst().memory == isa::Memory::kGm)
        launch_.unwritten[record.dst().allocation].store(true, std::memory_order_relaxed);
    core_.told()(events::Skipped{record}, StaysInside(record));
}

void Execution::Passed(const isa::Record& control) {
    if (HeldStores* const held = core_.held()) held->Passed(control);
    core_.Synced({.kind = events::Sync::Kind::kPassed, .record = &control});
}

bool Execution::Run(const isa::Record& record) {
    if (record.operand_count > 0 && record.dst().memory == isa::Memory::kGm)
        launch_.stores.Note(core_.place().order, record.dst().allocation, SpanOf(record, 0));
    const isa::MemoryMap& map = gm_places_.empty() ? core_.map() : MapOf(record);
    if (limited_) limited_->Save(record, map);
    const bool limited = exec::Execute(record, map);
    if (limited) NoteLimited(record, map);
    return limited;
}

void Execution::NoteLimited(const isa::Record& record, const isa::MemoryMap& map) {
    overflowed_ = true;
    if (!limited_) return;
    if (auto report = limited_->Look(record, map)) core_.findings().Find(record, std::move(*report));
}

// Operands in borrowed arrays lie where those say; nobody else may look there.
const isa::MemoryMap& Execution::MapOf(const isa::Record& record) {
    const isa::MemoryMap& map = core_.map();
    bool borrows = false;
    for (int i = 0; i < record.operand_count; ++i) {
        const isa::Operand& operand = record.operand[static_cast<size_t>(i)];
        if (operand.memory != isa::Memory::kGm) continue;
        Borrowed* const array = launch_.gm_borrowed[operand.allocation];
        if (!array) continue;
        borrows = true;
        uint8_t*& place = gm_places_[operand.allocation];
        if (isa::IsWritten(record, i)) {
            // A store under an atomic mode reads what it changes.
            const bool whole = !isa::IsAtomic(record);
            isa::ForEachRun(record, i, map.base[static_cast<int>(isa::Memory::kUb)],
                            [&](const isa::Span& run) { place = array->ForWriting(run, whole); });
        } else {
            place = const_cast<uint8_t*>(array->ForReading(isa::SpanOf(record, i)));
        }
    }
    if (!borrows) return map;
    borrowed_map_ = map;
    borrowed_map_.gm = gm_places_.data();
    return borrowed_map_;
}

uint64_t Execution::Stored(const isa::Record& store) {
    uint64_t bits = 0;
    std::memcpy(&bits, core_.AddressOf(store.dst()), BitsOf(store.dst().type) / 8);
    return bits;
}

void Execution::SetStored(const isa::Record& store, uint64_t bits) {
    if (store.dst().memory == isa::Memory::kGm)
        launch_.stores.Note(core_.place().order, store.dst().allocation, SpanOf(store, 0));
    std::memcpy(core_.AddressOf(store.dst()), &bits, BitsOf(store.dst().type) / 8);
}

void Execution::Posting(const isa::Record& store, uint64_t before) {
    if (HeldStores* const held = core_.held(); held && store.dst().memory == isa::Memory::kGm)
        held->Touch(store.dst().allocation, SpanOf(store, 0));
    if (core_.told().any()) core_.told()(events::Posted{store, before}, StaysInside(store));
}

bool Execution::Runs(RegisterOp op, DataType type, DataType to) { return exec::Runs(op, type, to); }
uint32_t Execution::Run(const RegisterCall& call, const RegisterControl& control) { return exec::Run(call, control); }

void Execution::SetCrossFlag(const isa::Record& set) {
    if (HeldStores* const held = core_.held()) held->Passed(set);
    core_.waits().SetFlag(set);
}

void Execution::FlagSetTwice(const isa::Record& second, const Where& first, const isa::Record* wait) {
    core_.findings().Find(second, FlagSetTwiceReport(second, first, wait, launch_.options.flags));
}

void Execution::Deadlock(const isa::Record& wait) {
    core_.findings().Find(wait, WaitNeverSatisfied(wait, core_.pipes().flags(), launch_.options.flags));
}

}  // namespace sfumato::runtime
