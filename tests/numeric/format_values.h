// SPDX-License-Identifier: Apache-2.0
// Conversions from their definition, for tests: all values of a format in order, and of the two around a number the one
// the mode chooses. Numbers are doubles, which hold all of them and the middles of neighbours exactly. Shares nothing
// with the library but the names of types and modes.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sfumato/data_type.h"

namespace sfumato::format_values {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// IEEE or not: sign, `exponent` bits with a bias, `mantissa` bits. all_finite: the top exponent has numbers, too.
struct Layout {
    int exponent, mantissa, bias;
    bool all_finite;
};
inline Layout LayoutOf(DataType t) {
    switch (t) {
        case DataType::kHalf: return {5, 10, 15, false};
        case DataType::kBfloat16: return {8, 7, 127, false};
        case DataType::kFloat: return {8, 23, 127, false};
        case DataType::kFp8E4m3: return {4, 3, 7, true};
        case DataType::kFp8E5m2: return {5, 2, 15, false};
        case DataType::kFp4E2m1: return {2, 1, 1, true};
        default: return {1, 2, 1, true};  // e1m2: steps of 1/4 from 0
    }
}

// "0000" denormal to "11": the code of a hif8 without its sign.
inline double Hif8Magnitude(uint32_t code) {
    std::string bits;
    for (int i = 6; i >= 0; --i) bits += code >> i & 1 ? '1' : '0';
    const auto number = [](const std::string& s) { return s.empty() ? 0 : std::stoi(s, nullptr, 2); };
    if (bits == "1101111") return kInfinity;
    if (bits.starts_with("0000")) return code == 0 ? 0.0 : std::ldexp(1.0, number(bits.substr(4)) - 23);
    if (bits.starts_with("0001")) return 1 + number(bits.substr(4)) / 8.0;
    const int dot = bits.starts_with("001") ? 3 : 2;
    const int width = bits.starts_with("001") ? 1 : bits.starts_with("01") ? 2 : bits.starts_with("10") ? 3 : 4;
    const std::string mantissa = bits.substr(static_cast<size_t>(dot + width));
    const int magnitude = number("1" + bits.substr(static_cast<size_t>(dot + 1), static_cast<size_t>(width - 1)));
    const int exponent = bits[static_cast<size_t>(dot)] == '1' ? -magnitude : magnitude;
    return std::ldexp(1 + number(mantissa) / std::ldexp(1.0, static_cast<int>(mantissa.size())), exponent);
}

inline double ValueOf(DataType t, uint64_t bits) {
    if (t == DataType::kFp8E8m0) return bits == 255 ? kNotANumber : std::ldexp(1.0, static_cast<int>(bits) - 127);
    if (t == DataType::kHifloat8) {
        if (bits == 0x80) return kNotANumber;
        return Hif8Magnitude(bits & 0x7F) * (bits & 0x80 ? -1 : 1);
    }
    if (t < DataType::kCount && !IsFloating(t)) {
        const bool is_unsigned = t == DataType::kUint8 || t == DataType::kUint16 || t == DataType::kUint32;
        const double modulus = std::ldexp(1.0, static_cast<int>(BitsOf(t)));
        const auto v = static_cast<double>(bits);
        return !is_unsigned && v >= modulus / 2 ? v - modulus : v;
    }
    const Layout f = LayoutOf(t);
    const auto mantissa = static_cast<double>(bits & ((1ull << f.mantissa) - 1));
    const int exponent = static_cast<int>(bits >> f.mantissa) & ((1 << f.exponent) - 1);
    const double sign = bits >> (f.mantissa + f.exponent) & 1 ? -1.0 : 1.0;
    if (t == DataType::kFp8E4m3 && (bits & 0x7F) == 0x7F) return kNotANumber;
    if (!f.all_finite && exponent == (1 << f.exponent) - 1) return mantissa == 0 ? sign * kInfinity : kNotANumber;
    if (exponent == 0) return sign * std::ldexp(mantissa, 1 - f.bias - f.mantissa);
    return sign * std::ldexp(std::ldexp(1.0, f.mantissa) + mantissa, exponent - f.bias - f.mantissa);
}

// The codes of a format that are not negative, by value; behind the largest finite number the one that would follow it.
struct Values {
    std::vector<double> value;
    uint32_t largest = 0;

    explicit Values(DataType t) {
        for (uint32_t code = 0; code < 1u << (BitsOf(t) - 1); ++code) {
            const double v = ValueOf(t, code);
            if (!std::isfinite(v)) continue;
            value.push_back(v);  // in order, for hif8 after sorting
            by_value.push_back(code);
        }
        std::sort(by_value.begin(), by_value.end(),
                  [&](uint32_t a, uint32_t b) { return ValueOf(t, a) < ValueOf(t, b); });
        std::sort(value.begin(), value.end());
        largest = static_cast<uint32_t>(value.size()) - 1;
        value.push_back(2 * value[largest] - value[largest - 1]);
        if (t == DataType::kHifloat8) value.back() = 49152;  // 2^15 * 1.5, in whose place inf is
        by_value.push_back(~0u);
    }
    std::vector<uint32_t> by_value;  // codes
};
inline const Values& ValuesOf(DataType t) {
    static const std::vector<Values> all = [] {
        std::vector<Values> v;
        for (int i = 0; i < static_cast<int>(DataType::kEnd); ++i) {
            const auto type = static_cast<DataType>(i);
            const bool small =
                BitsOf(type) <= 16 && (IsFloating(type) || type >= DataType::kHifloat8) && type != DataType::kFp8E8m0;
            v.emplace_back(small ? type : DataType::kHalf);
        }
        return v;
    }();
    return all[static_cast<size_t>(t)];
}

// Whether x, between `low` and `high`, becomes `high`; both magnitudes. odd: the code of low is.
inline bool GoesUp(double x, double low, double high, Rounding mode, bool negative, bool odd) {
    if (x == low) return false;
    const double below = x - low, above = high - x;
    switch (mode) {
        case Rounding::kFloor: return negative;
        case Rounding::kCeil: return !negative;
        case Rounding::kTrunc: return false;
        case Rounding::kOdd: return !odd;
        case Rounding::kRound: return below >= above;
        default: return below > above || (below == above && odd);
    }
}

// What hybrid rounding decides of a magnitude x of exponent e, with `kept` bits of mantissa.
inline bool HybridGoesUp(DataType from, uint64_t bits, double x, int e, int kept) {
    const double scaled = std::ldexp(x, kept - e);
    const double dropped = e == -23 ? std::ldexp(x, 22) : scaled - std::floor(scaled);
    return from == DataType::kHalf ? std::floor(dropped * 4) >= static_cast<double>((bits & 1) * 2 + 1)
                                   : std::floor(dropped * 16384) >= static_cast<double>(bits % 16384);
}

// A number to a format of at most 16 bits. hybrid: from which type, of these bits.
inline uint64_t ToFormat(DataType to, double v, Rounding mode, bool saturates, bool keeps_nan, bool hybrid = false,
                         DataType from = DataType::kFloat, uint64_t source = 0) {
    const bool fp4 = BitsOf(to) == 4, hif8 = to == DataType::kHifloat8, e4m3 = to == DataType::kFp8E4m3;
    const uint64_t sign = std::signbit(v) ? 1ull << (BitsOf(to) - 1) : 0;
    if (std::isnan(v)) {
        const bool has_ctrl = e4m3 || to == DataType::kFp8E5m2;
        if (fp4 || (saturates && !(keeps_nan && has_ctrl))) return 0;
        return hif8 ? 0x80 : (1ull << (BitsOf(to) - 1)) - 1;
    }
    const Values& all = ValuesOf(to);
    const double x = std::fabs(v);
    uint32_t index = all.largest + 1;
    if (x < all.value.back()) {
        index = static_cast<uint32_t>(std::upper_bound(all.value.begin(), all.value.end(), x) - all.value.begin()) - 1;
        int e = 0;
        if (x > 0) std::frexp(x, &e);
        --e;
        const int away = std::abs(e), kept = away <= 3 ? 3 : away <= 7 ? 2 : away <= 15 ? 1 : 0;
        if (hif8 && hybrid && x > 0 && away > 3) {
            index += e >= -23 && HybridGoesUp(from, source, x, e, kept) ? 1 : 0;
        } else {
            index += GoesUp(x, all.value[index], all.value[index + 1], hif8 ? Rounding::kRound : mode, sign != 0,
                            (all.by_value[index] & 1) != 0)
                         ? 1
                         : 0;
        }
    }
    if (index <= all.largest) return index == 0 && hif8 ? 0 : sign | all.by_value[index];
    // What is too large: a mode that rounds towards zero there stops at the largest number, but inf stays inf.
    const bool stops = !hif8 && std::isfinite(v) &&
                       (mode == Rounding::kTrunc || mode == Rounding::kOdd ||
                        mode == (sign != 0 ? Rounding::kCeil : Rounding::kFloor));
    if (fp4 || saturates || stops) return sign | all.by_value[all.largest];
    return hif8 ? sign | 0x6F : e4m3 ? 0x7F : sign | (all.by_value[all.largest] + 1);
}

// A number to an integer of `bits` bits, at most 64.
inline uint64_t ToInteger(uint32_t bits, bool is_signed, double v, Rounding mode, bool low_bits) {
    if (std::isnan(v)) return 0;
    const double magnitude = std::fabs(v), low = std::floor(magnitude);
    const bool up = std::isfinite(v) && GoesUp(magnitude, low, low + 1, mode, v < 0, std::fmod(low, 2) == 1);
    const double rounded = std::copysign(low + (up ? 1 : 0), v), modulus = std::ldexp(1.0, static_cast<int>(bits));
    const uint64_t ones = bits == 64 ? ~0ull : (1ull << bits) - 1;
    const double most = is_signed ? modulus / 2 : modulus, least = is_signed ? -modulus / 2 : 0;
    if (rounded >= most && (!low_bits || std::isinf(v))) return is_signed ? ones >> 1 : ones;
    if (rounded < least && (!low_bits || std::isinf(v))) return is_signed ? (ones >> 1) + 1 : 0;
    const auto held = static_cast<uint64_t>(std::fmod(std::fabs(rounded), std::ldexp(1.0, 64)));
    return (rounded < 0 ? 0 - held : held) & ones;
}

// A double or an int64 to float: a long double holds these, and the middle of two floats.
inline uint32_t ToFloat(long double v, Rounding mode) {
    static_assert(std::numeric_limits<long double>::digits >= 64);
    if (std::isnan(v)) return 0x7FFFFFFF;
    const uint32_t sign = std::signbit(v) ? 0x80000000u : 0;
    const long double x = std::fabs(v);
    const auto value = [](uint32_t bits) -> long double {
        return bits == 0x7F800000 ? 0x1p128L : static_cast<long double>(std::bit_cast<float>(bits));
    };
    if (x >= 0x1p128L) return sign | 0x7F800000;
    auto bits = std::bit_cast<uint32_t>(static_cast<float>(x));
    if (value(bits) > x) --bits;
    const long double below = x - value(bits), above = value(bits + 1) - x;
    const bool nearest = below > above || (below == above && bits % 2 == 1);
    const bool up = below != 0 && (mode == Rounding::kFloor   ? v < 0
                                   : mode == Rounding::kCeil  ? v > 0
                                   : mode == Rounding::kTrunc ? false
                                   : mode == Rounding::kRound ? below >= above
                                                              : nearest);
    return sign | (bits + (up ? 1 : 0));
}

}  // namespace sfumato::format_values
