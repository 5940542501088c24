// SPDX-License-Identifier: Apache-2.0
// One element from type to type (arch950.md 2.8): Element, any pair by exact numbers, and for the usual pairs, forms
// without branches that compilers make vectors of. All on bit patterns.
#pragma once

#include <bit>
#include <limits>

#include "numeric/small_floats.h"
#include "sfumato/data_type.h"
#include "sfumato/rounding.h"

namespace sfumato::exec::casts {

struct How {
    Rounding rounding = Rounding::kRint;
    bool hybrid = false;     // to hif8
    bool saturates = false;  // to floats
    bool keeps_nan = false;  // of those that saturate, to e4m3 and e5m2
    bool low_bits = false;   // to integers: what does not fit keeps its low bits; else the nearest that does
};

constexpr bool IsInteger(DataType t) { return t < DataType::kCount && !IsFloating(t); }
constexpr bool IsUnsigned(DataType t) {
    return t == DataType::kUint8 || t == DataType::kUint16 || t == DataType::kUint32 || t == DataType::kUint64;
}
constexpr numeric::FloatFormat FormatOf(DataType t) {
    return t == DataType::kHalf       ? numeric::kHalfFormat
           : t == DataType::kBfloat16 ? numeric::kBfloat16Format
                                      : numeric::kFloatFormat;
}
constexpr uint64_t OnesOf(DataType t) { return ~uint64_t{0} >> (64 - BitsOf(t)); }

// Every NaN made by this unit (arch950.md 4).
constexpr uint64_t NanOf(DataType t) { return OnesOf(t) >> 1; }

constexpr numeric::Exact Unpack(DataType t, uint64_t bits) {
    if (numeric::IsSmallFloat(t)) return numeric::UnpackSmallFloat(t, static_cast<uint32_t>(bits));
    bits &= OnesOf(t);
    if (!IsInteger(t)) return numeric::UnpackFloat(FormatOf(t), bits);
    if (IsUnsigned(t)) return numeric::UnpackUnsigned(bits);
    const auto unused = static_cast<int>(64 - BitsOf(t));
    return numeric::UnpackSigned(static_cast<int64_t>(bits << unused) >> unused);
}

constexpr uint64_t PackFloat(DataType t, const numeric::Exact& v, const How& how) {
    if (v.kind == numeric::Kind::kNan) return how.saturates ? 0 : NanOf(t);
    const uint64_t bits = numeric::PackFloat(FormatOf(t), v, how.rounding);
    return numeric::ApplyOverflow(FormatOf(t), bits, how.saturates ? Overflow::kSaturate : Overflow::kInfNan);
}

// inf is the last integer of its sign and NaN is 0, whether low bits are kept or not.
constexpr uint64_t PackInteger(DataType t, const numeric::Exact& v, const How& how) {
    if (!how.low_bits || v.kind != numeric::Kind::kFinite) {
        return numeric::PackInteger(static_cast<int>(BitsOf(t)), !IsUnsigned(t), v, how.rounding);
    }
    const uint64_t magnitude = v.exponent >= 64 ? 0 : numeric::RoundToUnit(v, 0, how.rounding);
    return (v.negative ? 0 - magnitude : magnitude) & OnesOf(t);
}

// Defined for the pairs of docs/spec/reg_cast.tsv.
template <DataType From, DataType To>
constexpr uint64_t Element(const How& how, uint64_t bits) {
    if constexpr (numeric::IsSmallFloat(To)) {
        return numeric::ToSmallFloat(From, To, {how.rounding, how.hybrid, how.saturates, how.keeps_nan}, bits);
    } else if constexpr (IsInteger(To)) {
        return PackInteger(To, Unpack(From, bits), how);
    } else {
        return PackFloat(To, Unpack(From, bits), how);
    }
}

inline float FloatOf(uint32_t bits) { return std::bit_cast<float>(bits); }
inline uint32_t BitsOfFloat(float x) { return std::bit_cast<uint32_t>(x); }

inline constexpr uint32_t kInf = 0x7F800000, kNan = 0x7FFFFFFF;

// Both are computed: of a choice between results of float arithmetic compilers make branches, and of these no vectors.
inline uint32_t Select(bool first, uint32_t a, uint32_t b) {
    const uint32_t mask = 0 - static_cast<uint32_t>(first);
    return (a & mask) | (b & ~mask);
}

// A subnormal gets a leading one, which is then taken off.
inline uint32_t HalfToFloat(uint16_t h) {
    const uint32_t sign = (h & 0x8000u) << 16, magnitude = h & 0x7FFFu;
    const uint32_t leading = magnitude < 0x0400 ? 113u << 23 : 0;
    const uint32_t bias = magnitude < 0x0400 ? 113u << 23 : magnitude < 0x7C00 ? 112u << 23 : 224u << 23;
    const uint32_t bits = BitsOfFloat(FloatOf((magnitude << 13) + bias) - FloatOf(leading));
    return Select(magnitude > 0x7C00, kNan, sign | bits);
}

inline uint32_t Bfloat16ToFloat(uint16_t b) { return (b & 0x7FFFu) > 0x7F80 ? kNan : static_cast<uint32_t>(b) << 16; }

// To the nearest, ties to even or away from zero, in a format of `kMantissa` bits whose least normal number is
// 2^kLeast, as codes that go on past the largest finite one.
template <int kMantissa, int kLeast, bool kAway = false>
inline uint32_t ToCodes(uint32_t magnitude) {
    constexpr int kDropped = 23 - kMantissa;
    const uint32_t rebased = magnitude - (static_cast<uint32_t>(126 + kLeast) << 23);
    const uint32_t bias = kAway ? 1u << (kDropped - 1) : ((1u << (kDropped - 1)) - 1) + (rebased >> kDropped & 1);
    const uint32_t normal = (rebased + bias) >> kDropped;
    uint32_t subnormal = 0;
    if constexpr (kAway) {
        // In units of the last place: below 2^kMantissa, where this counts.
        const float units = FloatOf(magnitude) * FloatOf(static_cast<uint32_t>(127 + kMantissa - kLeast) << 23);
        const float held = FloatOf(Select(units < 0x1p23f, BitsOfFloat(units), 0));
        const auto below = static_cast<int32_t>(held);
        subnormal = static_cast<uint32_t>(below) + Select(held - static_cast<float>(below) >= 0.5f, 1, 0);
    } else {
        // Adding a power of two whose last place it is.
        constexpr uint32_t kMagic = static_cast<uint32_t>(127 + kLeast + kDropped) << 23;
        subnormal = BitsOfFloat(FloatOf(magnitude) + FloatOf(kMagic)) - kMagic;
    }
    return Select(magnitude < static_cast<uint32_t>(127 + kLeast) << 23, subnormal, normal);
}

// Float to a format of at most 16 bits, to the nearest. kMax is the code of the largest finite number. on_overflow and
// on_nan: what is too large and NaN become, the former with the sign of the source or as it is.
template <class D, int kMantissa, int kLeast, uint32_t kMax, bool kAway = false, int kBits = 8 * sizeof(D)>
inline D FloatToCode(uint32_t bits, uint32_t on_overflow, uint32_t on_nan, bool signed_overflow) {
    const uint32_t magnitude = bits & 0x7FFFFFFF, sign = (bits & 0x80000000u) >> (32 - kBits);
    const uint32_t code = ToCodes<kMantissa, kLeast, kAway>(magnitude);
    const uint32_t large = on_overflow | (signed_overflow ? sign : 0);
    return static_cast<D>(Select(magnitude > kInf, on_nan, Select(code > kMax, large, sign | code)));
}

template <bool kAway = false>
inline uint16_t FloatToHalf(uint32_t bits, bool saturates) {
    return FloatToCode<uint16_t, 10, -14, 0x7BFF, kAway>(bits, saturates ? 0x7BFF : 0x7C00, saturates ? 0 : 0x7FFF,
                                                         true);
}

template <bool kAway = false>
inline uint16_t FloatToBfloat16(uint32_t bits, bool saturates) {
    const uint32_t magnitude = bits & 0x7FFFFFFF, sign = bits >> 16 & 0x8000;
    const uint32_t code = (magnitude + (kAway ? 0x8000 : 0x7FFF + (magnitude >> 16 & 1))) >> 16;
    const uint32_t finite = sign | (saturates && code >= 0x7F80 ? 0x7F7F : code);
    return static_cast<uint16_t>(magnitude > kInf ? (saturates ? 0 : 0x7FFF) : finite);
}

// To an integer; from 2^23 on in magnitude all floats are.
template <Rounding kRounding>
inline float RoundFloat(float x) {
    const uint32_t bits = BitsOfFloat(x), sign = bits & 0x80000000u;
    const float magnitude = FloatOf(bits & 0x7FFFFFFF);
    const float nearest = (magnitude + 0x1p23f) - 0x1p23f;
    float rounded = nearest;
    if constexpr (kRounding != Rounding::kRint) {
        constexpr uint32_t kOne = 0x3F800000;
        const float below = nearest - FloatOf(Select(nearest > magnitude, kOne, 0));
        bool up = false;
        if constexpr (kRounding == Rounding::kRound) up = magnitude - below >= 0.5f;
        if constexpr (kRounding == Rounding::kFloor) up = (sign != 0) & (magnitude > below);
        if constexpr (kRounding == Rounding::kCeil) up = (sign == 0) & (magnitude > below);
        rounded = below + FloatOf(Select(up, kOne, 0));
    }
    return FloatOf(Select(magnitude < 0x1p23f, sign | BitsOfFloat(rounded), bits));
}

// Clamped to [kBottom, kTop]; NaN gives 0.
template <Rounding kRounding, int32_t kBottom, int32_t kTop>
inline int32_t FloatToInteger(uint32_t bits) {
    constexpr auto kMost = static_cast<float>(kTop), kLeast = static_cast<float>(kBottom);  // of int32: 2^31 and -2^31
    const float x = FloatOf(bits);
    const float rounded = RoundFloat<kRounding>(x);
    const float above = FloatOf(Select(rounded > kLeast, BitsOfFloat(rounded), BitsOfFloat(kLeast)));
    const float held = FloatOf(Select((above < kMost) & (x == x), BitsOfFloat(above), 0));
    const auto integer = static_cast<uint32_t>(static_cast<int32_t>(held));
    return static_cast<int32_t>(Select(rounded >= kMost, static_cast<uint32_t>(kTop), integer));
}

}  // namespace sfumato::exec::casts
