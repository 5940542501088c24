// SPDX-License-Identifier: Apache-2.0
// Elementwise instructions as programs call them: the vectors of the pages, and what the calls refuse.
#include <gtest/gtest.h>

#include <functional>

#include "on_chip.h"

namespace sfumato::elementwise_test {
namespace {

using namespace AscendC;

LaunchResult OnChip(const char* chip, const std::function<void()>& kernel, Overflow overflow = Overflow::kSaturate) {
    GlobalMemory memory;
    LaunchOptions options;
    options.chip = chip;
    options.overflow = overflow;
    return Launch(options, 1, memory, kernel);
}
std::string Rule(const LaunchResult& result) { return result.findings.empty() ? "" : Name(result.findings.front().rule); }

// The other name of FusedMulAddRelu, in its three forms. tests/coverage runs every name of a page so.
TEST(Elementwise, MulAddRelu) {
    const LaunchResult result = OnChip("Ascend910B1", [] {
        auto dst = Ub<float>(0, 64), a = Ub<float>(1024, 64);
        const BinaryRepeatParams params;
        const uint64_t bits[2] = {1, 0};
        for (int form = 0; form < 3; ++form) {
            for (uint32_t i = 0; i < 64; ++i) dst.SetValue(i, 3.0f), a.SetValue(i, 2.0f);
            if (form == 0) MulAddRelu(dst, a, a, 1);
            if (form == 1) MulAddRelu(dst, a, a, uint64_t{1}, 1, params);
            if (form == 2) MulAddRelu(dst, a, a, bits, 1, params);
            EXPECT_EQ(dst.GetValue(0), 8) << form;
            EXPECT_EQ(dst.GetValue(1), 3) << form;
        }
    });
    EXPECT_TRUE(result.ok());
}

// vector_instructions.md 1.2, 1.3, 10, 17.
TEST(Elementwise, VectorsOfThePages) {
    const LaunchResult result = OnChip("Ascend910B1", [] {
        auto a = Ub<int16_t>(0, 16), b = Ub<int16_t>(1024, 16);
        a.SetValue(0, 17);
        a.SetValue(1, static_cast<int16_t>(0xAAAA));
        a.SetValue(2, INT16_MIN);
        ShiftRight(b, a, static_cast<int16_t>(5), 3, true);
        EXPECT_EQ(b.GetValue(0), 1);
        ShiftRight(b, a, static_cast<int16_t>(5), 3);
        EXPECT_EQ(b.GetValue(0), 0);
        ShiftRight(b, a, static_cast<int16_t>(16), 3, true);
        EXPECT_EQ(b.GetValue(1), 0);
        ShiftLeft(b, a, static_cast<int16_t>(1), 3);
        EXPECT_EQ(static_cast<uint16_t>(b.GetValue(1)), 0xD554);
        ShiftLeft(b, a, static_cast<int16_t>(3), 3);
        EXPECT_EQ(static_cast<uint16_t>(b.GetValue(1)), 0xD550);
        auto x = Ub<half>(2048, 16), y = Ub<half>(3072, 16), z = Ub<half>(4096, 16);
        const auto max = half::FromBits(0x7BFF), minus_max = half::FromBits(0xFBFF), minus_zero = half::FromBits(0x8000);
        x.SetValue(0, max);
        y.SetValue(0, max);
        z.SetValue(0, minus_max);
        MulAddDst(z, x, y, 1);
        EXPECT_EQ(z.GetValue(0).bits(), 0);  // the product is limited before the addition
        x.SetValue(0, minus_zero);
        LeakyRelu(y, x, half(-1), 1);
        EXPECT_EQ(y.GetValue(0).bits(), 0);
        Rsqrt(y, x, 1);
        EXPECT_EQ(y.GetValue(0).bits(), 0xFBFF);
        Sqrt(y, x, 1);
        EXPECT_EQ(y.GetValue(0).bits(), 0x8000);
        Abs(y, x, 1);
        EXPECT_EQ(y.GetValue(0).bits(), 0);
        Exp(y, x, 1);
        EXPECT_EQ(static_cast<float>(y.GetValue(0)), 1);
        x.SetValue(0, max);
        Reciprocal(y, x, 1);
        EXPECT_EQ(y.GetValue(0).bits(), 0x0100);  // subnormal
    });
    EXPECT_TRUE(result.ok());
    const LaunchResult infnan = OnChip(
        "Ascend910B1",
        [] {
            auto x = Ub<half>(0, 16), y = Ub<half>(1024, 16), z = Ub<half>(2048, 16);
            x.SetValue(0, half::FromBits(0x7BFF));
            z.SetValue(0, half::FromBits(0xFC00));
            MulAddDst(z, x, x, 1);
            EXPECT_EQ(z.GetValue(0).bits(), 0x7E00);  // inf - inf: two roundings
            x.SetValue(0, half::FromBits(0x8000));
            Ln(y, x, 1);
            EXPECT_EQ(y.GetValue(0).bits(), 0xFC00);
        },
        Overflow::kInfNan);
    EXPECT_TRUE(infnan.ok());
}

// vector_instructions.md 4.5: in counter mode the count is of each repeat, and a repeat may have more than 8 blocks.
TEST(Elementwise, CopyCountsTheElementsOfEachRepeat) {
    const LaunchResult result = OnChip("Ascend910B1", [] {
        auto src = Ub<int32_t>(0, 18 * 64), dst = Ub<int32_t>(16384, 512);
        for (int i = 0; i < 18 * 64; ++i) src.SetValue(i, i);
        for (int i = 0; i < 512; ++i) dst.SetValue(i, -1);
        SetMaskCount();
        Copy(dst, src, uint64_t{144}, 1, {1, 8, 8, 8});  // the first block of 18 rows of 8 blocks
        Copy(dst[256], src, uint64_t{65}, 2, {1, 1, 16, 32});
        Copy(dst[448], src, uint64_t{3}, 2, {1, 1, 1, 8});
        SetMaskNorm();
        for (int i = 0; i < 256; ++i) ASSERT_EQ(dst.GetValue(i), i < 144 ? i / 8 * 64 + i % 8 : -1) << i;
        for (int i = 0; i < 192; ++i) {
            const bool second = i >= 128;
            ASSERT_EQ(dst.GetValue(256 + i), i % 128 < 65 ? i % 128 + (second ? 256 : 0) : -1) << i;
        }
        for (int i = 0; i < 64; ++i) ASSERT_EQ(dst.GetValue(448 + i), i % 8 < 3 && i < 16 ? i % 8 + i / 8 * 64 : -1) << i;
    });
    EXPECT_TRUE(result.ok());
    const auto strides = [](uint16_t stride, uint8_t repeats = 1) {
        return [=] { Copy(Ub<half>(0, 128), Ub<half>(1024, 128), uint64_t{16}, repeats, {1, 1, stride, 8}); };
    };
    EXPECT_EQ(Rule(OnChip("Ascend910B1", strides(4095))), "");
    EXPECT_EQ(Rule(OnChip("Ascend910B1", strides(4096))), "");  // one repeat: nothing uses it
    EXPECT_EQ(Rule(OnChip("Ascend910B1", strides(4096, 2))), "stride-range");
}

TEST(Elementwise, WhatIsRefused) {
    const auto rule = [](const char* chip, const std::function<void()>& kernel) { return Rule(OnChip(chip, kernel)); };
    const auto shift = [](int16_t distance, bool round) {
        return [=] { ShiftRight(Ub<int16_t>(0, 16), Ub<int16_t>(1024, 16), distance, 16, round); };
    };
    EXPECT_EQ(rule("Ascend910B1", shift(16, true)), "");
    EXPECT_EQ(rule("Ascend910B1", shift(17, false)), "shift-range");
    EXPECT_EQ(rule("Ascend910B1", shift(-1, false)), "shift-range");
    EXPECT_EQ(rule("Ascend310B1", shift(2, true)), "shift-round");
    EXPECT_EQ(rule("Ascend310P3", shift(2, false)), "instruction-unsupported");
    const auto relu = [] { Relu(Ub<float>(0, 16), Ub<float>(1024, 16), 16); };
    EXPECT_EQ(rule("Ascend910A", relu), "type-unsupported");
    EXPECT_EQ(rule("Ascend310P3", relu), "");
    const auto mixed = [] { MulAddDst(Ub<float>(0, 16), Ub<half>(1024, 16), Ub<half>(2048, 16), 16); };
    EXPECT_EQ(rule("Ascend310B1", mixed), "type-mismatch");
    EXPECT_EQ(rule("Ascend310P3", mixed), "");
    const auto integers = [] { MulAddDst(Ub<uint32_t>(0, 16), Ub<uint32_t>(1024, 16), Ub<uint32_t>(2048, 16), 16); };
    EXPECT_EQ(rule("Ascend310B1", integers), "");
    EXPECT_EQ(rule("Ascend910B1", integers), "type-unsupported");
    // dst is read: its repeats must not fall on each other.
    const auto accumulate = [] {
        Axpy(Ub<float>(0, 64), Ub<float>(1024, 128), 2.0f, uint64_t{64}, 2, {1, 1, 0, 8});
    };
    EXPECT_EQ(rule("Ascend910B1", accumulate), "overlap-across-repeats");
}

}  // namespace
}  // namespace sfumato::elementwise_test
