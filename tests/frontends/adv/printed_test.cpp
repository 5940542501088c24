// SPDX-License-Identifier: Apache-2.0
// The examples that the pages of the calls print, recomputed (adv.md 1.1, 4 and 7): values are equal where a page prints
// all their digits, else they print as the page does.
#include <bit>
#include <cstdio>

#include "frontends/adv/in_ub.h"

namespace sfumato::adv_test {
namespace {

using namespace AscendC;

// call(dst, src) on as many elements as the page shows.
template <class T, class Call>
std::vector<T> Recomputed(const char* name, const std::vector<float>& src, const Call& call) {
    std::vector<T> values;
    for (const float v : src) values.push_back(T(v));
    const auto count = static_cast<uint32_t>(values.size());
    std::vector<T> got;
    OnCore(name, [&](InUb& ub) {
        auto from = ub.Of(values), to = ub.Room<T>(count);
        ub.Before();
        call(to, from, count);
        ub.After();
        got = InUb::Values(to, count);
    });
    return got;
}
template <class T>
std::vector<T> Of(const std::vector<float>& values) {
    return Blocks<T>(values, 1);
}
// Indices of the elements that print otherwise than the page, by few units in the last place: it shows the fewest digits
// that tell a float, at most 8 after the point. No order of the steps tried gives all digits of these three pages.
std::vector<size_t> OthersThanPrinted(const std::vector<float>& got, const std::vector<float>& page) {
    std::vector<size_t> others;
    for (size_t i = 0; i < page.size(); ++i) {
        char digits[2][64];
        std::snprintf(digits[0], sizeof(digits[0]), "%.8f", static_cast<double>(got[i]));
        std::snprintf(digits[1], sizeof(digits[1]), "%.8f", static_cast<double>(page[i]));
        const bool small = std::abs(page[i]) < 0.1f;  // cut by the 8 digits
        if (small ? std::string(digits[0]) == digits[1] : got[i] == page[i]) continue;
        EXPECT_LE(std::abs(std::bit_cast<int32_t>(got[i]) - std::bit_cast<int32_t>(page[i])), small ? 8 : 4) << i;
        others.push_back(i);
    }
    return others;
}

TEST(PrintedExamples, Gelu) {
    const auto got = Recomputed<half>(
        "Gelu",
        {-2.56f,   -2.395f,  -2.23f,  -2.066f,  -1.9f,   -1.735f,  -1.571f, -1.406f, -1.241f, -1.076f, -0.9116f,
         -0.7466f, -0.582f,  -0.417f, -0.2522f, -0.0874f, 0.0774f, 0.2423f, 0.407f,  0.572f,  0.737f,  0.902f,
         1.066f,   1.231f,   1.396f,  1.561f,   1.726f,  1.891f,   2.055f,  2.22f,   2.385f,  2.55f},
        [](auto& dst, auto& src, uint32_t count) { Gelu(dst, src, count); });
    ExpectBits("Gelu", got,
               Of<half>({-0.01295471f, -0.01953125f, -0.02836609f, -0.03991699f, -0.05453491f, -0.07196045f,
                         -0.09130859f, -0.11254883f, -0.13342285f, -0.15185547f, -0.16516113f, -0.17004395f,
                         -0.16320801f, -0.14111328f, -0.10101318f, -0.04067993f, 0.04107666f,  0.14428711f,
                         0.26782227f,  0.40942383f,  0.56689453f,  0.7363281f,   0.9135742f,   1.0966797f,
                         1.2822266f,   1.4677734f,   1.6533203f,   1.8349609f,   2.0136719f,   2.1914062f,
                         2.3632812f,   2.5390625f}));
}

TEST(PrintedExamples, FasterGelu) {
    const auto got = Recomputed<half>(
        "FasterGelu",
        {-1.83887f, -3.60742f, 3.12891f, -0.620605f, 2.0625f, -2.77344f, -0.04422f, -3.54297f, -3.16211f, 2.67383f,
         1.3291f, -1.57617f, -0.0123901f, 3.77539f, -1.61621f, -0.616699f},
        [](auto& dst, auto& src, uint32_t count) { FasterGelu(dst, src, count); });
    ExpectBits("FasterGelu", got,
               Of<half>({-0.0769653f, -0.00775528f, 3.11328f, -0.160034f, 2.00195f, -0.0244446f, -0.021286f,
                         -0.00849152f, -0.0144653f, 2.64453f, 1.20312f, -0.100769f, -0.00613022f, 3.76758f,
                         -0.0969238f, -0.159912f}));
}

// The page of an older release shows these results under Gelu, too.
TEST(PrintedExamples, FasterGeluV2) {
    const auto got = Recomputed<half>(
        "FasterGeluV2",
        {-1.251f, 1.074f,  -6.137f, -9.67f, -5.066f, -9.44f, -3.588f, -5.758f, -7.484f, -5.35f, -9.62f,
         -4.33f,  -6.66f,  -3.732f, 0.0841f, -8.59f, -6.3f,  -4.62f,  -3.059f, -8.34f,  -8.24f, -7.617f,
         -7.93f,  -3.592f, -3.268f, -5.406f, -9.49f, 5.633f, -5.3f,   -9.36f,  -6.715f, -5.727f},
        [](auto& dst, auto& src, uint32_t count) { FasterGeluV2(dst, src, count); });
    std::vector<float> want(32, -0.0f);
    want[0] = -0.1411f, want[1] = 0.916f, want[14] = 0.0486f, want[27] = 5.633f;
    ExpectBits("FasterGeluV2", got, Of<half>(want));
}

TEST(PrintedExamples, Swish) {
    const auto got = Recomputed<half>(
        "Swish",
        {0.5312f,   -3.654f, -2.92f,  3.787f, -3.059f, 3.77f,   0.571f, -0.668f,  -0.09534f, 0.5454f, -1.801f,
         -1.791f,   1.563f,  0.878f,  3.973f, 1.799f,  2.023f,  1.018f, 3.082f,   -3.814f,   2.254f,  -3.717f,
         0.4675f,   -0.4631f, -2.47f, 0.9814f, -0.854f, 3.31f,  3.256f, 3.764f,   1.867f,    -1.773f},
        [](auto& dst, auto& src, uint32_t count) { Swish(dst, src, count, half(1.702f)); });
    ExpectBits("Swish", got,
               Of<half>({0.3784f,  -0.007263f, -0.02016f, 3.78f,     -0.01666f, 3.762f,    0.414f,  -0.1622f,
                         -0.04382f, 0.3909f,   -0.0803f,  -0.08105f, 1.461f,    0.717f,    3.969f,  1.719f,
                         1.96f,    0.8647f,    3.066f,    -0.00577f, 2.207f,    -0.006626f, 0.3223f, -0.1448f,
                         -0.03622f, 0.8257f,   -0.1617f,  3.297f,    3.244f,    3.756f,    1.792f,  -0.0825f}));
}

const std::vector<float> kThirtyTwo = {-100, -50,   -20,  -10,  -5,   -4,   -3,   -2,   -1, -0.5f, -0.4f,
                                       -0.3f, -0.2f, -0.1f, -0.01f, 0, 0,    0.01f, 0.1f, 0.2f, 0.3f, 0.4f,
                                       0.5f, 1,     2,    3,    4,    5,    10,   20,   50, 100};

TEST(PrintedExamples, Sigmoid) {
    const auto got = Recomputed<float>("Sigmoid", kThirtyTwo,
                                       [](auto& dst, auto& src, uint32_t count) { Sigmoid(dst, src, count); });
    EXPECT_EQ(OthersThanPrinted(got, {0,           0,           0,           0.0000454f,  0.00669285f, 0.01798621f, 0.04742587f,
                       0.11920292f, 0.26894142f, 0.37754067f, 0.40131234f, 0.42555748f, 0.450166f,   0.47502081f,
                       0.49750002f, 0.5f,        0.5f,        0.50249998f, 0.52497919f, 0.549834f,   0.57444252f,
                       0.59868766f, 0.62245933f, 0.73105858f, 0.88079708f, 0.95257413f, 0.98201379f, 0.99330715f,
                       0.9999546f,  1,           1,           1}), (std::vector<size_t>{12, 14, 19, 24}));
}

TEST(PrintedExamples, Silu) {
    const auto got = Recomputed<float>("Silu", kThirtyTwo,
                                       [](auto& dst, auto& src, uint32_t count) { Silu(dst, src, count); });
    EXPECT_EQ(OthersThanPrinted(got, {-0.0f,        -0.0f,        -0.00000004f, -0.00045398f, -0.03346425f, -0.07194484f, -0.14227761f,
                       -0.23840587f, -0.2689414f,  -0.18877034f, -0.16052495f, -0.12766725f, -0.0900332f,  -0.04750208f,
                       -0.004975f,   0,            0,            0.005025f,    0.05249792f,  0.10996681f,  0.17233276f,
                       0.23947507f,  0.31122968f,  0.7310586f,   1.761594f,    2.8577225f,   3.928055f,    4.9665356f,
                       9.999546f,    20,           50,           100}), (std::vector<size_t>{7, 8, 19}));
}

TEST(PrintedExamples, Logarithms) {
    const auto two = Recomputed<float>("Log2", {6299.54f, 338.45963f, 2.853525f, 5752.1323f},
                                       [](auto& dst, auto& src, uint32_t count) { Log2(dst, src, count); });
    ExpectBits("Log2", two, Of<float>({12.621031f, 8.40284f, 1.5127451f, 12.4898815f}));
    const auto ten = Recomputed<float>("Log10", {712.7535f, 78.36265f, 3099.0571f, 9313.082f},
                                       [](auto& dst, auto& src, uint32_t count) { Log10(dst, src, count); });
    ExpectBits("Log10", ten, Of<float>({2.8529394f, 1.8941091f, 3.4912295f, 3.9690933f}));
    const auto natural = Recomputed<float>("Log", {144.22607f, 9634.764f, 1835.1245f, 3145.5125f},
                                           [](auto& dst, auto& src, uint32_t count) { Log(dst, src, count); });
    ExpectBits("Log", natural, Of<float>({4.971382f, 9.173133f, 7.514868f, 8.053732f}));
}

TEST(PrintedExamples, Sign) {
    const auto got = Recomputed<float>("Sign", {-INFINITY, -2, -0.0f, 0, NAN, -NAN, 2, INFINITY},
                                       [](auto& dst, auto& src, uint32_t count) { Sign(dst, src, count); });
    ExpectBits("Sign", got, {-1, -1, 0, 0, 0, 0, 1, 1});
}

TEST(PrintedExamples, SoftMax) {
    OnCore("SoftMax", [](InUb& ub) {
        const std::vector<float> rows = {
            -100,  -80,    -60,   -50,    -30,   -20,    -15,    -10,     -9,   -8,    -7,    -6,    -5,   -4,    -3, -2,
            -1.5f, -1,     -0.8f, -0.6f,  -0.5f, -0.45f, -0.4f,  -0.35f,  -0.3f, -0.25f, -0.2f, -0.15f, -0.1f, -0.05f, -0.01f,
            -0.001f, 0,    0.001f, 0.01f, 0.05f, 0.1f,   0.15f,  0.2f,    0.25f, 0.3f,  0.35f, 0.4f,  0.45f, 0.5f,  0.6f,
            0.8f,  1,      1.5f,  2,      3,     4,      5,      6,       7,    8,     9,     10,    15,   20,    30, 50,
            60,    80};
        auto src = ub.Of(rows), dst = ub.Room<float>(64), sum = ub.Room<float>(64), max = ub.Room<float>(64);
        ub.Before();
        SoftMax<float>(dst, sum, max, src, SoftMaxTiling{}, {8, 8, 8, 8});
        ub.After();
        ExpectBits("sum", InUb::Values(sum, 64),
                   Blocks<float>({1.0067834f, 1.5814459f, 5.971886f, 7.051223f, 6.880514f, 5.239974f, 1.5820376f, 1}, 8));
        ExpectBits("max", InUb::Values(max, 64), Blocks<float>({-10, -2, -0.35f, -0.001f, 0.25f, 1, 8, 80}, 8));
        EXPECT_EQ(OthersThanPrinted(InUb::Values(dst, 64), {0,           0,           0,           0,           0,           0.00004509f, 0.00669255f,
                           0.99326235f, 0.00057661f, 0.0015674f,  0.00426062f, 0.01158158f, 0.03148199f, 0.08557693f,
                           0.23262219f, 0.63233274f, 0.05302124f, 0.08741724f, 0.10677165f, 0.13041118f, 0.14412664f,
                           0.1515162f,  0.15928458f, 0.16745128f, 0.10516749f, 0.11055954f, 0.11622806f, 0.12218719f,
                           0.12845187f, 0.13503774f, 0.1405487f,  0.14181937f, 0.11318932f, 0.11330257f, 0.1143269f,
                           0.11899266f, 0.12509353f, 0.13150725f, 0.13824977f, 0.14533797f, 0.09476865f, 0.09962755f,
                           0.10473556f, 0.11010546f, 0.1157507f,  0.12792432f, 0.15624711f, 0.19084065f, 0.00095032f,
                           0.00156681f, 0.00425903f, 0.01157725f, 0.03147022f, 0.08554492f, 0.2325352f,  0.63209623f,
                           0,           0,           0,           0,           0,           0,           0,
                           1}), (std::vector<size_t>{14, 16, 19, 20, 21, 24, 25, 29, 30, 32, 33, 35, 36, 40, 45, 54}));
    });
}

std::vector<float> Counting(uint32_t count) {
    std::vector<float> values;
    for (uint32_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i));
    return values;
}

// Elements 35 to 63 are left out of the computation; the eighth call: nRec is 1 / 8.
TEST(PrintedExamples, WelfordUpdate) {
    OnCore("WelfordUpdate", [](InUb& ub) {
        constexpr static WelfordUpdateConfig kInPlace{true};
        auto mean = ub.Of(Counting(64)), variance = ub.Of(Counting(64)), x = ub.Of(std::vector<float>(64, 1));
        auto new_mean = ub.Room<float>(64), new_variance = ub.Room<float>(64);
        ub.Before();
        WelfordUpdate<float, float, false, kInPlace>(new_mean, new_variance, mean, variance, x, {1, 64, 35, 0.125f});
        ub.After();
        auto want_mean = Counting(64), want_variance = Counting(64);
        for (uint32_t i = 0; i < 35; ++i) want_mean[i] = 0.125f + 0.875f * static_cast<float>(i);  // as printed
        const std::vector<float> printed = {
            0.875f,   1,       2.875f,   6.5f,   11.875f,  19,    27.875f,  38.5f,  50.875f,  65,    80.875f,  98.5f,
            117.875f, 139,     161.875f, 186.5f, 212.875f, 241,   270.875f, 302.5f, 335.875f, 371,   407.875f, 446.5f,
            486.875f, 529,     572.875f, 618.5f, 665.875f, 715,   765.875f, 818.5f, 872.875f, 929,   986.875f};
        std::copy(printed.begin(), printed.end(), want_variance.begin());
        ExpectBits("mean", InUb::Values(new_mean, 64), want_mean);
        ExpectBits("variance", InUb::Values(new_variance, 64), want_variance);
    });
}

TEST(PrintedExamples, WelfordFinalize) {
    OnCore("WelfordFinalize", [](InUb& ub) {
        auto mean = ub.Of(Counting(32)), variance = ub.Of(Counting(32));
        auto counts = ub.Of(std::vector<int32_t>(32, 4));
        auto whole = ub.Room<float>(8), spread = ub.Room<float>(8);
        ub.Before();
        WelfordFinalize<false>(whole, spread, mean, variance, counts,
                               {128, 32, 0, 32, 0, 0, 1.0f / 32, 1.0f / (128 * 32)});
        ub.After();
        ExpectBits("mean", InUb::Values(whole, 1), {0.484375f});
        ExpectBits("variance", InUb::Values(spread, 1), {9.831062f});
    });
}

}  // namespace
}  // namespace sfumato::adv_test
