// SPDX-License-Identifier: Apache-2.0
// The options `numerics`, `estimate`, `div` and `mmad_order`, and what is moved.
#include "runtime/launch/last_bits.h"

#include <fmt/format.h>

#include <optional>

#include "runtime/cores/number_behind.h"
#include "sfumato/launch_option.h"

namespace sfumato::runtime {
namespace {

using Move = isa::LastBits::Move;

isa::LastBits ParseDiv(const std::string& text) {
    if (text.empty() || text == "nearest") return {};
    if (text == "away") return {.move = Move::kAway};
    if (text == "toward") return {.move = Move::kToward};
    if (const auto seed = NumberBehind<uint32_t>("seed:", text)) return {.move = Move::kSeed, .seed = *seed};
    throw Error(
        fmt::format("div: '{}' is no rounding of quotients; legal are nearest, away, toward, and seed:N with N "
                    "from 0 to 4294967295",
                    text));
}

bool IsEstimate(isa::Opcode op) { return op == isa::Opcode::vrec || op == isa::Opcode::vrsqrt; }

bool IsRealMatmul(const isa::Record& r) { return r.If<isa::Matmul>() && IsFloating(r.src0().type); }

bool DividesFloats(const isa::Record& r) { return r.op == isa::Opcode::vdiv && r.dst().type == DataType::kFloat; }

Estimate EstimateOf(const std::string& word) {
    const LaunchOption& option = *FindLaunchOption("estimate");
    const std::optional<OptionValue> value = option.Parse(word);
    if (!value) throw Error(fmt::format("estimate: '{}' is not known; legal are {}", word, option.Legal()));
    return Estimate(value->word);
}

// What the launch has of an option: given, or of the record.
std::string TextOf(const std::string& given, const std::optional<std::string>& recorded) {
    return given.empty() ? recorded.value_or("") : given;
}

}  // namespace

LastBitChoice::LastBitChoice(const LaunchOptions& options, const soc::Chip& chip, const MovedCall* moved)
    : record_(soc::FindBoardRecord(options.numerics)), moved_(moved) {
    if (record_) soc::CheckFamily(*record_, chip);
    const soc::BoardRecord none{}, &record = record_ ? *record_ : none;
    records_estimate_ = record.estimate && !options.estimate;
    records_div_ = record.div && options.div.empty();
    records_order_ = record.mmad_order && options.mmad_order.empty();
    try {
        const Estimate recorded = record.estimate ? EstimateOf(*record.estimate) : Estimate::kBoard;
        exact_ = options.estimate.value_or(recorded) == Estimate::kExact;
        quotients_ = ParseDiv(TextOf(options.div, record.div));
        ways_ = isa::ParseAccumulations(TextOf(options.mmad_order, record.mmad_order));
    } catch (const Error& error) {
        if (!records_estimate_ && !records_div_ && !records_order_) throw;
        throw Error(fmt::format("{}, by the option or by {}", error.what(), record.file));
    }
    for (const auto& [op, table] : record.half) {
        if (!IsEstimate(op) || !options.estimate) half_tables_[op] = table.data();
    }
    any_ = exact_ || quotients_.move != isa::LastBits::Move::kNone || ways_ != isa::AccumulationChoice() ||
           !half_tables_.empty() || moved_;
}

void LastBitChoice::Tell(isa::Record* r) const {
    using Base = isa::LastBits::Base;
    if (r->last_bits.base == Base::kBoard) {
        const bool in_table =
            r->If<isa::Elementwise>() && r->dst().type == DataType::kHalf && half_tables_.contains(r->op);
        r->last_bits.base = in_table ? Base::kTable : exact_ && IsEstimate(r->op) ? Base::kExact : Base::kBoard;
    }
    if (IsRealMatmul(*r)) {
        auto& matmul = r->As<isa::Matmul>();
        matmul.order = ways_.Of(r->src0().type, matmul.hf32 != isa::Matmul::Hf32::kOff);
    }
    if (DividesFloats(*r)) {
        r->last_bits.move = quotients_.move;
        r->last_bits.seed = quotients_.seed;
    }
    if (moved_) MoveBits(r);
}

void LastBitChoice::MoveBits(isa::Record* r) const {
    if (moved_->way) {
        if (IsRealMatmul(*r)) r->As<isa::Matmul>().order = *moved_->way;
        return;
    }
    if (r->op != moved_->op || r->where.line != moved_->line || r->where.file != moved_->file) return;
    if (IsRealMatmul(*r)) {
        using Kind = isa::Accumulation::Kind;
        auto& order = r->As<isa::Matmul>().order;
        order = {order.kind == Kind::kSequential ? Kind::kK0Block : Kind::kSequential};
    } else {
        r->last_bits.move = moved_->move;
    }
}

bool LastBitChoice::DecidedByRecord(const isa::Record& r) const {
    if (r.last_bits.base == isa::LastBits::Base::kTable) return true;
    return (records_order_ && IsRealMatmul(r)) || (records_div_ && DividesFloats(r)) ||
           (records_estimate_ && IsEstimate(r.op));
}

}  // namespace sfumato::runtime

namespace sfumato {

Numerics NumericsOf(const LaunchOptions& options) {
    const auto record = soc::FindBoardRecord(options.numerics);
    const soc::BoardRecord none{}, &recorded = record ? *record : none;
    const auto text = [](std::string known, const char* otherwise) { return known.empty() ? otherwise : known; };
    const std::string estimate = options.estimate
                                     ? FindLaunchOption("estimate")->Words()[static_cast<size_t>(*options.estimate)]
                                     : recorded.estimate.value_or("");
    return {options.numerics, text(estimate, "board"), text(runtime::TextOf(options.div, recorded.div), "nearest"),
            text(runtime::TextOf(options.mmad_order, recorded.mmad_order), "sequential")};
}

std::string RecordsDir() { return soc::RecordsFolder().string(); }

}  // namespace sfumato
