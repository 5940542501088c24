// SPDX-License-Identifier: Apache-2.0
// LayerNormGrad and LayerNormGradBeta: the gradients of LayerNorm's inputs (adv.md 7).
#pragma once

#include "sfumato/ascendc/adv/normal.h"

namespace AscendC {

struct LayerNormGradShapeInfo {
    DataFormat dataFormat = DataFormat::ND;
};

}  // namespace AscendC

namespace sfumato::ascendc {

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

namespace AscendC {

// outputPdX: the gradient of inputX; resForGamma: (inputX - inputMean) / sqrt(inputVariance + epsilon).
#define SFUMATO_LAYER_NORM_GRAD(Tmp, lent)                                                                            \
    template <class T, bool isReuseSource = false>                                                                    \
    void LayerNormGrad(const LocalTensor<T>& outputPdX, const LocalTensor<T>& resForGamma,                            \
                       const LocalTensor<T>& inputDy, const LocalTensor<T>& inputX,                                   \
                       const LocalTensor<T>& inputVariance, const LocalTensor<T>& inputMean,                          \
                       const LocalTensor<T>& inputGamma, SFUMATO_ONLY Tmp const std::type_identity_t<T> epsilon,      \
                       const LayerNormGradTiling& tiling, const LayerNormGradShapeInfo& shapeInfo = {}, SFUMATO_AT) { \
        sfumato_::RequireNormType<T>(where);                                                                          \
        sfumato_::NormGradientCall call;                                                                              \
        call.pd_x = sfumato_::Operand(outputPdX);                                                                     \
        call.res_for_gamma = sfumato_::Operand(resForGamma);                                                          \
        call.dy = sfumato_::Operand(inputDy);                                                                         \
        call.x = sfumato_::Operand(inputX);                                                                           \
        call.variance = sfumato_::Operand(inputVariance);                                                             \
        call.mean = sfumato_::Operand(inputMean);                                                                     \
        call.gamma = sfumato_::Operand(inputGamma);                                                                   \
        call.tmp = lent;                                                                                              \
        call.rows = tiling.bLength * tiling.sLength;                                                                  \
        call.columns = tiling.hLength;                                                                                \
        call.before_padding = tiling.originalHLength;                                                                 \
        call.epsilon = static_cast<float>(epsilon);                                                                   \
        call.format = shapeInfo.dataFormat;                                                                           \
        call.reuses = isReuseSource;                                                                                  \
        call.where = where;                                                                                           \
        sfumato_::NormGradient(call);                                                                                 \
    }
SFUMATO_LENT(SFUMATO_LAYER_NORM_GRAD)
#undef SFUMATO_LAYER_NORM_GRAD

// Down the rows: outputPdGamma the sum of inputDy resForGamma, outputPdBeta that of inputDy.
#define SFUMATO_LAYER_NORM_GRAD_BETA(Tmp, lent)                                                     \
    template <class T, bool isReuseSource = false>                                                  \
    void LayerNormGradBeta(const LocalTensor<T>& outputPdGamma, const LocalTensor<T>& outputPdBeta, \
                           const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,        \
                           SFUMATO_ONLY Tmp const LayerNormGradBetaTiling& tiling, SFUMATO_AT) {    \
        sfumato_::RequireNormType<T>(where);                                                        \
        sfumato_::NormGradientCall call;                                                            \
        call.pd_gamma = sfumato_::Operand(outputPdGamma);                                           \
        call.pd_beta = sfumato_::Operand(outputPdBeta);                                             \
        call.res_for_gamma = sfumato_::Operand(resForGamma);                                        \
        call.dy = sfumato_::Operand(inputDy);                                                       \
        call.tmp = lent;                                                                            \
        call.rows = tiling.bLength * tiling.sLength;                                                \
        call.columns = tiling.hLength;                                                              \
        call.before_padding = tiling.originalHLength;                                               \
        call.reuses = isReuseSource;                                                                \
        call.where = where;                                                                         \
        sfumato_::NormGradientBeta(call);                                                           \
    }
SFUMATO_LENT(SFUMATO_LAYER_NORM_GRAD_BETA)
#undef SFUMATO_LAYER_NORM_GRAD_BETA

}  // namespace AscendC
