// SPDX-License-Identifier: Apache-2.0
// Add of two types.
// expect: no matching function for call to
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<half> a;
    LocalTensor<float> b;
#ifdef WRONG
    Add(a, a, b, 64);
#else
    Add(a, a, a, 64);
#endif
}
