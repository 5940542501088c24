// SPDX-License-Identifier: Apache-2.0
// Compares, selects, fills and gathers as programs call them: the vectors of the pages, every name and form, the
// registers they leave, and what they refuse.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "on_chip.h"

namespace sfumato::select_test {
namespace {

using namespace AscendC;

constexpr const char* k910B = "Ascend910B1";

// The rule of the first finding, "" when there is none.
std::string Rule(const char* chip, const std::function<void()>& kernel) {
    const LaunchResult result = OnChip(chip, kernel);
    return result.findings.empty() ? "" : Name(result.findings.front().rule);
}

template <class T, class Value>
void Set(const LocalTensor<T>& tensor, uint32_t n, Value value) {
    for (uint32_t i = 0; i < n; ++i) tensor.SetValue(i, static_cast<T>(value(i)));
}
constexpr auto Nothing = [](uint32_t) { return 0; };
constexpr BinaryRepeatParams kPacked{1, 1, 1, 8, 8, 8};

// vector_instructions.md 17.
TEST(Compare, ValuesOfThePage) {
    constexpr int kA[] = {2, 3, 5, 7, 11, 13, 17, 19};
    const LaunchResult result = OnChip(k910B, [&] {
        auto a = Ub<float>(0, 64), b = Ub<float>(256, 64);
        auto dst = Ub<uint8_t>(512, 32);
        Set(a, 64, [&](uint32_t i) { return kA[i % 8]; });
        Set(b, 64, [](uint32_t i) { return 2 * (i % 8) + 2; });
        const auto compare = [&](CMPMODE mode) { return Compare(dst, a, b, mode, 64), dst.GetValue(0); };
        EXPECT_EQ(compare(CMPMODE::GE), 241);
        EXPECT_EQ(compare(CMPMODE::GT), 240);
        EXPECT_EQ(compare(CMPMODE::LE), 15);
        EXPECT_EQ(compare(CMPMODE::LT), 14);
        EXPECT_EQ(compare(CMPMODE::EQ), 1);
        EXPECT_EQ(compare(CMPMODE::NE), 254);
        b.SetValue(1, NAN);
        EXPECT_EQ(compare(CMPMODE::NE), 252);
        Compare(dst, a, b, CMPMODE::GE, 32, 1, kPacked);  // the mask is ignored
        EXPECT_EQ(dst.GetValue(7), 241);
        const uint64_t mask[2] = {1, 0};
        Compare(dst, a, b, CMPMODE::GT, mask, 1, kPacked);
        EXPECT_EQ(dst.GetValue(7), 240);
        Compares(dst, a, 7.0f, CMPMODE::LE, 64);
        EXPECT_EQ(dst.GetValue(0), 15);
        CompareScalar(dst, a, 7.0f, CMPMODE::GT, 64, 1, {1, 1, 8, 8});
        EXPECT_EQ(dst.GetValue(0), 240);
    });
    EXPECT_TRUE(result.ok());
    EXPECT_TRUE(result.findings.empty());
}

TEST(Compare, MaskCountsOnAscend310B) {
    const LaunchResult result = OnChip("Ascend310B1", [&] {
        auto a = Ub<half>(0, 128), b = Ub<half>(256, 128);
        auto dst = Ub<uint8_t>(512, 32);
        Set(a, 128, Nothing), Set(b, 128, Nothing), Set(dst, 32, [](uint32_t) { return 0xAA; });
        Compare(dst, a, b, CMPMODE::EQ, 9, 1, kPacked);
        EXPECT_EQ(dst.GetValue(0), 0xFF);
        EXPECT_EQ(dst.GetValue(1), 1);
        EXPECT_EQ(dst.GetValue(15), 0);
        EXPECT_EQ(dst.GetValue(16), 0xAA);
    });
    EXPECT_TRUE(result.ok());
}

TEST(Compare, ToTheRegisterKeepsOtherBits) {
    const LaunchResult result = OnChip(k910B, [&] {
        auto a = Ub<half>(0, 128), b = Ub<half>(256, 128);
        auto bits = Ub<uint8_t>(512, 32);
        Set(a, 128, Nothing), Set(b, 128, Nothing), Set(bits, 32, [](uint32_t i) { return i; });
        SetCmpMask(bits);
        Compare(a, b, CMPMODE::NE, 12, kPacked);  // clears the bits of lanes 0 to 11
        GetCmpMask(bits[16]);
        EXPECT_EQ(bits.GetValue(16), 0);
        EXPECT_EQ(bits.GetValue(17), 0);
        EXPECT_EQ(bits.GetValue(18), 2);
        const uint64_t high[2] = {0, 1};
        Compare(a, b, CMPMODE::EQ, high, kPacked);
        GetCmpMask(bits[16]);
        EXPECT_EQ(bits.GetValue(24), 9);
    });
    EXPECT_TRUE(result.ok());
}

// A program of every mode, under schedules that let vector instructions overtake each other.
TEST(Select, ModesUnderEverySchedule) {
    for (const char* schedule : {"eager", "late", "ahead", "seed:1", "seed:2", "seed:3"}) {
        const LaunchResult result = OnChip(
            k910B,
            [&] {
                auto a = Ub<float>(0, 256), b = Ub<float>(1024, 256), dst = Ub<float>(2048, 256);
                auto sel = Ub<uint8_t>(4096, 32);
                auto word = Ub<uint32_t>(4160, 8);
                Set(a, 256, [](uint32_t i) { return i; });
                Set(b, 256, [](uint32_t i) { return -1 - static_cast<int>(i); });
                Set(sel, 32, [](uint32_t i) { return i + 1; });
                const auto bit = [](uint32_t i) { return ((i / 8 + 1) >> (i % 8)) & 1; };
                const auto check = [&](bool same, bool scalar, uint32_t lanes, const char* what) {
                    for (uint32_t i = 0; i < 256; ++i) {
                        if (i % 64 >= lanes) continue;
                        const float other = scalar ? 7 : -1 - static_cast<float>(i);
                        ASSERT_EQ(dst.GetValue(i), bit(same ? i % 64 : i) ? static_cast<float>(i) : other)
                            << what << " " << i << " " << schedule;
                    }
                };
                Select(dst, sel, a, b, SELMODE::VSEL_CMPMASK_SPR, 256);
                check(true, false, 64, "mode 0, count");
                Select(dst, sel, a, 7.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 256);
                check(false, true, 64, "mode 1, count");
                Select(dst, sel, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, 64, 4, kPacked);
                check(false, false, 64, "mode 2, mask");
                const uint64_t mask[2] = {0xFFFF, 0};
                Duplicate(dst, 0.0f, 256);
                Select(dst, sel, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, mask, 4, kPacked);
                check(false, false, 16, "mode 2, bits");
                EXPECT_EQ(dst.GetValue(16), 0);

                SetVectorMask<float>(64);
                SetCmpMask(sel);
                PipeBarrier<PIPE_V>();
                Select<float, SELMODE::VSEL_CMPMASK_SPR>(dst, a, b, 4, kPacked);
                check(true, false, 64, "mode 0, register");
                // The address, as a pointer and as its low half.
                word.template ReinterpretCast<uint64_t>().SetValue(0, reinterpret_cast<uint64_t>(sel.GetPhyAddr()));
                SetCmpMask(word);
                PipeBarrier<PIPE_V>();
                Select<float, SELMODE::VSEL_TENSOR_TENSOR_MODE>(dst, a, b, 4, kPacked);
                check(false, false, 64, "mode 2, pointer");
                Duplicate(word, static_cast<uint32_t>(reinterpret_cast<uint64_t>(sel.GetPhyAddr())), 8);
                PipeBarrier<PIPE_V>();
                SetCmpMask(word);
                PipeBarrier<PIPE_V>();
                SetVectorMask<float>(64);
                Select<float, SELMODE::VSEL_TENSOR_TENSOR_MODE>(dst, b, a, 4, kPacked);
                Select<float, SELMODE::VSEL_TENSOR_TENSOR_MODE>(dst, a, b, 4, kPacked);
                check(false, false, 64, "mode 2, low half");
                Duplicate(word.template ReinterpretCast<float>(), 7.0f, 8);
                PipeBarrier<PIPE_V>();
                SetCmpMask(word);
                PipeBarrier<PIPE_V>();
                SetVectorMask<float>(64);
                Select(dst, sel, a, 4, kPacked);
                check(false, true, 64, "mode 1, register");
            },
            {.schedule = schedule});
        EXPECT_TRUE(result.ok()) << schedule << (result.findings.empty() ? "" : result.findings.front().Text());
    }
}

TEST(Fills, BrcbIndexAndProgression) {
    for (const char* schedule : {"eager", "late", "seed:7"}) {
        const LaunchResult result = OnChip(
            k910B,
            [&] {
                auto src = Ub<float>(0, 16), dst = Ub<float>(1024, 128);
                Set(src, 16, [](uint32_t i) { return i; });
                Brcb(dst, src, 2, {1, 8});
                for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(dst.GetValue(i), static_cast<float>(i / 8));
                auto index = Ub<int32_t>(4096, 300);
                CreateVecIndex(index, 5, 300);
                EXPECT_EQ(index.GetValue(299), 304);
                CreateVecIndex(index, 0, 2, 2, 1, 8);
                EXPECT_EQ(index.GetValue(1), 1);
                EXPECT_EQ(index.GetValue(2), 7);
                EXPECT_EQ(index.GetValue(65), 65);
            },
            {.schedule = schedule});
        EXPECT_TRUE(result.ok()) << (result.findings.empty() ? "" : result.findings.front().Text());
    }
}

// No page has it for Ascend310B, where it runs.
TEST(Gathers, Progressions) {
    for (const char* chip : {"Ascend910B1", "Ascend310P3", "Ascend310B1"}) {
        const LaunchResult result = OnChip(chip, [] {
            auto index = Ub<int32_t>(4096, 300);
            ArithProgression(index, 10, 3, 300);
            for (int i = 0; i < 300; ++i) ASSERT_EQ(index.GetValue(static_cast<uint32_t>(i)), 10 + 3 * i) << i;
            auto halves = Ub<half>(8192, 160);
            ArithProgression<half>(halves, half(0.5f), half(0.25f), 130);
            for (uint32_t i = 0; i < 130; ++i) {
                ASSERT_EQ(static_cast<float>(halves.GetValue(i)), 0.5f + 0.25f * static_cast<float>(i)) << i;
            }
        });
        std::string noted;
        for (const Report& note : result.findings) noted += std::string(Name(note.rule)) + " " + note.found;
        EXPECT_EQ(noted, chip[6] == '3' && chip[9] == 'B' ? "unlisted-on-chip ArithProgression" : "") << chip;
    }
    EXPECT_EQ(Rule("Ascend910A", [] { ArithProgression(Ub<int32_t>(0, 64), 0, 1, 64); }), "instruction-unsupported");
}

TEST(Gathers, ValuesOfThePages) {
    const LaunchResult result = OnChip(k910B, [&] {
        auto src = Ub<uint16_t>(0, 256), dst = Ub<uint16_t>(1024, 256);
        auto offsets = Ub<uint32_t>(2048, 128);
        Set(src, 256, [](uint32_t i) { return i; });
        // Offsets 224, 192, ..., 0: the blocks reversed.
        Set(offsets, 8, [](uint32_t i) { return 224 - 32 * i; });
        Gatherb(dst, src, offsets, 1, {1, 8});
        for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(dst.GetValue(i), (7 - i / 16) * 16 + i % 16);
        Set(offsets, 128, [](uint32_t i) { return 2 * (127 - i); });
        Gather(dst, src, offsets, 2u, 128);
        for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(dst.GetValue(i), 128 - i);
        Gather(dst, src, offsets, 0u, 4, 1, 8);
        EXPECT_EQ(dst.GetValue(3), 124);
        EXPECT_EQ(dst.GetValue(4), 124);
    });
    EXPECT_TRUE(result.ok()) << (result.findings.empty() ? "" : result.findings.front().Text());
    const LaunchResult scattered = OnChip("Ascend310P3", [&] {
        auto src = Ub<float>(0, 64), dst = Ub<float>(1024, 128);
        auto offsets = Ub<uint32_t>(2048, 64);
        Set(src, 64, [](uint32_t i) { return i; }), Set(dst, 128, Nothing);
        Set(offsets, 64, [](uint32_t i) { return 8 * i; });
        Scatter(dst, src, offsets, 4u, 64);
        for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(dst.GetValue(2 * i + 1), static_cast<float>(i));
        EXPECT_EQ(dst.GetValue(2), 0);
    });
    EXPECT_TRUE(scattered.ok());
}

TEST(Interpolation, ValuesOfThePage) {
    const auto number = [](uint32_t i) { return half(static_cast<float>(i)); };
    for (const char* chip : {"Ascend310P3", k910B}) {
        const LaunchResult result = OnChip(chip, [&] {
            auto src0 = Ub<half>(0, 512), dst = Ub<half>(1024, 256), src1 = Ub<half>(2048, 16);
            auto offsets = Ub<uint32_t>(4096, 32);
            auto temporary = Ub<uint8_t>(8192, 16896);
            Set(src0, 512, [&](uint32_t i) { return number(i + 1); });
            Set(offsets, 32, [](uint32_t i) { return 32 * i; });
            Set(src1, 16, [&](uint32_t i) { return number(i + 2); });
            Set(dst, 256, [&](uint32_t) { return number(7); });
            BilinearInterpolation(dst, src0, offsets, src1, 128, 2, false, 1, 128, 2, temporary);
            for (uint32_t i = 0; i < 256; ++i) {
                const uint32_t e = i / 128 * 256 + i % 128 + 1;
                EXPECT_EQ(dst.GetValue(i).bits(), half(float(half(float(e * (2 + i / 128 * 2)))) +
                                                       float(half(float((e + 128) * (3 + i / 128 * 2))))).bits()) << i;
            }
            EXPECT_EQ(dst.GetValue(0).bits(), number(389).bits());
            EXPECT_EQ(dst.GetValue(255).bits(), number(4096).bits());
            // Bits of a mask, and a weight for each block.
            const uint64_t mask[2] = {uint64_t{1} << 17, 0};
            BilinearInterpolation(dst, src0, offsets, src1, mask, 1, true, 1, 128, 1, temporary);
            EXPECT_EQ(dst.GetValue(17).bits(), number(18 * 3).bits());
            EXPECT_EQ(dst.GetValue(18).bits(), number(19 * 2 + 147 * 3).bits());
        });
        EXPECT_TRUE(result.ok()) << (result.findings.empty() ? "" : result.findings.front().Text());
        EXPECT_TRUE(result.findings.empty()) << chip;
    }
}

TEST(GatherMask, ValuesOfThePage) {
    for (const char* schedule : {"eager", "late", "seed:3"}) {
        const LaunchResult result = OnChip(
            k910B,
            [&] {
                auto src = Ub<uint16_t>(0, 256), dst = Ub<uint16_t>(1024, 256), bits = Ub<uint16_t>(2048, 32);
                Set(src, 256, [](uint32_t i) { return i + 1; });
                uint64_t count = 0;
                GatherMask(dst, src, 2, false, 0, {1, 2, 8, 0}, count);
                EXPECT_EQ(count, 128u);
                for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(dst.GetValue(i), 2 * i + 2);
                Set(bits, 32, [](uint32_t i) { return i % 2 ? 0 : 0x8001; });
                GatherMask(dst, src, bits, true, 70, {1, 2, 8, 0}, count);
                // Bits 0, 15, 32, 47 and 64 of each 70.
                constexpr uint32_t kKept[] = {1, 16, 33, 48, 65};
                EXPECT_EQ(count, 10u);
                for (uint32_t i = 0; i < 10; ++i) EXPECT_EQ(dst.GetValue(i), kKept[i % 5] + i / 5 * 128);
                GatherMask(src, src, 7, true, 200, {1, 1, 8, 0}, count);
                EXPECT_EQ(count, 200u);
                EXPECT_EQ(src.GetValue(199), 200);
            },
            {.schedule = schedule});
        EXPECT_TRUE(result.ok()) << (result.findings.empty() ? "" : result.findings.front().Text());
    }
    const LaunchResult total = OnChip("Ascend310P3", [&] {
        auto src = Ub<uint16_t>(0, 256), dst = Ub<uint16_t>(1024, 256);
        Set(src, 256, [](uint32_t i) { return i; });
        uint64_t count = 0;
        GatherMask(dst, src, 1, true, 130, {1, 9, 8, 0}, count);  // repeatTimes is ignored
        EXPECT_EQ(count, 65u);
        EXPECT_EQ(dst.GetValue(64), 128);
    });
    EXPECT_TRUE(total.ok()) << (total.findings.empty() ? "" : total.findings.front().Text());
}

TEST(Refused, EachByItsRule) {
    const auto compare = [](auto type, CMPMODE mode, int32_t count) {
        using T = decltype(type);
        return [=] { Compare(Ub<uint8_t>(4096, 64), Ub<T>(0, 256), Ub<T>(1024, 256), mode, static_cast<uint32_t>(count)); };
    };
    EXPECT_EQ(Rule(k910B, compare(int32_t(), CMPMODE::EQ, 64)), "");
    EXPECT_EQ(Rule("Ascend910A", compare(int32_t(), CMPMODE::EQ, 64)), "type-unsupported");
    EXPECT_EQ(Rule(k910B, compare(float(), CMPMODE::LT, 320)), "count-exceeds-tensor");
    EXPECT_EQ(Rule(k910B, [] { Compare(Ub<uint8_t>(32, 32), Ub<float>(0, 64), Ub<float>(512, 64), CMPMODE::EQ, 64); }),
              "operands-share");
    EXPECT_EQ(Rule("Ascend910A", [] { Compares(Ub<uint8_t>(512, 32), Ub<float>(0, 64), 1.0f, CMPMODE::EQ, 64); }),
              "instruction-unsupported");

    const auto select = [](SELMODE mode) {
        return [=] { Select(Ub<float>(0, 64), Ub<uint8_t>(1024, 32), Ub<float>(256, 64), Ub<float>(512, 64), mode, 64); };
    };
    EXPECT_EQ(Rule("Ascend910A", select(SELMODE::VSEL_CMPMASK_SPR)), "");
    EXPECT_EQ(Rule(k910B, select(SELMODE::VSEL_TENSOR_SCALAR_MODE)), "select-form");
    const auto interpolate = [](uint8_t horizontal = 1, uint16_t vertical_offset = 128) {
        return [=] {
            auto offsets = Ub<uint32_t>(2048, 16);
            Set(offsets, 16, Nothing);
            auto src0 = Ub<half>(1024, 128), src1 = Ub<half>(3072, 16);
            Set(src0, 128, [](uint32_t) { return 0.0f; }), Set(src1, 16, [](uint32_t) { return 0.0f; });
            BilinearInterpolation(Ub<half>(0, 256), src0, offsets, src1, 128, horizontal, false, 1, vertical_offset, 2,
                                  Ub<uint8_t>(8192, 1024));
        };
    };
    EXPECT_EQ(Rule(k910B, interpolate(0)), "nothing-to-do");
    EXPECT_EQ(Rule(k910B, interpolate(2)), "out-of-buffer");
    EXPECT_EQ(Rule(k910B, interpolate(1, 112)), "parameter-range");
    EXPECT_EQ(Rule(k910B, interpolate(1, 130)), "parameter-alignment");
    EXPECT_EQ(Rule(k910B, interpolate(1, 144)), "out-of-buffer");
    EXPECT_EQ(Rule("Ascend310B1", interpolate()), "instruction-unsupported");
    EXPECT_EQ(Rule(k910B, [] {
                  uint64_t count = 0;
                  GatherMask(Ub<float>(0, 64), Ub<float>(1024, 64), 0, false, 0, {1, 1, 8, 0}, count);
              }), "gather-pattern");
}

}  // namespace
}  // namespace sfumato::select_test
