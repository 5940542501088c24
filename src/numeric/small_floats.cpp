// SPDX-License-Identifier: Apache-2.0
// Small floats: e4m3, e5m2 and the fp4 types by the shared rounding; hif8, whose mantissa narrows towards the ends of
// its range, by a way of its own.
#include "numeric/small_floats.h"

#include <algorithm>
#include <bit>

#include "sfumato/small_float_types.h"

namespace sfumato::numeric {
namespace {

constexpr FloatFormat FormatOfSource(DataType t) {
    return t == DataType::kHalf ? kHalfFormat : t == DataType::kBfloat16 ? kBfloat16Format : kFloatFormat;
}

constexpr uint8_t ToCode(const CodeFormat& format, const SmallRounding& how, const Exact& v) {
    const bool saturates = how.saturates || format.overflow == format.max;
    if (v.kind == Kind::kNan) return static_cast<uint8_t>(saturates && !how.keeps_nan ? 0 : format.nan);
    const uint32_t sign = v.negative ? format.sign : 0;
    // That of the largest finite value; above it a code would not fit the bits.
    const int largest = static_cast<int>(format.max >> format.mantissa_bits) - 1 + format.unit + format.mantissa_bits;
    uint64_t code = format.max + 1;
    const int leading = BitWidth(v.significand) - 1 + v.exponent;
    if (v.kind == Kind::kFinite && leading <= largest) {
        const int unit = std::max(leading - format.mantissa_bits, format.unit);
        // The count holds the leading one: it carries into the exponent (PackFloat says how).
        code = (static_cast<uint64_t>(unit - format.unit) << format.mantissa_bits) + RoundToUnit(v, unit, how.rounding);
    }
    if (code <= format.max) return static_cast<uint8_t>(sign | code);
    const bool finite = saturates || (v.kind == Kind::kFinite && OverflowStaysFinite(how.rounding, v.negative));
    // e4m3 has no inf, and its NaN no sign here.
    if (!finite && format.overflow == format.nan) return static_cast<uint8_t>(format.nan);
    return static_cast<uint8_t>(sign | (finite ? format.max : format.overflow));
}

// Bits of mantissa hif8 keeps of a number of this exponent.
constexpr int Hifloat8Mantissa(int exponent) {
    const int magnitude = exponent < 0 ? -exponent : exponent;
    return magnitude <= 3 ? 3 : magnitude <= 7 ? 2 : magnitude <= 15 ? 1 : 0;
}

// The code of (1 + mantissa / 2^k) * 2^exponent, k as above; exponent -22 to 15.
constexpr uint32_t Hifloat8Code(int exponent, uint32_t mantissa) {
    const auto magnitude = static_cast<uint32_t>(exponent < 0 ? -exponent : exponent);
    const uint32_t s = exponent < 0 ? 1 : 0;
    if (exponent < -15) return static_cast<uint32_t>(exponent + 23);
    if (magnitude == 0) return 0x08 | mantissa;
    if (magnitude == 1) return 0x10 | s << 3 | mantissa;
    if (magnitude <= 3) return 0x20 | s << 4 | (magnitude & 1) << 3 | mantissa;
    if (magnitude <= 7) return 0x40 | s << 4 | (magnitude & 3) << 2 | mantissa;
    return 0x60 | s << 4 | (magnitude & 7) << 1 | mantissa;
}

// Hybrid: the first bits dropped, as many as the threshold has, against the threshold, the low bits of the source: an
// exact number whose threshold is 0 goes up, too. fraction: of `width` bits behind the leading one.
constexpr bool HybridRoundsUp(DataType src, uint64_t bits, uint64_t fraction, int width, int kept) {
    const bool half = src == DataType::kHalf;
    const int compared = half ? 2 : 14;
    const uint64_t threshold = half ? (bits & 1) << 1 | 1 : bits & 0x3FFF;
    const uint64_t dropped = fraction & ((uint64_t{1} << (width - kept)) - 1);
    return dropped >> (width - kept - compared) >= threshold;
}

constexpr uint8_t ToHifloat8(DataType src, const SmallRounding& how, uint64_t bits) {
    const FloatFormat format = FormatOfSource(src);
    const Exact v = UnpackFloat(format, bits);
    if (v.kind == Kind::kNan) return how.saturates ? 0 : 0x80;
    const uint32_t sign = v.negative ? 0x80 : 0, inf = how.saturates ? 0x6E : 0x6F;
    if (v.kind == Kind::kInf) return static_cast<uint8_t>(sign | inf);
    int exponent = BitWidth(v.significand) - 1 + v.exponent;
    if (v.significand == 0 || exponent < -23) return 0;
    if (exponent > 15) return static_cast<uint8_t>(sign | inf);

    const int width = format.mantissa_bits;
    const uint64_t significand = v.significand << (width + 1 - BitWidth(v.significand));
    const uint64_t fraction = significand & ((uint64_t{1} << width) - 1);
    if (exponent == -23) {
        // Half of the least: the leading one is the first bit dropped.
        const bool up = !how.hybrid || HybridRoundsUp(src, bits, significand, width + 1, 0);
        return up ? static_cast<uint8_t>(sign | 1) : 0;
    }
    const int kept = Hifloat8Mantissa(exponent);
    const bool hybrid = how.hybrid && (exponent > 3 || exponent < -3);
    const bool up =
        hybrid ? HybridRoundsUp(src, bits, fraction, width, kept) : (fraction >> (width - kept - 1) & 1) != 0;
    uint64_t mantissa = (fraction >> (width - kept)) + (up ? 1 : 0);
    if (mantissa >> kept != 0) {
        mantissa = 0;
        ++exponent;
    }
    const uint32_t code = exponent > 15 ? 0x6F : Hifloat8Code(exponent, static_cast<uint32_t>(mantissa));
    return static_cast<uint8_t>(sign | (code == 0x6F ? inf : code));
}

}  // namespace

uint8_t ToSmallFloat(DataType src, DataType dst, const SmallRounding& how, uint64_t bits) {
    if (dst == DataType::kHifloat8) return ToHifloat8(src, how, bits);
    const FloatFormat format = FormatOfSource(src);
    if (dst == DataType::kFp8E8m0) return static_cast<uint8_t>((bits & (format.SignBit() - 1)) >> format.mantissa_bits);
    return ToCode(FormatOfCodes(dst), how, UnpackFloat(format, bits));
}

}  // namespace sfumato::numeric

namespace sfumato {

uint8_t SmallFloatBits(DataType type, float value) {
    const uint8_t code = numeric::ToSmallFloat(DataType::kFloat, type, {}, std::bit_cast<uint32_t>(value));
    return BitsOf(type) == 4 ? static_cast<uint8_t>(code | code << 4) : code;
}

float SmallFloatValue(DataType type, uint8_t bits) {
    const numeric::Exact value = numeric::UnpackSmallFloat(type, BitsOf(type) == 4 ? bits & 0xF : bits);
    return std::bit_cast<float>(
        static_cast<uint32_t>(numeric::PackFloat(numeric::kFloatFormat, value, Rounding::kRint)));
}

}  // namespace sfumato
