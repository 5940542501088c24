// SPDX-License-Identifier: Apache-2.0
// Element by element, conversions among them (vector_instructions.md 1, 9).
#include "isa/parts.h"

namespace sfumato::isa {

Span SpanIn(const Record& r, const Elementwise&, int operand) {
    const uint32_t shift = LanesShift(r);
    return OperandSpan(r, operand, shift, LanesOf(r, shift));
}

void RunsIn(const Record& r, const Elementwise&, int operand, const uint8_t*, Runs& runs) {
    AddActiveLanes(r, operand, runs);
}

// PrintIn: what a form adds to its operands.
void PrintIn(Out out, const Record& r, const Elementwise&) {
    if (r.If<Scalar>() || r.If<Fill>() || r.If<Index>()) PrintValue(out, r);
    if (Has(r.op, kShifts) && r.rounding == Rounding::kRound) fmt::format_to(out, " rounded");
    if (!Converts(r.form())) return;
    fmt::format_to(out, " {}", Name(r.rounding));
    if (r.half_block != HalfBlock::kDense)
        fmt::format_to(out, " half={}", r.half_block == HalfBlock::kHigh ? "high" : "low");
    constexpr const char* kDeq[] = {"", "half:", "word:", "vector at UB+"};
    if (r.control.deq == DeqScale::kVector) {
        fmt::format_to(out, " deqscale={}{}", kDeq[3], r.control.deq_word);
    } else if (r.control.deq != DeqScale::kNone) {
        fmt::format_to(out, " deqscale={}{:#x}", kDeq[static_cast<int>(r.control.deq)], r.control.deq_word);
    }
}

}  // namespace sfumato::isa
