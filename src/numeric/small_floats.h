// SPDX-License-Identifier: Apache-2.0
// Floats of 8 and 4 bits (arch950.md 1.8): what each is worth, and conversions of larger ones to them (2.8). Integer
// arithmetic on bit patterns, as convert.h. For the way back PackFloat will do: it is exact.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sfumato/data_type.h"
#include "sfumato/rounding.h"

namespace sfumato::numeric {

constexpr bool IsSmallFloat(DataType t) { return t >= DataType::kHifloat8 && t <= DataType::kFp4E1m2; }

// A format whose codes of one sign, as integers, rise with the value.
struct CodeFormat {
    int mantissa_bits;
    int unit;      // exponent of the last place of subnormals
    uint32_t max;  // code of the largest finite value
    uint32_t sign;
    uint32_t overflow;  // of inf, and of a value that is too large; max or nan itself where there is no inf
    uint32_t nan;       // 0 where there is none
};

constexpr CodeFormat FormatOfCodes(DataType t) {
    switch (t) {
        case DataType::kFp8E4m3: return {3, -9, 0x7E, 0x80, 0x7F, 0x7F};
        case DataType::kFp8E5m2: return {2, -16, 0x7B, 0x80, 0x7C, 0x7F};
        case DataType::kFp4E2m1: return {1, -1, 0x7, 0x8, 0x7, 0};
        default: return {2, -2, 0x7, 0x8, 0x7, 0};
    }
}

constexpr Exact UnpackCode(const CodeFormat& format, uint32_t bits) {
    const bool negative = (bits & format.sign) != 0;
    const uint32_t code = bits & (format.sign - 1);
    if (code > format.max)
        return {0, 0, negative, code == format.nan || code != format.overflow ? Kind::kNan : Kind::kInf};
    const uint32_t leading_one = 1u << format.mantissa_bits;
    const auto exponent = static_cast<int>(code >> format.mantissa_bits);
    const uint64_t mantissa = code & (leading_one - 1);
    return exponent == 0 ? Exact{mantissa, format.unit, negative, Kind::kFinite}
                         : Exact{mantissa | leading_one, format.unit + exponent - 1, negative, Kind::kFinite};
}

// After the sign, a prefix says how many bits of exponent follow; what is left is mantissa.
constexpr Exact UnpackHifloat8(uint32_t bits) {
    const bool negative = (bits & 0x80) != 0;
    const uint32_t code = bits & 0x7F;
    if (code == 0) return {0, 0, false, negative ? Kind::kNan : Kind::kFinite};
    if (code == 0x6F) return {0, 0, negative, Kind::kInf};
    if (code < 0x08) return {1, static_cast<int>(code) - 23, negative, Kind::kFinite};
    if (code < 0x10) return {8 + (code & 7), -3, negative, Kind::kFinite};
    // Bits of exponent: its sign, and its magnitude without the leading one.
    const int exponent_bits = code < 0x20 ? 1 : code < 0x40 ? 2 : code < 0x60 ? 3 : 4;
    const int mantissa_bits = std::min(3, 5 - exponent_bits);
    const uint32_t exponent = code >> mantissa_bits & ((1u << exponent_bits) - 1);
    const uint32_t top = 1u << (exponent_bits - 1);
    const auto magnitude = static_cast<int>(top | (exponent & (top - 1)));
    const uint32_t mantissa = code & ((1u << mantissa_bits) - 1);
    return {(1u << mantissa_bits) | mantissa, ((exponent & top) != 0 ? -magnitude : magnitude) - mantissa_bits,
            negative, Kind::kFinite};
}

// The value of a small float; bits above its own count for nothing.
constexpr Exact UnpackSmallFloat(DataType type, uint32_t bits) {
    if (type == DataType::kHifloat8) return UnpackHifloat8(bits);
    if (type != DataType::kFp8E8m0) return UnpackCode(FormatOfCodes(type), bits);
    const auto exponent = static_cast<int>(bits & 0xFF);
    return exponent == 0xFF ? Exact{0, 0, false, Kind::kNan} : Exact{1, exponent - 127, false, Kind::kFinite};
}

struct SmallRounding {
    Rounding rounding = Rounding::kRint;
    bool hybrid = false;  // of hif8, in place of `rounding`: the low bits of the source decide
    bool saturates = false;
    bool keeps_nan = false;  // CTRL[50]: of a saturating conversion to e4m3 or e5m2
};

// Of a float, half or bfloat16 to e4m3, e5m2, e2m1, e1m2; of a float or half to hif8; of a bfloat16 to e8m0. hif8 knows
// two ways to round: hybrid, and half away from zero, which is what any `rounding` gives. The fp4 types always
// saturate; e8m0 is the exponent field of the source, whatever the rest of it.
uint8_t ToSmallFloat(DataType src, DataType dst, const SmallRounding& how, uint64_t bits);

}  // namespace sfumato::numeric
