// SPDX-License-Identifier: Apache-2.0
// Vector calls to records: mask, repeats, strides, scalar, and what conversions add (tik.md 3.1 to 3.5).
#include <fmt/format.h>

#include "frontends/tik/calls.h"
#include "isa/round_words.h"
#include "numeric/convert.h"

namespace sfumato::tik {
namespace {

using isa::MaskMode;
using isa::Record;

// 64-bit words are unsigned; of a Scalar any bits are taken.
bool IsNegativeNumber(const CallValues& v, const CallArgument& a) {
    const Expr& e = v.ExprOf(a);
    const auto* n = std::get_if<int64_t>(&e.number);
    return e.literal && n && *n < 0;
}

void SetMask(const CallValues& v, const CallArgument& mask, Record* r) {
    const std::string_view mode = v.Text(Param::mask_mode, "normal");
    if (mode != "normal" && mode != "counter") {
        Refuse({Rule::kMaskMode, "mask_mode", "the mask mode does not exist", fmt::format("'{}'", mode),
                "'normal', 'counter'", ""});
    }
    // Ascend310 and Ascend910 take the counter mode as the normal one (tik.md 3.2).
    const bool counter = mode == "counter" && v.chip().counter_mode;
    if (mask.kind != CallArgument::Kind::kList) {
        const auto count = static_cast<uint64_t>(v.Integer(mask));
        r->mask = {counter ? MaskMode::kCounter : MaskMode::kContinuous, count, {}};
        return;
    }
    if (counter || mask.count != 2) {
        Refuse({Rule::kMaskList, "mask", counter ? "counter mode takes a number" : "a bitwise mask has two words",
                fmt::format("a list of {}", mask.count),
                counter ? "an int, Scalar or Expr: the number of elements in all" : "[mask_h, mask_l], 64 bits each",
                ""});
    }
    const auto word = [&](int i) {
        const CallArgument& a = v.Item(mask, i);
        const int64_t bits = v.Integer(a);
        if (IsNegativeNumber(v, a)) {
            Refuse({Rule::kMaskList, "mask", "a word of the mask is out of range", fmt::format("{}", bits),
                    "0..2^64 - 1", ""});
        }
        return static_cast<uint64_t>(bits);
    };
    r->mask = {MaskMode::kBits, 0, {word(1), word(0)}};
}

void SetRepeat(const CallValues& v, const CallArgument& a, Record* r) {
    r->repeat = v.Count(a);
    if (r->repeat == 0 && a.literal) {
        Refuse({Rule::kRepeatRange, "repeat_times", "the repeat count is out of range", "0",
                "1..255; a Scalar or an Expr may be 0", "leave the call out"});
    }
}

void NoStrideUnit(const CallValues& v, const CallArgument& a) {
    if (const int64_t unit = v.Integer(a)) {
        Refuse({Rule::kStrideUnit, "stride_unit", "only strides from head to head in blocks are known",
                fmt::format("{}", unit), "0", "turn the gaps into strides"});
    }
}

bool IsFloatScale(const CallValues& v, const CallArgument& a) {
    const Expr& e = v.ExprOf(a);
    return e.literal ? std::holds_alternative<double>(e.number) : IsFloating(e.type);
}

// A scale and an offset as one word; bit 46 follows the destination (tik.md 3.5).
uint64_t PackWord(const CallValues& v, const CallArgument& list, DataType dst) {
    const auto bad = [&](const std::string& found) {
        Refuse({Rule::kDeqscaleList, "deqscale", "the list must be a scale and an offset", found,
                "(scale: float in the 1-8-10 format, offset: int in [-256, 255])", ""});
    };
    if (list.count != 2) bad(fmt::format("a list of {}", list.count));
    const auto number = [&](int i, const char* what) {
        const CallArgument& a = v.Item(list, i);
        if (!a.literal) bad(fmt::format("{} that is no Python number", what));
        return v.ExprOf(a).number;
    };
    const Number scale = number(0, "a scale"), offset = number(1, "an offset");
    const double value = std::visit([](auto n) { return static_cast<double>(n); }, scale);
    const auto* shift = std::get_if<int64_t>(&offset);
    if (std::holds_alternative<double>(offset)) bad("an offset that is a float");
    if (!shift || *shift < -256 || *shift > 255)
        bad(fmt::format("the offset {}", std::visit([](auto n) { return fmt::format("{}", n); }, offset)));
    uint64_t word = 0;
    if (!numeric::PackDeqWord(value, *shift, dst == DataType::kInt8, &word)) bad(fmt::format("the scale {}", value));
    return word;
}

// One word for all columns. Bit 46 of a number is checked with the record; of a Scalar, an Expr or a Tensor it is not,
// as in TIK (tik.md 3.5): the type of dst decides there, too.
uint64_t WordOf(const CallValues& v, const CallArgument& a, DataType dst) {
    constexpr uint64_t kSigned = uint64_t{1} << 46;
    const uint64_t word = v.Bits(a, DataType::kUint64);
    if (IsNegativeNumber(v, a)) {
        Refuse({Rule::kParameterRange, "deqscale", "the word is out of range",
                fmt::format("{}", static_cast<int64_t>(word)), "0..2^64 - 1",
                "give the 64 bits as an unsigned number"});
    }
    const Expr& e = v.ExprOf(a);
    if (e.literal) return word;
    if (e.type != DataType::kUint64) {
        Refuse({Rule::kTypeMismatch, "deqscale", "deqscale is of the wrong type", NumpyName(e.type),
                "an int, or a Scalar or Expr of uint64", "make it Scalar('uint64')"});
    }
    return dst == DataType::kInt8 ? word | kSigned : word & ~kSigned;
}

// 16 words in UB, one a column.
void CheckWords(const isa::Operand& words) {
    constexpr uint64_t kWord = sizeof(uint64_t), kBytes = 16 * kWord;
    const uint64_t room = words.limit < words.offset ? 0 : words.limit - words.offset;
    if (words.memory == isa::Memory::kUb && words.type == DataType::kUint64 && room >= kBytes) return;
    Refuse({Rule::kDeqscaleTensor, "deqscale", "the tensor cannot hold the words of 16 columns",
            fmt::format("{} elements of {} in {}", room * 8 / BitsOf(words.type), NumpyName(words.type),
                        isa::Name(words.memory)),
            "16 elements of uint64 or more in UB", ""});
}

// The scale that is no tensor.
void SetScale(const CallValues& v, Record* r) {
    isa::Control& control = r->control;
    const CallArgument* a = v.Find(Param::deqscale);
    if (a && a->kind == CallArgument::Kind::kList) {
        control.deq = isa::DeqScale::kWord;
        control.deq_word = PackWord(v, *a, r->dst().type);
    } else if (a && a->kind == CallArgument::Kind::kExpr && IsFloatScale(v, *a)) {
        control.deq = isa::DeqScale::kHalf;
        control.deq_word = v.Bits(*a, DataType::kHalf);
    } else if (a) {
        control.deq = isa::DeqScale::kWord;
        control.deq_word = WordOf(v, *a, r->dst().type);
    }
}

void SetDeqscale(const CallValues& v, const soc::ConversionRow* row, Record* r) {
    constexpr int kWords = 2;  // the row's operand
    isa::Control& control = r->control;
    if (v.has(kWords)) {
        const isa::Operand words = v.Operand(kWords);
        if (row && row->deq == soc::DeqKind::kWord) CheckWords(words);
        control.deq = isa::DeqScale::kVector;
        control.deq_word = words.offset;
    } else {
        SetScale(v, r);
    }
}

Rounding RoundingOf(std::string_view mode) {
    if (const auto rounding = isa::RoundingNamed(isa::Api::kTik, mode)) return *rounding;
    Refuse({Rule::kRoundMode, "round_mode", "the round mode does not exist", fmt::format("'{}'", mode),
            "'', 'none', 'round', 'floor', 'ceil', 'ceiling', 'away-zero', 'to-zero', 'odd'", ""});
}

}  // namespace

void BuildVector(const CallValues& v, Record* r) {
    r->pipe = isa::Pipe::kV;
    r->operand_count = static_cast<uint8_t>(v.operands());
    for (int i = 0; i < v.operands(); ++i) Nth(r->operand, i) = v.Operand(i);
    SetVectorParameters(v, r);
}

void SetVectorParameters(const CallValues& v, Record* r) {
    for (const CallArgument& a : v.arguments()) {
        switch (a.param) {
            case Param::mask: SetMask(v, a, r); break;
            case Param::repeat_times: SetRepeat(v, a, r); break;
            case Param::scalar: r->immediate = v.Bits(a, r->operand[r->operand_count > 1 ? 1 : 0].type); break;
            case Param::dst_blk_stride: r->operand[0].block_stride = v.Count(a); break;
            case Param::src_blk_stride:
            case Param::src0_blk_stride: r->operand[1].block_stride = v.Count(a); break;
            case Param::src1_blk_stride: r->operand[2].block_stride = v.Count(a); break;
            case Param::dst_rep_stride: r->operand[0].repeat_stride = v.Count(a); break;
            case Param::src_rep_stride:
            case Param::src0_rep_stride: r->operand[1].repeat_stride = v.Count(a); break;
            case Param::src1_rep_stride: r->operand[2].repeat_stride = v.Count(a); break;
            case Param::round_en: r->rounding = v.Integer(a) ? Rounding::kRound : Rounding::kNone; break;
            case Param::stride_unit: NoStrideUnit(v, a); break;
            default: break;
        }
    }
}

void BuildScaled(const CallValues& v, Record* r) {
    BuildVector(v, r);
    SetScale(v, r);
}

void BuildConvert(const CallValues& v, Record* r) {
    BuildVector(v, r);
    r->operand_count = 2;  // the words are no operand of the record
    r->operand[2] = {};
    r->rounding = RoundingOf(v.Text(Param::round_mode, ""));
    const DataType src = r->src0().type, dst = r->dst().type;
    const soc::ConversionRow* row = v.chip().Conversion(isa::Api::kTik, src, dst);
    const bool high = v.Flag(Param::ldst_high_half);
    // Only conversions of 16 to 8 bits into half blocks look at it (tik.md, A6).
    const bool narrow = BitsOf(src) == 16 && !IsFloating(src) && BitsOf(dst) == 8;
    if (narrow && ((row && row->half_block) || high)) {
        r->half_block = high ? isa::HalfBlock::kHigh : isa::HalfBlock::kLow;
    }
    SetDeqscale(v, row, r);
}

}  // namespace sfumato::tik
