// SPDX-License-Identifier: Apache-2.0
// How reductions and transposes walk their memories: what spans, checks and exec share.
#pragma once

#include "isa/geometry.h"

namespace sfumato::isa {

enum class Reduction : uint8_t { kSum, kMax, kMin };

// Lanes that make one result: a repeat, a block or a pair.
enum class ReduceWidth : uint8_t { kRepeat, kBlock, kPair };

constexpr Reduction ReductionOf(Opcode op) {
    return Has(op, kTakesMax) ? Reduction::kMax : Has(op, kTakesMin) ? Reduction::kMin : Reduction::kSum;
}

constexpr ReduceWidth WidthOf(Opcode op) {
    return Has(op, kOfBlocks) ? ReduceWidth::kBlock : Has(op, kOfPairs) ? ReduceWidth::kPair : ReduceWidth::kRepeat;
}

// The reduction of repeats that one of a whole tensor goes through.
constexpr Opcode OfRepeats(Opcode op) {
    switch (ReductionOf(op)) {
        case Reduction::kSum: return Opcode::vcadd;
        case Reduction::kMax: return Opcode::vcmax;
        case Reduction::kMin: return Opcode::vcmin;
    }
    __builtin_unreachable();
}

// One sum for each repeat: WholeReduceSum.
constexpr bool SumsRepeats(Opcode op) { return op == Opcode::vcadd; }

// log2 of the lanes of a result of elements of 2^log2_bits bits.
constexpr uint32_t WidthShift(ReduceWidth width, uint32_t log2_bits) {
    return width == ReduceWidth::kRepeat  ? kLog2RepeatBits - log2_bits
           : width == ReduceWidth::kBlock ? 8 - log2_bits
                                          : 1;
}

// What one repeat of a kReduce record stores.
struct Results {
    uint64_t bytes = 0;      // stored, from the start of the repeat's place
    uint64_t unit = 0;       // bytes that the repeat stride of dst counts
    uint64_t alignment = 0;  // of dst
};
inline Results ResultsOf(const Record& r) {
    const uint64_t size = uint64_t{1} << (Log2Bits(r.dst().type) - 3);
    switch (WidthOf(r.op)) {
        case ReduceWidth::kBlock: return {kBlocksPerRepeat * size, kBlocksPerRepeat * size, kBlocksPerRepeat * size};
        case ReduceWidth::kPair: return {kRepeatBytes / 2, kRepeatBytes / 2, kBlockBytes};
        case ReduceWidth::kRepeat: break;
    }
    if (ReductionOf(r.op) == Reduction::kSum) return {size, size, size};
    switch (r.As<Reduce>().order) {
        case ReduceOrder::kOnlyValue: return {size, size, size};
        case ReduceOrder::kOnlyIndex: return {4, 4, 4};
        default: return {2 * size, 2 * size, 2 * size};
    }
}

// The results of a repeat whose group of lanes has an active one: bit g is result g; `end` is past the repeat's last
// active lane.
uint64_t ActiveResults(const Record& record, uint32_t end);
// Results of a repeat.
inline uint32_t ResultCount(const Record& r) {
    const uint32_t log2_bits = Log2Bits(r.src0().type);
    return 1u << (kLog2RepeatBits - log2_bits - WidthShift(WidthOf(r.op), log2_bits));
}
constexpr uint64_t FirstResults(uint32_t n) { return n == 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1; }
// The results of a repeat that are stored: the others keep what dst holds.
inline uint64_t StoredResults(const Record& r, uint32_t end) {
    return r.As<Reduce>().fill_masked ? FirstResults(ResultCount(r)) : ActiveResults(r, end);
}

// Elements of the work tensor a kReduceTensor record needs (7.6); 0: none, and it has no such operand.
uint64_t WorkElements(const Record& record);

// The register a reduction leaves its result in (7.7); empty for most.
Span ReductionRegister(const Record& record);

}  // namespace sfumato::isa
