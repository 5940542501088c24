// SPDX-License-Identifier: Apache-2.0
// LayerNorm, RmsNorm and Welford's method against their formulas in float (adv.md 7).
#include "frontends/adv/in_ub.h"

namespace sfumato::adv_test {
namespace {

using namespace AscendC;

constexpr float kEpsilon = 0.0009765625f;  // a half

float Scaled(std::vector<float> row, float by) {
    for (float& v : row) v *= by;
    return TreeSum<float>(row);
}

// The sum of LayerNorm with para.
float FoldedSum(std::vector<float> v) {
    if (v.size() < 16) return TreeSum<float>(v);
    size_t head = 1;
    while (head * 2 <= v.size()) head *= 2;
    for (size_t i = head; i < v.size(); ++i) v[i - head] += v[i];
    for (v.resize(head); v.size() > 64; v.resize(v.size() / 2)) {
        std::vector<float> half_as_many;
        for (size_t g = 0; g < v.size(); g += 128) {
            for (size_t i = 0; i < 64; ++i) half_as_many.push_back(v[g + i] + v[g + 64 + i]);
        }
        std::copy(half_as_many.begin(), half_as_many.end(), v.begin());
    }
    return TreeSum<float>(v);
}

template <class T>
void CheckLayerNorm(uint32_t rows, uint32_t h, uint32_t pitch, uint32_t bytes, bool with_para) {
    OnChips("LayerNorm", [&](InUb& ub) {
        const auto x = Normal<T>(rows * pitch), g = Normal<T>(pitch, 1, 2), b = Normal<T>(pitch, 1, 3);
        auto src = ub.Of(x), gamma = ub.Of(g), beta = ub.Of(b), dst = ub.Of(std::vector<T>(rows * pitch, T(0.0f)));
        auto mean = ub.Room<T>(rows), variance = ub.Room<T>(rows);
        auto means = ub.Room<float>(rows), rstds = ub.Room<float>(rows);
        auto tmp = ub.Tmp(bytes);
        LayerNormTiling tiling;
        tiling.bLength = 1, tiling.sLength = rows, tiling.hLength = pitch, tiling.originalHLength = h;
        ub.Before();
        if (with_para) {
            LayerNorm<T, T>(dst, means, rstds, src, gamma, beta, kEpsilon, tmp, LayerNormPara{rows, h, pitch}, {});
        } else {
            LayerNorm<T>(dst, mean, variance, src, gamma, beta, tmp, T(kEpsilon), tiling);
        }
        ub.After();
        std::vector<T> want(rows * pitch, T(0.0f)), want_mean, want_variance;
        std::vector<float> want_means, want_rstds;
        const float share = 1.0f / static_cast<float>(h);
        for (uint32_t r = 0; r < rows; ++r) {
            std::vector<float> row(h), squares(h);
            for (uint32_t c = 0; c < h; ++c) row[c] = static_cast<float>(x[r * pitch + c]) * share;
            const float m = with_para ? FoldedSum(row) : TreeSum<float>(row);
            for (uint32_t c = 0; c < h; ++c) {
                row[c] = static_cast<float>(x[r * pitch + c]) - m;
                squares[c] = row[c] * row[c] * share;
            }
            const float v = with_para ? FoldedSum(squares) : TreeSum<float>(squares);
            const float root = 1.0f / std::sqrt(v + kEpsilon);
            const float rstd = with_para ? static_cast<float>(1.0 / std::sqrt(static_cast<double>(v + kEpsilon))) : root;
            for (uint32_t c = 0; c < h; ++c) {
                const float scaled = row[c] * rstd * static_cast<float>(g[c]);
                want[r * pitch + c] = T(scaled + static_cast<float>(b[c]));
            }
            want_mean.push_back(T(m)), want_variance.push_back(T(v));
            want_means.push_back(m), want_rstds.push_back(rstd);
        }
        ExpectBits("output", InUb::Values(dst, rows * pitch), want);
        if (with_para) {
            ExpectBits("mean", InUb::Values(means, rows), want_means);
            ExpectBits("rstd", InUb::Values(rstds, rows), want_rstds);
        } else {
            ExpectBits("mean", InUb::Values(mean, rows), want_mean);
            ExpectBits("variance", InUb::Values(variance, rows), want_variance);
        }
    });
}

TEST(Norm, LayerNorm) {
    for (const bool with_para : {false, true}) {
        CheckLayerNorm<float>(3, 64, 64, 8192, with_para);
        CheckLayerNorm<float>(13, 60, 64, 4096, with_para);
        CheckLayerNorm<float>(5, 1000, 1000, 32768, with_para);
        CheckLayerNorm<half>(9, 200, 208, 16384, with_para);
        CheckLayerNorm<half>(21, 16, 16, 4096, with_para);
    }
}

template <class T>
void CheckRmsNorm(uint32_t rows, uint32_t h, uint32_t pitch, uint32_t bytes) {
    OnChips("RmsNorm", [&](InUb& ub) {
        const auto x = Normal<T>(rows * pitch), g = Normal<T>(pitch, 1, 2);
        auto src = ub.Of(x), gamma = ub.Of(g), dst = ub.Of(std::vector<T>(rows * pitch, T(0.0f)));
        RmsNormTiling tiling;
        tiling.bLength = rows, tiling.sLength = 1, tiling.hLength = pitch, tiling.originalHLength = h;
        ub.Before();
        if (bytes != 0) {
            RmsNorm<T>(dst, src, gamma, ub.Tmp(bytes), T(kEpsilon), tiling);
        } else {
            RmsNorm<T, true>(dst, src, gamma, T(kEpsilon), tiling);
        }
        ub.After();
        std::vector<T> want(rows * pitch, T(0.0f));
        for (uint32_t r = 0; r < rows; ++r) {
            std::vector<float> squares;
            for (uint32_t c = 0; c < h; ++c) {
                const float v = static_cast<float>(x[r * pitch + c]);
                squares.push_back(v * v);
            }
            const float root = 1.0f / std::sqrt(Scaled(squares, 1.0f / static_cast<float>(h)) + kEpsilon);
            for (uint32_t c = 0; c < h; ++c) {
                want[r * pitch + c] = T(static_cast<float>(x[r * pitch + c]) * root * static_cast<float>(g[c]));
            }
        }
        ExpectBits("dst", InUb::Values(dst, rows * pitch), want);
    });
}

TEST(Norm, RmsNorm) {
    CheckRmsNorm<float>(4, 128, 128, 0);
    CheckRmsNorm<float>(19, 60, 64, 4096);
    CheckRmsNorm<half>(7, 144, 144, 8192);
    CheckRmsNorm<half>(2, 30, 32, 0);
}

TEST(Norm, WelfordUpdateAddsAnElement) {
    OnChips("WelfordUpdate", [](InUb& ub) {
        constexpr uint32_t kLength = 64, kComputed = 50;
        const auto m = Normal<float>(kLength), v = Normal<float>(kLength, 2, 2);
        const auto x = Normal<half>(kLength, 3, 3);
        auto mean = ub.Of(m), variance = ub.Of(v);
        auto src = ub.Of(x);
        auto tmp = ub.Tmp(512);
        ub.Before();
        WelfordUpdate<half>(mean, variance, mean, variance, src, tmp, WelfordUpdateParam{1, kLength, kComputed, 0.25f});
        ub.After();
        auto want_mean = m, want_variance = v;
        for (uint32_t i = 0; i < kComputed; ++i) {
            const float d = static_cast<float>(x[i]) - m[i], step = d * 0.25f;
            want_mean[i] = m[i] + step;
            const float rest = static_cast<float>(x[i]) - want_mean[i], product = d * rest;
            want_variance[i] = v[i] + product;
        }
        ExpectBits("mean", InUb::Values(mean, kLength), want_mean);
        ExpectBits("variance", InUb::Values(variance, kLength), want_variance);
    });
}

enum class Counts { kNone, kTensor, kTail };
void CheckFinalize(Counts counts) {
    OnChips("WelfordFinalize", [&](InUb& ub) {
        constexpr uint32_t kLength = 96;
        const auto m = Normal<float>(kLength), v = Normal<float>(kLength, 2, 2);
        std::vector<int32_t> n(kLength, 4);
        if (counts != Counts::kNone) std::fill(n.begin() + 50, n.end(), 3);
        auto in_mean = ub.Of(m), in_variance = ub.Of(v);
        auto number = ub.Of(n);
        auto mean = ub.Room<float>(8), variance = ub.Room<float>(8);
        auto tmp = ub.Tmp(4096);
        WelfordFinalizePara para{4, kLength, 4, kLength, 3, 0, 1.0f / kLength, 1.0f / 384, 1.0f / 383};
        if (counts == Counts::kTail) para.headCountLength = 50, para.tailCountLength = kLength - 50;
        ub.Before();
        if (counts == Counts::kTensor) {
            WelfordFinalize(mean, variance, in_mean, in_variance, number, tmp, para);
        } else {
            WelfordFinalize<true>(mean, variance, in_mean, in_variance, tmp, para);
        }
        ub.After();
        std::vector<float> weighted = m, parts;
        for (uint32_t i = 0; i < kLength && counts != Counts::kNone; ++i) weighted[i] *= static_cast<float>(n[i]);
        const float want = TreeSum<float>(weighted) * (counts == Counts::kNone ? para.abRec : para.rRec);
        for (uint32_t i = 0; i < kLength; ++i) {
            const float d = m[i] - want, square = d * d, counted = square * static_cast<float>(n[i]);
            parts.push_back(v[i] + counted);
        }
        ExpectBits("mean", InUb::Values(mean, 1), {want});
        ExpectBits("variance", InUb::Values(variance, 1), {TreeSum<float>(parts) * para.rRec});
    });
}

TEST(Norm, WelfordFinalize) {
    CheckFinalize(Counts::kNone);
    CheckFinalize(Counts::kTensor);
    CheckFinalize(Counts::kTail);
}

}  // namespace
}  // namespace sfumato::adv_test
