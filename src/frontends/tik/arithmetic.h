// SPDX-License-Identifier: Apache-2.0
// The scalar unit's arithmetic on values of the representation: one definition for folding and for running.
#pragma once

#include <bit>
#include <cmath>

#include "frontends/tik/ir.h"

namespace sfumato::tik {

constexpr bool IsSigned(DataType t) {
    return t == DataType::kInt8 || t == DataType::kInt16 || t == DataType::kInt32 || t == DataType::kInt64 ||
           t == DataType::kInt4;
}

inline float AsFloat(uint64_t v) { return std::bit_cast<float>(static_cast<uint32_t>(v)); }
inline uint64_t FromFloat(float f) { return std::bit_cast<uint32_t>(f); }

// Wraps an integer to its type: the low bits, extended to 64.
inline uint64_t Wrap(DataType type, uint64_t v) {
    const uint32_t spare = 64 - BitsOf(type);
    v <<= spare;
    return IsSigned(type) ? static_cast<uint64_t>(static_cast<int64_t>(v) >> spare) : v >> spare;
}

// A float result rounded to its type.
uint64_t RoundFloat(DataType type, float f);

// Memory holds a half in 16 bits, a value holds its float.
uint64_t ToMemory(DataType type, uint64_t value);
uint64_t FromMemory(DataType type, uint64_t bits);

// Between types as C converts; from a float out of range as the chip's conversions saturate.
uint64_t ConvertValue(DataType from, DataType to, uint64_t v);
// scalar_conv: float to int and float to half in the given mode, the others exactly.
uint64_t RoundValue(DataType from, DataType to, Rounding rounding, uint64_t v);
// A Python number as a value of a type: integers wrap, float16 is clamped to +-65504 (tik.md 3.10).
uint64_t FromNumber(DataType type, const Number& number);
Number ToNumber(DataType type, uint64_t v);

// False: a division by zero, the only operation without a result.
bool Apply(Op op, DataType type, uint64_t a, uint64_t b, uint64_t* result);
uint64_t Apply(Op op, DataType type, uint64_t a);

}  // namespace sfumato::tik
