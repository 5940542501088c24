// SPDX-License-Identifier: Apache-2.0
// Abs under a mask of a type no chip takes.
// expect: Abs: no chip has this type; it takes int16_t, half, float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int32_t> a;
    LocalTensor<float> legal;
#ifdef WRONG
    Abs(a, a, 64, 1, {1, 1, 8, 8});
#else
    Abs(legal, legal, 64, 1, {1, 1, 8, 8});
#endif
}
