// SPDX-License-Identifier: Apache-2.0
// The options `estimate` and `div`, and the record that is moved.
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
      quotients_(ParseDiv(options.div)),
      moved_(moved),
      any_(exact_ || quotients_.move != Move::kNone || moved) {}

void LastBitChoice::Tell(isa::Record* r) const {
    r->last_bits.exact |= exact_;
    if (r->op == isa::Opcode::vdiv && r->dst().type == DataType::kFloat) {
        r->last_bits.move = quotients_.move;
        r->last_bits.seed = quotients_.seed;
    }
    if (!moved_ || r->op != moved_->op || r->where.line != moved_->line || r->where.file != moved_->file) return;
    if (auto* matmul = r->If<isa::Matmul>()) {
        using Order = isa::Matmul::Order;
        matmul->order = matmul->order == Order::kSequential ? Order::kK0Block : Order::kSequential;
    } else {
        r->last_bits.move = moved_->move;
    }
}

}  // namespace sfumato::runtime
