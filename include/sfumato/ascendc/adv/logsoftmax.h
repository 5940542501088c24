// SPDX-License-Identifier: Apache-2.0
// LogSoftMax (adv.md 4.2): SoftMax and the logarithm to base 10 of it.
#pragma once

#include "sfumato/ascendc/adv/softmax.h"

namespace AscendC {

// sum and max: a block of 32 bytes a row, all of its elements the value.
template <class T, bool isReuseSource = false, bool isDataFormatNZ = false>
void LogSoftMax(const LocalTensor<T>& dst, const LocalTensor<T>& sum, const LocalTensor<T>& max,
                const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer, const LogSoftMaxTiling& tiling,
                const SoftMaxShapeInfo& softmaxShapeInfo = {}, SFUMATO_AT) {
    sfumato_::RequireSoftmaxTypes<T, T>(where);
    SoftMaxTiling rows;
    rows.srcM = tiling.srcM, rows.srcK = tiling.srcK;
    auto call = sfumato_::SoftmaxOf<isReuseSource>(sfumato_::SoftmaxKind::kLogSoftMax, dst, src, sharedTmpBuffer, rows,
                                                   softmaxShapeInfo, {}, false, isDataFormatNZ, where);
    call.sum = sfumato_::Operand(sum);
    call.max = sfumato_::Operand(max);
    sfumato_::SoftmaxRows(call);
}

}  // namespace AscendC
