// SPDX-License-Identifier: Apache-2.0
// What records touch though no operand names it.
#include "isa/spans.h"

#include "isa/reductions.h"
#include "isa/vector_registers.h"

namespace sfumato::isa {

Span RegisterWritten(const Record& r) {
    switch (r.form()) {
        case Form::kGatherMask: return kRsvdCount.span();
        case Form::kReduce:
        case Form::kReduceTensor: return ReductionRegister(r);
        case Form::kMergeQueues: return kMergeCounts.span();
        default: break;
    }
    const auto* select = r.If<Select>();
    const bool loads =
        select && select->mode == Select::Mode::kCmpMask && r.operand[r.operand_count - 1u].memory != Memory::kRegister;
    return loads ? kCmpMask.span() : Span{};
}

Span WordsSpan(const Record& r) {
    constexpr uint64_t kWords = 16;
    // TIK has no instruction of its own for it; in Ascend C other conversions ignore the register.
    const bool scales = Has(r.op, r.api == Api::kTik ? kCasts | kCastsInTik : uint32_t{kCastsInTik});
    if (scales && r.control.deq == DeqScale::kVector) {
        return {r.control.deq_word, r.control.deq_word + kWords * sizeof(uint64_t)};
    }
    const auto* move = r.If<MatrixMove>();
    if (!move || !IsVectorDeq(move->deq) || move->block_len == 0) return {};
    // 16 half scales, or 16 words, for each block.
    const uint64_t bytes = kWords * (move->deq == MatrixMove::Deq::kVDeq ? sizeof(uint16_t) : sizeof(uint64_t));
    return {move->word, move->word + move->block_count * bytes};
}

}  // namespace sfumato::isa
