// SPDX-License-Identifier: Apache-2.0
// Vector calls to records: mask, repeats, strides, scalar, and what conversions add (tik.md 3.1 to 3.5).
#include <fmt/format.h>

#include "frontends/tik/calls.h"
#include "numeric/convert.h"

namespace sfumato::tik {
namespace {

using isa::MaskMode;
using isa::Record;

void SetMask(const CallValues& v, const CallArgument& mask, Record* r) {
    const std::string_view mode = v.Text(Param::mask_mode, "normal");
    if (mode != "normal" && mode != "counter") {
        Refuse({"mask-mode", "mask_mode", "the mask mode does not exist", fmt::format("'{}'", mode),
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
        Refuse({"mask-list", "mask", counter ? "counter mode takes a number" : "a bitwise mask has two words",
                fmt::format("a list of {}", mask.count),
                counter ? "an int, Scalar or Expr: the number of elements in all" : "[mask_h, mask_l], 64 bits each",
                ""});
    }
    const auto word = [&](int i) { return static_cast<uint64_t>(v.Integer(v.Item(mask, i))); };
    r->mask = {MaskMode::kBits, 0, {word(1), word(0)}};
}

void SetRepeat(const CallValues& v, const CallArgument& a, Record* r) {
    r->repeat = v.Count(a);
    if (r->repeat == 0 && a.literal) {
        Refuse({"repeat-range", "repeat_times", "the repeat count is out of range", "0",
                "1..255; a Scalar or an Expr may be 0", "leave the call out"});
    }
}

void NoStrideUnit(const CallValues& v, const CallArgument& a) {
    if (const int64_t unit = v.Integer(a)) {
        Refuse({"stride-unit", "stride_unit", "only strides from head to head in blocks are known",
                fmt::format("{}", unit), "0", "turn the gaps into strides"});
    }
}

bool IsFloatScale(const CallValues& v, const CallArgument& a) {
    const Expr& e = v.ExprOf(a);
    return e.literal ? std::holds_alternative<double>(e.number) : IsFloating(e.type);
}

// A scale and an offset as one word; bit 46 follows the destination (tik.md 3.5).
uint64_t PackWord(const CallValues& v, const CallArgument& list, DataType dst) {
    const auto bad = [&](const char* found) {
        Refuse({"deqscale-list", "deqscale", "the list must be a scale and an offset", found,
                "(scale: float, offset: int in [-256, 255])", ""});
    };
    if (list.count != 2) bad("another number of items");
    const CallArgument &scale = v.Item(list, 0), &offset = v.Item(list, 1);
    if (scale.kind != CallArgument::Kind::kExpr || offset.kind != CallArgument::Kind::kExpr)
        bad("items that are no numbers");
    const Expr& e = v.ExprOf(scale);
    if (!e.literal) bad("a scale that is not known while the script runs");
    const double value = std::visit([](auto n) { return static_cast<double>(n); }, e.number);
    const int64_t shift = v.Integer(offset);
    uint64_t word = 0;
    if (shift < -256 || shift > 255) bad("an offset out of range");
    if (!numeric::PackDeqWord(value, shift, dst == DataType::kInt8, &word)) bad("a scale out of range");
    return word;
}

// 16 words in UB, one a column.
uint64_t WordsAt(const isa::Operand& words) {
    constexpr uint64_t kBytes = 16 * sizeof(uint64_t);
    if (words.memory != isa::Memory::kUb || words.type != DataType::kUint64 || words.limit < words.offset ||
        words.limit - words.offset < kBytes) {
        Refuse({"deqscale-tensor", "deqscale", "the tensor cannot hold the words of 16 columns",
                fmt::format("{} in {}", NumpyName(words.type), isa::Name(words.memory)),
                "16 elements of uint64 or more in UB", ""});
    }
    return words.offset;
}

void SetDeqscale(const CallValues& v, Record* r) {
    constexpr int kWords = 2;  // the row's operand
    isa::Control& control = r->control;
    const CallArgument* a = v.Find(Param::deqscale);
    if (v.has(kWords)) {
        control.deq = isa::DeqScale::kVector;
        control.deq_word = WordsAt(v.Operand(kWords));
    } else if (a && a->kind == CallArgument::Kind::kList) {
        control.deq = isa::DeqScale::kWord;
        control.deq_word = PackWord(v, *a, r->dst().type);
    } else if (a && a->kind == CallArgument::Kind::kExpr && IsFloatScale(v, *a)) {
        control.deq = isa::DeqScale::kHalf;
        control.deq_word = v.Bits(*a, DataType::kHalf);
    } else if (a) {
        control.deq = isa::DeqScale::kWord;
        control.deq_word = v.Bits(*a, DataType::kUint64);
    }
}

Rounding RoundingOf(std::string_view mode) {
    constexpr std::pair<std::string_view, Rounding> kModes[] = {
        {"", Rounding::kNone},           {"none", Rounding::kNone},     {"round", Rounding::kRint},
        {"floor", Rounding::kFloor},     {"ceil", Rounding::kCeil},     {"ceiling", Rounding::kCeil},
        {"away-zero", Rounding::kRound}, {"to-zero", Rounding::kTrunc}, {"odd", Rounding::kOdd}};
    for (const auto& [name, rounding] : kModes) {
        if (name == mode) return rounding;
    }
    Refuse({"round-mode", "round_mode", "the round mode does not exist", fmt::format("'{}'", mode),
            "'', 'none', 'round', 'floor', 'ceil', 'ceiling', 'away-zero', 'to-zero', 'odd'", ""});
}

}  // namespace

void BuildVector(const CallValues& v, Record* r) {
    r->pipe = isa::Pipe::kV;
    r->operand_count = static_cast<uint8_t>(v.operands());
    for (int i = 0; i < v.operands(); ++i) r->operand[static_cast<size_t>(i)] = v.Operand(i);
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
    SetDeqscale(v, r);
}

}  // namespace sfumato::tik
