// SPDX-License-Identifier: Apache-2.0
// Convert and ConvertInt32ToHalf on named cases: the pages' scalar examples and every rule of conversions.md.
#include "numeric/convert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace sfumato::numeric {
namespace {

constexpr DataType kH = DataType::kHalf, kB = DataType::kBfloat16, kF = DataType::kFloat, kI4 = DataType::kInt4,
                   kI8 = DataType::kInt8, kU8 = DataType::kUint8, kI16 = DataType::kInt16, kI32 = DataType::kInt32,
                   kI64 = DataType::kInt64;
constexpr Rounding kModes[] = {Rounding::kNone,  Rounding::kRint,  Rounding::kFloor, Rounding::kCeil,
                               Rounding::kRound, Rounding::kTrunc, Rounding::kOdd,   Rounding::kAway};
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

uint64_t Mask(DataType t) { return ~uint64_t{0} >> (64 - BitsOf(t)); }

// Bits of a value the type holds exactly. Written apart from the code under test: half by frexp, the rest by the
// compiler.
uint64_t Bits(DataType t, double v) {
    if (!IsFloating(t)) return static_cast<uint64_t>(static_cast<int64_t>(v)) & Mask(t);
    const uint32_t single = std::bit_cast<uint32_t>(static_cast<float>(v));
    if (t == kF) return single;
    if (t == kB) return single >> 16;
    const uint64_t sign = std::signbit(v) ? 0x8000 : 0;
    if (std::isnan(v)) return 0x7E00;
    if (std::isinf(v)) return sign | 0x7C00;
    int exponent = 0;
    std::frexp(v, &exponent);
    exponent = std::max(exponent, -13);
    const double units = std::ldexp(std::fabs(v), 11 - exponent);
    return v == 0 ? sign : sign | (static_cast<uint64_t>(exponent + 13) * 1024 + static_cast<uint64_t>(units));
}

uint64_t Cast(DataType src, DataType dst, Rounding mode, double value, Overflow overflow = Overflow::kSaturate) {
    return Convert(src, dst, mode, overflow, Bits(src, value)).bits;
}

struct Example {
    int mode_of_page;  // the number on the vec_conv page; 0: only on the Cast page
    DataType src, dst;
    double input;
    double rint, floor, ceil, round, trunc;
};

double P2(int n) { return std::ldexp(1.0, n); }

// The pages' examples, with the corrections of conversions.md (mode 10 to-zero is 1, mode 22 is 2^35 + ...).
std::vector<Example> PageExamples() {
    const double h = 0.5 + P2(-12), up = 0.5 + P2(-11), m = P2(22), i16 = 32767, exact = 1.5 - P2(-10);
    const double s64 = P2(35) + P2(12) + P2(11), low = P2(35) + P2(12), high = P2(35) + P2(13);
    const double top31 = P2(31) - 1;
    return {{1, kF, kF, 0.5, 0, 0, 1, 1, 0},
            {2, kF, kH, h, 0.5, 0.5, up, up, 0.5},
            {3, kF, kI64, m + 0.5, m, m, m + 1, m + 1, m},
            {4, kF, kI32, m + 0.5, m, m, m + 1, m + 1, m},
            {5, kF, kI16, m + 0.5, i16, i16, i16, i16, i16},
            {6, kH, kF, exact, exact, exact, exact, exact, exact},
            {7, kH, kI32, -1.5, -2, -2, -1, -2, -1},
            {8, kH, kI16, 127.5, 128, 127, 128, 128, 127},
            {9, kH, kI8, 127.5, 127, 127, 127, 127, 127},
            {10, kH, kU8, 1.75, 2, 1, 2, 2, 1},
            {11, kU8, kH, 1, 1, 1, 1, 1, 1},
            {12, kI8, kH, -1, -1, -1, -1, -1, -1},
            {13, kI16, kH, 4098, 4096, 4096, 4100, 4100, 4096},
            {14, kI16, kF, i16, i16, i16, i16, i16, i16},
            {17, kI32, kF, P2(25) + 3, P2(25) + 4, P2(25), P2(25) + 4, P2(25) + 4, P2(25)},
            {19, kI32, kI64, top31, top31, top31, top31, top31, top31},
            {20, kI32, kI16, top31, i16, i16, i16, i16, i16},
            {21, kI64, kI32, P2(31), top31, top31, top31, top31, top31},
            {22, kI64, kF, s64, high, low, high, high, low},
            {0, kH, kI4, 1.5, 2, 1, 2, 2, 1},
            {0, kI4, kH, 1, 1, 1, 1, 1, 1}};
}

TEST(Convert, PageExamples) {
    for (const Example& e : PageExamples()) {
        SCOPED_TRACE(testing::Message() << "mode " << e.mode_of_page << " " << CName(e.src) << " to " << CName(e.dst));
        EXPECT_EQ(Cast(e.src, e.dst, Rounding::kRint, e.input), Bits(e.dst, e.rint));
        EXPECT_EQ(Cast(e.src, e.dst, Rounding::kNone, e.input), Bits(e.dst, e.rint));
        EXPECT_EQ(Cast(e.src, e.dst, Rounding::kFloor, e.input), Bits(e.dst, e.floor));
        EXPECT_EQ(Cast(e.src, e.dst, Rounding::kCeil, e.input), Bits(e.dst, e.ceil));
        EXPECT_EQ(Cast(e.src, e.dst, Rounding::kRound, e.input), Bits(e.dst, e.round));
        EXPECT_EQ(Cast(e.src, e.dst, Rounding::kTrunc, e.input), Bits(e.dst, e.trunc));
    }
    EXPECT_EQ(Cast(kF, kH, Rounding::kOdd, 0.5 + P2(-12)), Bits(kH, 0.5 + P2(-11)));
}

TEST(Convert, PageExampleInt32ToHalfWithScale) {
    EXPECT_EQ(ConvertInt32ToHalf(1025, 0x4200, Overflow::kSaturate).bits, Bits(kH, 3076));
}

TEST(Convert, DirectedAwayMovesEveryFraction) {
    EXPECT_EQ(Cast(kH, kI32, Rounding::kAway, 1.0009765625), 2u);
    EXPECT_EQ(Cast(kH, kI32, Rounding::kAway, -1.0009765625), Bits(kI32, -2));
    EXPECT_EQ(Cast(kH, kI32, Rounding::kAway, 1), 1u);
    EXPECT_EQ(Cast(kF, kF, Rounding::kAway, -1e-40), Bits(kF, -1));
    EXPECT_EQ(Cast(kF, kI64, Rounding::kAway, std::numeric_limits<float>::denorm_min()), 1u);
}

TEST(Convert, CarriesAcrossBinadesAndOutOfSubnormals) {
    EXPECT_EQ(Cast(kF, kH, Rounding::kRint, 1.99999), Bits(kH, 2));
    const double largest_subnormal = P2(-14) - P2(-24);
    EXPECT_EQ(Cast(kF, kH, Rounding::kTrunc, largest_subnormal + P2(-26)), 0x03FFu);
    EXPECT_EQ(Cast(kF, kH, Rounding::kRint, largest_subnormal + P2(-25)), 0x0400u);  // a tie; even is the normal number
    EXPECT_EQ(Cast(kF, kH, Rounding::kRint, P2(-25)), 0x0000u);                      // a tie; even is zero
    EXPECT_EQ(Cast(kF, kH, Rounding::kRint, 3 * P2(-25)), 0x0002u);
    EXPECT_EQ(Cast(kF, kH, Rounding::kRound, -P2(-25)), 0x8001u);
    EXPECT_EQ(Cast(kF, kH, Rounding::kCeil, P2(-149)), 0x0001u);
    EXPECT_EQ(Cast(kF, kH, Rounding::kCeil, -P2(-149)), 0x8000u);  // zero keeps its sign
    EXPECT_EQ(Cast(kF, kH, Rounding::kOdd, -P2(-149)), 0x8001u);
    EXPECT_EQ(Cast(kH, kF, Rounding::kNone, -P2(-24)), Bits(kF, -P2(-24)));
    EXPECT_EQ(Cast(kF, kB, Rounding::kRint, P2(-134)), 0u);
    EXPECT_EQ(Cast(kF, kB, Rounding::kRound, P2(-134)), 1u);
}

TEST(Convert, OverflowByModeAndPolicy) {
    struct Case {
        Rounding mode;
        uint64_t positive, negative;  // infnan
    };
    const Case cases[] = {{Rounding::kNone, 0x7C00, 0xFC00},  {Rounding::kRint, 0x7C00, 0xFC00},
                          {Rounding::kFloor, 0x7BFF, 0xFC00}, {Rounding::kCeil, 0x7C00, 0xFBFF},
                          {Rounding::kRound, 0x7C00, 0xFC00}, {Rounding::kTrunc, 0x7BFF, 0xFBFF},
                          {Rounding::kOdd, 0x7BFF, 0xFBFF},   {Rounding::kAway, 0x7C00, 0xFC00}};
    for (const Case& c : cases) {
        SCOPED_TRACE(Name(c.mode));
        for (const double magnitude : {65536.0, 1e38}) {
            EXPECT_EQ(Cast(kF, kH, c.mode, magnitude, Overflow::kInfNan), c.positive);
            EXPECT_EQ(Cast(kF, kH, c.mode, -magnitude, Overflow::kInfNan), c.negative);
            const Converted saturated = Convert(kF, kH, c.mode, Overflow::kSaturate, Bits(kF, -magnitude));
            EXPECT_EQ(saturated.bits, 0xFBFFu);
            EXPECT_EQ(saturated.saturated, c.negative == 0xFC00);
        }
        EXPECT_EQ(Cast(kF, kH, c.mode, kInf, Overflow::kInfNan), 0x7C00u);
        EXPECT_EQ(Cast(kF, kB, c.mode, std::numeric_limits<float>::max(), Overflow::kInfNan) == 0x7F80,
                  c.positive == 0x7C00);
        EXPECT_EQ(Cast(kF, kB, c.mode, -kInf), 0xFF7Fu);
    }
    EXPECT_EQ(Cast(kF, kH, Rounding::kRint, 65519.996, Overflow::kInfNan), 0x7BFFu);
    EXPECT_EQ(Cast(kF, kH, Rounding::kRint, 65520, Overflow::kInfNan), 0x7C00u);
    EXPECT_EQ(Cast(kF, kH, Rounding::kAway, 65504.004, Overflow::kInfNan), 0x7C00u);
    EXPECT_EQ(Cast(kF, kH, Rounding::kCeil, 65504.004, Overflow::kInfNan), 0x7C00u);
    EXPECT_FALSE(Convert(kF, kH, Rounding::kRint, Overflow::kSaturate, Bits(kF, 65519.996)).saturated);
}

TEST(Convert, NanIsCanonicalOrReplaced) {
    for (const Rounding mode : kModes) {
        for (const uint64_t nan : {0x7F800001u, 0xFFFFFFFFu, 0x7FC12345u}) {
            EXPECT_EQ(Convert(kF, kH, mode, Overflow::kInfNan, nan).bits, 0x7E00u);
            EXPECT_EQ(Convert(kF, kB, mode, Overflow::kInfNan, nan).bits, 0x7FC0u);
            const Converted replaced = Convert(kF, kB, mode, Overflow::kSaturate, nan);
            EXPECT_TRUE(replaced.bits == 0 && replaced.saturated);
            for (const Overflow overflow : {Overflow::kSaturate, Overflow::kInfNan}) {
                const Converted same = Convert(kF, kF, mode, overflow, nan);
                EXPECT_TRUE(same.bits == 0x7FC00000 && !same.saturated);
                for (const DataType dst : {kI16, kI32, kI64}) EXPECT_EQ(Convert(kF, dst, mode, overflow, nan).bits, 0u);
            }
        }
        EXPECT_EQ(Convert(kH, kF, mode, Overflow::kSaturate, 0xFC01).bits, 0x7FC00000u);
        EXPECT_EQ(Convert(kB, kF, mode, Overflow::kSaturate, 0xFFFF).bits, 0x7FC00000u);
        EXPECT_EQ(Cast(kH, kF, mode, -kInf), 0xFF800000u);
        EXPECT_EQ(Cast(kF, kF, mode, -kInf), 0xFF800000u);
        EXPECT_EQ(Cast(kH, kI4, mode, kNan), 0u);
    }
}

TEST(Convert, FloatToFloatNeverGivesNegativeZero) {
    EXPECT_EQ(Cast(kF, kF, Rounding::kRint, -0.0), 0u);
    EXPECT_EQ(Cast(kF, kF, Rounding::kCeil, -0.3), 0u);
    EXPECT_EQ(Cast(kF, kF, Rounding::kRint, -0.5), 0u);
    EXPECT_EQ(Cast(kF, kF, Rounding::kRound, -0.5), Bits(kF, -1));
    EXPECT_EQ(Cast(kF, kF, Rounding::kFloor, -1e-45), Bits(kF, -1));
    EXPECT_EQ(Cast(kF, kF, Rounding::kOdd, 2.5), Bits(kF, 3));
    EXPECT_EQ(Cast(kF, kF, Rounding::kOdd, 3.5), Bits(kF, 3));
    EXPECT_EQ(Cast(kF, kF, Rounding::kCeil, -3e38), Bits(kF, -3e38));
    EXPECT_EQ(Cast(kF, kF, Rounding::kRint, 8388607.5), Bits(kF, 8388608));
}

TEST(Convert, NegativeZeroElsewhere) {
    EXPECT_EQ(Cast(kF, kH, Rounding::kRint, -0.0), 0x8000u);
    EXPECT_EQ(Cast(kF, kB, Rounding::kRint, -0.0), 0x8000u);
    EXPECT_EQ(Cast(kH, kF, Rounding::kNone, -0.0), 0x80000000u);
    EXPECT_EQ(Cast(kF, kI32, Rounding::kRint, -0.0), 0u);
    EXPECT_EQ(Cast(kH, kU8, Rounding::kCeil, -0.5), 0u);
}

TEST(Convert, IntegersSaturate) {
    for (const Rounding mode : kModes) {
        EXPECT_EQ(Cast(kF, kI64, mode, kInf), 0x7FFFFFFFFFFFFFFFu);
        EXPECT_EQ(Cast(kF, kI64, mode, -kInf), 0x8000000000000000u);
        EXPECT_EQ(Cast(kF, kI64, mode, P2(63)), 0x7FFFFFFFFFFFFFFFu);
        EXPECT_EQ(Cast(kF, kI64, mode, -P2(63)), 0x8000000000000000u);
        EXPECT_EQ(Cast(kF, kI64, mode, P2(63) - P2(39)), 0x7FFFFF8000000000u);
        EXPECT_EQ(Cast(kF, kI32, mode, -3e9), 0x80000000u);
        EXPECT_EQ(Cast(kB, kI32, mode, 3e38), 0x7FFFFFFFu);
        EXPECT_EQ(Cast(kH, kU8, mode, -7), 0u);
        EXPECT_EQ(Cast(kH, kU8, mode, 300), 255u);
        EXPECT_EQ(Cast(kH, kI4, mode, 8), 7u);
        EXPECT_EQ(Cast(kH, kI4, mode, -9), 8u);
        EXPECT_EQ(Cast(kI16, kU8, mode, -1), 0u);
        EXPECT_EQ(Cast(kI16, kU8, mode, 256), 255u);
        EXPECT_EQ(Cast(kI64, kI32, mode, -P2(40)), 0x80000000u);
        EXPECT_FALSE(Convert(kF, kI32, mode, Overflow::kSaturate, Bits(kF, kInf)).saturated);
    }
    EXPECT_EQ(Convert(kI64, kF, Rounding::kRint, Overflow::kSaturate, uint64_t{1} << 63).bits, Bits(kF, -P2(63)));
    EXPECT_EQ(Convert(kI64, kF, Rounding::kCeil, Overflow::kSaturate, ~uint64_t{0} >> 1).bits, Bits(kF, P2(63)));
    EXPECT_EQ(Convert(kI4, kH, Rounding::kNone, Overflow::kSaturate, 0xF8).bits, Bits(kH, -8));  // high nibble ignored
}

TEST(Convert, PairsAreThoseOfTheTables) {
    int count = 0;
    for (int src = 0; src < kDataTypeCount; ++src) {
        for (int dst = 0; dst < kDataTypeCount; ++dst) {
            count += IsConvertible(static_cast<DataType>(src), static_cast<DataType>(dst));
        }
    }
    EXPECT_EQ(count, 43);
    EXPECT_TRUE(IsConvertible(kH, kI4));
    EXPECT_FALSE(IsConvertible(kI32, kH));  // only with a scale
    EXPECT_FALSE(IsConvertible(kB, kI4));
}

TEST(Int32ToHalf, SignsSpecialsAndSingleRounding) {
    const auto run = [](int32_t v, double scale, Overflow o = Overflow::kInfNan) {
        return ConvertInt32ToHalf(v, static_cast<uint16_t>(Bits(kH, scale)), o);
    };
    EXPECT_EQ(run(0, -2).bits, 0x8000u);
    EXPECT_EQ(run(-5, 0).bits, 0x8000u);
    EXPECT_EQ(run(-5, -0.0).bits, 0u);
    EXPECT_EQ(run(0, kInf).bits, 0x7E00u);
    EXPECT_EQ(run(-1, kInf).bits, 0xFC00u);
    EXPECT_EQ(run(3, kNan).bits, 0x7E00u);
    EXPECT_EQ(run(INT32_MIN, P2(-24)).bits, Bits(kH, -128));
    EXPECT_EQ(run(INT32_MAX, 65504).bits, 0x7C00u);
    EXPECT_EQ(run(1, P2(-24)).bits, 1u);
    const Converted inf = run(-1, kInf, Overflow::kSaturate);
    EXPECT_TRUE(inf.bits == 0xFBFF && inf.saturated);
    const Converted nan = run(0, kInf, Overflow::kSaturate);
    EXPECT_TRUE(nan.bits == 0 && nan.saturated);
    // 16785409 = 2^24 + 2^13 + 1 is just above a tie that rounding to float first would make exact.
    EXPECT_EQ(run(16785409, P2(-10)).bits, Bits(kH, 16400));
}

}  // namespace
}  // namespace sfumato::numeric
