// SPDX-License-Identifier: Apache-2.0
// Elements as bit patterns: which are finite, which nobody wrote (their memory holds one byte throughout), and as
// people write them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "isa/memory_map.h"
#include "isa/record.h"

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

// Whether an element of more than 8 bits is nothing but this byte.
constexpr bool IsFill(DataType type, uint64_t bits, uint8_t fill) {
    return BitsOf(type) > 8 && bits == (fill * 0x0101010101010101u & ~uint64_t{0} >> (64 - BitsOf(type)));
}

// The name of the first on-chip source of a record with such an element, as memory stands; nullptr when there is none.
const char* SourceOfFill(const isa::Record& record, const isa::MemoryMap& map, uint8_t fill);

}  // namespace sfumato::sanitize
