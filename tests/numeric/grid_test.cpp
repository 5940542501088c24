// SPDX-License-Identifier: Apache-2.0
// Whole grids: every half and bfloat16 value, every gap between two neighbours, in every mode, against the definition
// of the mode computed in double (which holds every quantity here exactly).
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "numeric/convert.h"

namespace sfumato::numeric {
namespace {

constexpr Rounding kModes[] = {Rounding::kNone,  Rounding::kRint,  Rounding::kFloor, Rounding::kCeil,
                               Rounding::kRound, Rounding::kTrunc, Rounding::kOdd,   Rounding::kAway};

// The value of a non-negative bit pattern; the pattern of inf stands for the next power of two, as rounding sees it.
double GridValue(uint64_t bits, int mantissa_bits, int bias) {
    const int field = static_cast<int>(bits >> mantissa_bits);
    const auto mantissa = static_cast<double>(bits & ((1u << mantissa_bits) - 1));
    const double leading = field == 0 ? 0 : std::ldexp(1.0, mantissa_bits);
    return std::ldexp(leading + mantissa, std::max(field, 1) - bias - mantissa_bits);
}

// Chooses between neighbours lo < x < hi of the magnitudes' grid by the words of conversions.md. lo_is_odd: last kept
// bit.
bool TakesUpper(Rounding mode, bool negative, double lo, double x, double hi, bool lo_is_odd) {
    if (x == lo) return false;
    const double below = x - lo, above = hi - x;
    switch (mode) {
        case Rounding::kFloor: return negative;
        case Rounding::kCeil: return !negative;
        case Rounding::kRound: return below >= above;
        case Rounding::kTrunc: return false;
        case Rounding::kOdd: return !lo_is_odd;
        case Rounding::kAway: return true;
        default: return below > above || (below == above && lo_is_odd);
    }
}

struct Grid {
    DataType type;
    int mantissa_bits, bias;
    uint64_t inf, sign;
};

class GridTest : public testing::TestWithParam<Grid> {};

TEST_P(GridTest, EveryGapInEveryMode) {
    const Grid g = GetParam();
    for (uint64_t bits = 0; bits < g.inf; ++bits) {
        const double lo = GridValue(bits, g.mantissa_bits, g.bias), hi = GridValue(bits + 1, g.mantissa_bits, g.bias);
        const auto first = static_cast<float>(lo), middle = static_cast<float>(lo + (hi - lo) / 2);
        const float up = std::numeric_limits<float>::infinity();
        const float points[] = {first,  std::nextafter(first, up),  std::nextafter(middle, 0.0f),
                                middle, std::nextafter(middle, up), std::nextafter(static_cast<float>(hi), 0.0f)};
        for (const float x : points) {
            if (std::isinf(x)) continue;
            for (const bool negative : {false, true}) {
                const uint64_t source = std::bit_cast<uint32_t>(negative ? -x : x);
                for (const Rounding mode : kModes) {
                    uint64_t expected = bits + TakesUpper(mode, negative, lo, x, hi, bits & 1);
                    // Next to inf, odd stays: the largest finite value is odd already.
                    const bool overflows = expected == g.inf;
                    expected |= negative ? g.sign : 0;
                    const Converted ieee = Convert(DataType::kFloat, g.type, mode, Overflow::kInfNan, source);
                    const Converted saturated = Convert(DataType::kFloat, g.type, mode, Overflow::kSaturate, source);
                    ASSERT_EQ(ieee.bits, expected) << x << " " << Name(mode);
                    ASSERT_EQ(saturated.bits, expected - overflows);
                    ASSERT_TRUE(saturated.saturated == overflows && !ieee.saturated);
                }
            }
        }
    }
}

TEST_P(GridTest, WideningIsExactAndComesBack) {
    const Grid g = GetParam();
    for (uint64_t bits = 0; bits <= 0xFFFF; ++bits) {
        const uint64_t wide = Convert(g.type, DataType::kFloat, Rounding::kNone, Overflow::kSaturate, bits).bits;
        const uint64_t magnitude = bits & (g.sign - 1);
        const auto value = std::bit_cast<float>(static_cast<uint32_t>(wide));
        if (magnitude > g.inf) {
            ASSERT_EQ(wide, 0x7FC00000u);
            continue;
        }
        const double expected = magnitude == g.inf ? INFINITY : GridValue(magnitude, g.mantissa_bits, g.bias);
        ASSERT_EQ(value, bits & g.sign ? -expected : expected);
        for (const Rounding mode : kModes) {
            ASSERT_EQ(Convert(DataType::kFloat, g.type, mode, Overflow::kInfNan, wide).bits, bits);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, GridTest,
                         testing::Values(Grid{DataType::kHalf, 10, 15, 0x7C00, 0x8000},
                                         Grid{DataType::kBfloat16, 7, 127, 0x7F80, 0x8000}),
                         [](const auto& param_info) { return std::string(CName(param_info.param.type)); });

// The integer a mode makes of x, saturated; double holds every value but the two ends of int64, which saturate anyway.
int64_t ExpectedInteger(DataType dst, Rounding mode, double x) {
    if (std::isnan(x)) return 0;
    const int width = static_cast<int>(BitsOf(dst));
    const double lo = dst == DataType::kUint8 ? 0 : -std::ldexp(1.0, width - 1);
    const double past = dst == DataType::kUint8 ? 256 : std::ldexp(1.0, width - 1);
    const double magnitude = std::fabs(x), down = std::floor(magnitude);
    const bool upper =
        std::isfinite(x) && TakesUpper(mode, std::signbit(x), down, magnitude, down + 1, std::fmod(down, 2) != 0);
    const double rounded = std::copysign(down + upper, x);
    if (rounded <= lo) return static_cast<int64_t>(lo);
    return rounded >= past ? static_cast<int64_t>(~uint64_t{0} >> (65 - width - (dst == DataType::kUint8)))
                           : static_cast<int64_t>(rounded);
}

void CheckToInteger(DataType src, DataType dst, uint64_t bits, double value) {
    const uint64_t mask = ~uint64_t{0} >> (64 - BitsOf(dst));
    for (const Rounding mode : kModes) {
        const Converted got = Convert(src, dst, mode, Overflow::kSaturate, bits);
        ASSERT_EQ(got.bits, static_cast<uint64_t>(ExpectedInteger(dst, mode, value)) & mask)
            << CName(src) << " " << value << " to " << CName(dst) << " " << Name(mode);
        ASSERT_FALSE(got.saturated);
    }
}

double HalfValue(uint64_t bits) {
    const uint64_t magnitude = bits & 0x7FFF;
    const double v = magnitude > 0x7C00 ? NAN : magnitude == 0x7C00 ? INFINITY : GridValue(magnitude, 10, 15);
    return bits & 0x8000 ? -v : v;
}

TEST(ToInteger, EveryHalf) {
    for (const DataType dst :
         {DataType::kInt4, DataType::kInt8, DataType::kUint8, DataType::kInt16, DataType::kInt32}) {
        for (uint64_t bits = 0; bits <= 0xFFFF; ++bits) CheckToInteger(DataType::kHalf, dst, bits, HalfValue(bits));
    }
}

TEST(ToInteger, FloatsOfEveryExponent) {
    std::mt19937 random(1);
    for (int i = 0; i < 100000; ++i) {
        const uint32_t bits = random();
        for (const DataType dst : {DataType::kInt16, DataType::kInt32, DataType::kInt64}) {
            CheckToInteger(DataType::kFloat, dst, bits, std::bit_cast<float>(bits));
        }
        CheckToInteger(DataType::kBfloat16, DataType::kInt32, bits >> 16, std::bit_cast<float>(bits & 0xFFFF0000));
    }
}

// Neighbours in the float grid by counting: with n significant bits a magnitude's unit is 2^(n - 24).
void CheckToFloat(DataType src, int64_t v) {
    const uint64_t mask = ~uint64_t{0} >> (64 - BitsOf(src));
    const uint64_t magnitude = v < 0 ? 0 - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
    const int unit = std::max(0, static_cast<int>(std::bit_width(magnitude)) - 24);
    const uint64_t lo = magnitude >> unit;
    const uint64_t rest = magnitude - (lo << unit);
    for (const Rounding mode : kModes) {
        const bool upper = TakesUpper(mode, v < 0, 0, static_cast<double>(rest), std::ldexp(1.0, unit), lo & 1);
        const double expected = std::ldexp(static_cast<double>(lo + upper), unit);
        const uint64_t got =
            Convert(src, DataType::kFloat, mode, Overflow::kSaturate, static_cast<uint64_t>(v) & mask).bits;
        ASSERT_EQ(std::bit_cast<float>(static_cast<uint32_t>(got)), v < 0 ? -expected : expected) << v << Name(mode);
    }
}

TEST(ToFloat, IntegersOfEveryLength) {
    std::mt19937_64 random(2);
    for (int i = 0; i < 200000; ++i) {
        const auto v = static_cast<int64_t>(random()) >> (i % 64);
        // The rest below the unit, up to 40 bits, is exact in double.
        CheckToFloat(DataType::kInt64, v);
        CheckToFloat(DataType::kInt32, static_cast<int32_t>(v));
    }
    CheckToFloat(DataType::kInt64, std::numeric_limits<int64_t>::min());
    CheckToFloat(DataType::kInt64, std::numeric_limits<int64_t>::max());
}

TEST(ToHalf, EveryInt16) {
    for (int v = -32768; v <= 32767; ++v) {
        const auto as_float = std::bit_cast<uint32_t>(static_cast<float>(v));
        for (const Rounding mode : kModes) {
            ASSERT_EQ(
                Convert(DataType::kInt16, DataType::kHalf, mode, Overflow::kInfNan, static_cast<uint16_t>(v)).bits,
                Convert(DataType::kFloat, DataType::kHalf, mode, Overflow::kInfNan, as_float).bits);
        }
    }
}

}  // namespace
}  // namespace sfumato::numeric
