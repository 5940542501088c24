// SPDX-License-Identifier: Apache-2.0
// ExpSub and MulsCast of registers (arch950.md 2.7).
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "exec/registers/register_fixture.h"
#include "numeric/format_values.h"

namespace sfumato::exec {
namespace {

using enum DataType;
using format_values::ToFloat;
using format_values::ToFormat;
using format_values::ValueOf;

float FloatOf(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }

// e^x by long double, which decides all but what lies within 2^-12 of a middle: no case here does.
uint32_t ExpectedExp(float d, bool keeps_subnormals) {
    if (std::isnan(d)) return 0x7FFFFFFF;
    const uint32_t bits =
        std::isinf(d) ? (d > 0 ? 0x7F800000 : 0) : ToFloat(std::exp(static_cast<long double>(d)), Rounding::kRint);
    return bits < 0x00800000 && !keeps_subnormals ? 0 : bits;
}

TEST(RegisterExpSub, RoundsTheDifferenceAndItsExponential) {
    std::mt19937_64 random(4);
    for (int round = 0; round < 4000; ++round) {
        const bool half = round & 1, keeps = round & 2, scalar = round & 4, masked = round & 8, in_place = round & 16;
        const uint8_t layout = half && (round & 32) ? 1 : 0;
        const uint32_t width = half ? 16 : 32;
        RegisterPair x(random), y(random), dst;
        for (uint32_t i = 0; i < 2048 / width; ++i) {
            if (i % 8 == 0) continue;  // any bits
            const float a = static_cast<float>(static_cast<int64_t>(random() % 400'000) - 200'000) / 1024;
            const float b = static_cast<float>(random() % 4096) / 512;
            x.Set(width, i, half ? ToFormat(kHalf, a, Rounding::kRint, false, false) : std::bit_cast<uint32_t>(a));
            y.Set(width, i, half ? ToFormat(kHalf, b, Rounding::kRint, false, false) : std::bit_cast<uint32_t>(b));
        }
        if (masked) x.Forget(random), y.Forget(random);
        const uint64_t second = y.Get(width, 1);
        const MaskRegister mask = RandomMask(random);
        RegisterPair expected = in_place ? x : dst;
        expected.Fill(0, 1);
        for (uint32_t i = 0; i < 64; ++i) {
            const uint32_t from = half ? 2 * i + layout : i;
            if (masked && !MaskBit(&mask, from * width / 8)) continue;
            const uint64_t a = x.Get(width, from), b = scalar ? second : y.Get(width, from);
            const float difference = half
                                         ? static_cast<float>(ValueOf(kHalf, a)) - static_cast<float>(ValueOf(kHalf, b))
                                         : FloatOf(a) - FloatOf(b);
            expected.Set(32, i, ExpectedExp(difference, keeps));
            const bool known = x.ElementKnown(width, from) && (scalar || y.ElementKnown(width, from));
            expected.SetElementKnown(32, i, known);
        }
        RegisterPair* result = in_place ? &x : &dst;
        RunCall({.op = RegisterOp::kExpSub,
                 .type = half ? kHalf : kFloat,
                 .to = kFloat,
                 .dst = result->data(),
                 .src0 = x.data(),
                 .src1 = scalar ? nullptr : y.data(),
                 .scalar = second,
                 .mask = masked ? &mask : nullptr,
                 .layout = layout,
                 .keeps_subnormals = keeps});
        ASSERT_TRUE(*result == expected) << round;
    }
}

TEST(RegisterMulsCast, RoundsTwice) {
    std::mt19937_64 random(5);
    for (int round = 0; round < 4000; ++round) {
        const bool saturates = round & 1, masked = round & 2, in_place = round & 4;
        const uint8_t layout = round & 8 ? 1 : 0;
        RegisterPair x(random), dst;
        const float scalar = round % 3 == 0 ? FloatOf(random()) : static_cast<float>(random() % 1000) / 64;
        for (uint32_t i = 0; i < 64; i += 2) {
            x.Set(32, i,
                  std::bit_cast<uint32_t>(static_cast<float>(static_cast<int64_t>(random() % 200'000) - 100'000) / 32));
        }
        if (masked) x.Forget(random);
        const MaskRegister mask = RandomMask(random);
        RegisterPair expected = in_place ? x : dst;
        expected.Fill(0, 1);
        for (uint32_t i = 0; i < 64; ++i) {
            if (masked && !MaskBit(&mask, 4 * i)) continue;
            const float product = FloatOf(x.Get(32, i)) * scalar;
            expected.Set(16, 2 * i + layout, ToFormat(kHalf, product, Rounding::kRound, saturates, false));
            expected.SetElementKnown(16, 2 * i + layout, x.ElementKnown(32, i));
        }
        RegisterPair* result = in_place ? &x : &dst;
        RunCall({.op = RegisterOp::kMulsCast,
                 .type = kFloat,
                 .to = kHalf,
                 .dst = result->data(),
                 .src0 = x.data(),
                 .scalar = std::bit_cast<uint32_t>(scalar),
                 .mask = masked ? &mask : nullptr,
                 .layout = layout},
                {.ieee = !saturates});
        ASSERT_TRUE(*result == expected) << round;
    }
}

}  // namespace
}  // namespace sfumato::exec
