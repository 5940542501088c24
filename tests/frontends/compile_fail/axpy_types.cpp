// SPDX-License-Identifier: Apache-2.0
// Axpy into a narrower type.
// expect: dst and src have one type, or dst is float and src is half
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<half> narrow;
    LocalTensor<float> wide;
#ifdef WRONG
    Axpy(narrow, wide, 2.0f, 64);
#else
    Axpy(wide, narrow, half(2), 64);
#endif
}
