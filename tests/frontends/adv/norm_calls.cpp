// SPDX-License-Identifier: Apache-2.0
// Normalisation, by the rows of oracle/calls.inc (adv.md 7).
#include "frontends/adv/calls.h"

namespace sfumato::adv_test {
namespace {

using oracle::Normals, oracle::Scales;

constexpr float kEpsilon = 0.0009765625f;  // a half

// Whole rows, rows with padding, and more than a pass has room for.
template <class T>
constexpr Sheet kSheets[] = {{3, 64, 64}, {13, 64, 60}, {2, 1008, 1000}, {21, 16, 16}};

// Results; places of padding are 0 before and after.
template <class T>
Given<T> Zeros(Bench& b, const Sheet& s) {
    return b.In<T>(Row(s.all(), 0));
}
template <class T, class U>
void Expect(Bench& b, const Normals& want, const LocalTensor<T>& dst, const LocalTensor<U>& mean,
            const LocalTensor<U>& variance) {
    b.Expect("output", dst, want.dst);
    b.Expect("mean", mean, want.mean);
    b.Expect("variance", variance, want.variance);
}

template <class T>
void LayerNormCase(const Site& site) {
    for (const Sheet& s : kSheets<T>) {
        for (const bool with_para : {false, true}) {
            Launched(site, [&](Bench& b) {
                auto x = b.Some<T>(s.all()), gamma = b.Some<T>(s.columns), beta = b.Some<T>(s.columns),
                     dst = Zeros<T>(b, s);
                auto mean = b.Out<T>(s.rows), variance = b.Out<T>(s.rows);
                auto wide_mean = b.Out<float>(s.rows), rstd = b.Out<float>(s.rows);
                const Sizes sizes =
                    SFUMATO_SIZES(GetLayerNormMaxMinTmpSize, ge::Shape({1, s.rows, s.columns}), sizeof(T), false);
                LayerNormTiling tiling;
                GetLayerNormNDTilingInfo(ge::Shape({1, s.rows, s.columns}), sizes.min, sizeof(T), false, tiling);
                tiling.originalHLength = s.valid;
                const Scales scales{gamma.values, beta.values, kEpsilon};
                if (with_para) {
                    auto tmp = b.Tmp(SFUMATO_SIZES(GetLayerNormMaxMinTmpSize, ge::Shape({s.rows, s.columns}), sizeof(T),
                                                   false, false, false));
                    b.Run([&] {
                        LayerNorm<T, T>(dst, wide_mean, rstd, x, gamma, beta, kEpsilon, tmp,
                                        LayerNormPara{s.rows, s.valid, s.columns}, {});
                    });
                    Expect(b, oracle::LayerNormFolded(x.values, s, scales), dst, wide_mean, rstd);
                } else {
                    b.Lend(sizes, [&](auto&... tmp) {
                        LayerNorm<T>(dst, mean, variance, x, gamma, beta, tmp..., T(kEpsilon), tiling);
                    });
                    Expect(b, oracle::LayerNorm(x.values, s, scales), dst, mean, variance);
                }
            });
        }
    }
}

template <class T>
void RmsNormCase(const Site& site) {
    for (const Sheet& s : kSheets<T>) {
        Launched(site, [&](Bench& b) {
            auto x = b.Some<T>(s.all()), gamma = b.Some<T>(s.columns), dst = Zeros<T>(b, s);
            const Sizes sizes = SFUMATO_SIZES(GetRmsNormMaxMinTmpSize, ge::Shape({1, s.rows, s.columns}), sizeof(T));
            RmsNormTiling tiling;
            GetRmsNormTilingInfo(ge::Shape({1, s.rows, s.columns}), ge::Shape({1, s.rows, s.valid}), sizes.min,
                                 sizeof(T), tiling);
            b.Lend(sizes, [&](auto&... tmp) { RmsNorm<T>(dst, x, gamma, tmp..., T(kEpsilon), tiling); });
            b.Expect("dst", dst, oracle::RmsNorm(x.values, s, {gamma.values, {}, kEpsilon}));
        });
    }
}

template <class T>
void DeepNormCase(const Site& site) {
    for (const Sheet& s : kSheets<T>) {
        Launched(site, [&](Bench& b) {
            auto x = b.Some<T>(s.all()), gx = b.Some<T>(s.all()), gamma = b.Some<T>(s.columns),
                 beta = b.Some<T>(s.columns);
            auto dst = Zeros<T>(b, s), mean = b.Out<T>(s.rows), variance = b.Out<T>(s.rows);
            const Sizes sizes =
                SFUMATO_SIZES(GetDeepNormMaxMinTmpSize, ge::Shape({1, s.rows, s.columns}), sizeof(T), false, false);
            DeepNormTiling tiling;
            GetDeepNormTilingInfo(ge::Shape({1, s.rows, s.columns}), ge::Shape({1, s.rows, s.valid}), sizes.min,
                                  sizeof(T), false, false, tiling);
            b.Lend(sizes, [&](auto&... tmp) {
                DeepNorm<T>(dst, mean, variance, x, gx, beta, gamma, tmp..., T(1.5f), T(kEpsilon), tiling);
            });
            Expect(b, oracle::DeepNorm(x.values, gx.values, 1.5f, s, {gamma.values, beta.values, kEpsilon}), dst, mean,
                   variance);
        });
    }
}

constexpr NormalizeConfig kBare = {ReducePattern::AR, 7, true, true, false};

// U: of gamma and beta.
template <class U, class T, const NormalizeConfig& config = NLCFG_NORM>
void CheckNormalize(const Site& site, const Sheet& s) {
    Launched(site, [&](Bench& b) {
        auto x = b.Some<T>(s.all()), dst = Zeros<T>(b, s);
        auto gamma = b.Some<U>(s.columns), beta = b.Some<U>(s.columns);
        auto mean = b.Some<float>(s.rows), variance = b.Positive<float>(s.rows), rstd = b.Out<float>(s.rows);
        b.Lend(SFUMATO_SIZES(GetNormalizeMaxMinTmpSize, ge::Shape({s.rows, s.columns}), sizeof(U), sizeof(T), false,
                             true, false),
               [&](auto&... tmp) {
                   Normalize<U, T, false, config>(dst, rstd, mean, variance, x, gamma, beta, tmp..., kEpsilon,
                                                  NormalizePara{s.rows, s.valid, s.columns});
               });
        const Scales scales{config.isNoGamma ? Row() : gamma.values, config.isNoBeta ? Row() : beta.values, kEpsilon};
        const Normals want = oracle::Normalize(x.values, mean.values, variance.values, s, scales);
        b.Expect("output", dst, want.dst);
        b.Expect("rstd", rstd, want.variance);
    });
}
template <class T>
void NormalizeCase(const Site& site) {
    for (const Sheet& s : kSheets<T>) {
        CheckNormalize<T, T>(site, s);
        CheckNormalize<float, T>(site, s);
    }
    CheckNormalize<T, T, kBare>(site, {7, 32, 30});
    CheckNormalize<T, T, NLCFG_NOBETA>(site, {3, 112, 100});
    CheckNormalize<T, T, NLCFG_NOGAMMA>(site, {3, 112, 100});
    CheckNormalize<T, T, NLCFG_NOOPT>(site, {19, 32, 32});
}

template <class T>
void GroupNormCase(const Site& site) {
    struct Image {
        uint32_t n, groups, d, hw;
    };
    for (const Image& i : {Image{2, 4, 4, 64}, Image{3, 5, 3, 16}, Image{1, 1, 20, 48}, Image{1, 11, 1, 16}}) {
        Launched(site, [&](Bench& b) {
            const Sheet s{i.n * i.groups, i.d * i.hw, i.d * i.hw};
            auto x = b.Some<T>(s.all()), gamma = b.Some<T>(i.groups * i.d), beta = b.Some<T>(i.groups * i.d),
                 dst = b.Out<T>(s.all());
            auto mean = b.Out<T>(s.rows), variance = b.Out<T>(s.rows);
            GroupNormTiling tiling;
            const ge::Shape shape({i.n, i.groups * i.d, i.hw / 8, 8});
            const Sizes sizes = SFUMATO_SIZES(GetGroupNormMaxMinTmpSize, shape, sizeof(T), false, i.groups);
            GetGroupNormNDTilingInfo(shape, sizes.min, sizeof(T), false, i.groups, tiling);
            b.Lend(sizes, [&](auto&... tmp) {
                GroupNorm<T>(dst, mean, variance, x, gamma, beta, tmp..., T(kEpsilon), tiling);
            });
            Expect(b, oracle::GroupNorm(x.values, s, i.hw, {gamma.values, beta.values, kEpsilon}), dst, mean, variance);
        });
    }
}

template <class T>
void BatchNormCase(const Site& site) {
    for (const Sheet& s : {Sheet{8, 64, 64}, Sheet{21, 144, 144}, Sheet{1, 16, 16}}) {
        for (const bool in_place : {false, true}) {
            Launched(site, [&](Bench& b) {
                auto x = b.Some<T>(s.all()), gamma = b.Some<T>(s.rows), beta = b.Some<T>(s.rows);
                auto dst = in_place ? x : b.Out<T>(s.all());
                auto mean = b.Out<T>(s.columns), variance = b.Out<T>(s.columns);
                BatchNormTiling tiling;
                const ge::Shape shape({s.rows, 1, s.columns});
                const Sizes sizes = SFUMATO_SIZES(GetBatchNormMaxMinTmpSize, shape, shape, sizeof(T), false);
                GetBatchNormNDTilingInfo(shape, shape, sizes.min, sizeof(T), false, tiling);
                b.Lend(sizes, [&](auto&... tmp) {
                    BatchNorm<T>(dst, mean, variance, x, gamma, beta, tmp..., T(kEpsilon), tiling);
                });
                Expect(b, oracle::BatchNorm(x.values, s, {gamma.values, beta.values, kEpsilon}), dst, mean, variance);
            });
        }
    }
}

template <class T>
void LayerNormGradCase(const Site& site) {
    for (const Sheet& s : {Sheet{5, 64, 64}, Sheet{13, 208, 208}, Sheet{21, 16, 16}}) {
        for (const bool in_place : {false, true}) {
            Launched(site, [&](Bench& b) {
                auto dy = b.Some<T>(s.all()), x = b.Some<T>(s.all()), gamma = b.Some<T>(s.columns);
                auto mean = b.Some<T>(s.rows), variance = b.Positive<T>(s.rows);
                auto pd_x = in_place ? dy : b.Out<T>(s.all()), res = in_place ? x : b.Out<T>(s.all());
                const Sizes sizes = SFUMATO_SIZES(GetLayerNormGradMaxMinTmpSize,
                                                  ge::Shape({1, s.rows, s.columns, s.columns}), sizeof(T), false);
                LayerNormGradTiling tiling;
                GetLayerNormGradNDTilingInfo(ge::Shape({1, s.rows, s.columns, s.columns}), sizes.min / sizeof(T),
                                             sizeof(T), false, tiling);
                b.Lend(sizes, [&](auto&... tmp) {
                    LayerNormGrad<T, false>(pd_x, res, dy, x, variance, mean, gamma, tmp..., T(kEpsilon), tiling,
                                            LayerNormGradShapeInfo{DataFormat::ND});
                });
                const Normals want = oracle::LayerNormGrad(dy.values, x.values, mean.values, variance.values, s,
                                                           {gamma.values, {}, kEpsilon});
                b.Expect("pd_x", pd_x, want.dst);
                b.Expect("resForGamma", res, want.mean);
            });
        }
    }
}

template <class T>
void LayerNormGradBetaCase(const Site& site) {
    for (const Sheet& s : {Sheet{7, 64, 64}, Sheet{33, 112, 112}, Sheet{1, 16, 16}}) {
        for (const bool in_place : {false, true}) {
            Launched(site, [&](Bench& b) {
                auto res = b.Some<T>(s.all()), dy = b.Some<T>(s.all());
                auto gamma = in_place ? dy : b.Out<T>(s.columns), beta = in_place ? res : b.Out<T>(s.columns);
                const Sizes sizes = SFUMATO_SIZES(GetLayerNormGradBetaMaxMinTmpSize,
                                                  ge::Shape({1, s.rows, s.columns, s.columns}), sizeof(T), false);
                LayerNormGradBetaTiling tiling;
                GetLayerNormGradBetaNDTilingInfo(ge::Shape({1, s.rows, s.columns, s.columns}), sizes.min / sizeof(T),
                                                 sizeof(T), false, tiling);
                b.Lend(sizes, [&](auto&... tmp) { LayerNormGradBeta<T>(gamma, beta, res, dy, tmp..., tiling); });
                const Normals want = oracle::LayerNormGradBeta(res.values, dy.values, s);
                b.Expect("gamma", gamma, want.mean);
                b.Expect("beta", beta, want.variance);
            });
        }
    }
}

constexpr WelfordUpdateConfig kInPlace{true}, kApart{false};

// Elements that take no part keep what they held: apart, what the destination held.
template <class T>
void WelfordUpdateCase(const Site& site) {
    constexpr uint32_t kComputed = 50;
    for (const uint32_t length : {64u, 528u}) {
        for (const bool in_place : {false, true}) {
            Launched(site, [&](Bench& b) {
                auto mean = b.Some<float>(length), variance = b.Positive<float>(length);
                auto x = b.Some<T>(length);
                auto new_mean = b.Out<float>(length), new_variance = b.Out<float>(length);
                const WelfordUpdateParam para{1, length, kComputed, 0.25f};
                b.Lend(SFUMATO_SIZES(GetWelfordUpdateMaxMinTmpSize, ge::Shape({1, length}), sizeof(T), 4, false, false),
                       [&](auto&... tmp) {
                           in_place ? WelfordUpdate<T, float, false, kInPlace>(new_mean, new_variance, mean, variance,
                                                                               x, tmp..., para)
                                    : WelfordUpdate<T, float, false, kApart>(new_mean, new_variance, mean, variance, x,
                                                                             tmp..., para);
                       });
                Normals want = oracle::WelfordUpdate(mean.values, variance.values, x.values, kComputed, 0.25f);
                for (uint32_t i = kComputed; !in_place && i < length; ++i) want.mean[i] = want.variance[i] = 77;
                b.Expect("mean", new_mean, want.mean);
                b.Expect("variance", new_variance, want.variance);
            });
        }
    }
}

template <class T>
void WelfordFinalizeCase(const Site& site) {
    enum class Counts { kNone, kTensor, kTail };
    for (const uint32_t length : {96u, 520u}) {
        for (const Counts counts : {Counts::kNone, Counts::kTensor, Counts::kTail}) {
            Launched(site, [&](Bench& b) {
                Row of_each(length, 4);
                if (counts != Counts::kNone) std::fill(of_each.begin() + 50, of_each.end(), 3.0f);
                auto mean = b.Some<T>(length), variance = b.Positive<T>(length), whole = b.Out<T>(8),
                     spread = b.Out<T>(8);
                auto number = b.In<int32_t>(of_each);
                WelfordFinalizePara para{4,          length,    4, length, 3, 0, 1.0f / static_cast<float>(length),
                                         1.0f / 384, 1.0f / 383};
                if (counts == Counts::kTail) para.headCountLength = 50, para.tailCountLength = length - 50;
                b.Lend(SFUMATO_SIZES(GetWelfordFinalizeMaxMinTmpSize, ge::Shape({length}), 4, false),
                       [&](auto&... tmp) {
                           if (counts == Counts::kTensor)
                               WelfordFinalize<false>(whole, spread, mean, variance, number, tmp..., para);
                           else
                               WelfordFinalize<true>(whole, spread, mean, variance, tmp..., para);
                       });
                const bool weighted = counts != Counts::kNone;
                const Normals want = oracle::WelfordFinalize(mean.values, variance.values, of_each, weighted,
                                                             weighted ? para.rRec : para.abRec, para.rRec);
                b.Expect("mean", whole, want.mean);
                b.Expect("variance", spread, want.variance);
            });
        }
    }
}

#undef SFUMATO_CALL_norms
#define SFUMATO_CALL_norms SFUMATO_CASE
#include "oracle/calls.inc"

}  // namespace
}  // namespace sfumato::adv_test
