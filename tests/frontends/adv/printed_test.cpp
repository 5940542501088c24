// SPDX-License-Identifier: Apache-2.0
// The examples that the pages of the calls print, recomputed (adv.md 1.1, 4 and 7); those of one operand are points of
// tests/data/board_points.tsv.
#include "frontends/adv/in_ub.h"

namespace sfumato::adv_test {
namespace {

using namespace AscendC;

TEST(PrintedExamples, Sign) {
    OnCore("Sign", [](InUb& ub) {
        auto src = ub.Of(std::vector<float>{-INFINITY, -2, -0.0f, 0, NAN, -NAN, 2, INFINITY}), dst = ub.Room<float>(8);
        ub.Before();
        Sign(dst, src, 8);
        ub.After();
        ExpectBits("Sign", InUb::Values(dst, 8), {-1, -1, 0, 0, 0, 0, 1, 1});
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

}  // namespace
}  // namespace sfumato::adv_test
