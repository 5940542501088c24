// SPDX-License-Identifier: Apache-2.0
// Duplicate of 8-bit elements.
// expect: Duplicate: no chip has this type; it takes int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int8_t> a;
    LocalTensor<int16_t> legal;
#ifdef WRONG
    Duplicate(a, 1, 64);
#else
    Duplicate(legal, 1, 64);
#endif
}
