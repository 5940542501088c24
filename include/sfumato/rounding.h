// SPDX-License-Identifier: Apache-2.0
// The one rounding mechanism: a number is unpacked exactly, rounded once to the destination's grid, and packed.
// Integer arithmetic only and constexpr. Rules: conversions.md. Light and C++17: half.h, in every kernel, stands on it.
#pragma once

#include "sfumato/data_type.h"

namespace sfumato::numeric {

// A binary interchange format: sign, biased exponent, mantissa without the leading one; subnormals, inf and NaN.
struct FloatFormat {
    int exponent_bits;
    int mantissa_bits;

    constexpr int Bias() const { return (1 << (exponent_bits - 1)) - 1; }
    constexpr int MinExponent() const { return 1 - Bias(); }  // of normal numbers; also the one subnormals use
    constexpr uint64_t SignBit() const { return uint64_t{1} << (exponent_bits + mantissa_bits); }
    constexpr uint64_t InfBits() const { return ((uint64_t{1} << exponent_bits) - 1) << mantissa_bits; }
    constexpr uint64_t MaxBits() const { return InfBits() - 1; }
    // Every NaN result is this one: quiet and positive.
    constexpr uint64_t NanBits() const { return InfBits() | (uint64_t{1} << (mantissa_bits - 1)); }
};

inline constexpr FloatFormat kHalfFormat{5, 10};
inline constexpr FloatFormat kBfloat16Format{8, 7};
inline constexpr FloatFormat kFloatFormat{8, 23};
inline constexpr FloatFormat kDoubleFormat{11, 52};

enum class Kind : uint8_t { kFinite, kInf, kNan };

// The exact number (-1)^negative * significand * 2^exponent, or inf or NaN. Every element of every type fits, and so
// does a product of two as long as the significands' bits together do not exceed 64.
struct Exact {
    uint64_t significand = 0;
    int exponent = 0;
    bool negative = false;
    Kind kind = Kind::kFinite;
};

constexpr int BitWidth(uint64_t v) { return v == 0 ? 0 : 64 - __builtin_clzll(v); }

constexpr Exact UnpackFloat(FloatFormat format, uint64_t bits) {
    const bool negative = (bits & format.SignBit()) != 0;
    const uint64_t magnitude = bits & (format.SignBit() - 1);
    if (magnitude > format.InfBits()) return {0, 0, negative, Kind::kNan};
    if (magnitude == format.InfBits()) return {0, 0, negative, Kind::kInf};
    const uint64_t leading_one = uint64_t{1} << format.mantissa_bits;
    const int biased = static_cast<int>(magnitude >> format.mantissa_bits);
    const uint64_t mantissa = magnitude & (leading_one - 1);
    const int unit = format.MinExponent() - format.mantissa_bits;
    return biased == 0 ? Exact{mantissa, unit, negative, Kind::kFinite}
                       : Exact{mantissa | leading_one, unit + biased - 1, negative, Kind::kFinite};
}

constexpr Exact UnpackSigned(int64_t v) {
    const uint64_t magnitude = v < 0 ? 0 - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
    return {magnitude, 0, v < 0, Kind::kFinite};
}

constexpr Exact UnpackUnsigned(uint64_t v) { return {v, 0, false, Kind::kFinite}; }

// The magnitude of a finite v in multiples of 2^unit, rounded. The caller sees to it that the result fits 64 bits.
constexpr uint64_t RoundToUnit(const Exact& v, int unit, Rounding rounding) {
    const int shift = unit - v.exponent;
    if (v.significand == 0) return 0;
    if (shift <= 0) return v.significand << -shift;

    const uint64_t kept = shift < 64 ? v.significand >> shift : 0;
    const uint64_t rest = shift < 64 ? v.significand - (kept << shift) : v.significand;
    if (rest == 0) return kept;
    // A significand more than 64 bits below the unit is less than half of it.
    const uint64_t half_unit = shift <= 64 ? uint64_t{1} << (shift - 1) : 0;
    const bool tie = shift <= 64 && rest == half_unit;
    const bool above = shift <= 64 && rest > half_unit;
    switch (rounding) {
        case Rounding::kFloor: return kept + (v.negative ? 1 : 0);
        case Rounding::kCeil: return kept + (v.negative ? 0 : 1);
        case Rounding::kRound: return kept + (tie || above ? 1 : 0);
        case Rounding::kTrunc: return kept;
        case Rounding::kOdd: return kept | 1;
        case Rounding::kAway: return kept + 1;
        default: return kept + (above || (tie && (kept & 1) != 0) ? 1 : 0);  // kRint, and kNone where bits are lost
    }
}

// True when an overflow under this mode stops at the largest finite value instead of reaching inf.
constexpr bool OverflowStaysFinite(Rounding rounding, bool negative) {
    switch (rounding) {
        case Rounding::kFloor: return !negative;
        case Rounding::kCeil: return negative;
        case Rounding::kTrunc:
        case Rounding::kOdd: return true;
        default: return false;
    }
}

// Rounds to a float format by IEEE 754: gradual underflow, inf on overflow where the mode allows it, the canonical NaN.
constexpr uint64_t PackFloat(FloatFormat format, const Exact& v, Rounding rounding) {
    if (v.kind == Kind::kNan) return format.NanBits();
    const uint64_t sign = v.negative ? format.SignBit() : 0;
    if (v.kind == Kind::kInf) return sign | format.InfBits();
    if (v.significand == 0) return sign;

    const int leading = BitWidth(v.significand) - 1 + v.exponent;
    if (leading <= format.Bias()) {
        const int exponent = leading > format.MinExponent() ? leading : format.MinExponent();
        // The count holds the leading one, so adding it carries into the exponent field: subnormal to normal, normal to
        // the next power of two, largest finite to inf.
        const uint64_t count = RoundToUnit(v, exponent - format.mantissa_bits, rounding);
        const uint64_t bits = (static_cast<uint64_t>(exponent - format.MinExponent()) << format.mantissa_bits) + count;
        if (bits < format.InfBits()) return sign | bits;
    }
    return sign | (OverflowStaysFinite(rounding, v.negative) ? format.MaxBits() : format.InfBits());
}

// An IEEE result of a 16-bit format under the policy: `saturate` makes inf the largest finite value and NaN +0.
constexpr uint64_t ApplyOverflow(FloatFormat format, uint64_t bits, Overflow overflow) {
    const uint64_t magnitude = bits & (format.SignBit() - 1);
    if (overflow != Overflow::kSaturate || magnitude < format.InfBits()) return bits;
    return magnitude > format.InfBits() ? 0 : (bits & format.SignBit()) | format.MaxBits();
}

// Rounds to an integer of `width` bits (4..64) and saturates; NaN gives 0. Two's complement in the low `width` bits.
constexpr uint64_t PackInteger(int width, bool is_signed, const Exact& v, Rounding rounding) {
    if (v.kind == Kind::kNan) return 0;
    const uint64_t all_ones = ~uint64_t{0} >> (64 - width);
    const uint64_t largest = is_signed ? all_ones >> 1 : all_ones;
    const uint64_t limit = !v.negative ? largest : is_signed ? largest + 1 : 0;
    const bool too_large = v.kind == Kind::kInf || BitWidth(v.significand) + v.exponent > 64;
    const uint64_t rounded = too_large ? limit : RoundToUnit(v, 0, rounding);
    const uint64_t magnitude = rounded < limit ? rounded : limit;
    return (v.negative ? 0 - magnitude : magnitude) & all_ones;
}

}  // namespace sfumato::numeric
