// SPDX-License-Identifier: Apache-2.0
// The results of a record that computes, one by one, and the elements each was made of.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "sanitize/numbers_before.h"

namespace sfumato::sanitize {

// What a result was made of.
struct Sources {
    struct Term {
        int operand;  // -1: the scalar of the record
        uint64_t bits;
    };
    static constexpr size_t kShown = 4;

    std::array<Term, kShown> terms{};  // the first ones, in the order of the operands
    uint64_t count = 0;                // of all
    bool finite = true;                // all of them

    void Add(int operand, DataType type, uint64_t bits);
};

// Whether the record computes floating numbers that may be infinite or NaN though all it reads is finite: sums,
// products, functions, conversions. What only moves or chooses does not.
bool ComputesFloats(const isa::Record& record);

// Of such a record, whether a result may be infinite or NaN at all: not where `saturate` limits half and bfloat16, nor
// in conversions to float, which hold every half, bfloat16 and integer.
bool BearsNonFinite(const isa::Record& record);

// Calls visit(offset of a result in its memory, bits, its sources) for the results whose bits `wanted` wants. The
// results are read from `results`; sources as they were before. Padding and lanes off the mask are no results.
// wanted(bits), cheap.
using Wanted = std::function<bool(uint64_t bits)>;
using Visit = std::function<void(uint64_t offset, uint64_t bits, const Sources& sources)>;
void ForEachResult(const isa::Record& record, const Before& before, const Bytes& results, const uint8_t* ub,
                   const Wanted& wanted, const Visit& visit);

// Magnitude bits [first, end) of a floating type.
struct Magnitudes {
    uint64_t first, end;
};
// Whether a result is outside: of Mmad of the m x n elements, without the rest of their fractals.
bool AnyOutside(const isa::Record& record, const Bytes& results, const uint8_t* ub, Magnitudes inside);
// Whether a result may be outside though its floating sources are inside: exactly where one lane makes one result, and
// as AnyOutside elsewhere. of_source: of an operand of a type, or of the scalar (-1).
using SourceMagnitudes = Magnitudes (*)(const isa::Record& record, int operand, DataType type);
bool AnyOutsideOfInside(const isa::Record& record, const Before& before, const Bytes& results, const uint8_t* ub,
                        Magnitudes inside, SourceMagnitudes of_source);

// The bits of the scalar operand of a record, where its form has one, and its type.
struct ScalarOperand {
    DataType type;
    uint64_t bits;
};
bool ScalarOf(const isa::Record& record, ScalarOperand* scalar);

}  // namespace sfumato::sanitize
