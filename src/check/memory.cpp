// SPDX-License-Identifier: Apache-2.0
// Which memories an instruction works on, and how they must be aligned.
#include <fmt/format.h>

#include "check/parts.h"

namespace sfumato::check {
namespace {

using isa::Memory;
using isa::Operand;
using isa::Record;

// The paths of DataCopy and data_move (framework.md 3.2, tik.md 1.5). npu_arch of chips that lack it in Ascend C.
struct Path {
    Memory src, dst;
    bool padded;  // DataCopyPad has it too
    uint32_t lacking;
};
constexpr Path kPaths[] = {
    {Memory::kGm, Memory::kUb, true, 0},     {Memory::kUb, Memory::kGm, true, 0},
    {Memory::kUb, Memory::kUb, false, 3002}, {Memory::kGm, Memory::kL1, false, 3002},
    {Memory::kL1, Memory::kGm, false, 3002},
};

bool IsPath(const Record& r, const soc::Chip& chip, const Path& path) {
    if (Info(r.op).form == isa::Form::kMovePad && !path.padded) return false;
    return r.api == isa::Api::kTik || path.lacking == 0 || path.lacking != chip.npu_arch;
}

SFUMATO_COLD bool WrongPath(const Record& r, const Context& c) {
    std::string legal;
    for (const Path& path : kPaths) {
        if (!IsPath(r, *c.chip, path)) continue;
        legal += fmt::format("{}{} to {}", legal.empty() ? "" : ", ", isa::Name(path.src), isa::Name(path.dst));
    }
    return Tell(r, c,
                {Rule::kMemoryPath, "dst", fmt::format("{} has no such move", c.chip->name),
                 fmt::format("{} to {}", isa::Name(r.src0().memory), isa::Name(r.dst().memory)), legal,
                 "check the positions of the two tensors"});
}

SFUMATO_COLD bool WrongMemory(const Record& r, const Context& c, int operand, const char* legal) {
    return Tell(
        r, c,
        {Rule::kMemoryPath, isa::OperandName(r, operand), "the operand is in a memory the instruction cannot use",
         PlaceText(r.operand[static_cast<size_t>(operand)], c), legal,
         "copy the data to a tensor in VECIN, VECCALC or VECOUT first"});
}

SFUMATO_COLD bool WrongCore(const Record& r, const Context& c, int operand) {
    const Memory memory = r.operand[static_cast<size_t>(operand)].memory;
    const bool cube = r.core_kind == isa::CoreKind::kCube;
    return Tell(r, c,
                {Rule::kCoreKind, isa::OperandName(r, operand),
                 fmt::format("a {} core has no {}", cube ? "cube" : "vector", isa::Name(memory)),
                 fmt::format("the kernel runs on a {} core", cube ? "cube" : "vector"),
                 fmt::format("a {} core of {}", cube ? "vector" : "cube", c.chip->name),
                 cube ? "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY), run with --core aiv, or guard the "
                        "call with ASCEND_IS_AIV"
                      : "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY), run with --core aic, or guard the "
                        "call with ASCEND_IS_AIC"});
}

bool CoreHas(const Record& r, Memory memory) {
    return r.core_kind == isa::CoreKind::kCube ? memory != Memory::kUb
                                               : r.core_kind != isa::CoreKind::kVector || memory != Memory::kL1;
}

SFUMATO_COLD bool Misaligned(const Record& r, const Context& c, int operand, Rule rule, uint64_t align) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    const uint64_t step = align * 8 / BitsOf(o.type);
    return Tell(
        r, c,
        {rule, isa::OperandName(r, operand),
         operand == 0 ? "the destination is not aligned" : "the source is not aligned", PlaceText(o, c),
         align == 1 ? std::string("any byte") : fmt::format("a multiple of {}", align),
         step > 1
             ? fmt::format("start at an index that is a multiple of {} elements of {}", step, TypeName(r, o.type))
             : fmt::format("start at byte offset {} or {}", o.offset / align * align, (o.offset / align + 1) * align)});
}

}  // namespace

bool VectorMemoryFault(const Record& r, const Context& c) {
    for (int i = 0; i < r.operand_count; ++i) {
        const Operand& o = r.operand[static_cast<size_t>(i)];
        if (o.memory != Memory::kUb) return WrongMemory(r, c, i, "UB (VECIN, VECCALC, VECOUT)");
        if (o.offset % isa::kBlockBytes) return Misaligned(r, c, i, Rule::kUbAlignment, isa::kBlockBytes);
    }
    return WrongCore(r, c, 0);
}

bool CheckMoveMemory(const Record& r, const Context& c) {
    bool found = false;
    for (const Path& path : kPaths) {
        found |= path.src == r.src0().memory && path.dst == r.dst().memory && IsPath(r, *c.chip, path);
    }
    if (!found) return WrongPath(r, c);
    for (int i = 0; i < 2; ++i) {
        const Operand& o = r.operand[static_cast<size_t>(i)];
        if (!CoreHas(r, o.memory)) return WrongCore(r, c, i);
        uint64_t align = isa::kBlockBytes;
        Rule rule = Rule::kUbAlignment;
        if (o.memory == Memory::kL1) {
            rule = Rule::kL1Alignment;
            if (r.api == isa::Api::kTik) align = 512;
        } else if (o.memory == Memory::kGm) {
            // DataCopyPad and TIK take any byte of GM.
            if (r.api == isa::Api::kTik || Info(r.op).form == isa::Form::kMovePad) continue;
            rule = Rule::kGmAlignment;
            align = BytesOf(o.type, 1);
        }
        if (o.offset % align) return Misaligned(r, c, i, rule, align);
    }
    return true;
}

bool CheckScalarMemory(const Record& r, const Context& c) {
    const Operand& o = r.dst();
    if (o.memory != Memory::kUb && o.memory != Memory::kGm) return WrongMemory(r, c, 0, "UB or GM");
    if (!CoreHas(r, o.memory)) return WrongCore(r, c, 0);
    return o.offset % BytesOf(o.type, 1) == 0 || Misaligned(r, c, 0, Rule::kScalarAlignment, BytesOf(o.type, 1));
}

}  // namespace sfumato::check
