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
template <class T, bool isReuseSource = false>
void LayerNormGrad(const LocalTensor<T>& outputPdX, const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,
                   const LocalTensor<T>& inputX, const LocalTensor<T>& inputVariance, const LocalTensor<T>& inputMean,
                   const LocalTensor<T>& inputGamma, const sfumato::ascendc::Lent& sharedTmpBuffer,
                   const std::type_identity_t<T> epsilon, const LayerNormGradTiling& tiling,
                   const LayerNormGradShapeInfo& shapeInfo = {}, SFUMATO_AT) {
    sfumato::ascendc::RequireNormType<T>();
    sfumato::ascendc::NormGradientCall call;
    call.pd_x = sfumato::ascendc::Operand(outputPdX);
    call.res_for_gamma = sfumato::ascendc::Operand(resForGamma);
    call.dy = sfumato::ascendc::Operand(inputDy);
    call.x = sfumato::ascendc::Operand(inputX);
    call.variance = sfumato::ascendc::Operand(inputVariance);
    call.mean = sfumato::ascendc::Operand(inputMean);
    call.gamma = sfumato::ascendc::Operand(inputGamma);
    call.tmp = sharedTmpBuffer;
    call.rows = tiling.bLength * tiling.sLength;
    call.columns = tiling.hLength;
    call.before_padding = tiling.originalHLength;
    call.epsilon = static_cast<float>(epsilon);
    call.format = shapeInfo.dataFormat;
    call.reuses = isReuseSource;
    call.where = where;
    sfumato::ascendc::NormGradient(call);
}
template <class T, bool isReuseSource = false>
void LayerNormGrad(const LocalTensor<T>& outputPdX, const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,
                   const LocalTensor<T>& inputX, const LocalTensor<T>& inputVariance, const LocalTensor<T>& inputMean,
                   const LocalTensor<T>& inputGamma, const std::type_identity_t<T> epsilon,
                   const LayerNormGradTiling& tiling, const LayerNormGradShapeInfo& shapeInfo = {}, SFUMATO_AT) {
    LayerNormGrad<T, isReuseSource>(outputPdX, resForGamma, inputDy, inputX, inputVariance, inputMean, inputGamma,
                                    sfumato::ascendc::Lent{}, epsilon, tiling, shapeInfo, where);
}

// Down the rows: outputPdGamma the sum of inputDy resForGamma, outputPdBeta that of inputDy.
template <class T, bool isReuseSource = false>
void LayerNormGradBeta(const LocalTensor<T>& outputPdGamma, const LocalTensor<T>& outputPdBeta,
                       const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,
                       const sfumato::ascendc::Lent& sharedTmpBuffer, const LayerNormGradBetaTiling& tiling,
                       SFUMATO_AT) {
    sfumato::ascendc::RequireNormType<T>();
    sfumato::ascendc::NormGradientCall call;
    call.pd_gamma = sfumato::ascendc::Operand(outputPdGamma);
    call.pd_beta = sfumato::ascendc::Operand(outputPdBeta);
    call.res_for_gamma = sfumato::ascendc::Operand(resForGamma);
    call.dy = sfumato::ascendc::Operand(inputDy);
    call.tmp = sharedTmpBuffer;
    call.rows = tiling.bLength * tiling.sLength;
    call.columns = tiling.hLength;
    call.before_padding = tiling.originalHLength;
    call.reuses = isReuseSource;
    call.where = where;
    sfumato::ascendc::NormGradientBeta(call);
}
template <class T, bool isReuseSource = false>
void LayerNormGradBeta(const LocalTensor<T>& outputPdGamma, const LocalTensor<T>& outputPdBeta,
                       const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,
                       const LayerNormGradBetaTiling& tiling, SFUMATO_AT) {
    LayerNormGradBeta<T, isReuseSource>(outputPdGamma, outputPdBeta, resForGamma, inputDy, sfumato::ascendc::Lent{},
                                        tiling, where);
}

}  // namespace AscendC
