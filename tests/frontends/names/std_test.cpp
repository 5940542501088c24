// SPDX-License-Identifier: Apache-2.0
// Names that programs take for granted: types, macros, AscendC::Std (language.md 3 and 4).
#include <gtest/gtest.h>

#include "kernel_operator.h"
#include "sfumato/type_macros.h"

// A program that has these names itself: its own are meant, where they are no others.
typedef float float32_t;
namespace own {
using namespace AscendC;
using float16_t = int16_t;
static_assert(std::is_same_v<float16_t, int16_t>, "the nearer one");
}  // namespace own

// What looks for a pointer to a struct of a communication library, and never into it.
struct Window {
    uint64_t size;
    __gm__ AscendC::IbVerbsData* data;
    __gm__ AscendC::MemDetails* details;
};

namespace sfumato::names_test {
namespace {

namespace Std = AscendC::Std;

TEST(Names, Types) {
    static_assert(std::is_same_v<::float32_t, float> && std::is_same_v<AscendC::float32_t, float>);
    static_assert(std::is_same_v<AscendC::float16_t, half>);
    static_assert(sizeof(Mc2InitTiling) == 64 && sizeof(Mc2CcTiling) == 280);
    static_assert(static_cast<int>(AscendC::AtomicDtype::ATOMIC_BF16) == 6 &&
                  static_cast<int>(AscendC::AtomicOp::ATOMIC_SUM) == 0);
    EXPECT_EQ(AscendC::GetScalarBitcodeValue(1.0f), 0x3f800000u);
    EXPECT_EQ(AscendC::GetScalarBitcodeValue(half(1)), 0x3c00);
    EXPECT_EQ(AscendC::GetScalarBitcodeValue(int64_t{-1}), ~uint64_t{0});
    static_assert(std::is_same_v<decltype(AscendC::GetScalarBitcodeValue(half(1))), uint16_t>);
    EXPECT_EQ((AscendC::GetScalarBitcodeValue<half, uint32_t>(half(2))), 0x4000u);
}

// Numbers of ge::DataType.
TEST(Names, NumbersOfTypes) {
    static_assert(DT_FLOAT == 0 && DT_FLOAT16 == 1 && DT_INT32 == 3 && DT_BF16 == 27 && DT_INT4 == 29);
    static_assert(DT_UINT1 == 30 && DT_HIFLOAT8 == 34 && DT_FLOAT8_E5M2 == 35 && DT_FLOAT8_E4M3FN == 36);
}

TEST(Std, Types) {
    static_assert(Std::IsSame<half, half>::value && !Std::IsSame<half, float>::value);
    static_assert(Std::is_one_of_v<half, float, half> && !Std::is_one_of_v<half, float, int> &&
                  !Std::is_one_of_v<half>);
    static_assert(Std::is_one_of<int, int>::value);
    static_assert(std::is_same_v<Std::make_unsigned_t<int8_t>, uint8_t> && Std::is_signed_v<int> &&
                  Std::is_arithmetic_v<float> && Std::conjunction_v<Std::true_type, Std::true_type>);
}

struct MoveOnly {
    explicit constexpr MoveOnly(int n = 0) : value(n) {}
    int value;
};

TEST(Std, GetOfEveryKindOfTuple) {
    Std::tuple<int, float> t(3, 2.5f);
    const Std::tuple<int, float> constant(4, 1.5f);
    static_assert(std::is_same_v<decltype(Std::get<0>(t)), int&>);
    static_assert(std::is_same_v<decltype(Std::get<1>(constant)), const float&>);
    static_assert(std::is_same_v<decltype(Std::get<0>(std::move(t))), int&&>);
    static_assert(std::is_same_v<decltype(Std::get<1>(std::move(constant))), const float&&>);
    Std::get<0>(t) = 7;
    EXPECT_EQ(Std::get<0>(std::move(t)), 7);
    EXPECT_EQ(Std::get<1>(Std::make_tuple(1, 2.5f)), 2.5f);
    constexpr int kThird = Std::get<2>(Std::make_tuple(1, 2, 3));
    static_assert(kThird == 3);
    int n = 1;
    Std::get<0>(Std::tie(n)) = 5;
    EXPECT_EQ(n, 5);
    EXPECT_EQ(Std::get<0>(Std::make_tuple(MoveOnly(9))).value, 9);
}

TEST(Std, AbsAndSqrt) {
    static_assert(Std::abs(-3) == 3 && Std::abs(3) == 3 && Std::abs(int64_t{-1} << 40) == int64_t{1} << 40);
    EXPECT_EQ(Std::abs(-2.5f), 2.5f);
    EXPECT_EQ(__builtin_signbit(Std::abs(-0.0f)), 0);
    EXPECT_EQ(Std::abs(half(-1.5f)), half(1.5f));
    EXPECT_EQ(Std::sqrt(2.0f), 0x1.6a09e6p0f);
    EXPECT_EQ(Std::sqrt(half(2)).bits(), 0x3da8);  // 1.4140625
    EXPECT_EQ(Std::sqrt(2.0), 0x1.6a09e667f3bcdp0);
}

}  // namespace
}  // namespace sfumato::names_test
