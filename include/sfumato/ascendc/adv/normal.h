// SPDX-License-Identifier: Apache-2.0
// Norms, their gradients and Welford's method (adv.md 7): what their calls (calls/normal.txt) hand to the library.
#pragma once

#include "sfumato/ascendc/adv/call.h"
#include "sfumato/tiling/reduce_pattern.h"
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
struct LayerNormGradShapeInfo {
    DataFormat dataFormat = DataFormat::ND;
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
    SFUMATO_TYPES(T, "norms: the elements are half or float", kOneOf<T, half, float>);
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

// Rows of `columns` elements. mean, variance: an element a row; gamma, pd_gamma, pd_beta: one row.
struct NormGradientCall {
    VectorOperand pd_x, res_for_gamma, dy, x, variance, mean, gamma;
    VectorOperand pd_gamma, pd_beta;
    Lent tmp;
    uint32_t rows = 0, columns = 0, before_padding = 0;
    float epsilon = 0;
    AscendC::DataFormat format = AscendC::DataFormat::ND;
    // isReuseSource: x, of the beta call res_for_gamma and dy may be overwritten. dy stays what it is before that call,
    // which takes it too (decided).
    bool reuses = false;
    Where where;
};
SFUMATO_API void NormGradient(const NormGradientCall& call);
SFUMATO_API void NormGradientBeta(const NormGradientCall& call);

}  // namespace sfumato::ascendc

#include "sfumato/ascendc/calls/normal.h"
