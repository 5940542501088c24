// SPDX-License-Identifier: Apache-2.0
// What every conversion must return, found by comparing exact integers: an oracle that shares no code with numeric or
// exec.
//
// Method. Every destination format is a grid: its values in increasing order, numbered by an ordinal, ordinal 0 being
// zero. A rough ordinal is guessed; the two neighbours lo <= x < hi are then proven by exact comparison, and the
// rounding chooses between them by the exact distances x - lo and hi - x. A wrong guess costs time, never a wrong
// result. Source of every rule: conversions.md.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sfumato/data_type.h"

namespace sfumato::oracle {

__extension__ typedef __int128 Wide;

// The number m * 2^e.
struct Exact {
    int64_t m;
    int e;
};

// Correctly rounded up to 53 bits: good for guesses and for coarse range tests.
inline double Approximate(Exact x) {
    return static_cast<double>(x.m) * std::bit_cast<double>(static_cast<uint64_t>(x.e + 1023) << 52);
}

// A binary format with kFraction explicit fraction bits. The ordinal of a non-negative value is its bit pattern; the
// ordinal of infinity stands for the power of two after the largest finite value.
template <int kFraction, int kExponentBits>
struct FloatGrid {
    static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
    static constexpr int kStep = 1 - kBias - kFraction;  // exponent of the smallest step
    static constexpr int64_t kLast = static_cast<int64_t>((1 << kExponentBits) - 1) << kFraction;  // infinity
    static constexpr int64_t kFirst = -kLast;
    static constexpr uint64_t kSign = uint64_t{1} << (kFraction + kExponentBits);
    static constexpr uint64_t kNan = static_cast<uint64_t>(kLast) | uint64_t{1} << (kFraction - 1);
    // A value between the last midpoint and infinity: every rounding treats all larger finite values like it.
    static constexpr Exact kBeyond{(int64_t{1} << (kFraction + 3)) - 1, kBias + 1 - (kFraction + 3)};
    static constexpr double kBeyondFrom = std::bit_cast<double>(static_cast<uint64_t>(kBias + 1 + 1023) << 52);

    static Exact Value(int64_t ordinal) {
        const int64_t a = ordinal < 0 ? -ordinal : ordinal;
        const int64_t fraction = a & ((int64_t{1} << kFraction) - 1);
        const int exponent = static_cast<int>(a >> kFraction);
        const int64_t m = exponent == 0 ? fraction : fraction | int64_t{1} << kFraction;
        return {ordinal < 0 ? -m : m, exponent == 0 ? kStep : exponent - kBias - kFraction};
    }

    static int64_t Guess(double x) {
        const uint64_t bits = std::bit_cast<uint64_t>(x) & ~(uint64_t{1} << 63);
        const int64_t normal =
            static_cast<int64_t>(bits >> (52 - kFraction)) - (static_cast<int64_t>(1023 - kBias) << kFraction);
        const int64_t a = normal >= int64_t{1} << kFraction
                              ? normal
                              : static_cast<int64_t>(std::bit_cast<double>(bits) *
                                                     std::bit_cast<double>(static_cast<uint64_t>(1023 - kStep) << 52));
        return std::min(x < 0 ? -a : a, kLast - 1);
    }
};

// The integers of [first, last]; the ordinal is the integer.
template <int64_t first, int64_t last>
struct IntegerGrid {
    static constexpr int64_t kFirst = first;
    static constexpr int64_t kLast = last;
    static constexpr int kStep = 0;
    static Exact Value(int64_t ordinal) { return {ordinal, 0}; }
    static int64_t Guess(double x) { return static_cast<int64_t>(x); }
};

template <DataType>
struct GridOf;
template <>
struct GridOf<DataType::kInt4> {
    using Type = IntegerGrid<-8, 7>;
};
template <>
struct GridOf<DataType::kInt8> {
    using Type = IntegerGrid<-128, 127>;
};
template <>
struct GridOf<DataType::kUint8> {
    using Type = IntegerGrid<0, 255>;
};
template <>
struct GridOf<DataType::kInt16> {
    using Type = IntegerGrid<-32768, 32767>;
};
template <>
struct GridOf<DataType::kUint16> {
    using Type = IntegerGrid<0, 65535>;
};
template <>
struct GridOf<DataType::kHalf> {
    using Type = FloatGrid<10, 5>;
};
template <>
struct GridOf<DataType::kBfloat16> {
    using Type = FloatGrid<7, 8>;
};
template <>
struct GridOf<DataType::kInt32> {
    using Type = IntegerGrid<INT32_MIN, INT32_MAX>;
};
template <>
struct GridOf<DataType::kUint32> {
    using Type = IntegerGrid<0, UINT32_MAX>;
};
template <>
struct GridOf<DataType::kFloat> {
    using Type = FloatGrid<23, 8>;
};
template <>
struct GridOf<DataType::kInt64> {
    using Type = IntegerGrid<INT64_MIN, INT64_MAX>;
};
template <DataType T>
using Grid = typename GridOf<T>::Type;

template <class G>
constexpr bool kIsInteger = !requires {
    G::kBias;
};

// Ordinal chosen for lo <= x < hi, given at one common scale; k is the ordinal of lo.
template <Rounding mode>
int64_t Choose(Wide lo, Wide x, Wide hi, int64_t k) {
    if (x == lo) return k;
    if constexpr (mode == Rounding::kFloor) return k;
    if constexpr (mode == Rounding::kCeil) return k + 1;
    if constexpr (mode == Rounding::kTrunc) return x > 0 ? k : k + 1;
    if constexpr (mode == Rounding::kAway) return x > 0 ? k + 1 : k;
    const int64_t odd = k & 1 ? k : k + 1;
    if constexpr (mode == Rounding::kOdd) return odd;
    const Wide below = x - lo, above = hi - x;
    if (below != above) return below < above ? k : k + 1;
    if constexpr (mode == Rounding::kRound) return x > 0 ? k + 1 : k;
    return odd == k ? k + 1 : k;  // kRint, and kNone which rounds like it
}

// The ordinal of x rounded to the grid; on an integer grid the result is clamped to its ends.
template <class G, Rounding mode>
int64_t Round(Exact x) {
    if (x.m == 0) return 0;
    if constexpr (kIsInteger<G>) {
        if (x.e >= 0) {  // an integer is its own neighbour; past 2^64 the exact amount does not matter
            const Wide integer = static_cast<Wide>(x.m) * (static_cast<Wide>(1) << std::min(x.e, 64));
            return static_cast<int64_t>(std::clamp<Wide>(integer, G::kFirst, G::kLast));
        }
    }
    const double rough = Approximate(x), size = rough < 0 ? -rough : rough;
    // Below a quarter of the smallest step all values compare alike with the grid and its midpoints.
    constexpr double kQuarter = std::bit_cast<double>(static_cast<uint64_t>(G::kStep - 2 + 1023) << 52);
    if (size < kQuarter) x = {x.m < 0 ? -1 : 1, G::kStep - 2};
    int64_t k = 0;
    if constexpr (kIsInteger<G>) {
        k = G::Guess(rough);
    } else {
        if (size >= G::kBeyondFrom) x = {x.m < 0 ? -G::kBeyond.m : G::kBeyond.m, G::kBeyond.e};
        k = std::clamp(G::Guess(rough), G::kFirst, G::kLast - 1);
    }
    for (;;) {
        const Exact low = G::Value(k), high = G::Value(k + 1);
        const int scale = std::min({low.e, x.e, high.e});
        const Wide lo = static_cast<Wide>(low.m) * (static_cast<Wide>(1) << (low.e - scale));
        const Wide at = static_cast<Wide>(x.m) * (static_cast<Wide>(1) << (x.e - scale));
        const Wide hi = static_cast<Wide>(high.m) * (static_cast<Wide>(1) << (high.e - scale));
        if (at < lo) {
            --k;
        } else if (at >= hi) {
            ++k;
        } else {
            const int64_t chosen = Choose<mode>(lo, at, hi, k);
            return kIsInteger<G> ? std::clamp(chosen, G::kFirst, G::kLast) : chosen;
        }
    }
}

template <DataType T>
constexpr uint64_t kMaskOf = BitsOf(T) == 64 ? ~uint64_t{0} : (uint64_t{1} << (BitsOf(T) & 63)) - 1;

// The bit pattern of an ordinal; a zero float result takes the sign given.
template <DataType T>
uint64_t BitsAt(int64_t ordinal, bool negative) {
    if constexpr (IsFloating(T)) {
        return static_cast<uint64_t>(ordinal < 0 ? -ordinal : ordinal) | (negative ? Grid<T>::kSign : 0);
    } else {
        return static_cast<uint64_t>(ordinal) & kMaskOf<T>;
    }
}

template <DataType T>
uint64_t InfinityAt(bool negative) {
    return BitsAt<T>(negative ? Grid<T>::kFirst : Grid<T>::kLast, negative);
}

template <DataType T>
uint64_t NanAt() {
    if constexpr (IsFloating(T)) return Grid<T>::kNan;
    return 0;
}

// The value of an integer bit pattern.
template <DataType T>
int64_t IntegerAt(uint64_t bits) {
    constexpr int kSpare = 64 - static_cast<int>(BitsOf(T));
    if constexpr (Grid<T>::kFirst == 0) return static_cast<int64_t>(bits);
    return static_cast<int64_t>(bits << kSpare) >> kSpare;
}

// One conversion under the policy infnan. bits: the pattern in the low bits, the others 0.
template <DataType src, DataType dst, Rounding mode>
uint64_t ConvertIeee(uint64_t bits) {
    Exact x{};
    bool negative = false;
    if constexpr (IsFloating(src)) {
        using S = Grid<src>;
        negative = (bits & S::kSign) != 0;
        const int64_t ordinal = static_cast<int64_t>(bits & ~S::kSign);
        if (ordinal > S::kLast) return NanAt<dst>();
        if (ordinal == S::kLast) return InfinityAt<dst>(negative);
        x = S::Value(negative ? -ordinal : ordinal);
    } else {
        x = {IntegerAt<src>(bits), 0};
        negative = x.m < 0;
    }
    if constexpr (src == dst) {  // float to float rounds to an integer; its zero is +0
        if (x.e >= 0) return bits;
        const int64_t k = Round<IntegerGrid<INT64_MIN, INT64_MAX>, mode>(x);
        return std::bit_cast<uint32_t>(static_cast<float>(k));  // exact: |k| <= 2^24
    } else {
        return BitsAt<dst>(Round<Grid<dst>, mode>(x), negative);
    }
}

// The policy saturate on a float16 or bfloat16 result: inf becomes the largest finite value, NaN becomes +0.
template <DataType T>
uint64_t Saturated(uint64_t bits) {
    using G = Grid<T>;
    const int64_t ordinal = static_cast<int64_t>(bits & ~G::kSign);
    return ordinal < G::kLast ? bits : ordinal == G::kLast ? bits - 1 : 0;
}

// int32 to half with a half scale, policy infnan: the exact product, rounded once to nearest even.
uint64_t ConvertInt32ToHalfIeee(int32_t value, uint16_t scale_bits);

// int16 to int8 or uint8 with one dequantisation word.
uint64_t ConvertInt16Deq(DataType dst, int16_t value, uint64_t word);

// --- arrays
// -----------------------------------------------------------------------------------------------------------

struct Pair {
    DataType src, dst;
};
// Every pair without a scale.
const std::vector<Pair>& Pairs();

// Converts n elements under infnan; elements have their natural size, int4 one a byte.
using ArrayFunction = void (*)(const void* src, void* dst, size_t n);
// nullptr when (src, dst) is not one of Pairs().
ArrayFunction FindArrayFunction(DataType src, DataType dst, Rounding mode);

// Applies the policy saturate to n results of the policy infnan; returns true when it changed one. Types other than
// float16 and bfloat16 are left alone.
bool SaturateArray(DataType dst, void* results, size_t n);

}  // namespace sfumato::oracle
