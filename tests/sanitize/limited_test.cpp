// SPDX-License-Identifier: Apache-2.0
// The warning `saturated`: where nobody asked for a policy, and a board has another.
#include <limits>
#include <optional>

#include "sanitize/launches.h"

namespace sfumato::sanitize_test {
namespace {

using Kernel = std::function<void()>;

// "warning: what is found" of each finding.
std::vector<std::string> Found(const Kernel& kernel, const LaunchOptions& with = {}, const char* chip = "Ascend910B1") {
    Bench b(with.check.c_str(), chip);
    b.options.overflow = with.overflow;
    b.options.route = with.route;
    b.options.schedule = with.schedule;
    b.Run(1, kernel);
    std::vector<std::string> found;
    for (const Report& report : b.result.findings)
        found.push_back(std::string(Name(report.rule)) + ": " + report.found);
    return found;
}
using Texts = std::vector<std::string>;

// Two numbers through one call: dst apart from the sources, or in the place of the first.
template <class T, class Call>
Kernel Of(T first, T second, const Call& call, bool in_place = false) {
    return [=] {
        auto a = Ub<T>(0, 64), b = Ub<T>(256, 64);
        Duplicate(a, first, 64), Duplicate(b, second, 64);
        call(in_place ? a : Ub<T>(512, 64), a, b);
    };
}
const auto kAdd = [](auto c, auto a, auto b) { Add(c, a, b, 64); };
const auto kMul = [](auto c, auto a, auto b) { Mul(c, a, b, 64); };

TEST(Limited, SaysWhatABoardGives) {
    constexpr const char* kAll = "; 64 elements of this instruction";
    for (const bool in_place : {false, true}) {
        EXPECT_EQ(
            Found(Of(half(60000), half(60000), kAdd, in_place)),
            Texts{std::string("saturated: element 0 is 65504 from src0 60000, src1 60000; a board gives inf") + kAll});
        EXPECT_EQ(Found(Of(half(-60000), half(60000), kMul, in_place)),
                  Texts{std::string("saturated: element 0 is -65504 from src0 -60000, src1 60000; a board gives -inf") +
                        kAll});
        EXPECT_EQ(Found(Of(int32_t{70000}, int32_t{70000}, kMul, in_place)),
                  Texts{std::string(
                            "saturated: element 0 is 2147483647 from src0 70000, src1 70000; a board gives 605032704, "
                            "wrapped") +
                        kAll});
        EXPECT_EQ(Found(Of(int16_t{-30000}, int16_t{-30000}, kAdd, in_place)),
                  Texts{std::string("saturated: element 0 is -32768 from src0 -30000, src1 -30000; a board gives 5536, "
                                    "wrapped") +
                        kAll});
    }
    const half inf = half::FromBits(0x7C00), minus_inf = half::FromBits(0xFC00);
    EXPECT_EQ(Found(Of(inf, minus_inf, kAdd)),
              Texts{std::string("saturated: element 0 is 0 from src0 inf, src1 -inf; a board gives nan") + kAll});
}

// Not where a board gives the same, on chips that have no other policy, or where somebody asked.
TEST(Limited, SaysNothingElsewhere) {
    const Kernel overflows = Of(half(60000), half(60000), kAdd);
    EXPECT_EQ(Found(Of(half(1), half(60000), kAdd)), Texts{});
    EXPECT_EQ(Found(overflows, {}, "Ascend310P3"), Texts{});
    for (const Overflow asked : {Overflow::kSaturate, Overflow::kInfNan, Overflow::kBoard})
        EXPECT_EQ(Found(overflows, {.overflow = asked}), Texts{});
    const auto after = [&](const auto& ask) {
        return [=] {
            ask();
            overflows();
        };
    };
    EXPECT_EQ(Found(after([] { SetSaturationFlag<SaturationMode::FLOAT>(true); })), Texts{});
    EXPECT_EQ(Found(after([] { SetCtrlSpr<48, 48>(0); })), Texts{});
    for (size_t i = 0; i < std::size(kRoutes); ++i) {
        const auto route = static_cast<Route>(i);
        EXPECT_EQ(Found(overflows, {.route = route}).size(), Info(route).overflow == Overflow::kSaturate) << i;
    }
}

// Once a line, whatever the schedule; results of what nobody wrote are nobody's.
TEST(Limited, OnceALineOfWhatWasWritten) {
    for (const char* schedule : {"eager", "late", "ahead", "seed:3"}) {
        const Kernel twice = [] {
            auto a = Ub<half>(0, 64), b = Ub<half>(256, 64);
            Duplicate(a, half(60000), 64);
            for (int i = 0; i < 3; ++i) Add(b, a, a, 64);
            Muls(a, a, half(2), 64);
        };
        EXPECT_EQ(Found(twice, {.schedule = schedule}).size(), 2u);
    }
    EXPECT_EQ(Found([] { Adds(Ub<half>(0, 64), Ub<half>(256, 64), half(1), 64); }), Texts{});
}

// The check of numbers says it in its own words, and what it does not see is still said.
TEST(Limited, WithTheCheckOfNumbers) {
    const Texts halves = Found(Of(half(60000), half(60000), kAdd), {.check = "numbers"});
    ASSERT_EQ(halves.size(), 1u);
    EXPECT_TRUE(halves[0].starts_with("saturation-hidden: ")) << halves[0];
    const Texts integers = Found(Of(int32_t{70000}, int32_t{70000}, kMul), {.check = "numbers"});
    ASSERT_EQ(integers.size(), 1u);
    EXPECT_TRUE(integers[0].starts_with("integer-overflow: ")) << integers[0];
}

// Sums, conversions, products on the cube unit and their way out, atomic stores.
TEST(Limited, EveryKindOfInstruction) {
    EXPECT_EQ(Found([] {
                  auto a = Ub<half>(0, 128), c = Ub<half>(512, 16);
                  Duplicate(a, half(1000), 128);
                  WholeReduceSum(c, a, 128, 1, 1, 1, 8);
              }),
              Texts{"saturated: element 0 is 65504 from 128 elements; a board gives inf"});
    EXPECT_EQ(
        Found([] {
            auto a = Ub<float>(0, 64);
            Duplicate(a, 1e6f, 64);
            Cast(Ub<half>(512, 64), a, RoundMode::CAST_NONE, 64);
        }),
        Texts{"saturated: element 0 is 65504 from src 1000000; a board gives inf; 64 elements of this instruction"});
    // Conversions to integers clamp on a board, too.
    EXPECT_EQ(Found([] {
                  auto a = Ub<float>(0, 64);
                  Duplicate(a, 1e10f, 64);
                  Cast(Ub<int32_t>(512, 64), a, RoundMode::CAST_RINT, 64);
              }),
              Texts{});
}

}  // namespace
}  // namespace sfumato::sanitize_test
