// SPDX-License-Identifier: Apache-2.0
// Elements as bit patterns: which are finite, and as people write them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "sfumato/data_type.h"

namespace sfumato::sanitize {

// The magnitude bits of a floating type, and those of an infinity.
constexpr uint64_t MagnitudeOf(DataType t) { return t == DataType::kFloat ? 0x7FFFFFFF : 0x7FFF; }
constexpr uint64_t InfinityOf(DataType t) {
    return t == DataType::kFloat ? 0x7F800000 : t == DataType::kHalf ? 0x7C00 : 0x7F80;
}
// true for integers.
constexpr bool IsFinite(DataType t, uint64_t bits) { return !IsFloating(t) || (bits & InfinityOf(t)) != InfinityOf(t); }
constexpr bool IsNan(DataType t, uint64_t bits) { return IsFloating(t) && (bits & MagnitudeOf(t)) > InfinityOf(t); }
// Also true for integers that are 0.
constexpr bool IsZero(DataType t, uint64_t bits) { return (IsFloating(t) ? bits & MagnitudeOf(t) : bits) == 0; }

// An element of 8 bits or more, at its address.
inline uint64_t BitsAt(DataType t, const uint8_t* at) {
    uint64_t bits = 0;
    std::memcpy(&bits, at, BitsOf(t) / 8);
    return bits;
}
// Floating types exactly; integers of 64 bits rounded.
double ValueOf(DataType t, uint64_t bits);
int64_t IntegerOf(DataType t, uint64_t bits);
// "1.5", "-inf", "7".
std::string Show(DataType t, uint64_t bits);
// The largest finite value of a floating type: "65504".
std::string LargestOf(DataType t);

}  // namespace sfumato::sanitize
