// SPDX-License-Identifier: Apache-2.0
// The 64-bit dequantisation word: packing, truncation, and int16 to int8 / uint8 through it.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "numeric/convert.h"

namespace sfumato::numeric {
namespace {

uint64_t Word(double scale, int64_t offset, bool is_signed) {
    uint64_t word = 0;
    EXPECT_TRUE(PackDeqWord(scale, offset, is_signed, &word));
    return word;
}

float ScaleOf(uint64_t word) { return std::bit_cast<float>(DeqScaleFloatBits(word)); }

int Signed(int16_t value, uint64_t word) { return static_cast<int8_t>(ConvertInt16Deq(DataType::kInt8, value, word)); }

TEST(DeqWord, PageExamples) {
    for (int i = 0; i < 16; ++i) {
        const uint64_t to_signed =
            (uint64_t{1} << 46) + (uint64_t{1} << 31) + static_cast<uint64_t>(127 + i) * (1u << 23);
        EXPECT_EQ(to_signed, Word(-std::ldexp(1.0, i), 0, true));
        EXPECT_EQ(Signed(1, to_signed), i < 7 ? -(1 << i) : -128);
        const uint64_t to_unsigned = (static_cast<uint64_t>(i) << 37) + uint64_t{127} * (1u << 23);
        EXPECT_EQ(to_unsigned, Word(1, i, false));
        EXPECT_EQ(ConvertInt16Deq(DataType::kUint8, 1, to_unsigned), i + 1);
    }
    // The second script: 2^46 - 1 is a NaN scale and offset -1 in every lane.
    EXPECT_EQ(Signed(1234, (uint64_t{1} << 46) - 1), -1);
}

TEST(DeqWord, ScaleIsTruncatedToTenBits) {
    EXPECT_EQ(ScaleOf(Word(0.5 + std::ldexp(1.0, -12), 0, true)), 0.5f);
    EXPECT_EQ(ScaleOf(Word(-1.9999, 0, true)), -(2.0f - std::ldexp(1.0f, -10)));
    const float largest = std::ldexp(2.0f - std::ldexp(1.0f, -10), 127);
    EXPECT_EQ(ScaleOf(Word(std::numeric_limits<float>::max(), 0, true)), largest);
    EXPECT_EQ(ScaleOf(Word(std::ldexp(1.0, -136), 0, true)), std::ldexp(1.0f, -136));  // the smallest subnormal scale
    EXPECT_EQ(ScaleOf(Word(std::ldexp(1.9, -136), 0, true)), std::ldexp(1.0f, -136));
    EXPECT_EQ(ScaleOf(Word(std::ldexp(1.9, -137), 0, true)), 0.0f);
    EXPECT_EQ(DeqScaleFloatBits(Word(-0.0, 0, true)), 0x80000000u);
}

TEST(DeqWord, RefusesWhatDoesNotFit) {
    uint64_t word = 77;
    for (const double scale : {std::ldexp(1.0, 128), -std::ldexp(1.0, 128), 1e300,
                               std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_FALSE(PackDeqWord(scale, 0, true, &word));
    }
    EXPECT_FALSE(PackDeqWord(1, 256, true, &word));
    EXPECT_FALSE(PackDeqWord(1, -257, true, &word));
    EXPECT_EQ(word, 77u);
}

TEST(DeqWord, FieldsComeBack) {
    for (const int offset : {-256, -1, 0, 1, 255}) {
        EXPECT_EQ(DeqOffset(Word(3, offset, true)), offset);
        EXPECT_EQ(DeqOffset(Word(-3, offset, false)), offset);
    }
    EXPECT_TRUE(DeqSigned(Word(3, -1, true)));
    EXPECT_FALSE(DeqSigned(Word(3, -1, false)));
}

TEST(ConvertInt16Deq, RoundsTwiceThenAddsThenSaturates) {
    EXPECT_EQ(Signed(5, Word(0.5, 0, true)), 2);  // 2.5, ties to even
    EXPECT_EQ(Signed(7, Word(0.5, 0, true)), 4);
    EXPECT_EQ(Signed(1000, Word(1, -200, true)), 55);   // 255 after the first saturation
    EXPECT_EQ(Signed(-1000, Word(1, 200, true)), -56);  // -256
    EXPECT_EQ(Signed(1000, Word(1, 0, true)), 127);
    EXPECT_EQ(ConvertInt16Deq(DataType::kUint8, 1000, Word(1, 0, false)), 255);
    EXPECT_EQ(ConvertInt16Deq(DataType::kUint8, -5, Word(1, 0, false)), 0);
    EXPECT_EQ(ConvertInt16Deq(DataType::kUint8, -5, Word(1, 255, false)), 250);
    EXPECT_EQ(ConvertInt16Deq(DataType::kUint8, 200, Word(1, 0, true)), 200);  // the type decides, not bit 46
    const uint64_t inf = 0x7F800000;
    EXPECT_EQ(Signed(-1, inf), -128);
    EXPECT_EQ(Signed(0, inf), 0);
    EXPECT_EQ(Signed(32767, Word(std::ldexp(1.0, 127), 0, true)), 127);
    // Bits 12:0, 36:32 and 63:47 mean nothing.
    EXPECT_EQ(Signed(9, Word(0.25, 3, true)), Signed(9, Word(0.25, 3, true) | 0xFFFF801F00001FFFu));
}

// Every lane value against double arithmetic: the product is exact in double and rounded by the compiler to float.
TEST(ConvertInt16Deq, AgreesWithDoubleArithmetic) {
    for (const double scale : {0.3, -1.0 / 3, 0.0078, 1.0009765625, -127.9, 1e-6}) {
        for (const int offset : {0, -256, 255, 17}) {
            const uint64_t word = Word(scale, offset, true);
            for (int v = -32768; v <= 32767; v += 3) {
                const float p = static_cast<float>(v * static_cast<double>(ScaleOf(word)));
                const int r = static_cast<int>(std::fmin(255.0f, std::fmax(-256.0f, std::nearbyint(p))));
                const int sum = r + offset;
                ASSERT_EQ(Signed(static_cast<int16_t>(v), word), std::min(127, std::max(-128, sum)));
                ASSERT_EQ(ConvertInt16Deq(DataType::kUint8, static_cast<int16_t>(v), word),
                          std::min(255, std::max(0, sum)));
            }
        }
    }
}

// ---- Words on the way out of L0C (cube.md 5.2, 5.4)

constexpr uint64_t Shifted(uint64_t word, int by) {
    return word | uint64_t{1} << 36 | static_cast<uint64_t>(by - 1) << 32;
}

uint64_t OfInt(DataType dst, int32_t value, uint64_t word, bool relu = false, Overflow policy = Overflow::kSaturate) {
    return ConvertAccumulator(DataType::kInt32, dst, static_cast<uint32_t>(value), word, relu, policy).bits;
}
int8_t OfFloat(float value, uint64_t word, bool relu = false) {
    const uint64_t bits = std::bit_cast<uint32_t>(value);
    return static_cast<int8_t>(
        ConvertAccumulator(DataType::kFloat, DataType::kInt8, bits, word, relu, Overflow::kSaturate).bits);
}

TEST(AccumulatorWord, Fields) {
    EXPECT_FALSE(DeqShifts(Word(1, 0, true)));
    EXPECT_TRUE(DeqShifts(Shifted(0, 5)));
    for (int by = 1; by <= 16; ++by) EXPECT_EQ(DeqShift(Shifted(0, by)), by);
    EXPECT_TRUE(DeqRelu(uint64_t{1} << 47));
    EXPECT_FALSE(DeqRelu(~(uint64_t{1} << 47)));
}

TEST(AccumulatorWord, FloatToByte) {
    const uint64_t word = Word(0.5, 10, true);
    EXPECT_EQ(OfFloat(1, word), 10);  // 0.5 to even
    EXPECT_EQ(OfFloat(3, word), 12);  // 1.5 to even
    EXPECT_EQ(OfFloat(-7, word), 6);  // -3.5 to even
    EXPECT_EQ(OfFloat(-7, word, true), 10);
    EXPECT_EQ(OfFloat(std::numeric_limits<float>::quiet_NaN(), word), 10);
    EXPECT_EQ(OfFloat(-std::numeric_limits<float>::infinity(), Word(1, 255, true)), -1);  // -256 + 255
}

TEST(AccumulatorWord, ShiftIsArithmeticAndStopsAtInt16) {
    const uint64_t one = Word(1, 0, true);
    EXPECT_EQ(OfInt(DataType::kInt8, -1, Shifted(one, 16)), 0xFFu);
    EXPECT_EQ(OfInt(DataType::kInt8, 64, Shifted(one, 1)), 32u);
    EXPECT_EQ(OfInt(DataType::kHalf, std::numeric_limits<int32_t>::max(), Shifted(one, 8)), 0x7800u);  // 32767 is 32768
    EXPECT_EQ(OfInt(DataType::kHalf, std::numeric_limits<int32_t>::min(), Shifted(one, 8)), 0xF800u);
    EXPECT_EQ(OfInt(DataType::kInt16, 1 << 20, Shifted(0, 4)), 0x7FFFu);
    EXPECT_EQ(OfInt(DataType::kInt16, -33, Shifted(0, 4)), 0xFFFDu);
    EXPECT_EQ(OfInt(DataType::kInt16, 33, uint64_t{3} << 32), 2u) << "bit 36 is not asked";
    EXPECT_EQ(OfInt(DataType::kInt16, -33, Shifted(0, 4), true), 0u);
}

TEST(AccumulatorWord, IntToHalf) {
    const uint64_t one = Word(1, 99, true);
    EXPECT_EQ(OfInt(DataType::kHalf, 2049, one), 0x6800u);
    EXPECT_EQ(OfInt(DataType::kHalf, 70000, one), 0x7BFFu);
    EXPECT_EQ(OfInt(DataType::kHalf, 70000, one, false, Overflow::kInfNan), 0x7C00u);
    EXPECT_EQ(OfInt(DataType::kHalf, -5, one, true), 0u);
    EXPECT_EQ(OfInt(DataType::kHalf, -5, Word(-2, 0, true), true), 0u) << "the element decides, not the product";
    EXPECT_EQ(OfInt(DataType::kHalf, 5, Word(-2, 0, true), true), 0xC900u);
    EXPECT_EQ(OfInt(DataType::kHalf, 14627635, Word(0x1.68p-9, 0, true)), 0x78E7u) << "40160: rounded once";
}

}  // namespace
}  // namespace sfumato::numeric
