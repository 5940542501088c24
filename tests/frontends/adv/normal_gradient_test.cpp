// SPDX-License-Identifier: Apache-2.0
// LayerNormGrad and LayerNormGradBeta against their steps in float, and the examples of their pages (adv.md 7).
#include <numeric>

#include "frontends/adv/in_ub.h"

namespace sfumato::adv_test {
namespace {

using namespace AscendC;

constexpr float kEpsilon = 0.0009765625f;  // a half

LayerNormGradTiling GradTiling(uint32_t rows, uint32_t h) {
    LayerNormGradTiling tiling;
    tiling.bLength = 1, tiling.sLength = rows, tiling.hLength = tiling.originalHLength = h;
    return tiling;
}

// The gradients of one row, step after step.
struct RowGradient {
    std::vector<float> pd_x, res;
};
RowGradient Expected(const std::vector<float>& dy, const std::vector<float>& x, const std::vector<float>& gamma,
                     float mean, float variance, float epsilon) {
    const size_t h = x.size();
    const float back = 1.0f / static_cast<float>(h), sum = variance + epsilon, inverse = 1.0f / sum;
    const float root = std::sqrt(inverse), square = root * root, cube = square * root;
    std::vector<float> x1(h), x2(h), a(h), b(h), c(h);
    RowGradient row{std::vector<float>(h), std::vector<float>(h)};
    for (size_t i = 0; i < h; ++i) {
        x1[i] = dy[i] * gamma[i], x2[i] = x[i] - mean;
        a[i] = x1[i] * -0.5f, a[i] *= x2[i], a[i] *= cube;
        b[i] = -x1[i], b[i] *= root;
        c[i] = -2 * x2[i];
        row.res[i] = x2[i] * root;
    }
    float pd_var = TreeSum<float>(a), rest = pd_var * back;
    rest *= TreeSum<float>(c);
    float pd_mean = TreeSum<float>(b) + rest;
    pd_var *= 2 * back, pd_mean *= back;
    for (size_t i = 0; i < h; ++i) {
        float inner = x2[i] * pd_var;
        inner += pd_mean;
        const float outer = x1[i] * root;
        row.pd_x[i] = outer + inner;
    }
    return row;
}

template <class T>
void CheckGrad(uint32_t rows, uint32_t h, uint32_t bytes, bool in_place) {
    OnChips("LayerNormGrad", [&](InUb& ub) {
        const auto dy = Normal<T>(rows * h), x = Normal<T>(rows * h, 3, 2), g = Normal<T>(h, 1, 3);
        const auto m = Normal<T>(rows, 1, 4);
        auto v = Normal<T>(rows, 1, 5);
        for (T& one : v) one = T(std::abs(static_cast<float>(one)));
        auto in_dy = ub.Of(dy), in_x = ub.Of(x), gamma = ub.Of(g), mean = ub.Of(m), variance = ub.Of(v);
        auto pd_x = in_place ? in_dy : ub.Room<T>(rows * h), res = in_place ? in_x : ub.Room<T>(rows * h);
        ub.Before();
        if (bytes != 0) {
            LayerNormGrad<T>(pd_x, res, in_dy, in_x, variance, mean, gamma, ub.Tmp(bytes), T(kEpsilon),
                             GradTiling(rows, h));
        } else {
            LayerNormGrad<T, false>(pd_x, res, in_dy, in_x, variance, mean, gamma, T(kEpsilon), GradTiling(rows, h),
                                    LayerNormGradShapeInfo{DataFormat::ND});
        }
        ub.After();
        std::vector<T> want, want_res;
        for (uint32_t r = 0; r < rows; ++r) {
            const auto part = [&](const std::vector<T>& whole) {
                return std::vector<float>(whole.begin() + r * h, whole.begin() + (r + 1) * h);
            };
            const RowGradient row = Expected(part(dy), part(x), Floats(g), static_cast<float>(m[r]),
                                             static_cast<float>(v[r]), kEpsilon);
            for (uint32_t c = 0; c < h; ++c) want.push_back(T(row.pd_x[c])), want_res.push_back(T(row.res[c]));
        }
        ExpectBits("pd_x", InUb::Values(pd_x, rows * h), want);
        ExpectBits("resForGamma", InUb::Values(res, rows * h), want_res);
    });
}

TEST(NormGradient, OfTheInput) {
    CheckGrad<float>(5, 64, 0, false);
    CheckGrad<float>(13, 200, 8192, true);
    CheckGrad<half>(9, 208, 8192, false);
    CheckGrad<half>(21, 16, 4096, true);
}

std::vector<float> Numbers64() {
    std::vector<float> numbers(64);
    std::iota(numbers.begin(), numbers.end(), 0.0f);
    return numbers;
}

// The example of the page, epsilon 1e-4: all 64 values of both results.
TEST(NormGradient, OfThePage) {
    OnCore("LayerNormGrad", [](InUb& ub) {
        std::vector<float> eight(8), means;
        std::iota(eight.begin(), eight.end(), 0.0f);
        for (const float r : eight) means.push_back(3.5f + 8 * r);
        auto dy = ub.Of(Numbers64()), x = ub.Of(Numbers64()), gamma = ub.Of(eight), mean = ub.Of(means);
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

template <class T>
void CheckBeta(uint32_t rows, uint32_t h, uint32_t bytes, bool in_place = false) {
    OnChips("LayerNormGradBeta", [&](InUb& ub) {
        const auto res = Normal<T>(rows * h), dy = Normal<T>(rows * h, 3, 2);
        auto in_res = ub.Of(res), in_dy = ub.Of(dy);
        auto gamma = in_place ? in_dy : ub.Room<T>(h), beta = in_place ? in_res : ub.Room<T>(h);
        LayerNormGradBetaTiling tiling;
        tiling.bLength = rows, tiling.sLength = 1, tiling.hLength = tiling.originalHLength = h;
        ub.Before();
        if (bytes != 0) {
            LayerNormGradBeta<T>(gamma, beta, in_res, in_dy, ub.Tmp(bytes), tiling);
        } else {
            LayerNormGradBeta<T, true>(gamma, beta, in_res, in_dy, tiling);
        }
        ub.After();
        std::vector<T> want_gamma, want_beta;
        for (uint32_t c = 0; c < h; ++c) {
            float g = 0, b = 0;
            for (uint32_t r = 0; r < rows; ++r) {
                const float d = static_cast<float>(dy[r * h + c]), product = d * static_cast<float>(res[r * h + c]);
                g = r == 0 ? product : g + product;
                b = r == 0 ? d : b + d;
            }
            want_gamma.push_back(T(g)), want_beta.push_back(T(b));
        }
        ExpectBits("gamma", InUb::Values(gamma, h), want_gamma);
        ExpectBits("beta", InUb::Values(beta, h), want_beta);
    });
}

TEST(NormGradient, OfGammaAndBeta) {
    CheckBeta<float>(7, 64, 0);
    CheckBeta<float>(33, 104, 2048);
    CheckBeta<half>(12, 144, 4096);
    CheckBeta<half>(1, 16, 0);
    CheckBeta<half>(5, 48, 2048, true);
}

TEST(NormGradient, OfGammaAndBetaOfThePage) {
    OnCore("LayerNormGradBeta", [](InUb& ub) {
        auto res = ub.Of(Numbers64()), dy = ub.Of(Numbers64()), gamma = ub.Room<float>(8), beta = ub.Room<float>(8);
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
