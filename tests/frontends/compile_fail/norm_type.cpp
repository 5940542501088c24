// SPDX-License-Identifier: Apache-2.0
// RmsNorm of a type it does not take.
// expect: norms: the elements are half or float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int32_t> integers;
    LocalTensor<float> legal;
    RmsNormTiling tiling;
#ifdef WRONG
    RmsNorm<int32_t>(integers, integers, integers, 1, tiling);
#else
    RmsNorm<float>(legal, legal, legal, 1, tiling);
#endif
}
