// SPDX-License-Identifier: Apache-2.0
// DeepNorm, Normalize, GroupNorm, BatchNorm and the gradients of LayerNorm against their steps in float, and the
// examples of their pages (adv.md 7).
#include <numeric>

#include "frontends/adv/in_ub.h"

namespace sfumato::adv_test {
namespace {

using namespace AscendC;

constexpr float kEpsilon = 0.0009765625f;  // a half

template <class T>
std::vector<float> Wide(const std::vector<T>& values, uint64_t first, uint64_t count) {
    std::vector<float> wide(count);
    for (uint64_t i = 0; i < count; ++i) wide[i] = static_cast<float>(values[first + i]);
    return wide;
}

// Mean and variance of a row, which becomes its differences from the mean.
struct Moments {
    float mean, variance;
};
Moments Centre(std::vector<float>* row) {
    const float share = 1.0f / static_cast<float>(row->size());
    std::vector<float> part = *row;
    for (float& v : part) v *= share;
    const float mean = TreeSum<float>(part);
    for (size_t i = 0; i < part.size(); ++i) {
        (*row)[i] -= mean;
        const float square = (*row)[i] * (*row)[i];
        part[i] = square * share;
    }
    return {mean, TreeSum<float>(part)};
}
float Root(float variance, float epsilon) {
    const float sum = variance + epsilon;
    return 1.0f / std::sqrt(sum);
}
template <class T>
T Scaled(float x, float root, T gamma, T beta) {
    float y = x * root;
    y *= static_cast<float>(gamma);
    return T(y + static_cast<float>(beta));
}

// bytes of the temporary buffer; 0: what InitBuffer left.
template <class T>
void CheckDeepNorm(uint32_t rows, uint32_t h, uint32_t pitch, uint32_t bytes) {
    OnChips("DeepNorm", [&](InUb& ub) {
        const auto x = Normal<T>(rows * pitch), added = Normal<T>(rows * pitch, 2, 4);
        const auto g = Normal<T>(pitch, 1, 2), b = Normal<T>(pitch, 1, 3);
        auto src = ub.Of(x), gx = ub.Of(added), gamma = ub.Of(g), beta = ub.Of(b);
        auto dst = ub.Of(std::vector<T>(rows * pitch, T(0.0f)));
        auto mean = ub.Room<T>(rows), variance = ub.Room<T>(rows);
        const T alpha(1.5f), epsilon(kEpsilon);
        DeepNormTiling tiling;
        tiling.bLength = rows, tiling.sLength = 1, tiling.hLength = pitch, tiling.originalHLength = h;
        ub.Before();
        if (bytes != 0) {
            DeepNorm<T>(dst, mean, variance, src, gx, beta, gamma, ub.Tmp(bytes), alpha, epsilon, tiling);
        } else {
            DeepNorm<T, false, false>(dst, mean, variance, src, gx, beta, gamma, alpha, epsilon, tiling);
        }
        ub.After();
        std::vector<T> want(rows * pitch, T(0.0f)), means, variances;
        for (uint32_t r = 0; r < rows; ++r) {
            std::vector<float> row = Wide(x, r * pitch, h);
            for (uint32_t c = 0; c < h; ++c) {
                row[c] *= 1.5f;
                row[c] += static_cast<float>(added[r * pitch + c]);
            }
            const Moments of = Centre(&row);
            const float root = Root(of.variance, kEpsilon);
            for (uint32_t c = 0; c < h; ++c) want[r * pitch + c] = Scaled(row[c], root, g[c], b[c]);
            means.push_back(T(of.mean)), variances.push_back(T(of.variance));
        }
        ExpectBits("dst", InUb::Values(dst, rows * pitch), want);
        ExpectBits("mean", InUb::Values(mean, rows), means);
        ExpectBits("variance", InUb::Values(variance, rows), variances);
    });
}

TEST(NormVariants, DeepNorm) {
    CheckDeepNorm<float>(5, 64, 64, 0);
    CheckDeepNorm<float>(13, 60, 64, 4096);
    CheckDeepNorm<half>(9, 200, 208, 8192);
    CheckDeepNorm<half>(3, 16, 16, 0);
}

// The example of the page, whose numbers say alpha -5.5 and epsilon 65504.
TEST(NormVariants, DeepNormOfThePage) {
    OnCore("DeepNorm", [](InUb& ub) {
        std::vector<float> x(64), eight(8);
        std::iota(x.begin(), x.end(), 0.0f), std::iota(eight.begin(), eight.end(), 0.0f);
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

constexpr NormalizeConfig kBare = {ReducePattern::AR, 7, true, true, false};

template <class U, class T, const NormalizeConfig& config = NLCFG_NORM>
void CheckNormalize(uint32_t rows, uint32_t h, uint32_t pitch, uint32_t bytes) {
    OnChips("Normalize", [&](InUb& ub) {
        const auto x = Normal<T>(rows * pitch);
        const auto g = Normal<U>(pitch, 1, 2), b = Normal<U>(pitch, 1, 3);
        const auto m = Normal<float>(rows, 1, 4);
        auto v = Normal<float>(rows, 1, 5);
        for (float& one : v) one = std::abs(one);
        auto src = ub.Of(x), dst = ub.Of(std::vector<T>(rows * pitch, T(0.0f)));
        auto gamma = ub.Of(g), beta = ub.Of(b);
        auto mean = ub.Of(m), variance = ub.Of(v), rstd = ub.Room<float>(rows);
        ub.Before();
        if (bytes != 0) {
            Normalize<U, T, false, config>(dst, rstd, mean, variance, src, gamma, beta, ub.Tmp(bytes), kEpsilon,
                                           NormalizePara{rows, h, pitch});
        } else {
            Normalize<U, T, false, config>(dst, rstd, mean, variance, src, gamma, beta, kEpsilon,
                                           NormalizePara{rows, h, pitch});
        }
        ub.After();
        std::vector<T> want(rows * pitch, T(0.0f));
        std::vector<float> roots;
        for (uint32_t r = 0; r < rows; ++r) {
            roots.push_back(Root(v[r], kEpsilon));
            for (uint32_t c = 0; c < h; ++c) {
                float y = static_cast<float>(x[r * pitch + c]) - m[r];
                y *= roots[r];
                if (!config.isNoGamma) y *= static_cast<float>(g[c]);
                if (!config.isNoBeta) y += static_cast<float>(b[c]);
                want[r * pitch + c] = T(y);
            }
        }
        ExpectBits("output", InUb::Values(dst, rows * pitch), want);
        ExpectBits("rstd", InUb::Values(rstd, rows), roots);
    });
}

TEST(NormVariants, Normalize) {
    CheckNormalize<float, float>(8, 64, 64, 0);
    CheckNormalize<float, half>(13, 60, 64, 4096);
    CheckNormalize<half, half>(21, 16, 16, 2560);
    CheckNormalize<float, float, kBare>(7, 30, 32, 4096);
    CheckNormalize<half, half, NLCFG_NOBETA>(3, 100, 112, 0);
    CheckNormalize<half, half, NLCFG_NOGAMMA>(3, 100, 112, 8192);
    CheckNormalize<half, half, NLCFG_NOOPT>(19, 32, 32, 2560);
}

// The example of the page, epsilon 1e-3: all 64 printed values and rstd.
TEST(NormVariants, NormalizeOfThePage) {
    OnCore("Normalize", [](InUb& ub) {
        std::vector<float> x(64), eight(8);
        std::iota(x.begin(), x.end(), 0.0f), std::iota(eight.begin(), eight.end(), 0.0f);
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

template <class T>
void CheckGroupNorm(uint32_t n, uint32_t groups, uint32_t d, uint32_t hw, uint32_t bytes) {
    OnCore("GroupNorm", [&](InUb& ub) {
        const uint32_t all = n * groups * d * hw, row = d * hw;
        const auto x = Normal<T>(all), g = Normal<T>(groups * d, 1, 2), b = Normal<T>(groups * d, 1, 3);
        auto src = ub.Of(x), gamma = ub.Of(g), beta = ub.Of(b), dst = ub.Room<T>(all);
        auto mean = ub.Room<T>(n * groups), variance = ub.Room<T>(n * groups);
        GroupNormTiling tiling;
        tiling.n = n, tiling.g = groups, tiling.c = groups * d, tiling.d = d, tiling.hw = hw;
        ub.Before();
        if (bytes != 0) {
            GroupNorm<T>(dst, mean, variance, src, gamma, beta, ub.Tmp(bytes), T(kEpsilon), tiling);
        } else {
            GroupNorm<T, true>(dst, mean, variance, src, gamma, beta, T(kEpsilon), tiling);
        }
        ub.After();
        std::vector<T> want(all, T(0.0f)), means, variances;
        for (uint32_t r = 0; r < n * groups; ++r) {
            std::vector<float> values = Wide(x, r * row, row);
            const Moments of = Centre(&values);
            const float sum = of.variance + kEpsilon, root = std::sqrt(sum);
            for (uint32_t i = 0; i < row; ++i) {
                const uint32_t channel = r % groups * d + i / hw;
                float y = values[i] / root;
                y *= static_cast<float>(g[channel]);
                want[r * row + i] = T(y + static_cast<float>(b[channel]));
            }
            means.push_back(T(of.mean)), variances.push_back(T(of.variance));
        }
        ExpectBits("output", InUb::Values(dst, all), want);
        ExpectBits("mean", InUb::Values(mean, n * groups), means);
        ExpectBits("variance", InUb::Values(variance, n * groups), variances);
    });
}

TEST(NormVariants, GroupNorm) {
    CheckGroupNorm<float>(2, 4, 4, 64, 8192);
    CheckGroupNorm<float>(3, 5, 3, 8, 4096);
    CheckGroupNorm<half>(2, 3, 7, 16, 4096);
    CheckGroupNorm<half>(1, 1, 20, 48, 0);
    CheckGroupNorm<float>(1, 11, 1, 16, 2048);
}

// The example of the page, epsilon 1e-5.
TEST(NormVariants, GroupNormOfThePage) {
    OnCore("GroupNorm", [](InUb& ub) {
        std::vector<float> x(128), eight(8);
        std::iota(x.begin(), x.end(), 0.0f), std::iota(eight.begin(), eight.end(), 0.0f);
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

template <class T>
void CheckBatchNorm(uint32_t rows, uint32_t columns, uint32_t bytes, bool in_place) {
    OnChips("BatchNorm", [&](InUb& ub) {
        const auto x = Normal<T>(rows * columns), g = Normal<T>(rows, 1, 2), b = Normal<T>(rows, 1, 3);
        auto src = ub.Of(x), gamma = ub.Of(g), beta = ub.Of(b);
        auto dst = in_place ? src : ub.Room<T>(rows * columns);
        auto mean = ub.Room<T>(columns), variance = ub.Room<T>(columns);
        BatchNormTiling tiling;
        tiling.originalBLength = rows, tiling.meanVarSize = columns;
        ub.Before();
        if (bytes != 0) {
            BatchNorm<T>(dst, mean, variance, src, gamma, beta, ub.Tmp(bytes), T(kEpsilon), tiling);
        } else {
            BatchNorm<T>(dst, mean, variance, src, gamma, beta, T(kEpsilon), tiling);
        }
        ub.After();
        std::vector<T> want(rows * columns, T(0.0f)), means, variances;
        const float share = 1.0f / static_cast<float>(rows);
        for (uint32_t c = 0; c < columns; ++c) {
            float m = 0, v = 0;
            for (uint32_t r = 0; r < rows; ++r) {
                const float part = static_cast<float>(x[r * columns + c]) * share;
                m = r == 0 ? part : m + part;
            }
            for (uint32_t r = 0; r < rows; ++r) {
                const float d = static_cast<float>(x[r * columns + c]) - m, square = d * d, part = square * share;
                v = r == 0 ? part : v + part;
            }
            const float root = Root(v, kEpsilon);
            for (uint32_t r = 0; r < rows; ++r) {
                want[r * columns + c] = Scaled(static_cast<float>(x[r * columns + c]) - m, root, g[r], b[r]);
            }
            means.push_back(T(m)), variances.push_back(T(v));
        }
        ExpectBits("output", InUb::Values(dst, rows * columns), want);
        ExpectBits("mean", InUb::Values(mean, columns), means);
        ExpectBits("variance", InUb::Values(variance, columns), variances);
    });
}

TEST(NormVariants, BatchNorm) {
    CheckBatchNorm<float>(8, 64, 0, false);
    CheckBatchNorm<float>(21, 136, 4096, true);
    CheckBatchNorm<half>(15, 256, 8192, false);
    CheckBatchNorm<half>(1, 16, 2048, true);
}

// The example of the page, epsilon 1e-2.
TEST(NormVariants, BatchNormOfThePage) {
    OnCore("BatchNorm", [](InUb& ub) {
        std::vector<float> x(64), eight(8);
        std::iota(x.begin(), x.end(), 0.0f), std::iota(eight.begin(), eight.end(), 0.0f);
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

}  // namespace
}  // namespace sfumato::adv_test
