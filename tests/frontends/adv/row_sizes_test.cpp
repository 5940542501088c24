// SPDX-License-Identifier: Apache-2.0
// Calls that go row by row, move, select or quantise, with exactly the bytes that the host's functions say.
#include "frontends/adv/host_sizes.h"

namespace sfumato::adv_test {
namespace {

// What a call wrote, in one.
template <class... Tensors>
std::vector<uint8_t> All(const Tensors&... tensors) {
    std::vector<uint8_t> all;
    (
        [&] {
            const auto bytes = BytesOf(tensors);
            all.insert(all.end(), bytes.begin(), bytes.end());
        }(),
        ...);
    return all;
}
std::string Text(const char* name, uint32_t rows, uint32_t columns) {
    return std::string(name) + " of " + std::to_string(rows) + " x " + std::to_string(columns);
}
constexpr SoftMaxTiling kTiling = {};
constexpr SoftmaxConfig kCompact = {true, 0, 0, SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};
constexpr std::pair<uint32_t, uint32_t> kShapes[] = {{1, 16}, {21, 64}, {13, 16}, {5, 128}, {3, 1008}, {64, 32}};

// D: the data, S: sum and maximum.
template <class D, class S, class Call>
void Softmax(const std::string& name, uint32_t rows, uint32_t columns, const Sizes& sizes, const Call& call) {
    const auto run = [&](InUb& ub, uint32_t bytes) {
        auto src = ub.Of(Normal<D>(rows * columns)), grad = ub.Of(Normal<D>(rows * columns, 1, 2));
        auto dst = ub.Of(std::vector<D>(rows * columns));
        const uint32_t side = rows * 32 / sizeof(S);
        const auto ones = Blocks<S>(std::vector<float>(rows, 1.5F), 32 / sizeof(S));
        auto in_sum = ub.Of(ones), in_max = ub.Of(ones);
        auto sum = ub.Of(std::vector<S>(side)), max = ub.Of(std::vector<S>(side));
        auto exp_max = ub.Of(std::vector<D>(rows * 16));
        auto tmp = ub.Tmp(bytes);
        ub.Before();
        call(dst, sum, max, src, grad, exp_max, in_sum, in_max, tmp, SoftMaxShapeInfo{rows, columns, rows, columns});
        ub.After();
        return All(dst, sum, max, exp_max);
    };
    for (const char* chip : kChips) SameBytes(name + " on " + chip, sizes, run, chip);
}

template <class D, class S>
void SoftmaxCalls() {
    constexpr uint32_t kData = sizeof(D), kSide = sizeof(S);
    for (const auto& [rows, columns] : kShapes) {
        const ge::Shape shape({rows, columns});
        Softmax<D, S>(Text("SoftMax", rows, columns), rows, columns,
                      {GetSoftMaxMaxTmpSize(shape, kSide, false), GetSoftMaxMinTmpSize(shape, kSide, false)},
                      [](auto& d, auto& s, auto& m, auto& x, auto&, auto&, auto&, auto&, auto& t, const auto& info) {
                          SoftMax<D>(d, s, m, x, t, kTiling, info);
                      });
        Softmax<D, S>(Text("SoftMax NZ", rows, columns), rows, columns,
                      {GetSoftMaxMaxTmpSize(shape, kSide, false), GetSoftMaxMinTmpSize(shape, kSide, false)},
                      [](auto& d, auto& s, auto& m, auto& x, auto&, auto&, auto&, auto&, auto& t, const auto& info) {
                          SoftMax<D, false, false, true>(d, s, m, x, t, kTiling, info);
                      });
        Softmax<D, S>(Text("SimpleSoftMax", rows, columns), rows, columns,
                      {GetSoftMaxMaxTmpSize(shape, kSide, false), GetSoftMaxMinTmpSize(shape, kSide, false)},
                      [](auto& d, auto&, auto&, auto& x, auto&, auto&, auto& is, auto& im, auto& t, const auto& info) {
                          SimpleSoftMax<D>(d, is, im, x, t, kTiling, info);
                      });
        Softmax<D, S>(Text("SoftmaxFlashV2", rows, columns), rows, columns,
                      {GetSoftMaxFlashV2MaxTmpSize(shape, kData, kSide, true),
                       GetSoftMaxFlashV2MinTmpSize(shape, kData, kSide, true)},
                      [](auto& d, auto& s, auto& m, auto& x, auto&, auto& e, auto& is, auto& im, auto& t, const auto& info) {
                          SoftmaxFlashV2<D, true>(d, s, m, x, e, is, im, t, kTiling, info);
                      });
        Softmax<D, S>(Text("SoftmaxFlashV2 compact", rows, columns), rows, columns,
                      {GetSoftMaxFlashV2MaxTmpSize(shape, kData, kSide, true),
                       GetSoftMaxFlashV2MinTmpSize(shape, kData, kSide, true)},
                      [](auto& d, auto& s, auto& m, auto& x, auto&, auto& e, auto& is, auto& im, auto& t, const auto& info) {
                          SoftmaxFlashV2<D, true, false, false, false, kCompact>(d, s, m, x, e, is, im, t, kTiling, info);
                      });
    }
}
TEST(HostSizes, SoftmaxFloat) { SoftmaxCalls<float, float>(); }
TEST(HostSizes, SoftmaxHalf) { SoftmaxCalls<half, half>(); }
TEST(HostSizes, SoftmaxMixed) { SoftmaxCalls<half, float>(); }

template <class D>
void SoftmaxOthers() {
    for (const auto& [rows, columns] : kShapes) {
        const ge::Shape shape({rows, columns});
        Softmax<D, D>(Text("SoftmaxFlash", rows, columns), rows, columns,
                      {GetSoftMaxFlashMaxTmpSize(shape, sizeof(D), true, false),
                       GetSoftMaxFlashMinTmpSize(shape, sizeof(D), true, false)},
                      [](auto& d, auto& s, auto& m, auto& x, auto&, auto& e, auto& is, auto& im, auto& t, const auto& info) {
                          SoftmaxFlash<D>(d, s, m, x, e, is, im, t, kTiling, true, info);
                      });
        const Sizes grad{GetSoftMaxGradMaxTmpSize(shape, sizeof(D), false, false),
                         GetSoftMaxGradMinTmpSize(shape, sizeof(D), false, false)};
        Softmax<D, D>(Text("SoftmaxGrad", rows, columns), rows, columns, grad,
                      [](auto& d, auto&, auto&, auto& x, auto& g, auto&, auto&, auto&, auto& t, const auto& info) {
                          SoftmaxGrad<D>(d, g, x, t, kTiling, false, info);
                      });
        Softmax<D, D>(Text("SoftmaxGradFront", rows, columns), rows, columns, grad,
                      [](auto&, auto& s, auto&, auto& x, auto& g, auto&, auto&, auto&, auto& t, const auto& info) {
                          SoftmaxGradFront<D>(s, g, x, t, kTiling, info);
                      });
    }
}
TEST(HostSizes, OthersOfSoftmax) { SoftmaxOthers<float>(), SoftmaxOthers<half>(); }

template <class T>
void Norms() {
    for (const auto& [rows, columns] : kShapes) {
        const ge::Shape shape({1, rows, columns});
        Sizes sizes;
        GetLayerNormMaxMinTmpSize(shape, sizeof(T), false, sizes.max, sizes.min);
        LayerNormTiling tiling;
        GetLayerNormNDTilingInfo(shape, sizes.min, sizeof(T), false, tiling);
        const auto run = [&](const char* name, const auto& call) {
            SameBytes(Text(name, rows, columns), sizes, [&](InUb& ub, uint32_t bytes) {
                auto x = ub.Of(Normal<T>(rows * columns)), gamma = ub.Of(Normal<T>(columns, 1, 2)), beta = ub.Of(Normal<T>(columns, 1, 3));
                auto out = ub.Of(std::vector<T>(rows * columns)), mean = ub.Of(std::vector<T>(rows)), spread = ub.Of(std::vector<T>(rows));
                auto tmp = ub.Tmp(bytes);
                ub.Before();
                call(out, mean, spread, x, gamma, beta, tmp);
                ub.After();
                return All(out, mean, spread);
            });
        };
        run("LayerNorm", [&](auto& out, auto& mean, auto& spread, auto& x, auto& gamma, auto& beta, auto& tmp) {
            LayerNorm<T>(out, mean, spread, x, gamma, beta, tmp, T(1e-3F), tiling);
        });
        GetRmsNormMaxMinTmpSize(shape, sizeof(T), sizes.max, sizes.min);
        RmsNormTiling rms;
        GetRmsNormTilingInfo(shape, shape, sizes.min, sizeof(T), rms);
        run("RmsNorm", [&](auto& out, auto&, auto&, auto& x, auto& gamma, auto&, auto& tmp) {
            RmsNorm<T>(out, x, gamma, tmp, T(1e-3F), rms);
        });
    }
}
TEST(HostSizes, Norms) { Norms<float>(), Norms<half>(); }

TEST(HostSizes, LayerNormWithPara) {
    for (const auto& [rows, columns] : kShapes) {
        Sizes sizes;
        GetLayerNormMaxMinTmpSize(ge::Shape({rows, columns}), 4, false, false, false, sizes.max, sizes.min);
        SameBytes(Text("LayerNorm with para", rows, columns), sizes, [&, rows = rows, columns = columns](InUb& ub, uint32_t bytes) {
            auto x = ub.Of(Normal<float>(rows * columns)), gamma = ub.Of(Normal<float>(columns, 1, 2)), beta = ub.Of(Normal<float>(columns, 1, 3));
            auto out = ub.Of(std::vector<float>(rows * columns)), mean = ub.Of(std::vector<float>(rows)), rstd = ub.Of(std::vector<float>(rows));
            auto tmp = ub.Tmp(bytes);
            ub.Before();
            LayerNorm<float, float>(out, mean, rstd, x, gamma, beta, 1e-3F, tmp, LayerNormPara{rows, columns, columns}, LayerNormSeparateTiling{});
            ub.After();
            return All(out, mean, rstd);
        });
    }
}

TEST(HostSizes, Welford) {
    for (const uint32_t length : {8u, 64u, 520u, 2048u}) {
        Sizes sizes;
        GetWelfordUpdateMaxMinTmpSize(ge::Shape({1, length}), 2, 4, false, false, sizes.max, sizes.min);
        if (length % 16 == 0) SameBytes("WelfordUpdate", sizes, [&](InUb& ub, uint32_t bytes) {
            auto m = ub.Of(Normal<float>(length)), v = ub.Of(Normal<float>(length, 1, 2));
            auto x = ub.Of(Normal<half>(length, 1, 3));
            auto mean = ub.Of(std::vector<float>(length)), variance = ub.Of(std::vector<float>(length));
            auto tmp = ub.Tmp(bytes);
            ub.Before();
            WelfordUpdate<half>(mean, variance, m, v, x, tmp, WelfordUpdateParam{1, length, length, 0.25F});
            ub.After();
            return All(mean, variance);
        });
        GetWelfordFinalizeMaxMinTmpSize(ge::Shape({length}), 4, false, sizes.max, sizes.min);
        SameBytes("WelfordFinalize", sizes, [&](InUb& ub, uint32_t bytes) {
            auto m = ub.Of(Normal<float>(length)), v = ub.Of(Normal<float>(length, 1, 2));
            auto counts = ub.Of(std::vector<int32_t>(length, 3));
            auto mean = ub.Of(std::vector<float>(1)), variance = ub.Of(std::vector<float>(1));
            auto tmp = ub.Tmp(bytes);
            ub.Before();
            WelfordFinalize(mean, variance, m, v, counts, tmp, WelfordFinalizePara{3, length, 0, 0, 0, 0, 0.5F, 0.25F, 0.25F});
            ub.After();
            return All(mean, variance);
        });
    }
}

// The tensors of a reduction around its call.
template <class T, class Call>
void Reduction(const std::string& name, uint32_t rows, uint32_t columns, uint32_t results, const Sizes& sizes,
               const Call& call) {
    const auto run = [&](InUb& ub, uint32_t bytes) {
        auto src = ub.Of(Numbers<T>(uint64_t{rows} * columns, 3, 1.5F));
        auto dst = ub.Of(std::vector<T>(results));
        auto tmp = ub.Tmp(bytes);
        ub.Before();
        call(dst, src, tmp);
        ub.After();
        return All(dst);
    };
    SameBytes(name, sizes, run);
    // With a pattern not on Ascend310P.
    if (!name.starts_with("ReduceSum")) SameBytes(name + " on " + kChips[1], sizes, run, kChips[1]);
}
template <class T>
void Sums() {
    for (const auto& [rows, columns] : kShapes) {
        Sizes sizes;
        GetSumMaxMinTmpSize(columns, sizeof(T), false, sizes.max, sizes.min);
        Reduction<T>(Text("Sum", rows, columns), rows, columns, rows, sizes, [&, r = rows, c = columns](auto& d, auto& s, auto& t) { Sum(d, s, t, SumParams{r, c, c}); });
        GetMeanMaxMinTmpSize(columns, sizeof(T), sizeof(float), false, sizes.max, sizes.min);
        Reduction<T>(Text("Mean", rows, columns), rows, columns, rows, sizes, [&, r = rows, c = columns](auto& d, auto& s, auto& t) { Mean(d, s, t, MeanParams{r, c, c}); });
        for (const bool along : {true, false}) {
            GetCumSumMaxMinTmpSize(ge::Shape({rows, columns}), sizeof(T), along, false, sizes.max, sizes.min);
            Reduction<T>(Text("CumSum", rows, columns), rows, columns, rows * columns + std::max(rows, columns) + 16, sizes, [&, r = rows, c = columns](auto& d, auto& s, auto& t) {
                static constexpr CumSumConfig kAlong{true, false, true}, kDown{false, false, true};
                const LocalTensor<T> last = d[(r * c + 15) / 16 * 16];
                along ? CumSum<T, kAlong>(d, last, s, t, CumSumInfo{r, c}) : CumSum<T, kDown>(d, last, s, t, CumSumInfo{r, c});
            });
        }
    }
}
TEST(HostSizes, Sums) { Sums<float>(), Sums<half>(); }

#define SFUMATO_PATTERNS(Name, T, type)                                                                              \
    for (const auto& [rows, columns] : kShapes) {                                                                    \
        if (columns * sizeof(T) % 32) continue;                                                                      \
        const uint32_t shape[] = {rows, columns};                                                                    \
        Sizes sizes;                                                                                                 \
        Get##Name##MaxMinTmpSize(ge::Shape({rows, columns}), type, ReducePattern::AR, true, false, sizes.max, sizes.min); \
        Reduction<T>(Text(#Name " AR", rows, columns), rows, columns, rows, sizes,                                   \
                     [&](auto& d, auto& s, auto& t) { Name<T, Pattern::Reduce::AR>(d, s, t, shape, true); });        \
        Get##Name##MaxMinTmpSize(ge::Shape({rows, columns}), type, ReducePattern::RA, true, false, sizes.max, sizes.min); \
        Reduction<T>(Text(#Name " RA", rows, columns), rows, columns, columns, sizes,                                \
                     [&](auto& d, auto& s, auto& t) { Name<T, Pattern::Reduce::RA>(d, s, t, shape, true); });        \
    }
TEST(HostSizes, Patterns) {
    SFUMATO_PATTERNS(ReduceSum, float, ge::DT_FLOAT)
    SFUMATO_PATTERNS(ReduceMean, float, ge::DT_FLOAT)
    SFUMATO_PATTERNS(ReduceProd, float, ge::DT_FLOAT)
    SFUMATO_PATTERNS(ReduceMax, float, ge::DT_FLOAT)
    SFUMATO_PATTERNS(ReduceMax, half, ge::DT_FLOAT16)
    SFUMATO_PATTERNS(ReduceMin, half, ge::DT_FLOAT16)
    SFUMATO_PATTERNS(ReduceAny, float, ge::DT_FLOAT)
    SFUMATO_PATTERNS(ReduceAny, uint8_t, ge::DT_UINT8)
    SFUMATO_PATTERNS(ReduceAll, uint8_t, ge::DT_UINT8)
}

}  // namespace
}  // namespace sfumato::adv_test
