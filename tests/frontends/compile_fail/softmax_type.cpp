// SPDX-License-Identifier: Apache-2.0
// SoftMax of a type it does not take.
// expect: softmax: data are half or float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int32_t> integers;
    LocalTensor<float> legal;
    constexpr SoftMaxTiling tiling = {};
#ifdef WRONG
    SoftMax<int32_t>(integers, integers, tiling);
#else
    SoftMax<float>(legal, legal, tiling);
#endif
}
