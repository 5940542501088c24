// SPDX-License-Identifier: Apache-2.0
// The atomic mode of a core (framework.md 3.10).
#include <fmt/format.h>

#include "frontends/ascendc/framework.h"
#include "sfumato/ascendc/issue_copy.h"

namespace sfumato::ascendc {
namespace {

static_assert(static_cast<int>(isa::Atomic::kMin) == static_cast<int>(AtomicMode::kMin));

bool CheckType(runtime::Core& core, const char* call, isa::Atomic mode, DataType type, Where where) {
    const bool compare = mode == isa::Atomic::kMax || mode == isa::Atomic::kMin;
    const uint16_t types = compare ? core.chip().atomic_compare : core.chip().atomic_add;
    if (types >> static_cast<int>(type) & 1) return true;
    return Refuse(core, call, where,
                  {Rule::kAtomicUnsupported, "T", fmt::format("{} has no such atomic store", core.chip().name),
                   CName(type), soc::TypeList(types, isa::Api::kAscendC),
                   types ? "convert the data, or combine it in UB" : "combine the data in UB"});
}

}  // namespace

void SetAtomic(AtomicMode mode, DataType type, Where where, const char* call) {
    constexpr const char* kCalls[] = {"SetAtomicNone", "SetAtomicAdd", "SetAtomicMax", "SetAtomicMin"};
    if (!call) call = kCalls[static_cast<int>(mode)];
    runtime::Core& core = ThisCore(call);
    const auto atomic = static_cast<isa::Atomic>(mode);
    if (!CheckType(core, call, atomic, type, where)) return;
    runtime::Registers& regs = core.registers();
    regs.control.atomic = atomic;
    regs.control.atomic_type = type;
    regs.atomic_where = where;
    regs.Set(runtime::kAtomicState);
}

void SetAtomicElement(DataType type, Where where) {
    runtime::Core& core = ThisCore("SetAtomicType");
    isa::Control& control = core.registers().control;
    if (CheckType(core, "SetAtomicType", control.atomic, type, where)) control.atomic_type = type;
}

void ClearAtomic() {
    runtime::Core& core = ThisCore("SetAtomicNone");
    core.registers().control.atomic = isa::Atomic::kNone;
    core.registers().Set(runtime::kAtomicState);
    RawState& raw = Framework::Of(core).raw;
    raw.atomic.reset(), raw.atomic_type.reset();
}

}  // namespace sfumato::ascendc
