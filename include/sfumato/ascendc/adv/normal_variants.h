// SPDX-License-Identifier: Apache-2.0
// DeepNorm, Normalize, GroupNorm and BatchNorm (adv.md 7): LayerNorm of a sum, with known moments, of groups of
// channels and down the batch.
#pragma once

#include "sfumato/ascendc/adv/normal.h"
#include "sfumato/tiling/reduce_pattern.h"

namespace AscendC {

struct NormalizeConfig {
    ReducePattern reducePattern = ReducePattern::AR;
    int32_t aLength = -1;
    bool isNoBeta = false, isNoGamma = false, isOnlyOutput = false;
};
inline constexpr NormalizeConfig NLCFG_NORM = {};
inline constexpr NormalizeConfig NLCFG_NOBETA = {ReducePattern::AR, -1, true, false, false};
inline constexpr NormalizeConfig NLCFG_NOGAMMA = {ReducePattern::AR, -1, false, true, false};
inline constexpr NormalizeConfig NLCFG_NOOPT = {ReducePattern::AR, -1, true, true, false};
struct NormalizePara {
    uint32_t aLength = 0, rLength = 0, rLengthWithPadding = 0;
};

}  // namespace AscendC

namespace sfumato::ascendc {

// `rows` rows of `columns` elements; mean and variance: a row each; gamma, beta: an element a row.
struct BatchNormCall {
    VectorOperand dst, src, gamma, beta, mean, variance;
    Lent tmp;
    uint32_t rows = 0, columns = 0;
    float epsilon = 0;
    bool basic_block = false;
    Where where;
    bool reuses = false;  // isReuseSource: src may be overwritten
};
SFUMATO_API void NormalizeBatch(const BatchNormCall& call);

}  // namespace sfumato::ascendc

namespace AscendC {

// dstLocal = LayerNorm of alpha srcLocal + gxLocal. rstdLocal gets the variance, as its page says.
#define SFUMATO_DEEP_NORM(Tmp, tmp)                                                                                   \
    template <class T, bool isReuseSrc = false, bool isBasicBlock = false>                                            \
    void DeepNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& meanLocal, const LocalTensor<T>& rstdLocal,   \
                  const LocalTensor<T>& srcLocal, const LocalTensor<T>& gxLocal, const LocalTensor<T>& betaLocal,     \
                  const LocalTensor<T>& gammaLocal, SFUMATO_ONLY Tmp const std::type_identity_t<T> alpha,             \
                  const std::type_identity_t<T> epsilon, const DeepNormTiling& tiling, SFUMATO_AT) {                  \
        auto call =                                                                                                   \
            sfumato_::NormOf(sfumato_::NormKind::kDeepNorm, dstLocal, srcLocal, tmp, tiling.bLength * tiling.sLength, \
                             tiling.originalHLength, tiling.hLength, static_cast<float>(epsilon), where);             \
        call.added = sfumato_::Operand(gxLocal);                                                                      \
        call.gamma = sfumato_::Operand(gammaLocal);                                                                   \
        call.beta = sfumato_::Operand(betaLocal);                                                                     \
        call.mean = sfumato_::Operand(meanLocal);                                                                     \
        call.variance = sfumato_::Operand(rstdLocal);                                                                 \
        call.alpha = static_cast<float>(alpha);                                                                       \
        call.basic_block = isBasicBlock;                                                                              \
        call.reuses = isReuseSrc;                                                                                     \
        sfumato_::NormalizeRows(call);                                                                                \
    }
SFUMATO_LENT(SFUMATO_DEEP_NORM)
#undef SFUMATO_DEEP_NORM

// output = (inputX - inputMean) gamma / sqrt(inputVariance + epsilon) + beta, and outputRstd.
#define SFUMATO_NORMALIZE(Tmp, tmp)                                                                                   \
    template <class U, class T, bool isReuseSource = false, NormalizeConfig config = NLCFG_NORM>                      \
    void Normalize(const LocalTensor<T>& output, const LocalTensor<float>& outputRstd,                                \
                   const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,                      \
                   const LocalTensor<T>& inputX, const LocalTensor<U>& gamma, const LocalTensor<U>& beta,             \
                   SFUMATO_ONLY Tmp const float epsilon, const NormalizePara& para, SFUMATO_AT) {                     \
        static_assert(config.reducePattern == ReducePattern::AR && !config.isOnlyOutput,                              \
                      "Normalize: reducePattern is AR and isOnlyOutput false");                                       \
        SFUMATO_TYPES(U, "Normalize: gamma and beta have the type of inputX, or float",                               \
                      std::is_same_v<U, T> || std::is_same_v<U, float>);                                              \
        auto call = sfumato_::NormOf(sfumato_::NormKind::kNormalize, output, inputX, tmp, para.aLength, para.rLength, \
                                     para.rLengthWithPadding, epsilon, where);                                        \
        call.rows_of_config = config.aLength;                                                                         \
        if (!config.isNoGamma) call.gamma = sfumato_::Operand(gamma);                                                 \
        if (!config.isNoBeta) call.beta = sfumato_::Operand(beta);                                                    \
        call.mean = sfumato_::Operand(inputMean);                                                                     \
        call.variance = sfumato_::Operand(inputVariance);                                                             \
        call.rstd = sfumato_::Operand(outputRstd);                                                                    \
        call.reuses = isReuseSource;                                                                                  \
        sfumato_::NormalizeRows(call);                                                                                \
    }
SFUMATO_LENT(SFUMATO_NORMALIZE)
#undef SFUMATO_NORMALIZE

// Of [N, C, H, W]: each of the groups of channels of a sample by its mean and variance, a gamma and beta a channel.
#define SFUMATO_GROUP_NORM(Tmp, tmp)                                                                                \
    template <class T, bool isReuseSource = false>                                                                  \
    void GroupNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,                                  \
                   const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX, const LocalTensor<T>& gamma, \
                   const LocalTensor<T>& beta, SFUMATO_ONLY Tmp const std::type_identity_t<T> epsilon,              \
                   const GroupNormTiling& tiling, SFUMATO_AT) {                                                     \
        const uint32_t columns = tiling.d * tiling.hw;                                                              \
        auto call = sfumato_::NormOf(sfumato_::NormKind::kGroupNorm, output, inputX, tmp, tiling.n * tiling.g,      \
                                     columns, columns, static_cast<float>(epsilon), where);                         \
        call.gamma = sfumato_::Operand(gamma);                                                                      \
        call.beta = sfumato_::Operand(beta);                                                                        \
        call.mean = sfumato_::Operand(outputMean);                                                                  \
        call.variance = sfumato_::Operand(outputVariance);                                                          \
        call.groups = tiling.g;                                                                                     \
        call.channels = tiling.d;                                                                                   \
        call.reuses = isReuseSource;                                                                                \
        sfumato_::NormalizeRows(call);                                                                              \
    }
SFUMATO_LENT(SFUMATO_GROUP_NORM)
#undef SFUMATO_GROUP_NORM

// Of [B, S, H]: each element of [S, H] by its mean and variance over B, a gamma and beta a batch.
#define SFUMATO_BATCH_NORM(Tmp, tmp)                                                                                  \
    template <class T, bool isReuseSource = false, bool isBasicBlock = false>                                         \
    void BatchNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,                                    \
                   const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX, const LocalTensor<T>& gamm,    \
                   const LocalTensor<T>& beta, SFUMATO_ONLY Tmp const std::type_identity_t<T> epsilon,                \
                   const BatchNormTiling& tiling, SFUMATO_AT) {                                                       \
        sfumato_::RequireNormType<T>(where);                                                                          \
        sfumato_::NormalizeBatch({sfumato_::Operand(output), sfumato_::Operand(inputX), sfumato_::Operand(gamm),      \
                                  sfumato_::Operand(beta), sfumato_::Operand(outputMean),                             \
                                  sfumato_::Operand(outputVariance), tmp, tiling.originalBLength, tiling.meanVarSize, \
                                  static_cast<float>(epsilon), isBasicBlock, where, isReuseSource});                  \
    }
SFUMATO_LENT(SFUMATO_BATCH_NORM)
#undef SFUMATO_BATCH_NORM

}  // namespace AscendC
