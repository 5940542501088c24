// SPDX-License-Identifier: Apache-2.0
// The options `estimate`, `div` and `mmad_order`, and the record that is moved.
#include "runtime/launch/last_bits.h"

#include <fmt/format.h>

#include "runtime/cores/number_behind.h"

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

}  // namespace

LastBitChoice::LastBitChoice(const LaunchOptions& options, const MovedCall* moved)
    : exact_(options.estimate == Estimate::kExact),
      orders_(isa::ParseAccumulations(options.mmad_order)),
      quotients_(ParseDiv(options.div)),
      moved_(moved),
      any_(exact_ || quotients_.move != Move::kNone || moved || orders_ != isa::AccumulationChoice()) {}

void LastBitChoice::Tell(isa::Record* r) const {
    r->last_bits.exact |= exact_;
    auto* matmul = r->If<isa::Matmul>();
    if (matmul) matmul->order = orders_.Of(r->src0().type, matmul->hf32 != isa::Matmul::Hf32::kOff);
    if (r->op == isa::Opcode::vdiv && r->dst().type == DataType::kFloat) {
        r->last_bits.move = quotients_.move;
        r->last_bits.seed = quotients_.seed;
    }
    if (!moved_ || r->op != moved_->op || r->where.line != moved_->line || r->where.file != moved_->file) return;
    if (matmul) {
        using Kind = isa::Accumulation::Kind;
        matmul->order = {matmul->order.kind == Kind::kSequential ? Kind::kK0Block : Kind::kSequential};
    } else {
        r->last_bits.move = moved_->move;
    }
}

}  // namespace sfumato::runtime
