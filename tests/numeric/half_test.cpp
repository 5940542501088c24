// SPDX-License-Identifier: Apache-2.0
// half and bfloat16_t at run time: round trips, correctly rounded arithmetic, comparisons, limits.
#include "sfumato/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace sfumato {
namespace {

template <class H>
class SmallFloatTest : public testing::Test {};
using Formats = testing::Types<half, bfloat16_t>;
TYPED_TEST_SUITE(SmallFloatTest, Formats);

template <class H>
H FromIndex(unsigned bits) {
    return H::FromBits(static_cast<uint16_t>(bits));
}

TYPED_TEST(SmallFloatTest, EveryValueComesBackFromFloatAndDouble) {
    for (unsigned bits = 0; bits <= 0xFFFF; ++bits) {
        const TypeParam x = FromIndex<TypeParam>(bits);
        const float f = x;
        const unsigned expected = std::isnan(f) ? std::numeric_limits<TypeParam>::quiet_NaN().bits() : bits;
        ASSERT_EQ(TypeParam(f).bits(), expected);
        ASSERT_EQ(TypeParam(static_cast<double>(f)).bits(), expected);
        ASSERT_EQ((-x).bits(), bits ^ 0x8000);
    }
}

// Zeros, subnormals, neighbours of powers of two, the ends of the range, inf, NaN; both signs.
template <class H>
std::vector<H> SpecialValues() {
    using Limits = std::numeric_limits<H>;
    const unsigned normal = Limits::min().bits(), one = H(1).bits(), inf = Limits::infinity().bits();
    std::vector<H> values;
    for (const unsigned centre : {0u, 1u, 5u, normal / 2, normal, normal * 2, one - normal, one, one + normal,
                                  H(3).bits() + 0u, H(100).bits() + 0u, inf - normal, inf}) {
        for (int step = -2; step <= 2; ++step) {
            const int bits = static_cast<int>(centre) + step;
            if (bits < 0 || bits > 0x7FFF) continue;
            values.push_back(FromIndex<H>(static_cast<unsigned>(bits)));
            values.push_back(-values.back());
        }
    }
    return values;
}

// Double holds + - * of two such values well enough: 53 bits >= 2 p + 2 makes its second rounding innocuous.
template <class H>
void CheckArithmetic(H a, H b) {
    const double x = a, y = b;
    ASSERT_EQ((a + b).bits(), H(x + y).bits()) << x << " + " << y;
    ASSERT_EQ((a - b).bits(), H(x - y).bits()) << x << " - " << y;
    ASSERT_EQ((a * b).bits(), H(x * y).bits()) << x << " * " << y;
    ASSERT_EQ((a / b).bits(), H(x / y).bits()) << x << " / " << y;
    ASSERT_TRUE((a == b) == (x == y) && (a != b) == (x != y) && (a < b) == (x < y));
    ASSERT_TRUE((a <= b) == (x <= y) && (a > b) == (x > y) && (a >= b) == (x >= y));
}

TYPED_TEST(SmallFloatTest, ArithmeticOfSpecialPairs) {
    const std::vector<TypeParam> values = SpecialValues<TypeParam>();
    for (const TypeParam a : values) {
        for (const TypeParam b : values) CheckArithmetic(a, b);
    }
}

TYPED_TEST(SmallFloatTest, ArithmeticOfRandomPairs) {
    std::mt19937 random(3);
    for (int i = 0; i < 500000; ++i) {
        const uint32_t bits = random();
        CheckArithmetic(FromIndex<TypeParam>(bits & 0xFFFF), FromIndex<TypeParam>(bits >> 16));
    }
}

// Quotients that land among the subnormals, where a float result has fewest bits to spare.
TYPED_TEST(SmallFloatTest, QuotientsAmongTheSubnormals) {
    constexpr numeric::FloatFormat kFormat = TypeParam::kFormat;
    const unsigned one = TypeParam(1).bits(), count = 1u << kFormat.mantissa_bits;
    for (int depth = 0; depth <= kFormat.mantissa_bits + 2; ++depth) {
        const int target = kFormat.MinExponent() - depth, down = target / 2;
        const TypeParam tiny = std::ldexp(1.0f, down), large = std::ldexp(1.0f, down - target);
        for (unsigned i = 0; i < count; i += 3) {
            for (unsigned j = 0; j < count; j += 5) {
                CheckArithmetic(FromIndex<TypeParam>(one + i) * tiny, FromIndex<TypeParam>(one + j) * large);
            }
        }
    }
}

TYPED_TEST(SmallFloatTest, Limits) {
    using L = std::numeric_limits<TypeParam>;
    const double eps = L::epsilon(), smallest = L::min(), largest = L::max();
    EXPECT_EQ(eps, std::ldexp(1.0, 1 - L::digits));
    EXPECT_EQ(smallest, std::ldexp(1.0, L::min_exponent - 1));
    EXPECT_EQ(largest, std::ldexp(2.0 - eps, L::max_exponent - 1));
    EXPECT_EQ(static_cast<double>(L::denorm_min()), smallest * eps);
    EXPECT_EQ(static_cast<double>(L::lowest()), -largest);
    EXPECT_EQ(L::round_error(), 0.5f);
    EXPECT_EQ(static_cast<float>(L::infinity()), INFINITY);
    EXPECT_TRUE(std::isnan(L::quiet_NaN()) && std::isnan(L::signaling_NaN()));
    EXPECT_EQ(L::min_exponent10, static_cast<int>(std::ceil(std::log10(smallest))));
    EXPECT_EQ(L::max_exponent10, static_cast<int>(std::floor(std::log10(largest))));
    EXPECT_EQ(L::digits10, static_cast<int>(std::floor((L::digits - 1) * std::log10(2.0))));
    EXPECT_EQ(L::max_digits10, static_cast<int>(std::ceil(1 + L::digits * std::log10(2.0))));
    EXPECT_TRUE(L::is_specialized && L::is_signed && !L::is_integer && L::is_iec559 && L::has_infinity);
    EXPECT_EQ(std::numeric_limits<const TypeParam>::digits, L::digits);
}

TEST(Half, KnownBits) {
    EXPECT_EQ(half(1.0f).bits(), 0x3C00);
    EXPECT_EQ(half(-2).bits(), 0xC000);
    EXPECT_EQ(half(65504).bits(), 0x7BFF);
    EXPECT_EQ(half(65519).bits(), 0x7BFF);
    EXPECT_EQ(half(65520).bits(), 0x7C00);
    EXPECT_EQ(half(-1e10).bits(), 0xFC00);
    EXPECT_EQ(half(2049).bits(), 0x6800);
    EXPECT_EQ(half(-0.0f).bits(), 0x8000);
    EXPECT_EQ(half(std::numeric_limits<float>::quiet_NaN()).bits(), 0x7E00);
    EXPECT_EQ(half(INT64_MIN).bits(), 0xFC00);
    EXPECT_EQ(half(UINT64_MAX).bits(), 0x7C00);
    EXPECT_EQ(half(5.9604645e-8).bits(), 1);
    EXPECT_EQ(bfloat16_t(1.0f).bits(), 0x3F80);
    EXPECT_EQ(bfloat16_t(3.4e38f).bits(), 0x7F80);
    EXPECT_EQ(bfloat16_t(257).bits(), 0x4380);
    EXPECT_EQ(bfloat16_t(259).bits(), 0x4382);
    EXPECT_EQ(bfloat16_t(NAN).bits(), 0x7FC0);
}

TEST(Half, RoundsOnceFromDoubleAndInt64) {
    EXPECT_EQ(half(1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40)).bits(),
              0x3C01);  // through float it would be a tie
    EXPECT_EQ(bfloat16_t((int64_t{1} << 40) + (int64_t{1} << 32) + 1).bits(), 0x5381);
}

TEST(Half, MixedArithmeticFollowsTheWiderType) {
    const half x = 2048;
    EXPECT_EQ(x + 1, half(2048));  // half: 2049 is a tie
    EXPECT_EQ(x + 1.0f, 2049.0f);  // float
    EXPECT_EQ(x * 100, std::numeric_limits<half>::infinity());
    half y = x;
    y += 1.0f;
    EXPECT_EQ(y, 2048);
    EXPECT_EQ(x / 3, half(2048.0 / 3));
}

TEST(Int4, HoldsItsSixteenValues) {
    for (int v = -8; v <= 7; ++v) {
        EXPECT_EQ(int4b_t(v), v);
        EXPECT_EQ(int4b_t::FromBits(static_cast<uint8_t>(v)), v);
        EXPECT_EQ(int4b_t(v).bits(), v & 0xF);
    }
    EXPECT_EQ(std::numeric_limits<int4b_t>::digits, 3);
}

}  // namespace
}  // namespace sfumato
