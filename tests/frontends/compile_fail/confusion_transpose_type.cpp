// SPDX-License-Identifier: Apache-2.0
// ConfusionTranspose of a type it does not take.
// expect: ConfusionTranspose: the element types have 16 or 32 bits
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int8_t> bytes;
    LocalTensor<half> legal;
    constexpr ConfusionTransposeTiling tiling = {};
#ifdef WRONG
    ConfusionTranspose(bytes, bytes, TransposeType::TRANSPOSE_ND2ND_ONLY, tiling);
#else
    ConfusionTranspose(legal, legal, TransposeType::TRANSPOSE_ND2ND_ONLY, tiling);
#endif
}
