// SPDX-License-Identifier: Apache-2.0
// Reductions and transposes as programs call them: the vectors of the pages, every name, the registers they leave, and
// what they refuse.
#include <gtest/gtest.h>

#include <functional>

#include "on_chip.h"

namespace sfumato::reduce_test {
namespace {

using namespace AscendC;

LaunchResult OnChip(const char* chip, const std::function<void()>& kernel, Overflow overflow = Overflow::kSaturate,
                 bool strict = false) {
    GlobalMemory memory;
    LaunchOptions options;
    options.chip = chip;
    options.overflow = overflow;
    options.strict = strict;
    return Launch(options, 1, memory, kernel);
}
std::string Rule(const LaunchResult& result) { return result.findings.empty() ? "" : Name(result.findings.front().rule); }

template <class T>
void Set(const LocalTensor<T>& tensor, uint32_t n, T value) {
    for (uint32_t i = 0; i < n; ++i) tensor.SetValue(i, value);
}
const half kInf = half::FromBits(0x7C00), kMinusInf = half::FromBits(0xFC00), kNan = half::FromBits(0x7E00);

// vector_instructions.md 7.2, 17.
TEST(Reduce, SumsOfThePage) {
    const LaunchResult result = OnChip("Ascend910B1", [] {
        auto src = Ub<half>(0, 256), dst = Ub<half>(4096, 16), work = Ub<half>(8192, 64);
        Set(src, 256, half(1));
        src.SetValue(77, kMinusInf);
        WholeReduceSum(dst, src, 128, 1, 1, 1, 8);
        EXPECT_EQ(static_cast<float>(dst.GetValue(0)), -65376);
        ReduceSum(dst, src, work, 256);
        EXPECT_EQ(static_cast<float>(dst.GetValue(0)), -65248);
        EXPECT_EQ(static_cast<float>(GetAccVal<half>()), -65248);
        src.SetValue(77, kNan);
        const uint64_t mask[2] = {~uint64_t{0}, ~uint64_t{0}};
        RepeatReduceSum(dst, src, 1, 128, 1, 1, 1, 8);
        EXPECT_EQ(static_cast<float>(dst.GetValue(0)), 126);
        ReduceRepeat<ReduceType::SUM>(dst, src, mask, 1, 1, 1, 8);
        EXPECT_EQ(static_cast<float>(dst.GetValue(0)), 126);
        // 15 ones and a NaN in block 4.
        BlockReduceSum(dst, src, 1, 128, 1, 1, 8);
        EXPECT_EQ(static_cast<float>(dst.GetValue(4)), 14);
        ReduceDataBlock<ReduceType::SUM>(dst, src, 128, 1, 1, 1, 8);
        EXPECT_EQ(static_cast<float>(dst.GetValue(4)), 14);
        PairReduceSum(work, src, 1, 128, 1, 1, 8);
        EXPECT_EQ(static_cast<float>(work.GetValue(37)), 2);
        EXPECT_EQ(static_cast<float>(work.GetValue(38)), 0);
        ReducePairElem<ReduceType::SUM>(work, src, mask, 1, 1, 1, 8);
        EXPECT_EQ(static_cast<float>(work.GetValue(37)), 2);
        EXPECT_EQ(static_cast<float>(work.GetValue(38)), 0);
    });
    EXPECT_TRUE(result.ok());
}

TEST(Reduce, ExtremesOfThePage) {
    const LaunchResult result = OnChip("Ascend910B1", [] {
        auto src = Ub<half>(0, 256), dst = Ub<half>(4096, 32), work = Ub<half>(8192, 64);
        Set(src, 256, half(1));
        src.SetValue(52, half(11));
        WholeReduceMax(dst, src, 128, 2, 1, 1, 8);
        EXPECT_EQ(static_cast<float>(dst.GetValue(0)), 11);
        EXPECT_EQ(dst.GetValue(1).bits(), 0x0034);
        EXPECT_EQ(dst.GetValue(3).bits(), 0);  // the second repeat: all equal, the first lane
        WholeReduceMax(dst, src, 128, 1, 1, 1, 8, ReduceOrder::ORDER_INDEX_VALUE);
        EXPECT_EQ(dst.GetValue(0).bits(), 0x0034);
        WholeReduceMin(dst, src, 128, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_INDEX);
        EXPECT_EQ(dst.GetValue(0).bits(), 0);
        src.SetValue(255, half(12));
        ReduceRepeat<ReduceType::MAX>(dst, src, 128, 2, 1, 1, 8);
        half value, index;
        GetReduceMaxMinCount<half>(value, index);
        EXPECT_EQ(static_cast<float>(value), 12);
        EXPECT_EQ(index.bits(), 255);
        ReduceMax(dst, src, work, 256, true);
        EXPECT_EQ(static_cast<float>(dst.GetValue(0)), 12);
        EXPECT_EQ(dst.GetValue(1).bits(), 255);
        // 127 ones and a NaN give 0; 255 ones and a NaN give 1 (BV 36, 39).
        Set(src, 256, half(1));
        src.SetValue(9, kNan);
        WholeReduceMax(dst, src, 128, 1, 1, 1, 8);
        EXPECT_EQ(dst.GetValue(0).bits(), 0);
        EXPECT_EQ(dst.GetValue(1).bits(), 9);
        ReduceMax(dst, src, work, 256);
        EXPECT_EQ(static_cast<float>(dst.GetValue(0)), 1);
        ReduceMin(dst, src, work, 128, 2, 8, true);
        EXPECT_EQ(dst.GetValue(0).bits(), 0);
        EXPECT_EQ(dst.GetValue(1).bits(), 9);
        BlockReduceMax(dst, src, 1, 128, 1, 1, 8);
        EXPECT_EQ(dst.GetValue(0).bits(), 0);
        EXPECT_EQ(static_cast<float>(dst.GetValue(1)), 1);
    });
    EXPECT_TRUE(result.ok());
}

TEST(Reduce, InfinityStaysWhereThePolicyLetsIt) {
    OnChip("Ascend910B1", [] {
        auto src = Ub<half>(0, 128), dst = Ub<half>(4096, 16);
        Set(src, 128, half(1));
        src.SetValue(77, kMinusInf);
        WholeReduceSum(dst, src, 128, 1, 1, 1, 8);
        EXPECT_EQ(dst.GetValue(0).bits(), 0xFC00);
    }, Overflow::kInfNan);
}

// The order across repeats is by chip: a sum whose rounding tells.
TEST(Reduce, RepeatsAreAddedInTheChipsOrder) {
    const auto sum = [](const char* chip) {
        float found = 0;
        OnChip(chip, [&found] {
            auto src = Ub<float>(0, 256), dst = Ub<float>(4096, 8), work = Ub<float>(8192, 64);
            Set(src, 256, 0.0f);
            src.SetValue(0, 16777216.0f);
            src.SetValue(64, 1.0f);
            src.SetValue(128, 1.0f);
            src.SetValue(192, 1.0f);
            ReduceSum(dst, src, work, 256);
            found = dst.GetValue(0);
        });
        return found;
    };
    EXPECT_EQ(sum("Ascend910B1"), 16777216.0f);  // each 1 is lost in turn
    EXPECT_EQ(sum("Ascend310P3"), 16777218.0f);  // (2^24 + 1) + (1 + 1)
}

TEST(Reduce, MaskedBlocksKeepOrFillByChip) {
    const auto second = [](const char* chip) {
        uint32_t bits = 0;
        OnChip(chip, [&bits] {
            auto src = Ub<float>(0, 64), dst = Ub<float>(4096, 8);
            Set(src, 64, 2.0f);
            Set(dst, 8, 5.0f);
            BlockReduceMax(dst, src, 1, 8, 1, 1, 8);
            const float value = dst.GetValue(1);
            std::memcpy(&bits, &value, 4);
        });
        return bits;
    };
    EXPECT_EQ(second("Ascend910B1"), 0x40A00000u);
    EXPECT_EQ(second("Ascend310B1"), 0xFF800000u);
}

// vector_instructions.md 7.6: the six worked sizes.
TEST(Reduce, WorkSizesOfThePage) {
    const auto fits = [](auto type, int count, int repeat, bool index, uint32_t elements) {
        using T = decltype(type);
        const auto run = [=](uint32_t size) {
            return OnChip("Ascend910B1", [=] {
                auto src = Ub<T>(0, 34816), dst = Ub<T>(160000, 8), work = Ub<T>(163840, size);
                if (count) {
                    ReduceMax(dst, src, work, count, index);
                } else {
                    ReduceMax(dst, src, work, static_cast<int32_t>(256 / sizeof(T)), repeat, 8, index);
                }
            });
        };
        EXPECT_TRUE(run(elements).ok()) << elements;
        EXPECT_EQ(Rule(run(elements - 1)), "work-size") << elements;
    };
    fits(half(), 8192, 0, true, 144);
    fits(half(), 0, 65, true, 176);
    fits(half(), 0, 255, true, 544);
    fits(half(), 0, 1, true, 32);
    fits(float(), 0, 511, false, 1024);
    fits(float(), 0, 131, true, 288);
}

TEST(Transpose, ThreeForms) {
    const LaunchResult result = OnChip("Ascend910B1", [] {
        auto src = Ub<half>(0, 256), dst = Ub<half>(4096, 256);
        for (int i = 0; i < 256; ++i) src.SetValue(i, half::FromBits(static_cast<uint16_t>(i)));
        Transpose(dst, src);
        EXPECT_EQ(dst.GetValue(16 * 3 + 5).bits(), 16 * 5 + 3);
        auto tmp = Ub<uint8_t>(8192, 16384);
        auto image = Ub<half>(0, 96), packed = Ub<half>(4096, 96);
        Transpose(packed, image, tmp, TransposeParamsExt(1, 3, 4, 8, TransposeType::TRANSPOSE_NCHW2NHWC));
        EXPECT_EQ(packed.GetValue(3 * 5 + 2).bits(), 2 * 32 + 5);
        LocalTensor<half> from[16], to[16];
        uint64_t from_address[16], to_address[16];
        for (int k = 0; k < 16; ++k) {
            from[k] = src[16 * k];
            to[k] = dst[16 * k];
            from_address[k] = from[k].GetPhyAddr();
            to_address[k] = to[k].GetPhyAddr();
        }
        TransDataTo5HD<half>(to, from, TransDataTo5HDParams());
        EXPECT_EQ(dst.GetValue(16 * 7 + 2).bits(), 16 * 2 + 7);
        TransDataTo5HD<half>(from_address, to_address, TransDataTo5HDParams());
        EXPECT_EQ(src.GetValue(33).bits(), 33);
        auto list = Ub<uint64_t>(24576, 32);
        for (uint32_t k = 0; k < 16; ++k) {
            list.SetValue(k, from_address[k]);
            list.SetValue(16 + k, to_address[k]);
        }
        TransDataTo5HD<half>(list[16], list, TransDataTo5HDParams());
        EXPECT_EQ(dst.GetValue(16 * 7 + 2).bits(), 16 * 2 + 7);
    });
    EXPECT_TRUE(result.ok()) << result.findings.front().Text();
}

struct Refused {
    const char *rule, *chip;
    void (*kernel)();
};

TEST(Reduce, Refuses) {
    const Refused cases[] = {
        {"type-unsupported", "Ascend910A",
         [] { auto a = Ub<float>(0, 64); WholeReduceSum(Ub<float>(4096, 8), a, 64, 1, 1, 1, 8); }},
        {"parameter-range", "Ascend910A",
         [] { WholeReduceSum(Ub<half>(4096, 8), Ub<half>(0, 256), 128, 2, 0, 1, 8); }},
        {"ub-alignment", "Ascend910B1", [] { WholeReduceMax(Ub<half>(4096, 8)[1], Ub<half>(0, 128), 128, 1, 1, 1, 8); }},
        {"ub-alignment", "Ascend910B1", [] { WholeReduceSum(Ub<half>(4096, 8), Ub<half>(0, 256)[8], 128, 1, 1, 1, 8); }},
        {"repeat-range", "Ascend910B1",
         [] { WholeReduceSum(Ub<half>(80000, 512), Ub<half>(0, 40000), 128, 256, 1, 1, 8); }},
        {"stride-range", "Ascend910B1", [] { WholeReduceSum(Ub<half>(4096, 8), Ub<half>(0, 256), 128, 2, -1, 1, 8); }},
        {"mask-range", "Ascend910B1", [] { WholeReduceSum(Ub<half>(4096, 8), Ub<half>(0, 256), -1, 2, 1, 1, 8); }},
        {"overlap-across-repeats", "Ascend910B1",
         [] { auto a = Ub<half>(0, 512); WholeReduceSum(a[256], a, 128, 3, 1, 1, 8); }},
        {"count-exceeds-tensor", "Ascend910B1",
         [] { ReduceSum(Ub<half>(40960, 8), Ub<half>(0, 256), Ub<half>(8192, 16), 300); }},
        {"register-unsupported", "Ascend310P3", [] { GetAccVal<half>(); }},
        {"overlap-in-repeat", "Ascend910B1", [] { auto a = Ub<half>(0, 512); Transpose(a[128], a); }},
        {"work-size", "Ascend910B1",
         [] {
             Transpose(Ub<half>(4096, 256), Ub<half>(0, 256), Ub<uint8_t>(196000, 64),
                       TransposeParamsExt(1, 2, 4, 8, TransposeType::TRANSPOSE_NCHW2NHWC));
         }},
        {"instruction-unsupported", "Ascend910A",
         [] {
             Transpose(Ub<half>(4096, 256), Ub<half>(0, 256), Ub<uint8_t>(8192, 64),
                       TransposeParamsExt(1, 2, 4, 8, TransposeType::TRANSPOSE_NCHW2NHWC));
         }},
    };
    for (const Refused& c : cases) {
        const LaunchResult result = OnChip(c.chip, c.kernel);
        EXPECT_FALSE(result.ok()) << c.rule;
        EXPECT_EQ(Rule(result), c.rule) << (result.findings.empty() ? "" : result.findings.front().Text());
    }
}

TEST(Reduce, Warns) {
    const auto in_place = [] { auto a = Ub<half>(0, 512); WholeReduceSum(a, a, 128, 4, 1, 1, 8); };
    EXPECT_TRUE(OnChip("Ascend910B1", in_place).ok());
    EXPECT_EQ(Rule(OnChip("Ascend910B1", in_place)), "reduce-in-place");
    EXPECT_TRUE(OnChip("Ascend910B1", in_place, Overflow::kSaturate, true).ok());
    const auto trap = [] {
        LocalTensor<half> from[16], to[16];
        for (int k = 0; k < 16; ++k) {
            from[k] = Ub<half>(32 * k, 512);
            to[k] = Ub<half>(8192 + 32 * k, 512);
        }
        TransDataTo5HD<half>(to, from, {false, false, 1, 16, 1});
    };
    EXPECT_EQ(Rule(OnChip("Ascend910B1", trap)), "transpose-stride");
}

}  // namespace
}  // namespace sfumato::reduce_test
