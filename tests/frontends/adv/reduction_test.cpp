// SPDX-License-Identifier: Apache-2.0
// Sum, Mean, the reductions with a pattern and CumSum against their formulas (adv.md 5 and 6).
#include "frontends/adv/in_ub.h"

namespace sfumato::adv_test {
namespace {

using namespace AscendC;
using Pattern::Reduce::AR, Pattern::Reduce::RA;

template <class T>
uint32_t Pitch(uint32_t n) {
    constexpr uint32_t kBlock = 32 / sizeof(T);
    return (n + kBlock - 1) / kBlock * kBlock;
}
template <class T>
std::vector<float> Row(const std::vector<T>& x, uint32_t r, uint32_t n) {
    const auto* first = x.data() + r * Pitch<T>(n);
    return {first, first + n};
}

template <class T>
void CheckSum(uint32_t rows, uint32_t n, uint32_t bytes) {
    OnChips("Sum", [&](InUb& ub) {
        const uint32_t pitch = Pitch<T>(n);
        const auto x = Normal<T>(rows * pitch);
        auto src = ub.Of(x), dst = ub.Room<T>(rows), mean = ub.Room<T>(rows);
        ub.Before();
        if (bytes != 0) {
            auto tmp = ub.Tmp(bytes);
            Sum(dst, src, tmp, SumParams{rows, pitch, n});
            PipeBarrier<PIPE_V>();
            Mean(mean, src, tmp, MeanParams{rows, pitch, n});
        } else {
            Sum<T, -1, true>(dst, src, SumParams{rows, pitch, n});
            PipeBarrier<PIPE_V>();
            Mean(mean, src, MeanParams{rows, pitch, n});
        }
        ub.After();
        std::vector<T> sums, means;
        for (uint32_t r = 0; r < rows; ++r) {
            sums.push_back(T(TreeSum<T>(Row(x, r, n))));
            means.push_back(T(TreeSum<float>(Row(x, r, n)) * (1.0f / static_cast<float>(n))));
        }
        const std::string name = std::to_string(rows) + " x " + std::to_string(n);
        ExpectBits("Sum of " + name, InUb::Values(dst, rows), sums);
        ExpectBits("Mean of " + name, InUb::Values(mean, rows), means);
    });
}

TEST(Reduction, SumAndMeanAreTreesOfRows) {
    for (const uint32_t n : {1u, 5u, 64u, 100u, 512u, 1000u, 4100u}) {
        CheckSum<float>(3, n, 0);
        CheckSum<half>(3, n, 0);
    }
    CheckSum<float>(300, 20, 4096);
    CheckSum<half>(300, 20, 4096);
    CheckSum<half>(7, 300, 4096);
}

float Product(const std::vector<float>& v) {
    float product = v[0];
    for (size_t i = 1; i < v.size(); ++i) product *= v[i];
    return product;
}
float Added(const std::vector<float>& v) {
    float sum = v[0];
    for (size_t i = 1; i < v.size(); ++i) sum += v[i];
    return sum;
}
float Largest(const std::vector<float>& v) { return *std::max_element(v.begin(), v.end()); }
float Smallest(const std::vector<float>& v) { return *std::min_element(v.begin(), v.end()); }
float AnyOf(const std::vector<float>& v) {
    return std::any_of(v.begin(), v.end(), [](float x) { return x != 0; }) ? 1.0f : 0.0f;
}
float AllOf(const std::vector<float>& v) {
    return std::all_of(v.begin(), v.end(), [](float x) { return x != 0; }) ? 1.0f : 0.0f;
}

// call(dst, src, tmp, shape) along the rows and down the columns.
template <class T, class Call>
void CheckPattern(const char* name, uint32_t rows, uint32_t n, const std::vector<T>& x, bool down,
                  float (*formula)(const std::vector<float>&), Call&& call) {
    const bool everywhere = !std::string_view(name).starts_with("ReduceSum");  // not on Ascend310P
    const auto kernel = [&](InUb& ub) {
        const uint32_t results = down ? n : rows, shape[] = {rows, n};
        auto src = ub.Of(x), dst = ub.Room<T>(results);
        auto tmp = ub.Tmp(8192);
        ub.Before();
        call(dst, src, tmp, shape);
        ub.After();
        std::vector<T> want;
        for (uint32_t i = 0; i < results; ++i) {
            std::vector<float> values;
            for (uint32_t j = 0; j < (down ? rows : n); ++j) {
                values.push_back(static_cast<float>(x[down ? j * Pitch<T>(n) + i : i * Pitch<T>(n) + j]));
            }
            want.push_back(static_cast<T>(formula(values)));
        }
        ExpectBits(name, InUb::Values(dst, results), want);
    };
    everywhere ? OnChips(name, kernel) : OnCore(name, kernel);
}

// Rows of zeros, of ones and mixed.
template <class T>
std::vector<T> Truths(uint32_t rows, uint32_t n) {
    std::vector<T> x(rows * Pitch<T>(n), T(0));
    for (uint32_t r = 0; r < rows; ++r) {
        for (uint32_t c = 0; c < n; ++c) x[r * Pitch<T>(n) + c] = r % 3 == 0 ? T(0) : r % 3 == 1 ? T(3) : T((r + c) % 2);
    }
    return x;
}

TEST(Reduction, Patterns) {
    constexpr uint32_t kRows = 9, kColumns = 70;
    const auto x = Normal<float>(kRows * Pitch<float>(kColumns), 1.1f);
    const auto h = Normal<half>(kRows * Pitch<half>(kColumns));
#define PATTERN(Name, T, x, along, across)                                                                         \
    CheckPattern<T>(#Name " AR", kRows, kColumns, x, false, along,                                                 \
                    [](auto& d, auto& s, auto& t, auto& shape) { Name<T, AR>(d, s, t, shape, true); });            \
    CheckPattern<T>(#Name " RA", kRows, kColumns, x, true, across,                                                 \
                    [](auto& d, auto& s, auto&, auto& shape) { Name<T, RA, true>(d, s, shape, true); });
    PATTERN(ReduceSum, float, x, TreeSum<float>, Added)
    PATTERN(ReduceMax, float, x, Largest, Largest)
    PATTERN(ReduceMin, float, x, Smallest, Smallest)
    PATTERN(ReduceMax, half, h, Largest, Largest)
    PATTERN(ReduceMin, half, h, Smallest, Smallest)
    PATTERN(ReduceProd, float, x, Product, Product)
    PATTERN(ReduceAny, float, Truths<float>(kRows, kColumns), AnyOf, AnyOf)
    PATTERN(ReduceAll, float, Truths<float>(kRows, kColumns), AllOf, AllOf)
    PATTERN(ReduceAny, uint8_t, Truths<uint8_t>(kRows, kColumns), AnyOf, AnyOf)
    PATTERN(ReduceAll, uint8_t, Truths<uint8_t>(kRows, kColumns), AllOf, AllOf)
    const auto mean_of = [](float sum, size_t n) { return sum * (1.0f / static_cast<float>(n)); };
    static const auto kMeanOf = mean_of;
    PATTERN(ReduceMean, float, x, [](const std::vector<float>& v) { return kMeanOf(TreeSum<float>(v), v.size()); },
            [](const std::vector<float>& v) { return kMeanOf(Added(v), v.size()); })
#undef PATTERN
}

constexpr CumSumConfig kAlong = {true, false, true}, kDown = {false, false, true};

template <class T, const CumSumConfig& config>
void CheckCumSum(uint32_t rows, uint32_t columns, uint32_t bytes) {
    OnChips("CumSum", [&](InUb& ub) {
        const auto x = Normal<T>(rows * columns);
        const uint32_t ends = config.isLastAxis ? rows : columns;
        auto src = ub.Of(x), dst = ub.Room<T>(rows * columns), last = ub.Room<T>(ends);
        ub.Before();
        if (bytes != 0) {
            CumSum<T, config>(dst, last, src, ub.Tmp(bytes), CumSumInfo{rows, columns});
        } else {
            CumSum<T, config>(dst, last, src, CumSumInfo{rows, columns});
        }
        ub.After();
        std::vector<T> want(x.size()), want_last(ends);
        for (uint32_t i = 0; i < ends; ++i) {
            float sum = 0;
            for (uint32_t j = 0; j < (config.isLastAxis ? columns : rows); ++j) {
                const uint32_t at = config.isLastAxis ? i * columns + j : j * columns + i;
                sum = j == 0 ? static_cast<float>(x[at]) : sum + static_cast<float>(x[at]);
                want[at] = want_last[i] = T(sum);
            }
        }
        ExpectBits("dst", InUb::Values(dst, rows * columns), want);
        ExpectBits("lastRow", InUb::Values(last, ends), want_last);
    });
}

TEST(Reduction, CumSumAddsInAscendingOrder) {
    CheckCumSum<float, kAlong>(5, 40, 0);
    CheckCumSum<float, kAlong>(21, 16, 2048);
    CheckCumSum<half, kAlong>(21, 48, 4096);
    CheckCumSum<float, kDown>(7, 24, 0);
    CheckCumSum<half, kDown>(7, 48, 1024);
}

// The xor of the sources is `values`; dst is one element.
void CheckXorSum(const char* chip, const std::vector<int16_t>& values, int16_t want) {
    OnCore("ReduceXorSum", [&](InUb& ub) {
        std::vector<int16_t> a, b;
        for (const int16_t v : values) a.push_back(static_cast<int16_t>(v ^ 0x5A5A)), b.push_back(0x5A5A);
        auto first = ub.Of(a), second = ub.Of(b), dst = ub.Of(std::vector<int16_t>(16, 77));
        for (const uint32_t bytes : {0u, 1024u, 1500u, 4096u}) {
            auto tmp = ub.Tmp(bytes);
            ub.Before();
            if (bytes) ReduceXorSum(dst, first, second, tmp, static_cast<uint32_t>(values.size()));
            else ReduceXorSum<int16_t, true>(dst, first, second, static_cast<uint32_t>(values.size()));
            ub.After();
            EXPECT_EQ(dst.GetValue(0), want);
            EXPECT_EQ(dst.GetValue(1), 77);
        }
    }, chip);
}
TEST(Reduction, XorSum) {
    for (const char* chip : kChips) {
        CheckXorSum(chip, {1}, 1);
        CheckXorSum(chip, {3, -3, 2047, 2048, -2048, -2049, 4095}, 4093);
        CheckXorSum(chip, {32767, -32768, -1}, -2);
        CheckXorSum(chip, std::vector<int16_t>(5000, 7), 32767);  // 35000
        CheckXorSum(chip, std::vector<int16_t>(5000, -7), -32768);
        CheckXorSum(chip, std::vector<int16_t>(4681, -7), -32767);
        std::vector<int16_t> both(8000, 32767);
        std::fill(both.begin() + 4000, both.end(), static_cast<int16_t>(-32768));
        CheckXorSum(chip, both, -4000);
    }
}

}  // namespace
}  // namespace sfumato::adv_test
