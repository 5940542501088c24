// SPDX-License-Identifier: Apache-2.0
// LayerNorm, RmsNorm and Welford's method (adv.md 7): checks of types, and a plain struct for the library.
#pragma once

#include <type_traits>

#include "sfumato/ascendc/adv/call.h"
#include "sfumato/tiling/vector_tiling.h"

namespace AscendC {

struct LayerNormConfig {
    bool isNoBeta = false, isNoGamma = false, isOnlyOutput = false, isOutputRstd = true;
};
inline constexpr LayerNormConfig LNCFG_NORM = {};
struct LayerNormPara {
    uint32_t aLength = 0, rLength = 0, rLengthWithPadding = 0;
};
struct WelfordUpdateConfig {
    bool isInplace = false;
};
inline constexpr WelfordUpdateConfig WFUPDATE_DEFAULT_CFG = {};
struct WelfordUpdateParam {
    uint32_t rnLength = 1, abLength = 0, abComputeLength = 0;
    float nRec = 0;
};
struct WelfordFinalizeConfig {
    bool isCorrection = false;
};
inline constexpr WelfordFinalizeConfig WFFINALIZE_DEFAULT_CFG = {};
struct WelfordFinalizePara {
    uint32_t rnLength = 0, abLength = 0, headCount = 0, headCountLength = 0, tailCount = 0, tailCountLength = 0;
    float abRec = 0, rRec = 0, rRecWithCorrection = 0;
};

}  // namespace AscendC

namespace sfumato::ascendc {

enum class NormKind : uint8_t { kLayerNorm, kRmsNorm, kLayerNormRstd, kDeepNorm, kNormalize, kGroupNorm };
// Rows of `columns` elements, `pitch` apart. mean, variance: an element a row; kLayerNormRstd puts 1 / standard
// deviation in place of the variance. Null tensors are not there.
struct NormCall {
    NormKind kind = NormKind::kLayerNorm;
    VectorOperand dst, src, gamma, beta, mean, variance;
    VectorOperand added, rstd;  // kDeepNorm: norms alpha src + added; kNormalize: has mean and variance, puts rstd
    Lent tmp;
    uint32_t rows = 0, columns = 0, pitch = 0;
    uint32_t groups = 0, channels = 0;  // kGroupNorm: rows of `channels` with a gamma each, the same in `groups` rows
    int32_t rows_of_config = -1;        // kNormalize: that it promises
    float epsilon = 0, alpha = 0;
    bool basic_block = false;  // kDeepNorm
    bool reuses = false;       // isReuseSource: src may be overwritten
    Where where;
};
SFUMATO_API void NormalizeRows(const NormCall& call);

struct WelfordCall {
    VectorOperand mean, variance, in_mean, in_variance, src, counts;  // counts: null when there are none
    Lent tmp;
    bool in_place = false, correction = false;
    bool reuses = false;  // isReuseSource: of the update src, of the end in_mean and in_variance may be overwritten
    AscendC::WelfordUpdateParam update;
    AscendC::WelfordFinalizePara finalize;
    Where where;
};
SFUMATO_API void UpdateWelford(const WelfordCall& call);
SFUMATO_API void FinalizeWelford(const WelfordCall& call);

template <class T>
WelfordCall WelfordOf(const AscendC::LocalTensor<T>& mean, const AscendC::LocalTensor<T>& variance,
                      const AscendC::LocalTensor<T>& in_mean, const AscendC::LocalTensor<T>& in_variance,
                      const Lent& tmp, bool reuses, Where where) {
    WelfordCall call{Operand(mean), Operand(variance), Operand(in_mean), Operand(in_variance)};
    call.tmp = tmp;
    call.reuses = reuses;
    call.where = where;
    return call;
}

template <class T>
void RequireNormType([[maybe_unused]] Where where) {
    SFUMATO_TYPES(T, "norms: the elements are half or float", std::is_same_v<T, half> || std::is_same_v<T, float>);
}

template <class T>
NormCall NormOf(NormKind kind, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, const Lent& tmp,
                uint32_t rows, uint32_t columns, uint32_t pitch, float epsilon, Where where) {
    RequireNormType<T>(where);
    NormCall call;
    call.kind = kind;
    call.dst = Operand(dst);
    call.src = Operand(src);
    call.tmp = tmp;
    call.rows = rows;
    call.columns = columns;
    call.pitch = pitch;
    call.epsilon = epsilon;
    call.where = where;
    return call;
}

}  // namespace sfumato::ascendc

namespace AscendC {

#define SFUMATO_NORM(Tmp, lent)                                                                                       \
    template <class T, bool isBasicBlock = false>                                                                     \
    void RmsNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const LocalTensor<T>& gammaLocal,    \
                 SFUMATO_ONLY Tmp const std::type_identity_t<T> epsilon, const RmsNormTiling& tiling, SFUMATO_AT) {   \
        auto call =                                                                                                   \
            sfumato_::NormOf(sfumato_::NormKind::kRmsNorm, dstLocal, srcLocal, lent, tiling.bLength * tiling.sLength, \
                             tiling.originalHLength, tiling.hLength, static_cast<float>(epsilon), where);             \
        call.gamma = sfumato_::Operand(gammaLocal);                                                                   \
        sfumato_::NormalizeRows(call);                                                                                \
    }                                                                                                                 \
    template <class T, bool isReuseSource = false>                                                                    \
    void LayerNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,                                    \
                   const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX, const LocalTensor<T>& gamma,   \
                   const LocalTensor<T>& beta, SFUMATO_ONLY Tmp const std::type_identity_t<T> epsilon,                \
                   const LayerNormTiling& tiling, SFUMATO_AT) {                                                       \
        auto call =                                                                                                   \
            sfumato_::NormOf(sfumato_::NormKind::kLayerNorm, output, inputX, lent, tiling.bLength * tiling.sLength,   \
                             tiling.originalHLength, tiling.hLength, static_cast<float>(epsilon), where);             \
        call.gamma = sfumato_::Operand(gamma);                                                                        \
        call.beta = sfumato_::Operand(beta);                                                                          \
        call.mean = sfumato_::Operand(outputMean);                                                                    \
        call.variance = sfumato_::Operand(outputVariance);                                                            \
        call.reuses = isReuseSource;                                                                                  \
        sfumato_::NormalizeRows(call);                                                                                \
    }                                                                                                                 \
    template <class U, class T, bool isReuseSource = false, LayerNormConfig config = LNCFG_NORM>                      \
    void LayerNorm(const LocalTensor<T>& output, const LocalTensor<float>& outputMean,                                \
                   const LocalTensor<float>& outputRstd, const LocalTensor<T>& inputX, const LocalTensor<U>& gamma,   \
                   const LocalTensor<U>& beta, const float epsilon, SFUMATO_ONLY Tmp const LayerNormPara& para,       \
                   const LayerNormSeparateTiling&, SFUMATO_AT) {                                                      \
        static_assert(config.isOutputRstd, "LayerNorm: isOutputRstd is true");                                        \
        sfumato_::RequireNormType<U>(where);                                                                          \
        auto call = sfumato_::NormOf(sfumato_::NormKind::kLayerNormRstd, output, inputX, lent, para.aLength,          \
                                     para.rLength, para.rLengthWithPadding, epsilon, where);                          \
        if (!config.isNoGamma) call.gamma = sfumato_::Operand(gamma);                                                 \
        if (!config.isNoBeta) call.beta = sfumato_::Operand(beta);                                                    \
        if (!config.isOnlyOutput) {                                                                                   \
            call.mean = sfumato_::Operand(outputMean);                                                                \
            call.variance = sfumato_::Operand(outputRstd);                                                            \
        }                                                                                                             \
        call.reuses = isReuseSource;                                                                                  \
        sfumato_::NormalizeRows(call);                                                                                \
    }
SFUMATO_LENT(SFUMATO_NORM)
#undef SFUMATO_NORM

#define SFUMATO_WELFORD(Tmp, lent)                                                                                     \
    template <class T, class U = float, bool isReuseSource = false, WelfordUpdateConfig config = WFUPDATE_DEFAULT_CFG> \
    void WelfordUpdate(const LocalTensor<U>& outputMean, const LocalTensor<U>& outputVariance,                         \
                       const LocalTensor<U>& inputMean, const LocalTensor<U>& inputVariance,                           \
                       const LocalTensor<T>& inputX, SFUMATO_ONLY Tmp const WelfordUpdateParam& para, SFUMATO_AT) {    \
        sfumato_::RequireNormType<T>(where);                                                                           \
        SFUMATO_TYPES(U, "WelfordUpdate: mean and variance are float", std::is_same_v<U, float>);                      \
        auto call =                                                                                                    \
            sfumato_::WelfordOf(outputMean, outputVariance, inputMean, inputVariance, lent, isReuseSource, where);     \
        call.src = sfumato_::Operand(inputX);                                                                          \
        call.in_place = config.isInplace;                                                                              \
        call.update = para;                                                                                            \
        sfumato_::UpdateWelford(call);                                                                                 \
    }                                                                                                                  \
    template <bool isReuseSource = false, WelfordFinalizeConfig config = WFFINALIZE_DEFAULT_CFG>                       \
    void WelfordFinalize(const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,               \
                         const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,                 \
                         const LocalTensor<int32_t>& counts, SFUMATO_ONLY Tmp const WelfordFinalizePara& para,         \
                         SFUMATO_AT) {                                                                                 \
        auto call =                                                                                                    \
            sfumato_::WelfordOf(outputMean, outputVariance, inputMean, inputVariance, lent, isReuseSource, where);     \
        call.counts = sfumato_::Operand(counts);                                                                       \
        call.correction = config.isCorrection;                                                                         \
        call.finalize = para;                                                                                          \
        sfumato_::FinalizeWelford(call);                                                                               \
    }                                                                                                                  \
    template <bool isReuseSource = false, WelfordFinalizeConfig config = WFFINALIZE_DEFAULT_CFG>                       \
    void WelfordFinalize(const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,               \
                         const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,                 \
                         SFUMATO_ONLY Tmp const WelfordFinalizePara& para, SFUMATO_AT) {                               \
        auto call =                                                                                                    \
            sfumato_::WelfordOf(outputMean, outputVariance, inputMean, inputVariance, lent, isReuseSource, where);     \
        call.correction = config.isCorrection;                                                                         \
        call.finalize = para;                                                                                          \
        sfumato_::FinalizeWelford(call);                                                                               \
    }
SFUMATO_LENT(SFUMATO_WELFORD)
#undef SFUMATO_WELFORD

}  // namespace AscendC
