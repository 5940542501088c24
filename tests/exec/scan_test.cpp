// SPDX-License-Identifier: Apache-2.0
// Scans of elements against a loop over them, on every SIMD target.
#include "exec/scan.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "exec/exec.h"

namespace sfumato {
namespace {

// Bits of elements of a floating type, one after another.
struct Array {
    DataType type;
    std::vector<uint8_t> bytes;

    Array(DataType of, size_t n) : type(of), bytes(n * BitsOf(of) / 8) {}
    void Set(size_t i, uint32_t bits) { std::memcpy(&bytes[i * BitsOf(type) / 8], &bits, BitsOf(type) / 8); }
    bool IsOutside(size_t i, const exec::Elements& inside) const {
        uint32_t bits = 0;
        std::memcpy(&bits, &bytes[i * BitsOf(type) / 8], BitsOf(type) / 8);
        const uint32_t magnitude = bits & (BitsOf(type) == 32 ? 0x7FFFFFFFu : 0x7FFFu);
        return magnitude < inside.first || magnitude >= inside.end;
    }
    exec::Elements In(uint64_t first, uint64_t end) const { return {type, bytes.data(), first, end}; }
};

uint64_t InfinityOf(DataType t) { return t == DataType::kFloat ? 0x7F800000 : t == DataType::kHalf ? 0x7C00 : 0x7F80; }

// Mostly numbers; zeros, infinities, NaN and their neighbours of both signs.
Array Random(DataType type, size_t n, std::mt19937& random) {
    Array array(type, n);
    const uint32_t sign = BitsOf(type) == 32 ? 0x80000000 : 0x8000, infinity = static_cast<uint32_t>(InfinityOf(type));
    const uint32_t special[] = {0, 1, infinity - 1, infinity, infinity + 1, sign - 1};
    for (size_t i = 0; i < n; ++i) {
        const uint32_t bits = random() % 32 == 0 ? special[random() % 6] : infinity / 2 + random() % 100;
        array.Set(i, random() % 2 ? bits | sign : bits);
    }
    return array;
}

class Scan : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override { ASSERT_TRUE(exec::ForceTarget(GetParam())); }
    void TearDown() override { exec::ForceTarget(""); }
};

constexpr DataType kTypes[] = {DataType::kHalf, DataType::kBfloat16, DataType::kFloat};

TEST_P(Scan, FindsOneElementAtEveryPlaceAndNothingBeside) {
    for (const DataType type : kTypes) {
        const uint64_t infinity = InfinityOf(type), past = BitsOf(type) == 32 ? 0x80000000 : 0x8000;
        for (size_t n = 0; n <= 300; n += n < 70 ? 1 : 23) {
            Array array(type, n + 2);
            const size_t size = BitsOf(type) / 8;
            const auto middle = [&](uint64_t first, uint64_t end) {
                return exec::Elements{type, array.bytes.data() + size, first, end};
            };
            for (size_t i = 0; i < n + 2; ++i) array.Set(i, static_cast<uint32_t>(infinity - 1));
            array.Set(0, static_cast<uint32_t>(infinity));  // guards: outside, and not looked at
            array.Set(n + 1, 0);
            EXPECT_FALSE(exec::AnyOutside(middle(1, infinity), n));
            EXPECT_FALSE(exec::AnyOutsideOfInside(middle(1, infinity), nullptr, 0, n));
            for (size_t i = 1; i <= n; ++i) {
                for (const uint32_t bits : {0u, static_cast<uint32_t>(past), static_cast<uint32_t>(past | infinity),
                                            static_cast<uint32_t>(past - 1)}) {
                    array.Set(i, bits);
                    const bool zero = (bits & (past - 1)) == 0;
                    EXPECT_EQ(exec::AnyOutside(middle(0, infinity), n), !zero) << n << ' ' << i << ' ' << bits;
                    EXPECT_EQ(exec::AnyOutside(middle(1, past), n), zero) << n << ' ' << i << ' ' << bits;
                    EXPECT_TRUE(exec::AnyOutside(middle(1, infinity), n)) << n << ' ' << i << ' ' << bits;
                    EXPECT_TRUE(exec::AnyOutsideOfInside(middle(1, infinity), nullptr, 0, n)) << n << ' ' << i;
                }
                array.Set(i, static_cast<uint32_t>(infinity - 1));
            }
        }
    }
}

TEST_P(Scan, FindsAResultWhoseSourcesAreInsideAsALoopDoes) {
    std::mt19937 random(7);
    int found = 0, none = 0;
    for (int round = 0; round < 20000; ++round) {
        const DataType type = kTypes[random() % 3];
        const size_t n = 1 + random() % 150;
        Array result = Random(type, n, random);
        std::vector<Array> sources;
        for (size_t k = random() % 4; k > 0; --k)
            sources.push_back(Random(random() % 2 ? type : kTypes[random() % 3], n, random));
        const uint64_t first = random() % 2;
        std::vector<exec::Elements> inside;
        for (const Array& s : sources) inside.push_back(s.In(random() % 2, InfinityOf(s.type)));
        const exec::Elements of_result = result.In(first, InfinityOf(type));
        // Half of the rounds: what is outside has a source that is, too.
        const bool mended = random() % 2 && !sources.empty();
        for (size_t i = 0; mended && i < n; ++i) {
            if (result.IsOutside(i, of_result)) sources[0].Set(i, static_cast<uint32_t>(InfinityOf(sources[0].type)));
        }
        bool expected = false;
        for (size_t i = 0; i < n; ++i) {
            bool born = result.IsOutside(i, of_result);
            for (size_t k = 0; k < sources.size(); ++k) born = born && !sources[k].IsOutside(i, inside[k]);
            expected = expected || born;
        }
        EXPECT_EQ(exec::AnyOutsideOfInside(of_result, inside.data(), inside.size(), n), expected) << "round " << round;
        ++(expected ? found : none);
    }
    EXPECT_GT(found, 1000);
    EXPECT_GT(none, 1000);
}

template <typename T>
void ExpectMisfitsOf(DataType type) {
    using Limits = std::numeric_limits<T>;
    std::mt19937 random(11);
    int found = 0, none = 0;
    const int64_t root = int64_t{1} << (Limits::digits + 1) / 2;
    // Small ones, of which few results do not fit, and the ends.
    const auto number = [&] {
        const int64_t ends[] = {Limits::min(), Limits::min() + 1, Limits::max(), root, -root, Limits::max() / 2 + 1};
        return static_cast<T>(random() % 64 == 0 ? ends[random() % 6] : static_cast<int64_t>(random() % 200) - 100);
    };
    for (int round = 0; round < 20000; ++round) {
        const auto of = static_cast<exec::Arithmetic>(random() % 3);
        const bool scalar = of != exec::Arithmetic::kDifference && random() % 2;
        const size_t n = 1 + random() % (round % 2 ? 6 : 100);
        std::vector<T> a(n), b(n);
        const T all = number();
        bool expected = false;
        for (size_t i = 0; i < n; ++i) {
            a[i] = number();
            b[i] = scalar ? all : number();
            const int64_t x = a[i], y = b[i];
            const int64_t exact = of == exec::Arithmetic::kSum          ? x + y
                                  : of == exec::Arithmetic::kDifference ? x - y
                                                                        : x * y;
            expected = expected || exact < Limits::min() || exact > Limits::max();
        }
        ASSERT_EQ(exec::AnyMisfit(of, type, a.data(), scalar ? nullptr : b.data(), all, n), expected)
            << "round " << round;
        ++(expected ? found : none);
    }
    EXPECT_GT(found, 1000);
    EXPECT_GT(none, 1000);
}

TEST_P(Scan, FindsIntegersThatDoNotFitAsALoopDoes) {
    ExpectMisfitsOf<int16_t>(DataType::kInt16);
    ExpectMisfitsOf<int32_t>(DataType::kInt32);
}

INSTANTIATE_TEST_SUITE_P(Targets, Scan, testing::ValuesIn(exec::Targets()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace sfumato
