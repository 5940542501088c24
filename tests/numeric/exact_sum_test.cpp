// SPDX-License-Identifier: Apache-2.0
// Sums of products rounded once: directed cases, and random ones that double holds exactly.
#include <gtest/gtest.h>

#include <bit>
#include <cfloat>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <random>
#include <utility>

#include "numeric/exact_sum.h"

namespace sfumato::numeric {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kTiny = FLT_TRUE_MIN;

uint32_t Sum(std::initializer_list<std::pair<float, float>> products) {
    ExactSum sum;
    for (const auto& [a, b] : products) sum.AddProduct(a, b);
    return std::bit_cast<uint32_t>(sum.Round());
}

uint32_t Bits(float v) { return std::bit_cast<uint32_t>(v); }

TEST(ExactSum, Directed) {
    EXPECT_EQ(Sum({}), Bits(0.0f));
    EXPECT_EQ(Sum({{-0.0f, 1.0f}}), Bits(0.0f));
    EXPECT_EQ(Sum({{1.0f, 1.0f}, {-1.0f, 1.0f}}), Bits(0.0f));
    EXPECT_EQ(Sum({{FLT_MAX, FLT_MAX}, {kTiny, 1.0f}, {-FLT_MAX, FLT_MAX}}), Bits(kTiny));
    EXPECT_EQ(Sum({{FLT_MAX, FLT_MAX}, {kTiny, kTiny}, {-FLT_MAX, FLT_MAX}}), Bits(0.0f));
    // Ties to even, and the least that breaks one.
    EXPECT_EQ(Sum({{0x1p24f, 1.0f}, {1.0f, 1.0f}}), Bits(0x1p24f));
    EXPECT_EQ(Sum({{0x1p24f, 1.0f}, {3.0f, 1.0f}}), Bits(0x1p24f + 4));
    EXPECT_EQ(Sum({{0x1p24f, 1.0f}, {1.0f, 1.0f}, {kTiny, kTiny}}), Bits(0x1p24f + 2));
    EXPECT_EQ(Sum({{-0x1p24f, 1.0f}, {-1.0f, 1.0f}, {-kTiny, kTiny}}), Bits(-0x1p24f - 2));
    EXPECT_EQ(Sum({{-0x1p24f, 1.0f}, {-1.0f, 1.0f}, {kTiny, kTiny}}), Bits(-0x1p24f));
    // Subnormal results.
    EXPECT_EQ(Sum({{kTiny, 0.5f}}), Bits(0.0f));
    EXPECT_EQ(Sum({{kTiny, 0.5f}, {kTiny, kTiny}}), Bits(kTiny));
    EXPECT_EQ(Sum({{kTiny, -1.5f}}), Bits(-2 * kTiny));
    // Overflow is decided after the sum.
    EXPECT_EQ(Sum({{FLT_MAX, 2.0f}, {-FLT_MAX, 1.0f}}), Bits(FLT_MAX));
    EXPECT_EQ(Sum({{FLT_MAX, 2.0f}}), Bits(kInf));
    EXPECT_EQ(Sum({{-FLT_MAX, FLT_MAX}}), Bits(-kInf));
}

TEST(ExactSum, InfAndNan) {
    EXPECT_EQ(Sum({{kInf, 1.0f}, {-FLT_MAX, FLT_MAX}}), Bits(kInf));
    EXPECT_EQ(Sum({{kInf, -1.0f}}), Bits(-kInf));
    for (uint32_t bits : {Sum({{kInf, 1.0f}, {kInf, -1.0f}}), Sum({{kInf, 0.0f}}), Sum({{0.0f, -kInf}}),
                          Sum({{-kNan, 1.0f}}), Sum({{1.0f, kNan}, {kInf, 1.0f}}), Sum({{kNan, kInf}})}) {
        EXPECT_EQ(bits, 0x7FC00000u);
    }
}

TEST(ExactSum, AgreesWithDoubleWhereThatIsExact) {
    std::mt19937 random(1);
    for (int i = 0; i < 20000; ++i) {
        // Integers of 24 and 14 bits times one power of two: 38 bits and a few for the sum.
        const int scale = static_cast<int>(random() % 250) - 150;
        ExactSum sum;
        double expected = 0;
        for (int k = 0; k < 16; ++k) {
            const auto number = [&] { return static_cast<float>(static_cast<int32_t>(random() << 7) >> 7); };
            const float a = std::round(number() / 2), b = std::ldexp(std::round(number() / 2048), scale);
            sum.AddProduct(a, b);
            expected += double{a} * double{b};
        }
        ASSERT_EQ(Bits(sum.Round()), Bits(static_cast<float>(expected)));
    }
}

}  // namespace
}  // namespace sfumato::numeric
