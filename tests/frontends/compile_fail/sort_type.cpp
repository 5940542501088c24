// SPDX-License-Identifier: Apache-2.0
// Sort of a type no chip sorts.
// expect: sorts take half and float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int32_t> a;
    LocalTensor<float> legal;
    LocalTensor<uint32_t> index;
#ifdef WRONG
    Sort<int32_t, true>(a, a, index, a, 1);
#else
    Sort<float, true>(legal, legal, index, legal, 1);
#endif
}
