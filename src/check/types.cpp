// SPDX-License-Identifier: Apache-2.0
// Legal element types, conversions, round modes and dequantisation: all of it from the chip's data.
#include <fmt/format.h>

#include "check/parts.h"
#include "isa/round_words.h"
#include "numeric/convert.h"

namespace sfumato::check {
namespace {

using isa::Api;
using isa::DeqScale;
using isa::Opcode;
using isa::Record;

uint16_t TypesOf(const soc::Chip& chip, Api api, Opcode op) {
    return chip.types[static_cast<size_t>(api)][static_cast<size_t>(op)];
}

SFUMATO_COLD bool TypeUnsupported(const Record& r, const Context& c, int operand) {
    const DataType type = r.operand[static_cast<size_t>(operand)].type;
    const uint16_t types = TypesOf(*c.chip, r.api, r.op);
    if (types == 0) {
        const std::string chips = OtherChips(c, [&](const soc::Chip& chip) { return TypesOf(chip, r.api, r.op) != 0; });
        return InstructionUnsupported(r, c, chips);
    }
    const std::string chips = OtherChips(c, [&](const soc::Chip& chip) { return chip.Has(r.api, r.op, type); });
    return Tell(r, c,
                {Rule::kTypeUnsupported, isa::OperandName(r, operand),
                 fmt::format("the element type is not supported on {}", c.chip->name), TypeName(r, type),
                 soc::TypeList(types, r.api), ChooseChip(chips, "this type")});
}

SFUMATO_COLD bool TypeMismatch(const Record& r, const Context& c, int operand, int like) {
    const DataType type = r.operand[static_cast<size_t>(operand)].type;
    const DataType wanted = r.operand[static_cast<size_t>(like)].type;
    const char* other = isa::OperandName(r, like);
    return Tell(r, c,
                {Rule::kTypeMismatch, isa::OperandName(r, operand), "the operands have different element types",
                 fmt::format("{} beside a {} of {}", TypeName(r, type), other, TypeName(r, wanted)),
                 fmt::format("{}, the type of {}", TypeName(r, wanted), other), "convert the operand first"});
}

std::string Pairs(const Record& r, const std::vector<soc::ConversionRow>& rows) {
    std::string text;
    for (const soc::ConversionRow& row : rows) {
        text += fmt::format("{}{} to {}", text.empty() ? "" : ", ", TypeName(r, row.src), TypeName(r, row.dst));
    }
    return text;
}

SFUMATO_COLD bool ConversionUnsupported(const Record& r, const Context& c) {
    if (isa::HasOwnConversions(r) && c.chip->Own(r.api, r.op).empty()) {
        return InstructionUnsupported(
            r, c, OtherChips(c, [&](const soc::Chip& chip) { return !chip.Own(r.api, r.op).empty(); }));
    }
    const DataType src = r.src0().type, dst = r.dst().type;
    const std::string chips = OtherChips(c, [&](const soc::Chip& chip) { return chip.ConversionOf(r) != nullptr; });
    std::string legal =
        isa::HasOwnConversions(r) ? Pairs(r, c.chip->Own(r.api, r.op)) : soc::ConversionList(*c.chip, r.api, src);
    if (legal.empty()) legal = fmt::format("nothing: {} converts from other types only", c.chip->name);
    return Tell(
        r, c,
        {Rule::kConversionUnsupported, "dst", fmt::format("the conversion is not supported on {}", c.chip->name),
         fmt::format("{} to {}", TypeName(r, src), TypeName(r, dst)),
         r.op != Opcode::vconv ? legal : fmt::format("from {}: {}", TypeName(r, src), legal),
         ChooseChip(chips, "this conversion")});
}

SFUMATO_COLD bool RoundingUnsupported(const Record& r, const Context& c, const soc::ConversionRow& row) {
    const std::string chips = OtherChips(c, [&](const soc::Chip& chip) {
        const soc::ConversionRow* other = chip.ConversionOf(r);
        return other && ((other->modes >> static_cast<int>(r.rounding)) & 1);
    });
    return Tell(r, c,
                {Rule::kRoundingUnsupported, r.api == Api::kTik ? "round_mode" : "roundMode",
                 fmt::format("{} to {} is not supported with this round mode on {}", TypeName(r, row.src),
                             TypeName(r, row.dst), c.chip->name),
                 isa::RoundWord(r.api, r.rounding), soc::ModeList(row),
                 !chips.empty() ? ChooseChip(chips, "this round mode")
                                : Spelling(r, "no other chip has this round mode",
                                           "no other chip has this round mode: choose a legal one")});
}

SFUMATO_COLD std::string DeqText(const isa::Control& control) {
    switch (control.deq) {
        case DeqScale::kNone: return "no scale";
        case DeqScale::kHalf: return fmt::format("a half scale ({:#06x})", control.deq_word);
        case DeqScale::kWord: return fmt::format("a 64-bit word ({:#x})", control.deq_word);
        case DeqScale::kVector: break;
    }
    return fmt::format("16 words at byte offset {} in UB", control.deq_word);
}

SFUMATO_COLD bool DeqMissing(const Record& r, const Context& c, const soc::ConversionRow& row) {
    const bool half = row.deq == soc::DeqKind::kHalfScale, tik = r.api == Api::kTik;
    const char* hint = tik && half ? "give deqscale as a float: 2.0, not 2"
                       : tik       ? "give deqscale=(scale, offset)"
                       : half      ? "call SetDeqScale(half) before it"
                                   : "call SetDeqScale(scale, offset, signMode) before it";
    return Tell(r, c,
                {Rule::kDeqscaleMissing, "deqscale",
                 fmt::format("{} to {} needs a scale", TypeName(r, row.src), TypeName(r, row.dst)), DeqText(r.control),
                 half ? Spelling(r, "a half scale", "a float, or a Scalar or Expr of float16")
                      : Spelling(r, "a 64-bit word, or 16 of them in UB",
                                 "(scale, offset), an int, a Scalar or Expr of uint64, a Tensor of 16 uint64 in UB"),
                 hint});
}

SFUMATO_COLD bool DeqNotTaken(const Record& r, const Context& c, const soc::ConversionRow& row) {
    return Tell(r, c,
                {Rule::kDeqscaleNotTaken, "deqscale",
                 fmt::format("{} to {} takes no scale", TypeName(r, row.src), TypeName(r, row.dst)), DeqText(r.control),
                 "None", "leave deqscale out"});
}

bool CheckDeq(const Record& r, const Context& c, const soc::ConversionRow& row) {
    const DeqScale deq = r.control.deq;
    switch (row.deq) {
        case soc::DeqKind::kNone:
            // Ascend C keeps the scale in a register, which other conversions ignore.
            return r.api == Api::kAscendC || deq == DeqScale::kNone || DeqNotTaken(r, c, row);
        case soc::DeqKind::kHalfScale: return deq == DeqScale::kHalf || DeqMissing(r, c, row);
        case soc::DeqKind::kWord: break;
    }
    if (deq == DeqScale::kVector) {
        constexpr uint64_t kBytes = 16 * sizeof(uint64_t);
        const uint64_t bytes = c.chip->Bytes(isa::Memory::kUb), at = r.control.deq_word;
        return (at % isa::kBlockBytes == 0 && at < bytes && bytes - at >= kBytes) ||
               DeqAddress(r, c, {at, at + kBytes});
    }
    if (deq != DeqScale::kWord) return DeqMissing(r, c, row);
    return numeric::DeqSigned(r.control.deq_word) == (row.dst == DataType::kInt8) || DeqSign(r, c, "deqscale");
}

SFUMATO_COLD bool ShiftRange(const Record& r, const Context& c, int64_t distance) {
    return Tell(r, c,
                {Rule::kShiftRange, Spelling(r, "scalarValue", "scalar"), "the shift distance is out of range",
                 fmt::format("{}", distance), fmt::format("0..{}, the bits of the element", BitsOf(r.dst().type)),
                 "check how the value is computed"});
}

SFUMATO_COLD bool ShiftRound(const Record& r, const Context& c) {
    const bool chip = !c.chip->shift_round;
    return Tell(r, c,
                {Rule::kShiftRound, Spelling(r, "roundEn", "round_en"),
                 chip ? fmt::format("{} does not round what is shifted out", c.chip->name)
                      : std::string("only what is shifted out of signed elements is rounded"),
                 fmt::format("{} for {}", Spelling(r, "true", "True"), TypeName(r, r.dst().type)),
                 Spelling(r, "false", "False"),
                 chip ? "add half of the last bit before the shift" : "use a signed type, or leave the argument out"});
}

SFUMATO_COLD bool HalfBlockUnsupported(const Record& r, const Context& c, const soc::ConversionRow& row) {
    return Tell(
        r, c,
        {Rule::kHalfBlockUnsupported, r.api == Api::kTik ? "ldst_high_half" : "halfBlock",
         fmt::format("{} to {} writes whole blocks on {}", TypeName(r, row.src), TypeName(r, row.dst), c.chip->name),
         r.half_block == isa::HalfBlock::kHigh ? "the high half" : "the low half", "no choice of a half",
         "leave the argument out"});
}

}  // namespace

std::string ChooseChip(const std::string& chips, const char* what, const char* instead) {
    if (chips.empty()) return fmt::format("no other chip has {}: {}", what, instead);
    return fmt::format("{} is there on {}: is the right chip chosen?", what, chips);
}

bool InstructionUnsupported(const Record& r, const Context& c, const std::string& chips) {
    // Overloads of a call that other chips have: what tells them apart, and what to use instead.
    struct Overload {
        Opcode op;
        const char *name, *hint;
    };
    constexpr Overload kOverloads[] = {
        {Opcode::load3dv1, "LoadData3DParamsV1", "use LoadData3DParamsV2"},
        {Opcode::load3dv2, "LoadData3DParamsV2", "use LoadData3DParamsV1"},
        {Opcode::nd2nz, "Nd2NzParams", "copy the rows one by one, or change the layout before the launch"},
        {Opcode::dn2nz, "Dn2NzParams", "transpose the matrix before the launch, and pass Nd2NzParams"},
        {Opcode::nddma, "NdDmaParams", "copy the rows one by one with DataCopyPad"},
        {Opcode::nz2nd, "Nz2NdParamsFull", "copy block by block, or let Fixpipe write rows"},
        {Opcode::tensor_mov, "DataCopyEnhancedParams from CO1", "use Fixpipe"},
    };
    // What programs of the chips without it write.
    struct Instead {
        Opcode op;
        const char* hint;
    };
    constexpr const char *kPairs =
                             "choose another chip; here Sort32 and MrgSort sort pairs, and Sort takes what is there",
                         *kProposals =
                             "choose another chip; here ProposalConcat, RpSort16 and MrgSort4 sort proposals, "
                             "and Sort takes what is there";
    constexpr Instead kInstead[] = {
        {Opcode::fixpipe, "choose another chip; here DataCopy with DataCopyEnhancedParams takes CO1 to CO2"},
        {Opcode::data_move_pad,
         "choose another chip; here DataCopy moves whole blocks of 32 bytes: move the last one "
         "back to end where the data ends, or allocate whole blocks"},
        {Opcode::vbcb, "choose another chip; here Duplicate fills a block with an element that GetValue reads"},
        {Opcode::vsort32, kProposals},
        {Opcode::vmrgsort, kProposals},
        {Opcode::vconcat, kPairs},
        {Opcode::vextract, kPairs},
        {Opcode::vrpsort16, kPairs},
        {Opcode::vmrgsort4, kPairs},
    };
    const bool step = std::string_view(isa::CallName(r)).find(": ") != std::string_view::npos;
    const char* hint = step                         ? "choose another chip, or write the call with instructions it has"
                       : r.op == Opcode::tensor_mov ? "use fixpipe"
                                                    : "choose another chip or another instruction";
    for (const Instead& i : kInstead) {
        if (i.op == r.op && r.api == Api::kAscendC && !step) hint = i.hint;
    }
    const Overload* overload = nullptr;
    for (const Overload& o : kOverloads) {
        if (o.op == r.op && r.api == Api::kAscendC) overload = &o;
    }
    return Tell(r, c,
                {Rule::kInstructionUnsupported, "",
                 overload ? fmt::format("{} does not have the form with {}", c.chip->name, overload->name)
                          : fmt::format("{} does not have the instruction", c.chip->name),
                 c.chip->name, chips.empty() ? "no chip" : chips, overload ? overload->hint : hint});
}

bool TypeNotHere(const Record& r, const Context& c, const char* where, const std::string& legal) {
    return Tell(r, c,
                {Rule::kTypeUnsupported, "dst", fmt::format("the element type {}", where), TypeName(r, r.dst().type),
                 legal, "use another destination, or convert to a legal type first"});
}

bool DeqSign(const Record& r, const Context& c, const char* operand) {
    const bool is_signed = r.dst().type == DataType::kInt8;
    const bool sign_mode = r.op == Opcode::vconv_deq && r.api == Api::kAscendC;
    return Tell(r, c,
                {Rule::kDeqscaleSign, operand, "bit 46 of the scale disagrees with dst; the type of dst decides",
                 fmt::format("bit 46 is {} with a dst of {}", is_signed ? 0 : 1, TypeName(r, r.dst().type)),
                 "1 for int8, 0 for uint8",
                 fmt::format("{} bit 46{}", is_signed ? "set" : "clear",
                             !sign_mode  ? ""
                             : is_signed ? ": signMode true"
                                         : ": signMode false")});
}

bool DeqAddress(const Record& r, const Context& c, isa::Span words) {
    return Tell(r, c,
                {Rule::kDeqscaleAddress, "deqscale", "the 16 words of the scale do not lie in UB as they must",
                 fmt::format("byte offset {} in UB", words.begin),
                 fmt::format("a multiple of 32, with {} bytes inside the {} bytes of UB", words.end - words.begin,
                             c.chip->Bytes(isa::Memory::kUb)),
                 "give a whole uint64 tensor of 16 elements"});
}

bool CheckTypeOf(const Record& r, const Context& c, int operand) {
    return c.chip->Has(r.api, r.op, r.operand[static_cast<size_t>(operand)].type) || TypeUnsupported(r, c, operand);
}

bool WrongType(const Record& r, const Context& c, int operand, DataType wanted) {
    return Tell(r, c,
                {Rule::kTypeMismatch, isa::OperandName(r, operand),
                 fmt::format("{} has the wrong element type", isa::OperandName(r, operand)),
                 TypeName(r, r.operand[static_cast<size_t>(operand)].type), TypeName(r, wanted),
                 fmt::format("give a tensor of {}", TypeName(r, wanted))});
}

bool CheckSameType(const Record& r, const Context& c, int operand, int like) {
    return r.operand[static_cast<size_t>(operand)].type == r.operand[static_cast<size_t>(like)].type ||
           TypeMismatch(r, c, operand, like);
}

namespace {
bool UsedByListed(const Record& r, const Context& c, DataType type) {
    const uint16_t types = c.chip->high_level.types[static_cast<size_t>(r.op)];
    return c.listed_call && r.api == Api::kAscendC && ((types >> static_cast<int>(type)) & 1);
}
}  // namespace

bool CheckTypes(const Record& r, const Context& c) {
    const DataType type = r.dst().type;
    if (!c.chip->Has(r.api, r.op, type) && !UsedByListed(r, c, type)) [[unlikely]]
        return TypeUnsupported(r, c, 0);
    // TIK moves bytes between tensors of any two types (tik.md 1.5).
    if (r.api == Api::kTik && r.If<isa::Blocks>()) return true;
    // All sources are half and dst is float, or all are of one type.
    const bool widens = type == DataType::kFloat && r.operand_count > 1 && r.src0().type == DataType::kHalf &&
                        c.chip->widens[static_cast<size_t>(r.api)][static_cast<size_t>(r.op)];
    for (int i = widens ? 2 : 1; i < r.operand_count; ++i) {
        if (r.operand[static_cast<size_t>(i)].type != (widens ? DataType::kHalf : type)) [[unlikely]]
            return TypeMismatch(r, c, i, widens ? 1 : 0);
    }
    return true;
}

bool CheckShift(const Record& r, const Context& c) {
    const DataType type = r.dst().type;
    const bool is_signed = type == DataType::kInt16 || type == DataType::kInt32;
    const uint32_t bits = BitsOf(type), unused = 64 - bits;
    const uint64_t top = r.immediate << unused;
    const int64_t distance = is_signed ? static_cast<int64_t>(top) >> unused : static_cast<int64_t>(top >> unused);
    if (distance < 0 || distance > int64_t{bits}) [[unlikely]]
        return ShiftRange(r, c, distance);
    if (r.rounding != Rounding::kRound || (is_signed && c.chip->shift_round)) [[likely]]
        return true;
    return ShiftRound(r, c);
}

bool CheckConversion(const Record& r, const Context& c) {
    const soc::ConversionRow* row = c.chip->ConversionOf(r);
    if (!row) [[unlikely]]
        return ConversionUnsupported(r, c);
    if (r.operand_count > 2 && !CheckSameType(r, c, 2, 1)) return false;
    // CastDeq has no round mode: its rows name none.
    if (!row->mode_names.empty() && !((row->modes >> static_cast<int>(r.rounding)) & 1)) [[unlikely]]
        return RoundingUnsupported(r, c, *row);
    if (row->deq != soc::DeqKind::kNone || r.api == Api::kTik) {
        if (!CheckDeq(r, c, *row)) return false;
    }
    return r.half_block == isa::HalfBlock::kDense || row->half_block || HalfBlockUnsupported(r, c, *row);
}

}  // namespace sfumato::check
