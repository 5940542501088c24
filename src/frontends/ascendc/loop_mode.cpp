// SPDX-License-Identifier: Apache-2.0
// SetLoopModePara and ResetLoopModePara, and the moves between them (arch950.md 1.3).
#include "frontends/ascendc/loop_mode.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/context.h"
#include "sfumato/ascendc/dma.h"

namespace sfumato::ascendc {
namespace {

using AscendC::DataCopyMVType;
using isa::Memory;
using runtime::LoopMode;

constexpr uint64_t kMostSize = (uint64_t{1} << 21) - 1;
constexpr uint64_t kMostUbStride = (uint64_t{1} << 21) - 1;
constexpr const char* kSet = "SetLoopModePara";

const char* DirectionOf(DataCopyMVType type) { return type == DataCopyMVType::OUT_TO_UB ? "OUT_TO_UB" : "UB_TO_OUT"; }

bool Bad(runtime::Core& core, Where where, const char* field, std::string message, uint64_t found, std::string legal,
         const char* hint) {
    return Refuse(core, kSet, where,
                  {Rule::kLoopMode, field, std::move(message), fmt::format("{}", found), std::move(legal), hint});
}

bool CheckSize(runtime::Core& core, const char* field, uint64_t size, Where where) {
    if (size >= 1 && size <= kMostSize) return true;
    return Bad(core, where, field, fmt::format("{} is {}", field, size == 0 ? "0: nothing moves" : "out of range"),
               size, fmt::format("1..{}", kMostSize), size == 0 ? "pass 1 for a loop that is not needed" : "");
}

// The stride of a loop of one step has no effect.
bool CheckStride(runtime::Core& core, const char* field, uint64_t size, uint64_t stride, bool ub, Where where) {
    const uint64_t most = ub ? kMostUbStride / isa::kBlockBytes * isa::kBlockBytes : isa::kMostGmStride;
    if (size == 1) return true;
    if (ub && stride % isa::kBlockBytes != 0) {
        return Bad(core, where, field, fmt::format("{} is not a multiple of 32", field), stride,
                   fmt::format("0..{} bytes, a multiple of 32: the stride in UB", most),
                   "let each step begin at a block of UB");
    }
    if (stride <= most) return true;
    return Bad(core, where, field, fmt::format("{} is out of range", field), stride,
               fmt::format("0..{} bytes: the stride in {}", most, ub ? "UB" : "global memory"), "strides count bytes");
}

bool CheckLoops(runtime::Core& core, const AscendC::LoopModeParams& p, bool to_ub, Where where) {
    return CheckSize(core, "loop1Size", p.loop1Size, where) && CheckSize(core, "loop2Size", p.loop2Size, where) &&
           CheckStride(core, "loop1SrcStride", p.loop1Size, p.loop1SrcStride, !to_ub, where) &&
           CheckStride(core, "loop1DstStride", p.loop1Size, p.loop1DstStride, to_ub, where) &&
           CheckStride(core, "loop2SrcStride", p.loop2Size, p.loop2SrcStride, !to_ub, where) &&
           CheckStride(core, "loop2DstStride", p.loop2Size, p.loop2DstStride, to_ub, where);
}

// The mode of a direction; nullptr: the chip has none, or the direction is none of the two.
LoopMode* ModeOf(runtime::Core& core, const char* call, DataCopyMVType type, Where where) {
    if (!RequireFact(core, call, &soc::Chip::loop_mode, "issue the moves in a loop", where)) return nullptr;
    if (type == DataCopyMVType::OUT_TO_UB) return &core.registers().loops_in;
    if (type == DataCopyMVType::UB_TO_OUT) return &core.registers().loops_out;
    Find(core, call, where,
         {Rule::kLoopMode, "type", "no such direction", fmt::format("{}", static_cast<int>(type)),
          "DataCopyMVType::UB_TO_OUT 0, DataCopyMVType::OUT_TO_UB 1", ""});
    return nullptr;
}

// A tensor moved past its end has no known size left; the end of its buffer is still checked.
void Shift(isa::Operand* o, uint64_t bytes) {
    const uint64_t elements = bytes * 8 / BitsOf(o->type);
    o->offset += bytes;
    o->elements -= std::min(elements, o->elements);
}

}  // namespace

void SetLoopMode(const AscendC::LoopModeParams& p, DataCopyMVType type, Where where) {
    runtime::Core& core = ThisCore(kSet);
    LoopMode* mode = ModeOf(core, kSet, type, where);
    if (!mode || !CheckLoops(core, p, type == DataCopyMVType::OUT_TO_UB, where)) return;
    if (mode->on && !Find(core, kSet, where,
                          {Rule::kLoopModeLeft, "type", fmt::format("loop mode {} is still set", DirectionOf(type)),
                           fmt::format("set at {}, and not reset since", runtime::At(mode->where)),
                           "ResetLoopModePara behind the moves of each SetLoopModePara",
                           fmt::format("add ResetLoopModePara(DataCopyMVType::{}) before it", DirectionOf(type))}))
        return;
    *mode = {true,
             {p.loop1Size, p.loop1SrcStride, p.loop1DstStride},
             {p.loop2Size, p.loop2SrcStride, p.loop2DstStride},
             where};
}

void ResetLoopMode(DataCopyMVType type, Where where) {
    constexpr const char* kReset = "ResetLoopModePara";
    runtime::Core& core = ThisCore(kReset);
    if (LoopMode* mode = ModeOf(core, kReset, type, where)) *mode = {};
}

void IssueInLoops(runtime::Core& core, isa::Record& record) {
    const Memory src = record.src0().memory, dst = record.dst().memory;
    const runtime::Registers& registers = core.registers();
    const bool in = registers.loops_in.on && src == Memory::kGm && dst == Memory::kUb;
    const bool out = registers.loops_out.on && src == Memory::kUb && dst == Memory::kGm;
    if (!in && !out) [[likely]]
        return core.Issue(record);
    const LoopMode& mode = in ? registers.loops_in : registers.loops_out;
    for (uint64_t i = 0; i < mode.outer.size; ++i) {
        for (uint64_t j = 0; j < mode.inner.size; ++j) {
            isa::Record step = record;
            Shift(&step.operand[0], i * mode.outer.dst_stride + j * mode.inner.dst_stride);
            Shift(&step.operand[1], i * mode.outer.src_stride + j * mode.inner.src_stride);
            core.Issue(step);
        }
    }
}

}  // namespace sfumato::ascendc
