// SPDX-License-Identifier: Apache-2.0
// What operations on registers make of one element, in exact integers: halves are multiples of 2^-24, and a float is
// what the host's float is.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "exec/registers/registers.h"

namespace sfumato::exec::lane_oracle {

__extension__ using Wide = __int128;

inline bool IsSigned(DataType t) {
    return t == DataType::kInt8 || t == DataType::kInt16 || t == DataType::kInt32 || t == DataType::kInt64;
}
inline Wide IntegerOf(DataType t, uint64_t bits) {
    const int unused = 64 - static_cast<int>(BitsOf(t));
    if (!IsSigned(t)) return bits << unused >> unused;
    return static_cast<int64_t>(bits << unused) >> unused;
}
inline uint64_t OnesOf(DataType t) { return ~uint64_t{0} >> (64 - BitsOf(t)); }

// Half, bfloat16 and float by their bits.
inline uint64_t InfOf(DataType t) {
    return t == DataType::kHalf ? 0x7C00 : t == DataType::kBfloat16 ? 0x7F80 : 0x7F800000;
}
inline uint64_t SignOf(DataType t) { return uint64_t{1} << (BitsOf(t) - 1); }
inline bool IsNan(DataType t, uint64_t bits) { return (bits & ~SignOf(t)) > InfOf(t); }
inline bool IsInf(DataType t, uint64_t bits) { return (bits & ~SignOf(t)) == InfOf(t); }

// The half nearest to magnitude * 2^-(24 + scale).
inline uint64_t RoundToHalf(bool negative, Wide magnitude, int scale) {
    int length = 0;
    while (length < 127 && magnitude >> length) ++length;
    int drop = std::max(scale, length - 11);
    Wide kept = magnitude >> drop;
    const Wide rest = magnitude - (kept << drop), half = drop ? Wide{1} << (drop - 1) : 1;
    if (drop && (rest > half || (rest == half && (kept & 1)))) ++kept;
    const uint64_t bits = (static_cast<uint64_t>(drop - scale) << 10) + static_cast<uint64_t>(kept);
    return (negative ? 0x8000 : 0) | std::min<uint64_t>(bits, 0x7C00);
}
// Of finite halves, in units of 2^-24.
inline Wide FixedOf(uint64_t bits) {
    const int field = bits >> 10 & 31;
    const Wide fraction = bits & 0x3FF, magnitude = field ? (fraction | 0x400) << (field - 1) : fraction;
    return bits & 0x8000 ? -magnitude : magnitude;
}
// The nearest bfloat16.
inline uint64_t RoundToBfloat16(float v) {
    const uint32_t bits = std::bit_cast<uint32_t>(v);
    if (std::isnan(v)) return 0x7FFF;
    const uint32_t rest = bits & 0xFFFF, kept = bits >> 16;
    return kept + (rest > 0x8000 || (rest == 0x8000 && (kept & 1)));
}
inline float FloatOf(DataType t, uint64_t bits) {
    if (t == DataType::kHalf) {
        if (IsNan(t, bits)) return std::nanf("");
        if (IsInf(t, bits)) return bits & 0x8000 ? -INFINITY : INFINITY;
        return std::copysign(std::ldexp(static_cast<float>(FixedOf(bits)), -24), bits & 0x8000 ? -1.0f : 1.0f);
    }
    return std::bit_cast<float>(static_cast<uint32_t>(t == DataType::kBfloat16 ? bits << 16 : bits));
}
inline uint64_t BitsOfFloat(DataType t, float v) {
    return t == DataType::kBfloat16 ? RoundToBfloat16(v) : std::bit_cast<uint32_t>(v);
}

// x * y + z, z being a zero that counts for nothing where `sum` is false, with one rounding.
inline uint64_t MulAdd(DataType t, uint64_t x, uint64_t y, uint64_t z, bool sum = true) {
    const float fx = FloatOf(t, x), fy = FloatOf(t, y), fz = FloatOf(t, z);
    if (t != DataType::kHalf) return BitsOfFloat(t, sum ? std::fma(fx, fy, fz) : fx * fy);
    const float rough = sum ? fx * fy + fz : fx * fy;
    if (!std::isfinite(fx) || !std::isfinite(fy) || (sum && !std::isfinite(fz))) {
        return std::isnan(rough) ? 0x7FFF : rough < 0 ? 0xFC00 : 0x7C00;
    }
    const Wide exact = FixedOf(x) * FixedOf(y) + (sum ? FixedOf(z) << 24 : 0);
    if (exact == 0) return std::signbit(rough) ? 0x8000 : 0;
    return RoundToHalf(exact < 0, exact < 0 ? -exact : exact, 24);
}
inline uint64_t Add(DataType t, uint64_t x, uint64_t y) {
    if (t == DataType::kHalf) return MulAdd(t, x, 0x3C00, y);
    return BitsOfFloat(t, FloatOf(t, x) + FloatOf(t, y));
}
inline uint64_t Divide(DataType t, uint64_t x, uint64_t y) {
    const float rough = FloatOf(t, x) / FloatOf(t, y);
    if (t != DataType::kHalf) return BitsOfFloat(t, rough);
    const bool negative = (x ^ y) & 0x8000;
    if (std::isnan(rough)) return 0x7FFF;
    if (IsInf(t, x) || (y & 0x7FFF) == 0) return negative ? 0xFC00 : 0x7C00;
    if (IsInf(t, y) || (x & 0x7FFF) == 0) return negative ? 0x8000 : 0;
    const Wide dividend = FixedOf(x & 0x7FFF) << 64, divisor = FixedOf(y & 0x7FFF);
    return RoundToHalf(negative, dividend / divisor | (dividend % divisor != 0), 40);
}

// What CTRL makes of a float result.
inline uint64_t Finish(DataType t, uint64_t bits, const RegisterControl& control) {
    const bool saturates = t == DataType::kHalf && control.decides && !control.ieee;
    if (IsNan(t, bits)) return saturates ? 0 : SignOf(t) - 1;
    return saturates && IsInf(t, bits) ? bits - 1 : bits;
}
inline uint64_t Flush(DataType t, uint64_t bits) {
    const uint64_t normal = t == DataType::kHalf ? 0x400 : t == DataType::kBfloat16 ? 0x80 : 0x800000;
    return (bits & ~SignOf(t)) < normal ? bits & SignOf(t) : bits;
}

inline uint64_t Choose(DataType t, uint64_t x, uint64_t y, bool larger) {
    if (IsNan(t, x) || IsNan(t, y)) return SignOf(t) - 1;
    const float fx = FloatOf(t, x), fy = FloatOf(t, y);
    if (fx == fy) return (((x & SignOf(t)) != 0) == larger) ? y : x;
    return (fx > fy) == larger ? x : y;
}

inline uint64_t Integral(DataType t, uint64_t x, Rounding rounding) {
    const double v = FloatOf(t, x);
    if (!std::isfinite(v)) return x;
    if (v == 0) return 0;
    const double floor = std::floor(v), rest = v - floor;
    double r = floor;
    switch (rounding) {
        case Rounding::kFloor: break;
        case Rounding::kCeil: r += rest > 0; break;
        case Rounding::kTrunc: r += rest > 0 && v < 0; break;
        case Rounding::kRound: r += rest > 0.5 || (rest == 0.5 && v > 0); break;
        default: r += rest > 0.5 || (rest == 0.5 && std::fmod(floor, 2) != 0); break;
    }
    const float f = std::copysign(static_cast<float>(r), static_cast<float>(v));
    if (t != DataType::kHalf) return BitsOfFloat(t, f);
    const Wide fixed = static_cast<Wide>(std::fabs(r)) << 24;
    return RoundToHalf(std::signbit(f), fixed, 0);
}

inline uint64_t OfFloats(const RegisterCall& call, uint64_t x, uint64_t y, uint64_t dst) {
    const DataType t = call.type;
    const uint64_t sign = SignOf(t);
    switch (call.op) {
        case RegisterOp::kAdd: return Add(t, x, y);
        case RegisterOp::kSub: return Add(t, x, y ^ sign);
        case RegisterOp::kMul: return MulAdd(t, x, y, 0, false);
        case RegisterOp::kMax: return Choose(t, x, y, true);
        case RegisterOp::kMin: return Choose(t, x, y, false);
        case RegisterOp::kAbsSub: return Add(t, x, y ^ sign) & ~sign;
        case RegisterOp::kPrelu: return x & sign ? MulAdd(t, x, y, 0, false) : x;
        case RegisterOp::kAxpy:
        case RegisterOp::kMulAddDst: return MulAdd(t, x, y, dst);
        case RegisterOp::kMulDstAdd: return MulAdd(t, dst, x, y);
        case RegisterOp::kAbs: return x & ~sign;
        case RegisterOp::kNeg: return x ^ sign;
        case RegisterOp::kRelu: return IsNan(t, x) ? x : x & sign ? 0 : x;
        case RegisterOp::kTruncate: return Integral(t, x, call.rounding);
        case RegisterOp::kDiv:
            if (call.keeps_subnormals) return Divide(t, x, y);
            return Flush(t, Divide(t, Flush(t, x), Flush(t, y)));
        default: return 0;
    }
}

inline uint64_t OfIntegers(const RegisterCall& call, const RegisterControl& control, uint64_t a, uint64_t b,
                           uint64_t c) {
    const DataType t = call.type;
    const Wide x = IntegerOf(t, a), y = IntegerOf(t, b), dst = IntegerOf(t, c);
    const int bits = static_cast<int>(BitsOf(t));
    const Wide low = IsSigned(t) ? -(Wide{1} << (bits - 1)) : 0, high = low + static_cast<Wide>(OnesOf(t));
    Wide count = call.src1 ? IntegerOf(bits == 8    ? DataType::kInt8
                                       : bits == 16 ? DataType::kInt16
                                       : bits == 32 ? DataType::kInt32
                                                    : DataType::kInt64,
                                       b)
                           : static_cast<int16_t>(call.scalar);
    if (count < 0 || count > bits) count = bits;
    Wide r = 0;
    switch (call.op) {
        case RegisterOp::kAdd: r = x + y; break;
        case RegisterOp::kSub: r = x - y; break;
        case RegisterOp::kMul:
            r = static_cast<Wide>(static_cast<unsigned __int128>(x) * static_cast<unsigned __int128>(y));
            break;
        case RegisterOp::kDiv: r = y == 0 ? 0 : x / y; break;
        case RegisterOp::kMax: return static_cast<uint64_t>(std::max(x, y)) & OnesOf(t);
        case RegisterOp::kMin: return static_cast<uint64_t>(std::min(x, y)) & OnesOf(t);
        case RegisterOp::kAxpy:
        case RegisterOp::kMulAddDst:
            r = static_cast<Wide>(static_cast<unsigned __int128>(x) * static_cast<unsigned __int128>(y) +
                                  static_cast<unsigned __int128>(dst));
            break;
        // Of 64 bits alone, of what wraps.
        case RegisterOp::kAbsSub: {
            const auto distance = static_cast<int64_t>(a - b);
            return distance < 0 ? -static_cast<uint64_t>(distance) : static_cast<uint64_t>(distance);
        }
        case RegisterOp::kAbs: return static_cast<uint64_t>(x < 0 ? -x : x) & OnesOf(t);
        case RegisterOp::kNeg: return static_cast<uint64_t>(-x) & OnesOf(t);
        case RegisterOp::kRelu: return static_cast<uint64_t>(std::max<Wide>(x, 0));
        case RegisterOp::kAnd: return a & b;
        case RegisterOp::kOr: return a | b;
        case RegisterOp::kXor: return a ^ b;
        case RegisterOp::kNot: return ~a & OnesOf(t);
        case RegisterOp::kShiftRight: return static_cast<uint64_t>(x >> static_cast<int>(count)) & OnesOf(t);
        case RegisterOp::kShiftLeft: {
            if (count == bits) return 0;
            const uint64_t moved = a << static_cast<int>(count) & OnesOf(t), sign = uint64_t{1} << (bits - 1);
            return IsSigned(t) ? (moved & ~sign) | (a & sign) : moved;
        }
        default: return 0;
    }
    if (control.clamps && bits < 64) r = std::clamp(r, low, high);
    return static_cast<uint64_t>(r) & OnesOf(t);
}

// One element of an operation element by element.
inline uint64_t Element(const RegisterCall& call, const RegisterControl& control, uint64_t a, uint64_t b, uint64_t c) {
    if (call.op == RegisterOp::kNot) return ~a & OnesOf(call.type);
    if (IsFloating(call.type)) {
        const uint64_t r = OfFloats(call, a, b, c);
        if (call.op != RegisterOp::kTruncate) return Finish(call.type, r, control);
        return IsNan(call.type, r) ? SignOf(call.type) - 1 : r;
    }
    return OfIntegers(call, control, a, b, c);
}

inline bool Compares(DataType t, uint8_t mode, uint64_t a, uint64_t b) {
    const auto by = [&](auto x, auto y) {
        switch (mode) {
            case 0: return x < y;
            case 1: return x > y;
            case 2: return x == y;
            case 3: return x <= y;
            case 4: return x >= y;
            default: return x != y;
        }
    };
    return IsFloating(t) ? by(FloatOf(t, a), FloatOf(t, b)) : by(IntegerOf(t, a), IntegerOf(t, b));
}

}  // namespace sfumato::exec::lane_oracle
