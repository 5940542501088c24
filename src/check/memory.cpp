// SPDX-License-Identifier: Apache-2.0
// Which memories an instruction works on, and how they must be aligned.
#include <fmt/format.h>

#include "check/parts.h"
#include "isa/reductions.h"
#include "isa/sorts.h"

namespace sfumato::check {
namespace {

using isa::Memory;
using isa::Operand;
using isa::Record;

constexpr const char* kCopyFirst = "copy the data to a tensor in VECIN, VECCALC or VECOUT first";

// How the user of each front end asks for a memory (tik.md 1.1).
struct Home {
    Memory memory;
    const char *ascendc, *tik;
};
constexpr Home kHomes[] = {{Memory::kUb, "VECIN, VECCALC, VECOUT", "tik.scope_ubuf"},
                           {Memory::kL1, "A1, C1", "tik.scope_cbuf"},
                           {Memory::kL0A, "A2", "tik.scope_ca"},
                           {Memory::kL0B, "B2", "tik.scope_cb"},
                           {Memory::kL0C, "CO1", "tik.scope_cc"},
                           {Memory::kBt, "C2", "'local.BT'"}};

const char* HomeOf(const Record& r, Memory memory) {
    for (const Home& home : kHomes) {
        if (home.memory == memory) return Spelling(r, home.ascendc, home.tik);
    }
    return isa::Name(memory);
}

Memory SourceOf(const Record& r) { return r.operand_count > 1 ? r.src0().memory : Memory::kNone; }

std::string PathText(Memory src, Memory dst) {
    return src == Memory::kNone ? fmt::format("to {}", isa::Name(dst))
                                : fmt::format("{} to {}", isa::Name(src), isa::Name(dst));
}

// The instruction that does on the chip what a plain move cannot; nullptr: none.
const char* OtherWay(const Record& r, const Context& c) {
    const Memory src = SourceOf(r), dst = r.dst().memory;
    if (r.op == isa::Opcode::fill) return dst == Memory::kUb ? "use Duplicate" : nullptr;
    // fixpipe of TIK takes results to GM on every chip that has L0C.
    if (r.api == isa::Api::kTik && src == Memory::kL0C && dst == Memory::kGm) return "use fixpipe";
    if (r.op != isa::Opcode::data_move) return nullptr;
    if (r.api == isa::Api::kAscendC && c.chip->HasPath(r.api, isa::Opcode::tensor_mov, src, dst)) {
        return "pass DataCopyEnhancedParams with BLOCK_MODE_MATRIX too";
    }
    if (c.chip->HasPath(r.api, isa::Opcode::fixpipe, src, dst)) return "use Fixpipe";
    return c.chip->HasPath(r.api, isa::Opcode::load2d, src, dst) ? Spelling(r, "use LoadData", "use load2dv1")
                                                                 : nullptr;
}

SFUMATO_COLD bool WrongPath(const Record& r, const Context& c) {
    std::string legal;
    for (int src = 0; src < isa::kMemoryCount; ++src) {
        for (int dst = 0; dst < isa::kMemoryCount; ++dst) {
            const Memory from = static_cast<Memory>(src), to = static_cast<Memory>(dst);
            if (!c.chip->HasPath(r.api, r.op, from, to)) continue;
            legal += (legal.empty() ? "" : ", ") + PathText(from, to);
        }
    }
    const Memory src = SourceOf(r), dst = r.dst().memory;
    const std::string chips = OtherChips(c, [&](const soc::Chip& chip) { return chip.HasPath(r.api, r.op, src, dst); });
    const char* positions = r.operand_count == 1 ? "check the position of the tensor"
                                                 : Spelling(r, "check the positions of the two tensors",
                                                            "check the scopes of the two Tensors");
    const char* other = OtherWay(r, c);
    return Tell(
        r, c,
        {Rule::kMemoryPath, "dst",
         fmt::format("{} {}", c.chip->name, r.operand_count > 1 ? "has no such move" : "does not fill this memory"),
         PathText(src, dst), legal.empty() ? "no path on this chip" : legal,
         other           ? std::string(other)
         : chips.empty() ? std::string(positions)
                         : ChooseChip(chips, "this path")});
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
    if (r.core_kind == isa::CoreKind::kAiCore || memory == Memory::kGm) return true;
    return (memory == Memory::kUb) == (r.core_kind == isa::CoreKind::kVector);
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

struct Alignment {
    Rule rule;
    uint64_t bytes;
};

// What an operand in UB is aligned to, where it is not a block.
uint64_t UbAlignment(const Record&, const auto&, int) { return isa::kBlockBytes; }
uint64_t UbAlignment(const Record&, const isa::RegisterMove&, int) { return 16; }
// vector_instructions.md 8.3, 8.4: queues lie wherever their records may, and so do merged proposals.
uint64_t UbAlignment(const Record& r, const isa::MergeQueues&, int operand) {
    const bool whole = operand == 0 && isa::SortsPairs(r.op);
    return whole ? isa::kBlockBytes : isa::RecordBytes(r.op, r.dst().type);
}
// 7.1, 7.3, 7.6: results of reductions lie anywhere their elements may.
uint64_t UbAlignment(const Record& r, const isa::Reduce&, int operand) {
    return operand == 0 ? isa::ResultsOf(r).alignment : isa::kBlockBytes;
}
uint64_t UbAlignment(const Record& r, const isa::ReduceTensor&, int operand) {
    if (operand != 0) return isa::kBlockBytes;
    const uint64_t bytes = BytesOf(r.dst().type, 1);
    if (isa::ReductionOf(r.op) == isa::Reduction::kSum) return bytes;
    return r.api == isa::Api::kTik ? 4 : 2 * bytes;
}

// cube.md 1.3, tik.md 3.8.
Alignment AlignmentOf(const Record& r, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    const bool tik = r.api == isa::Api::kTik;
    switch (o.memory) {
        case Memory::kL1: {
            // A move of blocks counts in them; every other call of TIK takes the general rule.
            const bool blocks = !tik || r.If<isa::Blocks>();
            return {Rule::kL1Alignment, blocks ? uint64_t{isa::kBlockBytes} : isa::kFractalBytes};
        }
        case Memory::kL0A:
        case Memory::kL0B: return {Rule::kL0Alignment, isa::kFractalBytes};
        case Memory::kL0C: {
            const bool whole = operand == 0 && (r.op == isa::Opcode::mmad || r.op == isa::Opcode::broadcast_ub_to_l0c);
            return {Rule::kL0CAlignment, whole || tik ? BytesOf(o.type, isa::kL0CFractal) : 64};
        }
        case Memory::kBt: return {Rule::kBtAlignment, 64};
        case Memory::kFb: return {Rule::kFbAlignment, 128};
        case Memory::kGm: break;
        default: {
            const auto of = [&](const auto& parameters) { return UbAlignment(r, parameters, operand); };
            return {Rule::kUbAlignment, VisitForm(r, of)};
        }
    }
    if (const auto* fixpipe = r.If<isa::Fixpipe>()) {
        return {Rule::kGmAlignment, fixpipe->row_major ? 1 : uint64_t{isa::kBlockBytes}};
    }
    // DataCopyPad and TIK take any byte of GM.
    const bool any = tik || r.form() == isa::Form::kMovePad;
    return {Rule::kGmAlignment, any ? 1 : BytesOf(o.type, 1)};
}

}  // namespace

bool VectorMemoryFault(const Record& r, const Context& c) {
    for (int i = 0; i < r.operand_count; ++i) {
        const Operand& o = r.operand[static_cast<size_t>(i)];
        if (o.memory != Memory::kUb) return WrongMemory(r, c, i, Memory::kUb, kCopyFirst);
        if (o.offset % isa::kBlockBytes) return Misaligned(r, c, i, Rule::kUbAlignment, isa::kBlockBytes);
    }
    return WrongCore(r, c, 0);
}

std::string HomeText(const Record& r, Memory memory) {
    return fmt::format("{} ({})", isa::Name(memory), HomeOf(r, memory));
}

bool WrongMemory(const Record& r, const Context& c, int operand, std::string legal, std::string hint) {
    return Tell(
        r, c,
        {Rule::kMemoryPath, isa::OperandName(r, operand), "the operand is in a memory the instruction cannot use",
         PlaceText(r.operand[static_cast<size_t>(operand)], c), std::move(legal), std::move(hint)});
}

bool WrongMemory(const Record& r, const Context& c, int operand, Memory wanted, const char* ascendc_hint) {
    const bool tik = r.api == isa::Api::kTik;
    const char* scope = HomeOf(r, wanted);
    return WrongMemory(r, c, operand, HomeText(r, wanted),
                       !tik           ? std::string(ascendc_hint)
                       : operand == 0 ? fmt::format("write to a Tensor with scope={}", scope)
                                      : fmt::format("copy the data to a Tensor with scope={} first", scope));
}

bool CheckOperandMemory(const Record& r, const Context& c, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    if (!CoreHas(r, o.memory)) return WrongCore(r, c, operand);
    const Alignment align = AlignmentOf(r, operand);
    return o.offset % align.bytes == 0 || Misaligned(r, c, operand, align.rule, align.bytes);
}

bool CheckPath(const Record& r, const Context& c) {
    if (!c.chip->HasPath(r.api, r.op, SourceOf(r), r.dst().memory)) [[unlikely]]
        return WrongPath(r, c);
    for (int i = 0; i < r.operand_count; ++i) {
        if (!CheckOperandMemory(r, c, i)) return false;
    }
    return true;
}

bool CheckUbOperand(const Record& r, const Context& c, int operand) {
    if (r.operand[static_cast<size_t>(operand)].memory != Memory::kUb) {
        return WrongMemory(r, c, operand, Memory::kUb, kCopyFirst);
    }
    return CheckOperandMemory(r, c, operand);
}

bool CheckScalarMemory(const Record& r, const Context& c) {
    const Operand& o = r.dst();
    if (o.memory != Memory::kUb && o.memory != Memory::kGm) return WrongMemory(r, c, 0, "UB or GM", kCopyFirst);
    if (!CoreHas(r, o.memory)) return WrongCore(r, c, 0);
    return o.offset % BytesOf(o.type, 1) == 0 || Misaligned(r, c, 0, Rule::kScalarAlignment, BytesOf(o.type, 1));
}

}  // namespace sfumato::check
