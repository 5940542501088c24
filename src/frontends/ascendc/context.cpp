// SPDX-License-Identifier: Apache-2.0
// Tensors to operands.
#include "frontends/ascendc/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "check/check.h"
#include "frontends/ascendc/framework.h"
#include "isa/path.h"
#include "runtime/launch/launch_state.h"
#include "runtime/memory/global_memory.h"
#include "runtime/world/group.h"

namespace sfumato::ascendc {

void OutsideLaunch(const char* call) { throw Error(fmt::format("{}: called outside a kernel launch", call)); }

bool Find(runtime::Core& core, const char* call, Where where, Finding finding) {
    Report report = ToReport(std::move(finding), call, where);
    report.index = core.next_index();
    return core.findings().Add(std::move(report));
}
bool Refuse(runtime::Core& core, const char* call, Where where, Finding finding) {
    return Find(core, call, where, std::move(finding)) && false;
}

bool ChipLacks(runtime::Core& core, const char* call, Where where, Rule rule, const char* lacks,
               const std::string& families, const char* hint) {
    const bool by_call = rule == Rule::kRegisterUnsupported || rule == Rule::kCallUnsupported;
    return Refuse(
        core, call, where,
        {rule, "", fmt::format("{} {}", core.chip().name, lacks), by_call ? call : core.chip().name, families, hint});
}

bool RequireFact(runtime::Core& core, const char* call, bool soc::Chip::*has, const char* hint, Where where) {
    return RequireChip(
        core, call, where, [has](const soc::Chip& chip) { return chip.*has; }, Rule::kInstructionUnsupported,
        "does not have the instruction", hint);
}

bool NoteUnlisted(runtime::Core& core, const char* call, Where where) {
    const std::vector<std::string>& calls = core.chip().unlisted.calls;
    if (std::ranges::find(calls, call) == calls.end()) return false;
    Find(core, call, where, check::UnlistedOn(core.chip(), call));
    return true;
}

runtime::Core& HighLevelCall(runtime::Core& core, const char* call, Where where) {
    if (core.scopes().outermost() || core.chip().high_level.Lists(call)) return core;
    Finding note = check::UnlistedOn(core.chip(), call);
    note.hint = "it runs here where the chip has all of its instructions";
    Find(core, call, where, std::move(note));
    return core;
}

const char* Name(AscendC::TPosition position) { return soc::PositionName(static_cast<size_t>(position)).data(); }

bool Unallocated(runtime::Core& core, const char* call, const char* name, Where where) {
    return Refuse(
        core, call, where,
        {Rule::kTensorUninitialised, name, fmt::format("{} is a LocalTensor that was never given memory", name),
         "a default-constructed LocalTensor", "a tensor from AllocTensor, DeQue or TBuf::Get",
         "assign the result of AllocTensor, DeQue or Get before using it"});
}

namespace {

// What a pointer that lies in no allocation was meant to be: "x[70000], 272384 bytes behind the 8192 bytes of x".
std::string WhatOf(runtime::Core& core, const GlobalView& view, DataType type) {
    if (view.address == nullptr) return "a GlobalTensor without SetGlobalBuffer, or a null pointer";
    const int of = view.base ? core.FindGm(view.base) : -1;
    if (of < 0) return fmt::format("{}, which lies in no allocation", static_cast<const void*>(view.address));
    const auto array = static_cast<uint32_t>(of);
    const check::GmRange& range = core.Gm(array);
    const int64_t at = view.address - core.GmBase(array), bytes = static_cast<int64_t>(range.bytes);
    const int64_t index = at * 8 / static_cast<int64_t>(BitsOf(type));
    return at < 0 ? fmt::format("{}[{}], {} bytes before it", range.name, index, -at)
                  : fmt::format("{}[{}], {} bytes behind the {} bytes of {}", range.name, index, at - bytes, bytes,
                                range.name);
}

// What is wrong with a pointer that lies in no allocation of this rank: it leads past a window, or into memory of
// another one. None: something else.
std::optional<Finding> OfRanks(runtime::Core& core, const char* name, const GlobalView& view) {
    if (!core.launch().work || view.address == nullptr) return std::nullopt;
    const int of = view.base ? core.FindGm(view.base) : -1;
    if (of >= 0 && core.Gm(static_cast<uint32_t>(of)).window && view.address > view.base) {
        const auto window = static_cast<uint32_t>(of);
        const auto begin = static_cast<uint64_t>(view.address - core.GmBase(window));
        return check::PastWindow(name, core.Gm(window), {begin, begin + 1}, std::string_view(name) == "dst");
    }
    const std::string place = core.launch().memory.impl()->OfOtherRank(view.address);
    if (place.empty()) return std::nullopt;
    return Finding{Rule::kRemoteAccess,
                   name,
                   fmt::format("{} points into memory of another rank", name),
                   place,
                   "memory of the kernel's own rank, or windows and peer memory that ranks share",
                   "use the window of that rank: its address is in the context"};
}

}  // namespace

bool RefuseConstant(runtime::Core& core, const char* call, uint32_t allocation, Where where) {
    if (runtime::GroupOf(core.GmBase(allocation))) {
        return Refuse(core, call, where,
                      {Rule::kHcclContext, "dst", "the context of a group is written", core.Gm(allocation).name,
                       "an argument of the kernel, or a window",
                       "keep what the kernel counts in the window Exp, or in a workspace of its own"});
    }
    return Refuse(core, call, where,
                  {Rule::kGmConstant, "dst", "a constant table of the kernel is written", core.Gm(allocation).name,
                   "an argument of the kernel", "constants are read alone: copy the table first"});
}

bool ToOperand(runtime::Core& core, const char* call, const char* name, const GlobalView& view, DataType type,
               Where where, isa::Operand* operand) {
    const int allocation = core.FindGm(view.address);
    if (allocation < 0) {
        const bool null = view.address == nullptr;
        if (auto foreign = OfRanks(core, name, view)) return Refuse(core, call, where, std::move(*foreign));
        return Refuse(core, call, where,
                      {Rule::kGmPointer, name, fmt::format("{} points to no global memory of this launch", name),
                       WhatOf(core, view, type), "a pointer into an argument of the kernel or memory from GmAlloc",
                       null ? "call SetGlobalBuffer first"
                            : "check the offset added to the argument; a host pointer is not device memory"});
    }
    const auto index = static_cast<uint32_t>(allocation);
    if (core.Gm(index).constant && std::string_view(name) == "dst") return RefuseConstant(core, call, index, where);
    operand->memory = isa::Memory::kGm;
    operand->type = type;
    operand->allocation = index;
    operand->offset = static_cast<uint64_t>(view.address - core.GmBase(index));
    operand->limit = core.Gm(index).bytes;
    operand->elements = view.size;
    return true;
}

bool SetEnds(runtime::Core& core, const char* call, const Ends& ends, isa::Record* r) {
    r->operand_count = 2;
    r->where = ends.where;
    const auto set = [&](const char* name, const LocalView* local, DataType type, isa::Operand* operand) {
        return local ? ToOperand(core, call, name, *local, type, ends.where, operand)
                     : ToOperand(core, call, name, ends.gm, type, ends.where, operand);
    };
    if (!set("dst", ends.dst, ends.dst_type, &r->operand[0]) || !set("src", ends.src, ends.src_type, &r->operand[1])) {
        return false;
    }
    r->pipe = isa::PipeOfPath(r->src0().memory, r->dst().memory);
    return true;
}

}  // namespace sfumato::ascendc
