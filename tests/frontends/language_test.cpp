// SPDX-License-Identifier: Apache-2.0
// What kernels use beside tensors and instructions: scalar calls, constants, helpers, AscendC::Std (language.md 1 to 4).
#include <gtest/gtest.h>

#include <functional>

#include "on_chip.h"

// A program's own functions of the names of helpers: they are the better match, wherever AscendC is opened.
namespace own {
using namespace AscendC;
template <class T>
constexpr int CeilDiv(T, T) {
    return -1;
}
template <class A, class B>
constexpr A AlignUp(A, B) {
    return -2;
}
template <class T>
constexpr T max(T, T) {
    return -3;
}
constexpr int kOwn[] = {CeilDiv(7, 2), AlignUp(7, 2u), max(1, 2)};
static_assert(kOwn[0] == -1 && kOwn[1] == -2 && kOwn[2] == -3);
static_assert(DivCeil(7, 2u) == 4, "the helper, where the program has none");
}  // namespace own

namespace sfumato::language_test {
namespace {

using namespace AscendC;

// The printed examples of the pages, and the ends.
TEST(ScalarCalls, CountBits) {
    for (const char* chip : {"Ascend910B1", "Ascend310P"}) {
        const LaunchResult result = OnChip(chip, [] {
            EXPECT_EQ(ScalarGetCountOfValue<1>(0xffff), 16);
            EXPECT_EQ(GetBitCount<0>(0xffff), 48);
            EXPECT_EQ(ScalarCountLeadingZero(0x0fffffffffffffff), 4);
            EXPECT_EQ(CountLeadingZero(0), 64);
            EXPECT_EQ(CountBitsCntSameAsSignBit(0x0f00000000000000), 3);
            EXPECT_EQ(CountBitsCntSameAsSignBit(int64_t(0xf0ffffffffffffff)), 3);
            EXPECT_EQ(CountBitsCntSameAsSignBit(INT64_MIN), 0);
            EXPECT_EQ(CountBitsCntSameAsSignBit(1), 62);
            EXPECT_EQ(CountBitsCntSameAsSignBit(0), -1);
            EXPECT_EQ(CountBitsCntSameAsSignBit(-1), -1);
            EXPECT_EQ(ScalarGetSFFValue<1>(28), 2);
            EXPECT_EQ(GetSFFValue<0>(28), 0);
            EXPECT_EQ(ScalarGetSFFValue<0>(7), 3);
            EXPECT_EQ(ScalarGetSFFValue<1>(0), -1);
            EXPECT_EQ(ScalarGetSFFValue<0>(~uint64_t{0}), -1);
        });
        EXPECT_TRUE(result.ok()) << chip;
        EXPECT_TRUE(result.findings.empty()) << chip;
    }
}

TEST(ScalarCalls, Cast) {
    const LaunchResult result = OnChip("Ascend910B1", [] {
        EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_ROUND>(2.5f)), 3);
        EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_ROUND>(-2.5f)), -3);
        EXPECT_EQ((AscendC::Cast<float, int32_t, RoundMode::CAST_RINT>(2.5f)), 2);
        EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_FLOOR>(-2.5f)), -3);
        EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_CEIL>(2.1f)), 3);
        EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_RINT>(3e9f)), INT32_MAX);
        EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_RINT>(__builtin_nanf(""))), 0);
        // Of 1 + 2^-12 the neighbours are 1 and 1 + 2^-10, whose last bit is 1.
        EXPECT_EQ((ScalarCast<float, half, RoundMode::CAST_ODD>(0x1.001p0f)).bits(), 0x3c01);
        EXPECT_EQ((ScalarCast<float, half, RoundMode::CAST_ODD>(1.0f)).bits(), 0x3c00);
        EXPECT_EQ(ToBfloat16(3.0f).bits(), 0x4040);
        EXPECT_EQ(ToBfloat16(0x1.01p0f).bits(), 0x3f80);  // a tie, to even
        EXPECT_EQ(ToFloat(ToBfloat16(-0x1.02p0f)), -0x1.02p0f);
        EXPECT_EQ(AscendC::Cast(AscendC::Cast(3.0f)), 3.0f);
    });
    EXPECT_TRUE(result.ok());
    EXPECT_TRUE(result.findings.empty());
}

// language.md 2; the relations are those of the pages, the numbers their own.
TEST(Constants, Values) {
    static_assert(ONE_BLK_SIZE == 32 && ONE_BLK_FLOAT_NUM == 8 && TWO_BLK_SIZE == 64 && DEFAULT_C0_SIZE == 32);
    static_assert(ONE_REPEAT_BYTE_SIZE == 256 && MAX_REPEAT_TIMES == 255 && BLOCK_CUBE == 16);
    static_assert(B16_DATA_NUM_PER_BLOCK == 16 && B32_DATA_NUM_PER_BLOCK == 8 && B16_DATA_NUM_PER_REPEAT == 128 &&
                  B32_DATA_NUM_PER_REPEAT == 64);
    static_assert(HALF_DEFAULT_REPEAT_STRIDE == 4 && ONE_FOURTH_DEFAULT_REPEAT_STRIDE == 2);
    static_assert(MAX_BLOCK_COUNT == 4095 && MAX_BLOCK_LEN == 65535 && MAX_16BITS_STRIDE == 65535);
    constexpr DataCopyParams params{};
    EXPECT_EQ(params.blockCount, DEFAULT_DATA_COPY_NBURST);
    EXPECT_EQ(params.srcStride, DEFAULT_DATA_COPY_STRIDE);
    EXPECT_EQ(FULL_MASK, 0xffffffffffffffff);
    EXPECT_EQ(INVALID_TEVENTID, -1);
}

TEST(Helpers, NumbersAndTypes) {
    static_assert(Ceil(7, 2) == 4 && CeilDivision(8u, 2) == 4 && AlignUp(33, 32u) == 64 && AlignUp(64, 32) == 64);
    static_assert(::min(3, 7u) == 3 && ::max(2.5f, 1) == 2.5f && ::min(half(1), half(2)) == half(1));
    static_assert(IsSameType<half, half>::value && !IsSameType<int2b_t, uint1b_t>::value);
    static_assert(std::is_same_v<Conditional<false, int, float>::type, float> && !FalseType::value);
    static_assert(AscendCUtils::GetC0Count(sizeof(half)) == 16 && AscendCUtils::GetC0Size() == 32);
    EXPECT_EQ(::sqrtf(2.0f), 0x1.6a09e6p0f);
    static_assert(::abs(half(-1)) == half(1) && std::is_same_v<decltype(::abs(-1.0f)), float>);
    EXPECT_EQ(::abs(-2.5f), 2.5f);
    EXPECT_EQ(likely(3), 1);
    EXPECT_EQ(unlikely(0), 0);
}

TEST(Helpers, ParamOffset) {
    GlobalMemory memory;
    LaunchOptions options;
    options.chip = "Ascend910A";
    uint8_t* buffer = memory.Allocate(3 * 20, "buffer");
    const LaunchResult result = Launch(options, 3, memory, [buffer] {
        EXPECT_EQ(ParamOffset<half>(buffer, 10), buffer + GetBlockIdx() * 20);
        EXPECT_EQ(ParamOffset<uint8_t>(buffer, 0), buffer);
    });
    EXPECT_TRUE(result.ok());
}

TEST(Helpers, OfTheCore) {
    std::string printed;
    GlobalMemory memory;
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.print = [&](std::string_view text) { printed += text; };
    const LaunchResult result = Launch(options, 1, memory, [] {
        TPipe pipe;
        EXPECT_EQ(::GetTPipePtr(), &pipe);
        EXPECT_EQ(::GetBlockIdx(), 0);
        ICachePreLoad(2);
        PRELOAD(2);
        LocalTensor<float> ub(TPosition::VECCALC, 0, 64);
        Duplicate(ub, 1.0f, 64);
        AscendCUtils::SetMask<float>(8);
        Adds<float, false>(ub, ub, 1.0f, MASK_PLACEHOLDER, 1, UnaryRepeatParams());
        AscendCUtils::SetMask<float>(0, 0x100);
        Adds<float, false>(ub, ub, 2.0f, MASK_PLACEHOLDER, 1, UnaryRepeatParams());
        AscendCUtils::ResetMask();
        EXPECT_EQ(ub.GetValue(7), 2.0f);
        EXPECT_EQ(ub.GetValue(8), 3.0f);
        EXPECT_EQ(ub.GetValue(9), 1.0f);
        ASCENDC_ASSERT((ub.GetSize() == 64), { KERNEL_LOG(KERNEL_ERROR, "never"); });
        KERNEL_LOG(KERNEL_INFO, "size %d", ub.GetSize());
    });
    EXPECT_TRUE(result.ok());
    EXPECT_NE(printed.find("[KERNEL_INFO] size 64"), std::string::npos) << printed;
    EXPECT_EQ(printed.find("never"), std::string::npos) << printed;
}

TEST(Std, TupleAndTraits) {
    AscendC::Std::tuple<uint32_t, float, bool> t = AscendC::Std::make_tuple(22, 3.5, true);
    EXPECT_EQ(AscendC::Std::get<0>(t), 22u);
    EXPECT_EQ(AscendC::Std::get<1>(t), 3.5f);
    AscendC::Std::get<2>(t) = false;
    EXPECT_FALSE(AscendC::Std::get<2>(t));
    int a = 0;
    float b = 0;
    AscendC::Std::tie(a, b) = AscendC::Std::make_tuple(4, 2.5f);
    EXPECT_EQ(a, 4);
    EXPECT_EQ(b, 2.5f);
    static_assert(AscendC::Std::tuple_size_v<decltype(t)> == 3);
    static_assert(AscendC::Std::is_same_v<AscendC::Std::tuple_element_t<1, decltype(t)>, float>);
    static_assert(AscendC::Std::is_tuple_v<decltype(t)> && !AscendC::Std::is_tuple_v<int>);
    static_assert(AscendC::Std::Int<4>::value == 4 && AscendC::Std::max(2, 3) == 3 && AscendC::Std::min(2, 3) == 2);
}

}  // namespace
}  // namespace sfumato::language_test
