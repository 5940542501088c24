// SPDX-License-Identifier: Apache-2.0
// Power of a type it does not take.
// expect: Power: the element types are half, float, int32_t
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int16_t> integers;
    LocalTensor<float> legal;
#ifdef WRONG
    Power(integers, integers, integers, 64);
#else
    Power(legal, legal, 2.0f, 64);
#endif
}
