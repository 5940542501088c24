// SPDX-License-Identifier: Apache-2.0
// LogSoftMax, the variants of LayerNorm, its gradients, Pad and UnPad with exactly the bytes and the tilings that the
// host's functions give.
#include "frontends/adv/host_sizes.h"

namespace sfumato::adv_test {
namespace {

std::string Text(const char* name, uint32_t rows, uint32_t columns) {
    return std::string(name) + " of " + std::to_string(rows) + " x " + std::to_string(columns);
}
template <class T>
std::vector<uint8_t> Both(const LocalTensor<T>& a, const LocalTensor<T>& b) {
    auto bytes = BytesOf(a);
    const auto more = BytesOf(b);
    bytes.insert(bytes.end(), more.begin(), more.end());
    return bytes;
}
constexpr std::pair<uint32_t, uint32_t> kShapes[] = {{1, 16}, {21, 64}, {13, 16}, {5, 128}, {3, 1008}, {2, 2032}};

template <class T>
void Rows() {
    for (const auto& [rows, columns] : kShapes) {
        const ge::Shape shape({rows, 1, columns});
        const auto x = Normal<T>(rows * columns), factors = Normal<T>(columns, 1, 2);
        const uint32_t n = rows, h = columns;
        Sizes sizes;
        EXPECT_TRUE(GetDeepNormMaxMinTmpSize(shape, sizeof(T), false, false, sizes.max, sizes.min));
        DeepNormTiling deep;
        EXPECT_TRUE(GetDeepNormTilingInfo(shape, shape, sizes.min, sizeof(T), false, false, deep));
        SameBytes(Text("DeepNorm", n, h), sizes, [&](InUb& ub, uint32_t bytes) {
            auto src = ub.Of(x), gamma = ub.Of(factors), dst = ub.Of(std::vector<T>(n * h));
            auto mean = ub.Room<T>(n), variance = ub.Room<T>(n);
            auto tmp = ub.Tmp(bytes);
            ub.Before();
            DeepNorm<T>(dst, mean, variance, src, src, gamma, gamma, tmp, T(1.5F), T(1e-3F), deep);
            ub.After();
            return Both(dst, mean);
        });
        GetNormalizeMaxMinTmpSize(ge::Shape({n, h}), sizeof(T), sizeof(T), false, true, false, sizes.max, sizes.min);
        SameBytes(Text("Normalize", n, h), sizes, [&](InUb& ub, uint32_t bytes) {
            auto src = ub.Of(x), gamma = ub.Of(factors), dst = ub.Of(std::vector<T>(n * h));
            auto given = ub.Of(std::vector<float>(n, 1.5F)), rstd = ub.Room<float>(n);
            auto tmp = ub.Tmp(bytes);
            ub.Before();
            Normalize<T, T>(dst, rstd, given, given, src, gamma, gamma, tmp, 1e-3F, NormalizePara{n, h, h});
            ub.After();
            return BytesOf(dst);
        });
        EXPECT_TRUE(GetBatchNormMaxMinTmpSize(shape, shape, sizeof(T), false, sizes.max, sizes.min));
        BatchNormTiling batch;
        EXPECT_TRUE(GetBatchNormNDTilingInfo(shape, shape, sizes.min, sizeof(T), false, batch));
        SameBytes(Text("BatchNorm", n, h), sizes, [&](InUb& ub, uint32_t bytes) {
            auto src = ub.Of(x), gamma = ub.Of(Normal<T>(n, 1, 3)), dst = ub.Of(std::vector<T>(n * h));
            auto mean = ub.Room<T>(h), variance = ub.Room<T>(h);
            auto tmp = ub.Tmp(bytes);
            ub.Before();
            BatchNorm<T>(dst, mean, variance, src, gamma, gamma, tmp, T(1e-3F), batch);
            ub.After();
            return Both(dst, variance);
        });
    }
}

TEST(HostSizes, NormVariants) { Rows<float>(), Rows<half>(); }

template <class T>
void Groups() {
    for (const uint32_t d : {1u, 3u, 8u, 50u}) {
        const ge::Shape shape({2, 3 * d, 4, 8});
        Sizes sizes;
        GetGroupNormMaxMinTmpSize(shape, sizeof(T), false, 3, sizes.max, sizes.min);
        GroupNormTiling tiling;
        GetGroupNormNDTilingInfo(shape, sizes.min, sizeof(T), false, 3, tiling);
        SameBytes(Text("GroupNorm", 6, d), sizes, [&](InUb& ub, uint32_t bytes) {
            auto src = ub.Of(Normal<T>(192 * d)), gamma = ub.Of(Normal<T>(3 * d, 1, 3));
            auto dst = ub.Of(std::vector<T>(192 * d)), mean = ub.Room<T>(6), variance = ub.Room<T>(6);
            auto tmp = ub.Tmp(bytes);
            ub.Before();
            GroupNorm<T>(dst, mean, variance, src, gamma, gamma, tmp, T(1e-3F), tiling);
            ub.After();
            return Both(dst, mean);
        });
    }
}

TEST(HostSizes, GroupNorm) { Groups<float>(), Groups<half>(); }

template <class T>
void Gradients() {
    for (const auto& [rows, columns] : kShapes) {
        const uint32_t n = rows, h = columns;
        const ge::Shape shape({1, n, h, h});
        const auto x = Normal<T>(n * h), dy = Normal<T>(n * h, 1, 2);
        Sizes sizes;
        GetLayerNormGradMaxMinTmpSize(shape, sizeof(T), false, sizes.max, sizes.min);
        LayerNormGradTiling tiling;
        GetLayerNormGradNDTilingInfo(shape, sizes.min / sizeof(T), sizeof(T), false, tiling);
        SameBytes(Text("LayerNormGrad", n, h), sizes, [&](InUb& ub, uint32_t bytes) {
            auto in_x = ub.Of(x), in_dy = ub.Of(dy), gamma = ub.Of(Normal<T>(h, 1, 3));
            auto given = ub.Of(std::vector<T>(n, T(1.5F))), pd_x = ub.Of(x), res = ub.Of(x);
            auto tmp = ub.Tmp(bytes);
            ub.Before();
            LayerNormGrad<T>(pd_x, res, in_dy, in_x, given, given, gamma, tmp, T(1e-3F), tiling);
            ub.After();
            return Both(pd_x, res);
        });
        GetLayerNormGradBetaMaxMinTmpSize(shape, sizeof(T), false, sizes.max, sizes.min);
        LayerNormGradBetaTiling beta;
        GetLayerNormGradBetaNDTilingInfo(shape, sizes.min / sizeof(T), sizeof(T), false, beta);
        SameBytes(Text("LayerNormGradBeta", n, h), sizes, [&](InUb& ub, uint32_t bytes) {
            auto in_x = ub.Of(x), in_dy = ub.Of(dy), pd_gamma = ub.Room<T>(h), pd_beta = ub.Room<T>(h);
            auto tmp = ub.Tmp(bytes);
            ub.Before();
            LayerNormGradBeta<T>(pd_gamma, pd_beta, in_x, in_dy, tmp, beta);
            ub.After();
            return Both(pd_gamma, pd_beta);
        });
    }
}

TEST(HostSizes, NormGradients) { Gradients<float>(), Gradients<half>(); }

template <class T, bool nz>
void LogSoftMaxCalls() {
    for (const auto& [rows, columns] : kShapes) {
        const uint32_t m = rows, k = columns;
        const ge::Shape shape({m, k});
        const Sizes sizes{GetLogSoftMaxMaxTmpSize(shape, sizeof(T), false),
                          GetLogSoftMaxMinTmpSize(shape, sizeof(T), false)};
        LogSoftMaxTiling tiling;
        LogSoftMaxTilingFunc(shape, sizeof(T), sizes.min, tiling);
        SameBytes(Text("LogSoftMax", m, k), sizes, [&](InUb& ub, uint32_t bytes) {
            auto src = ub.Of(Normal<T>(m * k)), dst = ub.Of(std::vector<T>(m * k));
            auto sum = ub.Room<T>(m * 32 / sizeof(T)), max = ub.Room<T>(m * 32 / sizeof(T));
            auto tmp = ub.Tmp(bytes);
            ub.Before();
            LogSoftMax<T, false, nz>(dst, sum, max, src, tmp, tiling);
            ub.After();
            return Both(dst, sum);
        });
    }
}

TEST(HostSizes, LogSoftMax) {
    LogSoftMaxCalls<float, false>(), LogSoftMaxCalls<half, false>();
    LogSoftMaxCalls<float, true>(), LogSoftMaxCalls<half, true>();
}

TEST(HostSizes, PadAndUnPad) {
    fe::PlatFormInfos info{"Ascend910B1"};
    const platform_ascendc::PlatformAscendC platform(&info);
    Sizes sizes;
    const ge::Shape narrow({320, 63}), wide({320, 64});
    GetPadMaxMinTmpSize(narrow, 2, sizes.max, sizes.min);
    PadTiling pad;
    PadTilingFunc(narrow, narrow, sizes.min, 2, pad);
    SameBytes("Pad", sizes, [&](InUb& ub, uint32_t bytes) {
        auto src = ub.Of(Normal<half>(320 * 63)), dst = ub.Room<half>(320 * 64);
        auto tmp = ub.Tmp(bytes);
        ub.Before();
        Pad(dst, src, PadParams{0, 1, 7}, tmp, pad);
        ub.After();
        return BytesOf(dst);
    });
    GetUnPadMaxMinTmpSize(platform, wide, 2, sizes.max, sizes.min);
    UnPadTiling unpad;
    UnPadTilingFunc(wide, sizes.min, 2, unpad);
    SameBytes("UnPad", sizes, [&](InUb& ub, uint32_t bytes) {
        auto src = ub.Of(Normal<half>(320 * 64)), dst = ub.Room<half>(320 * 63);
        auto tmp = ub.Tmp(bytes);
        ub.Before();
        UnPad(dst, src, UnPadParams{0, 1}, tmp, unpad);
        ub.After();
        return BytesOf(dst);
    });
}

}  // namespace
}  // namespace sfumato::adv_test
