// SPDX-License-Identifier: Apache-2.0
// Muls of a type no chip multiplies.
// expect: Muls: no chip has this type; it takes int16_t, half, int32_t, float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<uint32_t> a;
    LocalTensor<int32_t> legal;
#ifdef WRONG
    Muls(a, a, 2, 64);
#else
    Muls(legal, legal, 2, 64);
#endif
}
