// SPDX-License-Identifier: Apache-2.0
// What instructions and forms make of their operands: the columns of instructions.inc and forms.inc that checks,
// estimates of time and timelines go by.
#pragma once

#include <cstdint>

namespace sfumato::isa {

// Integers: a and b are the sources, b the immediate where there is no second one, d what dst holds.
enum class Integers : uint8_t {
    kNone,  // none that the operands do not have, none that may leave their type, or none at all
    kAnd,   // bit by bit
    kOr,
    kNot,
    kCopy,
    kSum,  // a + b
    kDifference,
    kProduct,
    kSumRelu,  // max(0, a + b)
    kDifferenceRelu,
    kMagnitude,       // |a|
    kPower,           // a to the power of b
    kPowerOfScalar,   // b to the power of a
    kRising,          // b plus the number of the element
    kProductOntoDst,  // a * b + d
    kDstProduct,      // a * d + b
    kDstProductRelu,  // max(0, a * d + b)
    kConverted,       // numbers of another type
    kMatrix           // sums of products of matrices
};

// Floating numbers: which ones, as far as reports tell them apart.
enum class Floats : uint8_t {
    kNone,       // none that the operands do not have
    kConverted,  // numbers of another type
    kUnloaded,   // the same, on the way into L0C or out of it
    kFunction,   // sums and functions
    kProduct,
    kQuotient,
    kReciprocal,
    kRoot,
    kInverseRoot,
    kLogarithm,
    kExponential
};

struct Makes {
    Integers integers;
    Floats floats;
};

// The words of instructions.inc.
namespace makes {
constexpr Makes kNothingNew{Integers::kNone, Floats::kNone};  // moves, choices, comparisons, shifts, flags
constexpr Makes kAnd{Integers::kAnd, Floats::kNone};
constexpr Makes kOr{Integers::kOr, Floats::kNone};
constexpr Makes kNot{Integers::kNot, Floats::kNone};
constexpr Makes kCopy{Integers::kCopy, Floats::kNone};
constexpr Makes kMagnitude{Integers::kMagnitude, Floats::kNone};
constexpr Makes kSum{Integers::kSum, Floats::kFunction};
constexpr Makes kDifference{Integers::kDifference, Floats::kFunction};
constexpr Makes kProduct{Integers::kProduct, Floats::kProduct};
constexpr Makes kSumRelu{Integers::kSumRelu, Floats::kFunction};
constexpr Makes kDifferenceRelu{Integers::kDifferenceRelu, Floats::kFunction};
constexpr Makes kPower{Integers::kPower, Floats::kFunction};
constexpr Makes kPowerOfScalar{Integers::kPowerOfScalar, Floats::kFunction};
constexpr Makes kRising{Integers::kRising, Floats::kFunction};
constexpr Makes kProductOntoDst{Integers::kProductOntoDst, Floats::kFunction};
constexpr Makes kDstProduct{Integers::kDstProduct, Floats::kFunction};
constexpr Makes kDstProductRelu{Integers::kDstProductRelu, Floats::kFunction};
constexpr Makes kMatrix{Integers::kMatrix, Floats::kFunction};
constexpr Makes kConverted{Integers::kConverted, Floats::kConverted};
constexpr Makes kRescaled{Integers::kNone, Floats::kConverted};  // meant to limit
constexpr Makes kUnloaded{Integers::kNone, Floats::kUnloaded};
constexpr Makes kFunction{Integers::kNone, Floats::kFunction};  // of floating numbers; of integers, meant to limit
constexpr Makes kQuotient{Integers::kNone, Floats::kQuotient};
constexpr Makes kReciprocal{Integers::kNone, Floats::kReciprocal};
constexpr Makes kRoot{Integers::kNone, Floats::kRoot};
constexpr Makes kInverseRoot{Integers::kNone, Floats::kInverseRoot};
constexpr Makes kLogarithm{Integers::kNone, Floats::kLogarithm};
constexpr Makes kExponential{Integers::kNone, Floats::kExponential};
}  // namespace makes

// What one element of dst is made of.
enum class MadeOf : uint8_t {
    kNothing,        // there is no data: the pipes execute it themselves
    kLane,           // what stands in its lane
    kLaneAndScalar,  // the same, and the immediate
    kLaneBit,        // what stands in its lane: a bit, one after another
    kLaneChoice,     // what stands in its lane in one of the sources, as a bit says
    kGroup,          // lanes that stand together: a pair, a block, a repeat, all
    kProduct,        // a row and a column; what dst holds, where it accumulates
    kWeighted,       // elements at offsets, operand 2, times weights
    kElement,        // one element of src, which may be converted, or added to global memory
    kByOffsets,      // bytes from offsets, or to them: operand 2
    kByBits,         // elements that a pattern chooses, or bits: operand 2
    kBytes           // bytes of the sources or the immediate, as they are
};
constexpr bool IsByLane(MadeOf m) { return m == MadeOf::kLane || m == MadeOf::kLaneAndScalar; }
// The repeats of such a form walk its operands as their strides say, whatever its parameters are.
constexpr bool IsInLanes(MadeOf m) { return IsByLane(m) || m == MadeOf::kLaneBit || m == MadeOf::kLaneChoice; }
// No result of arithmetic, whatever the instruction.
constexpr bool Keeps(MadeOf m) {
    switch (m) {
        case MadeOf::kNothing:
        case MadeOf::kLaneBit:
        case MadeOf::kLaneChoice:
        case MadeOf::kByOffsets:
        case MadeOf::kByBits:
        case MadeOf::kBytes: return true;
        case MadeOf::kLane:
        case MadeOf::kLaneAndScalar:
        case MadeOf::kGroup:
        case MadeOf::kProduct:
        case MadeOf::kWeighted:
        case MadeOf::kElement: return false;
    }
    __builtin_unreachable();
}

// What the bytes of dst have beside the data.
enum class Rest : uint8_t {
    kNone,
    kBlock,     // of a store: the end of the last block of 32 bytes
    kRow,       // of a store: the end of the last row of 16 elements
    kPads,      // pads, which may have no value
    kFractals,  // the end of the last fractals, as the shape alone says (cube.md 4)
    kMatrix,    // the same, and what is no part of the matrix (cube.md 3.5)
    kQueues     // what was not merged: known once it has run
};
// Nothing of what it reaches on a chip is undefined.
constexpr bool IsFull(Rest r) { return r == Rest::kNone || r == Rest::kBlock || r == Rest::kRow; }

}  // namespace sfumato::isa
