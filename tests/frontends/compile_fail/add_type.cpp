// SPDX-License-Identifier: Apache-2.0
// Add of a type no chip adds.
// expect: Add: no chip has this type; it takes int16_t, half, int32_t, float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int64_t> a;
    LocalTensor<int32_t> legal;
#ifdef WRONG
    Add(a, a, a, 64);
#else
    Add(legal, legal, legal, 64);
#endif
}
