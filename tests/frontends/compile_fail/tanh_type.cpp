// SPDX-License-Identifier: Apache-2.0
// Tanh of a type it does not take.
// expect: Tanh: the element types are half, float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int16_t> integers;
    LocalTensor<float> legal;
#ifdef WRONG
    Tanh(integers, integers, 64);
#else
    Tanh(legal, legal, 64);
#endif
}
