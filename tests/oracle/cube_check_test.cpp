// SPDX-License-Identifier: Apache-2.0
// Checks the arithmetic of the Mmad oracle against MPFR, and its layouts against small cases written out by hand.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <random>

#include "oracle/load_oracle.h"
#include "oracle/mmad_oracle.h"

namespace sfumato::oracle {
namespace {

constexpr int kPairs = 400'000;

bool Same(float a, float b) {
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

// Any bits; or the second number close to the first one's size, so that sums cancel and tie.
struct Pair {
    float a, b;
};
Pair Draw(std::mt19937_64& random) {
    const uint64_t bits = random();
    uint32_t a = static_cast<uint32_t>(bits), b = static_cast<uint32_t>(bits >> 32);
    if (random() % 2 == 0) {
        const int shift = static_cast<int>(random() % 60) - 30;
        const uint32_t exponent = static_cast<uint32_t>(std::clamp(static_cast<int>(a >> 23 & 255) + shift, 0, 255));
        b = (b & 0x807FFFFFu) | exponent << 23;
        if (random() % 4 == 0) b &= 0xFFFFF000u, a &= 0xFFFFF000u;
    }
    return {std::bit_cast<float>(a), std::bit_cast<float>(b)};
}

TEST(MmadOracle, RoundsAsMpfr) {
    mpfr_t x, y;
    mpfr_init2(x, 640);
    mpfr_init2(y, 640);
    std::mt19937_64 random(7);
    for (int i = 0; i < kPairs; ++i) {
        const Pair p = Draw(random);
        mpfr_set_flt(x, p.a, MPFR_RNDN);
        mpfr_set_flt(y, p.b, MPFR_RNDN);
        mpfr_mul(x, x, y, MPFR_RNDN);
        ASSERT_TRUE(Same(RoundedProduct(p.a, p.b), mpfr_get_flt(x, MPFR_RNDN))) << p.a << " * " << p.b;
        mpfr_set_flt(x, p.a, MPFR_RNDN);
        mpfr_add(x, x, y, MPFR_RNDN);
        const float sum = RoundedSum(p.a, p.b);
        if (sum == 0 && p.a == 0 && p.b == 0) continue;  // signs of zero: below
        ASSERT_TRUE(Same(sum, mpfr_get_flt(x, MPFR_RNDN))) << p.a << " + " << p.b;
    }
    mpfr_clear(x);
    mpfr_clear(y);
    EXPECT_TRUE(std::signbit(RoundedSum(-0.0f, -0.0f)));
    EXPECT_FALSE(std::signbit(RoundedSum(-0.0f, 0.0f)));
    EXPECT_FALSE(std::signbit(RoundedSum(1.0f, -1.0f)));
}

TEST(MmadOracle, AddsBlocksExactly) {
    EXPECT_EQ(SumOfBlock({0x1p100f, 1, -0x1p100f}, {0x1p20f, 1, 0x1p20f}), 1.0f);
    EXPECT_EQ(SumOfBlock({1, 0x1p-24f, 0x1p-24f}, {1, 1, 1}), 1 + 0x1p-23f);
    EXPECT_EQ(SumOfBlock({0x1p-100f, 0x1p-100f}, {0x1p-50f, 0x1p-50f}), 0x1p-149f);
    EXPECT_EQ(SumOfBlock({0x1p127f, 0x1p127f, -0x1p127f}, {1, 1, 1}), 0x1p127f);
    EXPECT_TRUE(std::isnan(SumOfBlock({INFINITY, INFINITY}, {1, -1})));
    EXPECT_TRUE(std::isnan(SumOfBlock({INFINITY}, {0})));
}

TEST(MmadOracle, RoundsToHf32) {
    using enum isa::Matmul::Hf32;
    EXPECT_EQ(RoundedToHf32(1 + 0x1p-12f, kNearestEven), 1.0f);
    EXPECT_EQ(RoundedToHf32(1 + 0x1p-12f, kNearestAway), 1 + 0x1p-11f);
    EXPECT_EQ(RoundedToHf32(-1 - 0x1p-11f - 0x1p-12f, kNearestEven), -1 - 0x1p-10f);
    EXPECT_EQ(RoundedToHf32(1 + 0x1p-12f, kOff), 1 + 0x1p-12f);
    EXPECT_EQ(RoundedToHf32(3.4028235e38f, kNearestEven), INFINITY);
}

// The convolution of cube.md 3.5 in one dimension: two taps of dilation 2 over four pixels, padded by one.
TEST(LoadOracle, MakesTheMatrixOfIm2Col) {
    Bytes image(4 * 32), a2(512 * 2, 0xAA);
    for (uint64_t e = 0; e < 64; ++e) Put(image, 0, e, 16, e);
    isa::Load3Dv2 p;
    p.map = {1, 4, 1, 1, 0, 0};
    p.filter.width = 2;
    p.filter.dilation_w = 2;
    p.channels = 16;
    p.k_extension = 32, p.m_extension = 4;
    p.pad_value = 9999;
    ExpectLoad3Dv2(p, 16, Side::kA2, {image, 0}, {a2, 0});
    // Row m reads pixels m - 1 and m + 1.
    for (uint64_t c = 0; c < 16; ++c) {
        EXPECT_EQ(Get(a2, 0, c, 16), 9999u);
        EXPECT_EQ(Get(a2, 512, c, 16), 16 + c);
        EXPECT_EQ(Get(a2, 0, 3 * 16 + c, 16), 32 + c);
        EXPECT_EQ(Get(a2, 512, 3 * 16 + c, 16), 9999u);
        EXPECT_EQ(Get(a2, 0, 4 * 16 + c, 16), 0xFEFEu);
    }
    // The same repeat by repeat.
    isa::Load3Dv1 v1;
    v1.map = p.map;
    v1.filter = p.filter;
    v1.left_top_w = -1;
    v1.repeats = 2;
    v1.pad_value = 9999;
    Bytes other(1024, 0xAA);
    ExpectLoad3Dv1(v1, 16, {image, 0}, {other, 0});
    for (uint64_t e = 0; e < 64; ++e) {
        EXPECT_EQ(Get(other, 0, e, 16), Get(a2, 0, e, 16));
        EXPECT_EQ(Get(other, 512, e, 16), Get(a2, 512, e, 16));
    }
}

}  // namespace
}  // namespace sfumato::oracle
