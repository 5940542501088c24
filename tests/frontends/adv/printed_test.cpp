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

// The example of the page, whose numbers say alpha -5.5 and epsilon 65504.
TEST(PrintedExamples, DeepNorm) {
    OnCore("DeepNorm", [](InUb& ub) {
        const auto x = Counting(64), eight = Counting(8);
        auto src = ub.Of(x), gx = ub.Of(x), gamma = ub.Of(eight), beta = ub.Of(eight), dst = ub.Room<float>(64);
        auto mean = ub.Room<float>(8), variance = ub.Room<float>(8);
        DeepNormTiling tiling;
        tiling.bLength = 4, tiling.sLength = 2, tiling.hLength = tiling.originalHLength = 8;
        ub.Before();
        DeepNorm<float>(dst, mean, variance, src, gx, beta, gamma, -5.5f, 65504.0f, tiling);
        ub.After();
        std::vector<float> want;
        for (int r = 0; r < 8; ++r) {
            for (const float v : {0.f, 1.0439204f, 2.0527046f, 3.0263522f, 3.9648638f, 4.868239f, 5.7364774f, 6.56958f})
                want.push_back(v);
        }
        ExpectBits("dst", InUb::Values(dst, 64), want);
        ExpectBits("mean", InUb::Values(mean, 8),
                   {-15.75f, -51.75f, -87.75f, -123.75f, -159.75f, -195.75f, -231.75f, -267.75f});
        ExpectBits("variance", InUb::Values(variance, 8), std::vector<float>(8, 106.3125f));
    });
}

// The example of the page, epsilon 1e-3: all 64 printed values and rstd.
TEST(PrintedExamples, Normalize) {
    OnCore("Normalize", [](InUb& ub) {
        const auto x = Counting(64), eight = Counting(8);
        const std::vector<float> ones(8, 1.0f);
        auto src = ub.Of(x), mean = ub.Of(eight), variance = ub.Of(eight), gamma = ub.Of(ones), beta = ub.Of(ones);
        auto dst = ub.Room<float>(64), rstd = ub.Room<float>(8);
        ub.Before();
        Normalize<float, float>(dst, rstd, mean, variance, src, gamma, beta, 1e-3f, NormalizePara{8, 8, 8});
        ub.After();
        ExpectBits("output", InUb::Values(dst, 64),
                   {1.0f,       32.622772f, 64.245544f, 95.868324f, 127.4911f,   159.11388f, 190.73665f, 222.35942f,
                    7.996503f,  8.996003f,  9.995503f,  10.995004f, 11.994504f,  12.994005f, 13.9935055f, 14.993006f,
                    10.897021f, 11.603951f, 12.310882f, 13.017812f, 13.724742f,  14.431672f, 15.138602f, 15.845532f,
                    13.122336f, 13.699591f, 14.276845f, 14.854099f, 15.431353f,  16.008606f, 16.585861f, 17.163115f,
                    14.998251f, 15.498188f, 15.998126f, 16.498064f, 16.998001f,  17.497938f, 17.997875f, 18.497814f,
                    16.65091f,  17.09808f,  17.545248f, 17.992416f, 18.439585f,  18.886755f, 19.333923f, 19.781092f,
                    18.144999f, 18.553213f, 18.961428f, 19.369642f, 19.777857f,  20.186071f, 20.594284f, 21.002499f,
                    19.518936f, 19.896873f, 20.27481f,  20.652748f, 21.030685f,  21.408623f, 21.78656f,  22.164497f});
        ExpectBits("rstd", InUb::Values(rstd, 8),
                   {31.622774f, 0.9995004f, 0.7069301f, 0.5772541f, 0.49993753f, 0.44716886f, 0.40821427f, 0.37793747f});
    });
}

// The example of the page, epsilon 1e-5.
TEST(PrintedExamples, GroupNorm) {
    OnCore("GroupNorm", [](InUb& ub) {
        const auto x = Counting(128), eight = Counting(8);
        auto src = ub.Of(x), gamma = ub.Of(eight), beta = ub.Of(eight), dst = ub.Room<float>(128);
        auto mean = ub.Room<float>(8), variance = ub.Room<float>(8);
        GroupNormTiling tiling;
        tiling.n = 2, tiling.g = 4, tiling.c = 8, tiling.d = 2, tiling.hw = 8;
        ub.Before();
        GroupNorm<float>(dst, mean, variance, src, gamma, beta, 1e-5f, tiling);
        ub.After();
        std::vector<float> want = {
            0.0f,        0.0f,        0.0f,        0.0f,        0.0f,       0.0f,        0.0f,       0.0f,
            1.1084652f,  1.3253956f,  1.542326f,   1.7592564f,  1.9761869f, 2.1931171f,  2.4100475f, 2.6269782f,
            -1.2539563f, -0.8200953f, -0.38623452f, 0.047626257f, 0.48148715f, 0.91534793f, 1.3492088f, 1.7830696f,
            3.3253956f,  3.9761868f,  4.626978f,   5.277769f,   5.9285607f, 6.579352f,   7.230143f,  7.8809347f,
            -2.5079126f, -1.6401906f, -0.77246904f, 0.095252514f, 0.9629743f, 1.8306959f, 2.6984177f, 3.5661392f,
            5.542326f,   6.626978f,   7.71163f,    8.796282f,   9.880934f,  10.965586f,  12.050238f, 13.134891f,
            -3.7618694f, -2.4602861f, -1.1587038f, 0.14287853f, 1.4444613f, 2.7460437f,  4.0476265f, 5.349209f,
            7.7592564f,  9.277769f,   10.796282f,  12.314795f,  13.833308f, 15.351821f,  16.870335f, 18.388847f};
        want.insert(want.end(), want.begin(), want.begin() + 64);
        ExpectBits("output", InUb::Values(dst, 128), want);
        ExpectBits("mean", InUb::Values(mean, 8), {7.5f, 23.5f, 39.5f, 55.5f, 71.5f, 87.5f, 103.5f, 119.5f});
        ExpectBits("variance", InUb::Values(variance, 8), std::vector<float>(8, 21.25f));
    });
}

// The example of the page, epsilon 1e-2.
TEST(PrintedExamples, BatchNorm) {
    OnCore("BatchNorm", [](InUb& ub) {
        const auto x = Counting(64), eight = Counting(8);
        auto src = ub.Of(x), gamma = ub.Of(eight), beta = ub.Of(eight), dst = ub.Room<float>(64);
        auto mean = ub.Room<float>(8), variance = ub.Room<float>(8);
        BatchNormTiling tiling;
        tiling.originalBLength = tiling.meanVarSize = 8;
        ub.Before();
        BatchNorm<float>(dst, mean, variance, src, gamma, beta, 1e-2f, tiling);
        ub.After();
        ExpectBits("output", InUb::Values(dst, 64),
                   Blocks<float>({0.f, -0.091073155f, 0.6907122f, 2.345356f, 4.8728585f, 8.27322f, 12.546439f, 17.692516f},
                                 8));
        ExpectBits("mean", InUb::Values(mean, 8), {28, 29, 30, 31, 32, 33, 34, 35});
        ExpectBits("variance", InUb::Values(variance, 8), std::vector<float>(8, 336));
    });
}

LayerNormGradTiling GradTiling(uint32_t rows, uint32_t h) {
    LayerNormGradTiling tiling;
    tiling.bLength = 1, tiling.sLength = rows, tiling.hLength = tiling.originalHLength = h;
    return tiling;
}

// The example of the page, epsilon 1e-4: all 64 values of both results.
TEST(PrintedExamples, LayerNormGrad) {
    OnCore("LayerNormGrad", [](InUb& ub) {
        const auto eight = Counting(8);
        std::vector<float> means;
        for (const float r : eight) means.push_back(3.5f + 8 * r);
        auto dy = ub.Of(Counting(64)), x = ub.Of(Counting(64)), gamma = ub.Of(eight), mean = ub.Of(means);
        auto variance = ub.Of(std::vector<float>(8, 5.25f)), pd_x = ub.Room<float>(64), res = ub.Room<float>(64);
        ub.Before();
        LayerNormGrad<float>(pd_x, res, dy, x, variance, mean, gamma, 1e-4f, GradTiling(8, 8));
        ub.After();
        ExpectBits("pd_x", InUb::Values(pd_x, 64),
                   {3.0548172f,  0.4362857f,  -1.3093826f, -2.182187f,  -2.1821284f, -1.309207f,  0.4365778f,  3.0552254f,
                    3.0545845f,  0.4361186f,  -1.3094826f, -2.1822214f, -2.1820965f, -1.3091087f, 0.4367447f,  3.055458f,
                    3.0543518f,  0.4359522f,  -1.3095818f, -2.1822548f, -2.182064f,  -1.3090096f, 0.43690872f, 3.055687f,
                    3.054119f,   0.43578815f, -1.309679f,  -2.1822853f, -2.182026f,  -1.3089066f, 0.437088f,   3.0559235f,
                    3.0538864f,  0.43562222f, -1.3097801f, -2.1823158f, -2.1819916f, -1.3088074f, 0.43724823f, 3.05616f,
                    3.0536423f,  0.4354477f,  -1.3098869f, -2.1823578f, -2.181961f,  -1.3087158f, 0.43740845f, 3.0563965f,
                    3.0534134f,  0.43528175f, -1.3099861f, -2.1823883f, -2.1819305f, -1.308609f,  0.43756104f, 3.0566254f,
                    3.0531921f,  0.43511963f, -1.3100777f, -2.1824188f, -2.1818848f, -1.3085022f, 0.43774414f, 3.0568542f});
        std::vector<float> want;
        for (int r = 0; r < 8; ++r) {
            for (const float one : {-1.5275106f, -1.091079f, -0.6546474f, -0.21821581f, 0.21821581f, 0.6546474f,
                                    1.091079f, 1.5275106f}) {
                want.push_back(one);
            }
        }
        ExpectBits("resForGamma", InUb::Values(res, 64), want);
    });
}

TEST(PrintedExamples, LayerNormGradBeta) {
    OnCore("LayerNormGradBeta", [](InUb& ub) {
        auto res = ub.Of(Counting(64)), dy = ub.Of(Counting(64)), gamma = ub.Room<float>(8), beta = ub.Room<float>(8);
        LayerNormGradBetaTiling tiling;
        tiling.bLength = 1, tiling.sLength = 8, tiling.hLength = tiling.originalHLength = 8;
        ub.Before();
        LayerNormGradBeta<float>(gamma, beta, res, dy, tiling);
        ub.After();
        ExpectBits("gamma", InUb::Values(gamma, 8), {8960, 9416, 9888, 10376, 10880, 11400, 11936, 12488});
        ExpectBits("beta", InUb::Values(beta, 8), {224, 232, 240, 248, 256, 264, 272, 280});
    });
}

// The example of the page: maxima and sums are those printed, of the 64 results 48, the others one or two units in the
// last place away.
TEST(PrintedExamples, LogSoftMax) {
    const std::vector<float> x = {
        -100.f, -80.f, -60.f, -50.f, -30.f, -20.f, -15.f, -10.f, -9.f, -8.f, -7.f, -6.f, -5.f, -4.f, -3.f, -2.f,
        -1.5f,  -1.f,  -.8f,  -.6f,  -.5f,  -.45f, -.4f,  -.35f, -.3f, -.25f, -.2f, -.15f, -.1f, -.05f, -.01f, -.001f,
        0.f,    .001f, .01f,  .05f,  .1f,   .15f,  .2f,   .25f,  .3f,  .35f, .4f,  .45f, .5f,  .6f,  .8f,  1.f,
        1.5f,   2.f,   3.f,   4.f,   5.f,   6.f,   7.f,   8.f,   9.f,  10.f, 15.f, 20.f, 30.f, 50.f, 60.f, 80.f};
    const std::vector<float> printed = {
        -39.08944f, -30.40355f, -21.71766f, -17.374716f, -8.688826f, -4.345881f, -2.1744084f, -0.00293603f,
        -3.2391157f, -2.8048213f, -2.3705268f, -1.9362322f, -1.5019379f, -1.0676433f, -0.6333489f, -0.19905435f,
        -1.2755501f, -1.0584029f, -0.971544f, -0.88468516f, -0.8412557f, -0.8195409f, -0.7978263f, -0.77611154f,
        -0.97811854f, -0.9564038f, -0.93468904f, -0.9129743f, -0.89125955f, -0.86954486f, -0.85217315f, -0.84826446f,
        -0.9461945f, -0.94576025f, -0.94185156f, -0.92447984f, -0.90276515f, -0.88105035f, -0.8593356f, -0.8376209f,
        -1.0233353f, -1.0016205f, -0.97990584f, -0.95819116f, -0.93647635f, -0.89304686f, -0.806188f, -0.7193291f,
        -3.022131f, -2.8049836f, -2.3706892f, -1.9363947f, -1.5021002f, -1.0678058f, -0.6335113f, -0.1992168f,
        -30.834908f, -30.400614f, -28.229141f, -26.057669f, -21.714724f, -13.028834f, -8.685889f, 0.f};
    OnChips("LogSoftMax", [&](InUb& ub) {
        auto src = ub.Of(x), dst = ub.Room<float>(64), sum = ub.Room<float>(64), max = ub.Room<float>(64);
        ub.Before();
        LogSoftMax<float>(dst, sum, max, src, ub.Tmp(4096), LogSoftMaxTiling{}, {8, 8, 8, 8});
        ub.After();
        ExpectBits("max", InUb::Values(max, 64), Blocks<float>({-10, -2, -.35f, -.001f, .25f, 1, 8, 80}, 8));
        ExpectBits("sum", InUb::Values(sum, 64),
                   Blocks<float>({1.0067834f, 1.5814459f, 5.971886f, 7.051223f, 6.880514f, 5.239974f, 1.5820376f, 1}, 8));
        int same = 0;
        for (uint32_t i = 0; i < 64; ++i) {
            const float got = dst.GetValue(i);
            const bool rounded = i == 7;  // printed with eight digits behind the point
            if (got == printed[i] || (rounded && std::abs(got - printed[i]) < 5e-9f)) {
                ++same;
                continue;
            }
            EXPECT_LE(std::abs(std::bit_cast<int32_t>(got) - std::bit_cast<int32_t>(printed[i])), 2) << i;
        }
        EXPECT_EQ(same, 48);
    });
}

}  // namespace
}  // namespace sfumato::adv_test
