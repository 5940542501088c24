// SPDX-License-Identifier: Apache-2.0
// Small floats against the values of each format in order: every code, every half and bfloat16, and of floats every
// exponent with fractions of interest and chance ones.
#include "numeric/small_floats.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "numeric/format_values.h"

namespace sfumato {
namespace {

using enum DataType;
using format_values::ToFormat;
using format_values::ValueOf;

TEST(SmallFloats, EveryCodeHasItsValue) {
    for (const DataType t : {kHifloat8, kFp8E4m3, kFp8E5m2, kFp8E8m0, kFp4E2m1, kFp4E1m2}) {
        for (uint32_t code = 0; code < 1u << BitsOf(t); ++code) {
            const numeric::Exact v = numeric::UnpackSmallFloat(t, code);
            const double expected = ValueOf(t, code);
            ASSERT_EQ(v.kind == numeric::Kind::kNan, std::isnan(expected)) << CName(t) << " " << code;
            if (std::isnan(expected)) continue;
            ASSERT_EQ(v.kind == numeric::Kind::kInf, std::isinf(expected)) << CName(t) << " " << code;
            ASSERT_EQ(v.negative, std::signbit(expected)) << CName(t) << " " << code;
            if (std::isinf(expected)) continue;
            ASSERT_EQ(std::ldexp(static_cast<double>(v.significand), v.exponent), std::fabs(expected)) << code;
        }
    }
    EXPECT_EQ(ValueOf(kHifloat8, 0xAE), -14.0);  // the pages' example
    EXPECT_EQ(ValueOf(kHifloat8, 0x6E), 32768.0);
    EXPECT_EQ(ValueOf(kFp8E4m3, 0x7E), 448.0);
    EXPECT_EQ(ValueOf(kFp8E5m2, 0x7B), 57344.0);
    EXPECT_EQ(ValueOf(kFp4E2m1, 7), 6.0);
    EXPECT_EQ(ValueOf(kFp4E1m2, 7), 1.75);
}

std::vector<uint32_t> Floats() {
    std::vector<uint32_t> all;
    std::mt19937 random(1);
    for (uint32_t top = 0; top < 512; ++top) {
        for (uint32_t high = 0; high < 32; ++high) {
            for (const uint32_t low : {0u, 1u, 0x3FFFu, 0x2000u, 0x1FFFFu, 0x10000u, 0xFFFFu}) {
                all.push_back(top << 23 | high << 18 | low);
            }
        }
        for (int i = 0; i < 60; ++i) all.push_back(top << 23 | (random() & 0x7FFFFF));
    }
    return all;
}

struct SmallCase {
    DataType from, to;
    std::vector<Rounding> modes;
};

uint64_t CheckSmall(const SmallCase& c, const std::vector<uint32_t>& sources) {
    uint64_t checked = 0;
    for (const Rounding mode : c.modes) {
        for (int flags = 0; flags < 8; ++flags) {
            const bool saturates = flags & 1, keeps_nan = flags & 2, hybrid = flags & 4;
            if ((hybrid && c.to != kHifloat8) || (keeps_nan && !saturates)) continue;
            for (const uint32_t bits : sources) {
                const uint64_t expected =
                    ToFormat(c.to, ValueOf(c.from, bits), mode, saturates, keeps_nan, hybrid, c.from, bits);
                const uint8_t actual = numeric::ToSmallFloat(c.from, c.to, {mode, hybrid, saturates, keeps_nan}, bits);
                ++checked;
                if (actual == expected) continue;
                ADD_FAILURE() << CName(c.from) << " to " << CName(c.to) << ", " << Name(mode) << ", flags " << flags
                              << ": " << std::hex << bits << " gives " << int{actual} << ", not " << expected;
                return checked;
            }
        }
    }
    return checked;
}

TEST(SmallFloats, EveryModeAgreesWithTheOrderOfValues) {
    std::vector<uint32_t> halves(65536);
    for (uint32_t i = 0; i < 65536; ++i) halves[i] = i;
    const std::vector<uint32_t> floats = Floats();
    const std::vector<Rounding> all = {Rounding::kNone,  Rounding::kRint,  Rounding::kFloor, Rounding::kCeil,
                                       Rounding::kRound, Rounding::kTrunc, Rounding::kOdd};
    const std::vector<Rounding> one = {Rounding::kRound}, some = {Rounding::kRint, Rounding::kCeil};
    uint64_t checked = 0;
    for (const SmallCase& c : {SmallCase{kHalf, kHifloat8, one},
                               {kHalf, kFp8E4m3, some},
                               {kHalf, kFp8E5m2, some},
                               {kBfloat16, kFp4E2m1, all},
                               {kBfloat16, kFp4E1m2, all},
                               {kBfloat16, kFp8E4m3, some},
                               {kBfloat16, kFp8E5m2, some}}) {
        checked += CheckSmall(c, halves);
    }
    for (const SmallCase& c : {SmallCase{kFloat, kHifloat8, one},
                               {kFloat, kFp8E4m3, all},
                               {kFloat, kFp8E5m2, all},
                               {kFloat, kFp4E2m1, all},
                               {kFloat, kFp4E1m2, all}}) {
        checked += CheckSmall(c, floats);
    }
    EXPECT_GT(checked, 5'000'000u);
}

TEST(SmallFloats, E8m0IsTheExponentField) {
    for (uint32_t bits = 0; bits < 65536; ++bits) {
        ASSERT_EQ(numeric::ToSmallFloat(kBfloat16, kFp8E8m0, {}, bits), bits >> 7 & 0xFF);
    }
}

// Hybrid looks at the low bits of the source: numbers that are exact but have no threshold go up.
TEST(SmallFloats, HybridComparesWithTheLowBitsOfTheSource) {
    const numeric::SmallRounding hybrid{.hybrid = true};
    const auto of_float = [&](uint32_t bits) { return numeric::ToSmallFloat(kFloat, kHifloat8, hybrid, bits); };
    EXPECT_EQ(ValueOf(kHifloat8, of_float(0x41800000)), 20.0);  // 16: 0 >= 0
    EXPECT_EQ(ValueOf(kHifloat8, of_float(0x41800001)), 16.0);  // 0 < 1
    EXPECT_EQ(ValueOf(kHifloat8, of_float(0x41000000)), 8.0);   // to exponent 3, the nearest
}

}  // namespace
}  // namespace sfumato
