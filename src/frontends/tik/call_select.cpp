// SPDX-License-Identifier: Apache-2.0
// Compares, selects, fills from elements and gathers to records (tik.md 1.6, 1.7; vector_instructions.md 2 to 5).
#include <fmt/format.h>

#include "frontends/tik/calls.h"
#include "isa/geometry.h"
#include "isa/vector_registers.h"

namespace sfumato::tik {
namespace {

using isa::MaskMode;
using isa::Record;

// "vec_cmpv_lt" and the like.
isa::Compare::Mode ModeOf(std::string_view call) {
    constexpr std::string_view kModes[] = {"lt", "gt", "eq", "le", "ge", "ne"};
    const std::string_view suffix = call.substr(call.size() - 2);
    for (size_t i = 0; i < std::size(kModes); ++i) {
        if (kModes[i] == suffix) return static_cast<isa::Compare::Mode>(i);
    }
    return isa::Compare::Mode::kLt;  // calls.inc has no other suffix
}

void FullMask(Record* r) { r->mask = {MaskMode::kContinuous, LanesPerRepeat(*r), {}}; }

void NeedsTensor(const CallValues& v, int operand, const char* name, const std::string& found) {
    if (v.has(operand)) return;
    Refuse({Rule::kParameterType, name, fmt::format("{} must be a Tensor in this mode", name), found, "a Tensor in UB",
            ""});
}

// vreducev2 is the instruction of chips whose counter mode counts each repeat; it has no elements of 8 bits.
void NeedsSecondVersion(const CallValues& v, const Record& r) {
    const soc::Chip& chip = v.chip();
    const bool first = chip.gather_mask_total;
    const auto fits = [&](const soc::Chip& other) {
        return !other.gather_mask_total && Nth(other.types, isa::Api::kTik)[static_cast<size_t>(r.op)];
    };
    if (!fits(chip)) {
        Refuse({Rule::kInstructionUnsupported, "", fmt::format("{} does not have the instruction", chip.name),
                chip.name, soc::FamilyList(fits),
                first ? "use vreduce" : "choose another chip or another instruction"});
    }
    if (BitsOf(r.dst().type) == 8) {
        Refuse({Rule::kTypeUnsupported, "dst", "the element type is not supported", NumpyName(r.dst().type),
                "int16, uint16, float16, int32, uint32, float32", "use vreduce"});
    }
}

}  // namespace

void BuildCompare(const CallValues& v, Record* r) {
    BuildVector(v, r);
    r->Set(isa::Compare{ModeOf(v.call().info->name)});
    FullMask(r);
}

void BuildCompareRegister(const CallValues& v, Record* r) {
    r->pipe = isa::Pipe::kV;
    r->operand_count = 3;
    r->operand[0] = isa::RegisterOperand(isa::kCmpMask);
    r->operand[1] = v.Operand(0);
    r->operand[2] = v.Operand(1);
    SetVectorParameters(v, r);
    r->operand[1].block_stride = v.Count(Param::src0_stride, 1);
    r->operand[2].block_stride = v.Count(Param::src1_stride, 1);
    r->Set(isa::Compare{ModeOf(v.call().info->name)});
}

void BuildSelect(const CallValues& v, Record* r) {
    constexpr int kSel = 1, kSrc0 = 2, kSrc1 = 3;  // the row's operands
    const int64_t mode = v.Integer(Param::mode, 0);
    if (mode < 0 || mode > 2) {
        Refuse({Rule::kSelectMode, "mode", "the mode does not exist", fmt::format("{}", mode), "0, 1, 2", ""});
    }
    const auto kind = static_cast<isa::Select::Mode>(mode);
    r->pipe = isa::Pipe::kV;
    r->Set(isa::Select{kind});
    r->operand[0] = v.Operand(0);
    r->operand[1] = v.Operand(kSrc0);
    r->operand_count = 2;
    if (kind == isa::Select::Mode::kTensorScalar) {
        const CallArgument* scalar = v.Find(Param::src1);
        if (!scalar || v.has(kSrc1)) {
            Refuse({Rule::kParameterType, "src1", "src1 must be a number in mode 1", v.has(kSrc1) ? "a Tensor" : "None",
                    fmt::format("a number, or a Scalar of {}", NumpyName(r->dst().type)), ""});
        }
        r->immediate = v.Bits(*scalar, r->dst().type);
    } else {
        NeedsTensor(v, kSrc1, "src1", v.Given(v.Find(Param::src1)));
        r->operand[r->operand_count++] = v.Operand(kSrc1);
    }
    SetVectorParameters(v, r);
    if (kind != isa::Select::Mode::kCmpMask) NeedsTensor(v, kSel, "sel", "CMPMASK");
    isa::Operand& sel = r->operand[r->operand_count++];
    sel = v.has(kSel) ? v.Operand(kSel) : isa::RegisterOperand(isa::kCmpMask);
}

void BuildCmpMaskMove(const CallValues& v, Record* r) {
    r->pipe = isa::Pipe::kV;
    const isa::Operand cmpmask = isa::RegisterOperand(isa::kCmpMask);
    r->operand[0] = r->operand[1] = cmpmask;
    r->operand_count = v.operands() == 0 ? 1 : 2;
    if (v.operands() != 0) {
        r->operand[r->op == isa::Opcode::get_cmpmask ? 0 : 1] = v.Operand(0);
    } else if (const CallArgument* scalar = v.Find(Param::scalar)) {
        r->immediate = v.Bits(*scalar, DataType::kUint64);
    }
}

void BuildBroadcast(const CallValues& v, Record* r) {
    BuildVector(v, r);
    FullMask(r);
}

void BuildIndex(const CallValues& v, Record* r) {
    BuildVector(v, r);
    if (const CallArgument* first = v.Find(Param::start_point)) r->immediate = v.Bits(*first, r->dst().type);
}

void BuildGather(const CallValues& v, Record* r) {
    BuildVector(v, r);
    r->As<isa::Offsets>().base = v.Count(Param::base_addr, 0);
    if (r->op == isa::Opcode::vgatherb) FullMask(r);
}

void BuildInterpolate(const CallValues& v, Record* r) {
    BuildVector(v, r);
    std::swap(r->operand[2], r->operand[3]);  // the offsets are the last of the call's operands
    isa::Interpolate shape;
    shape.vertical = r->repeat = v.Count(Param::vertical_repeat_times, 0);
    shape.horizontal = v.Count(Param::horizontal_repeat_times, 0);
    shape.block_weights = v.Count(Param::repeat_mode, 0);
    shape.vertical_offset = v.Count(Param::vertical_repeat_offset, 0);
    const uint64_t pitch = BytesOf(r->dst().type, shape.vertical_offset);
    r->operand[0].repeat_stride = static_cast<uint32_t>(pitch / isa::kBlockBytes);
    r->Set(shape);
}

// The mask of the counter mode is the elements of each repeat (vector_instructions.md 4.5).
void BuildCopy(const CallValues& v, Record* r) {
    BuildVector(v, r);
    if (r->mask.mode != MaskMode::kCounter) return;
    if (r->mask.count > LanesPerRepeat(*r)) {
        Refuse({Rule::kMaskRange, "mask", "a repeat of more than 8 blocks is not supported",
                fmt::format("{}", r->mask.count), fmt::format("1..{}", LanesPerRepeat(*r)), "use more repeats"});
    }
    r->mask.mode = MaskMode::kContinuous;
}

void BuildGatherMask(const CallValues& v, Record* r) {
    BuildVector(v, r);
    if (std::string_view(v.call().info->name) == "vreducev2") NeedsSecondVersion(v, *r);
    isa::GatherMask shape;
    if (!v.has(2)) {
        const int64_t pattern = v.Integer(Param::src1_pattern, 0);
        shape.pattern = static_cast<uint8_t>(pattern >= 1 && pattern <= 7 ? pattern : 8);
    }
    r->Set(shape);
    if (v.Text(Param::mask_mode, "normal") == "normal") {
        FullMask(r);
    } else if (r->mask.mode == MaskMode::kCounter && !v.chip().gather_mask_total) {
        r->mask.mode = MaskMode::kContinuous;  // elements of each repeat
    }
}

}  // namespace sfumato::tik
