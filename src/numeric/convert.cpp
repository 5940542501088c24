// SPDX-License-Identifier: Apache-2.0
// The element conversions: which types, and the three steps unpack, round, pack of sfumato/rounding.h put together.
#include "numeric/convert.h"

#include <algorithm>

#include "sfumato/rounding.h"

namespace sfumato::numeric {
namespace {

struct TypePair {
    DataType src;
    DataType dst;
};

// The distinct pairs of conversion_support.csv without deqscale.
constexpr TypePair kPairs[] = {
    {DataType::kFloat, DataType::kFloat},    {DataType::kFloat, DataType::kHalf},
    {DataType::kFloat, DataType::kBfloat16}, {DataType::kFloat, DataType::kInt64},
    {DataType::kFloat, DataType::kInt32},    {DataType::kFloat, DataType::kInt16},
    {DataType::kBfloat16, DataType::kFloat}, {DataType::kBfloat16, DataType::kInt32},
    {DataType::kHalf, DataType::kFloat},     {DataType::kHalf, DataType::kInt32},
    {DataType::kHalf, DataType::kInt16},     {DataType::kHalf, DataType::kInt8},
    {DataType::kHalf, DataType::kUint8},     {DataType::kHalf, DataType::kInt4},
    {DataType::kInt4, DataType::kHalf},      {DataType::kInt8, DataType::kHalf},
    {DataType::kUint8, DataType::kHalf},     {DataType::kInt16, DataType::kHalf},
    {DataType::kInt16, DataType::kFloat},    {DataType::kInt16, DataType::kUint8},
    {DataType::kInt32, DataType::kFloat},    {DataType::kInt32, DataType::kInt16},
    {DataType::kInt32, DataType::kInt64},    {DataType::kInt64, DataType::kInt32},
    {DataType::kInt64, DataType::kFloat},    {DataType::kHalf, DataType::kBfloat16},
    {DataType::kBfloat16, DataType::kHalf},  {DataType::kInt4, DataType::kBfloat16},
    {DataType::kInt4, DataType::kInt16},     {DataType::kInt8, DataType::kInt16},
    {DataType::kInt8, DataType::kInt32},     {DataType::kUint8, DataType::kUint16},
    {DataType::kUint8, DataType::kUint32},   {DataType::kInt16, DataType::kInt4},
    {DataType::kInt16, DataType::kInt32},    {DataType::kInt16, DataType::kUint32},
    {DataType::kUint16, DataType::kUint8},   {DataType::kUint16, DataType::kUint32},
    {DataType::kInt32, DataType::kUint8},    {DataType::kInt32, DataType::kUint16},
    {DataType::kUint32, DataType::kUint8},   {DataType::kUint32, DataType::kInt16},
    {DataType::kUint32, DataType::kUint16},
};

constexpr FloatFormat FormatOf(DataType t) {
    return t == DataType::kHalf ? kHalfFormat : t == DataType::kBfloat16 ? kBfloat16Format : kFloatFormat;
}

constexpr bool IsSigned(DataType t) {
    switch (t) {
        case DataType::kUint8:
        case DataType::kUint16:
        case DataType::kUint32:
        case DataType::kUint64: return false;
        default: return true;
    }
}

// Reads the low BitsOf(t) bits; the others may be anything.
constexpr Exact Unpack(DataType t, uint64_t bits) {
    if (IsFloating(t)) return UnpackFloat(FormatOf(t), bits & (~uint64_t{0} >> (64 - BitsOf(t))));
    const int unused = static_cast<int>(64 - BitsOf(t));
    const uint64_t top = bits << unused;
    return IsSigned(t) ? UnpackSigned(static_cast<int64_t>(top) >> unused) : UnpackUnsigned(top >> unused);
}

// The overflow policy governs the 16-bit floats alone; float is IEEE always, integers saturate always.
constexpr Converted Pack(DataType t, const Exact& v, Rounding rounding, Overflow overflow) {
    if (!IsFloating(t)) return {PackInteger(static_cast<int>(BitsOf(t)), IsSigned(t), v, rounding), false};
    const FloatFormat format = FormatOf(t);
    const uint64_t ieee = PackFloat(format, v, rounding);
    if (t == DataType::kFloat) return {ieee, false};
    const uint64_t bits = ApplyOverflow(format, ieee, overflow);
    return {bits, bits != ieee};
}

// Float to float: an integer that stays float. Zero results are +0 (documented for -0 on Ascend910B).
constexpr Exact RoundToInteger(const Exact& v, Rounding rounding) {
    if (v.kind != Kind::kFinite || v.exponent >= 0) return v;
    const uint64_t magnitude = RoundToUnit(v, 0, rounding);
    return {magnitude, 0, v.negative && magnitude != 0, Kind::kFinite};
}

// The exact product by IEEE: the sign is the xor of the signs even for zero, 0 x inf is NaN.
constexpr Exact Multiply(const Exact& a, const Exact& b) {
    const bool negative = a.negative != b.negative;
    const auto is_zero = [](const Exact& v) { return v.kind == Kind::kFinite && v.significand == 0; };
    if (a.kind == Kind::kNan || b.kind == Kind::kNan) return {0, 0, negative, Kind::kNan};
    if (a.kind == Kind::kInf || b.kind == Kind::kInf) {
        return {0, 0, negative, is_zero(a) || is_zero(b) ? Kind::kNan : Kind::kInf};
    }
    return {a.significand * b.significand, a.exponent + b.exponent, negative, Kind::kFinite};
}

// The scale of a dequantisation word: a float whose low 13 mantissa bits are always zero.
constexpr FloatFormat kDeqScaleFormat{8, 10};
constexpr int kDeqScaleShift = 13;
constexpr int kDeqOffsetShift = 37;
constexpr int kDeqSignedShift = 46;
constexpr int kDeqOffsetBits = 9;

constexpr Exact AsFloat(const Exact& v) {
    return UnpackFloat(kFloatFormat, PackFloat(kFloatFormat, v, Rounding::kRint));
}

// Times the word's scale.
constexpr Exact Scale(const Exact& value, uint64_t word) {
    return Multiply(value, UnpackFloat(kFloatFormat, DeqScaleFloatBits(word)));
}

// A scaled value to 8 bits: rounded to float, then to a signed 9-bit integer, and the word's offset.
constexpr uint8_t OffsetToByte(DataType dst, const Exact& product, uint64_t word) {
    const uint64_t rounded = PackInteger(kDeqOffsetBits, true, AsFloat(product), Rounding::kRint);
    const int r = rounded >= 256 ? static_cast<int>(rounded) - 512 : static_cast<int>(rounded);
    return static_cast<uint8_t>(
        PackInteger(8, dst == DataType::kInt8, UnpackSigned(r + DeqOffset(word)), Rounding::kRint));
}

}  // namespace

bool IsConvertible(DataType src, DataType dst) {
    for (const TypePair& pair : kPairs) {
        if (pair.src == src && pair.dst == dst) return true;
    }
    return false;
}

Converted Convert(DataType src, DataType dst, Rounding rounding, Overflow overflow, uint64_t bits) {
    const Exact value = Unpack(src, bits);
    const bool to_integral_float = src == DataType::kFloat && dst == DataType::kFloat;
    return Pack(dst, to_integral_float ? RoundToInteger(value, rounding) : value, rounding, overflow);
}

Converted ConvertInt32ToHalf(int32_t value, uint16_t scale_half_bits, Overflow overflow) {
    const Exact product = Multiply(UnpackSigned(value), UnpackFloat(kHalfFormat, scale_half_bits));
    return Pack(DataType::kHalf, product, Rounding::kRint, overflow);
}

uint8_t ConvertInt16Deq(DataType dst, int16_t value, uint64_t word) {
    return OffsetToByte(dst, Scale(UnpackSigned(value), word), word);
}

Converted ConvertAccumulator(DataType src, DataType dst, uint64_t bits, uint64_t word, bool relu, Overflow overflow) {
    Exact value = Unpack(src, bits);
    const bool cleared = relu && value.negative;
    if (src == DataType::kInt32 && (DeqShifts(word) || dst == DataType::kInt16)) {
        const auto magnitude = static_cast<int64_t>(value.significand);
        const int64_t shifted = (value.negative ? -magnitude : magnitude) >> DeqShift(word);
        value = UnpackSigned(std::clamp<int64_t>(shifted, -32768, 32767));
    }
    if (dst == DataType::kInt16) return Pack(dst, cleared ? Exact() : value, Rounding::kRint, overflow);
    const Exact product = cleared ? Exact() : Scale(AsFloat(value), word);
    if (dst == DataType::kHalf) return Pack(dst, product, Rounding::kRint, overflow);
    return {OffsetToByte(dst, product, word), false};
}

bool PackDeqWord(double scale, int64_t offset, bool is_signed, uint64_t* word) {
    const Exact exact = UnpackFloat(kDoubleFormat, __builtin_bit_cast(uint64_t, scale));
    const bool in_range =
        exact.kind == Kind::kFinite && BitWidth(exact.significand) - 1 + exact.exponent <= kDeqScaleFormat.Bias();
    if (!in_range || offset < -256 || offset > 255) return false;
    const uint64_t scale_bits = PackFloat(kDeqScaleFormat, exact, Rounding::kTrunc);
    const uint64_t offset_bits = static_cast<uint64_t>(offset) & ((uint64_t{1} << kDeqOffsetBits) - 1);
    *word = (scale_bits << kDeqScaleShift) | (offset_bits << kDeqOffsetShift) |
            (static_cast<uint64_t>(is_signed) << kDeqSignedShift);
    return true;
}

}  // namespace sfumato::numeric
