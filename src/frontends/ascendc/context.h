// SPDX-License-Identifier: Apache-2.0
// What the front end's functions share: the current core, findings, tensors as operands.
#pragma once

#include <string>

#include "isa/record.h"
#include "report/finding.h"
#include "runtime/cores/core.h"
#include "sfumato/ascendc/issue.h"

namespace sfumato::ascendc {

[[noreturn]] void OutsideLaunch(const char* call);

// The core of the calling thread. Outside a launch there is none: throws Error naming the call.
inline runtime::Core& ThisCore(const char* call) {
    runtime::Core* core = runtime::CurrentCore();
    if (!core) [[unlikely]]
        OutsideLaunch(call);
    return *core;
}

// A finding of the front end itself, for a call that issued no record. Returns false when the call must not go on.
bool Find(runtime::Core& core, const char* call, Where where, Finding finding);
// The same of a call that never goes on: always false.
bool Refuse(runtime::Core& core, const char* call, Where where, Finding finding);

// Notes a call that no page lists for the chip; whether it is one that runs there all the same.
bool NoteUnlisted(runtime::Core& core, const char* call, Where where);
// A high-level call begins: a note of one that no page lists for the chip (adv.md 15).
runtime::Core& HighLevelCall(runtime::Core& core, const char* call, Where where);

const char* Name(AscendC::TPosition position);

// "Ascend310P, Ascend910B": the families with Ascend C that fit.
template <class Fits>
std::string AscendCFamilies(const Fits& fits) {
    return soc::FamilyList([&](const soc::Chip& chip) { return chip.ascendc && fits(chip); });
}

// Reports what the chip `lacks` and `families` have; always false.
bool ChipLacks(runtime::Core& core, const char* call, Where where, Rule rule, const char* lacks,
               const std::string& families, const char* hint);
// Whether the chip is one that fits.
template <class Fits>
bool RequireChip(runtime::Core& core, const char* call, Where where, const Fits& fits, Rule rule, const char* lacks,
                 const char* hint) {
    return fits(core.chip()) || ChipLacks(core, call, where, rule, lacks, AscendCFamilies(fits), hint);
}
// Whether the chip has what a flag of its data stands for; reported as an instruction it lacks.
bool RequireFact(runtime::Core& core, const char* call, bool soc::Chip::*has, const char* hint, Where where);

// A call that takes event ids from a TPipe, or works in the end of UB, begins; within another it is that one's.
runtime::Core& LibraryCall(runtime::Core& core, const char* call, Where where);

// Reports a tensor that was never allocated; always false.
[[gnu::cold]] bool Unallocated(runtime::Core& core, const char* call, const char* name, Where where);
// LocalView::block: of a queue from 0 on; of a TBuf kFirstBuffer less its index; kNoBlock: made by hand.
constexpr int32_t kNoBlock = -1, kFirstBuffer = -2;
// False (and a report) when the tensor's block was freed since the tensor was made, or its memory handed out again.
bool CheckHeld(runtime::Core& core, const LocalView& view, const char* call, const char* name, Where where);

// A local tensor as an operand; false when it was reported (never allocated, or freed).
inline bool ToOperand(runtime::Core& core, const char* call, const char* name, const LocalView& view, DataType type,
                      Where where, isa::Operand* operand) {
    if (!view.address) [[unlikely]]
        return Unallocated(core, call, name, where);
    if (view.block != kNoBlock && !CheckHeld(core, view, call, name, where)) return false;
    const auto memory = core.chip().position[static_cast<size_t>(view.position)];
    operand->memory = memory;
    operand->type = type;
    operand->offset = static_cast<uint64_t>(view.address - core.MemoryBase(memory));
    operand->limit = operand->offset + view.room;
    operand->elements = view.size;
    return true;
}
// A global tensor as an operand; false when its pointer lies in no allocation.
bool ToOperand(runtime::Core& core, const char* call, const char* name, const GlobalView& view, DataType type,
               Where where, isa::Operand* operand);

// Reports that the allocation, a constant, is written; always false.
[[gnu::cold]] bool RefuseConstant(runtime::Core& core, const char* call, uint32_t allocation, Where where);

// The ends of a move between elements of one type. gm: where the end lies whose pointer is null.
inline Ends Between(const LocalView* dst, const LocalView* src, DataType type, Where where, const GlobalView& gm = {}) {
    return {dst, src, gm, type, type, where};
}

// operand[0] and operand[1] from the ends, the call's place in the source, and the pipe of the path; false when an end
// was reported. The record's other fields stay.
bool SetEnds(runtime::Core& core, const char* call, const Ends& ends, isa::Record* record);

}  // namespace sfumato::ascendc
