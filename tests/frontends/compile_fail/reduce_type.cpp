// SPDX-License-Identifier: Apache-2.0
// WholeReduceSum of a type no chip sums.
// expect: WholeReduceSum: no chip has this type; it takes half, float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int32_t> a;
    LocalTensor<float> legal;
#ifdef WRONG
    WholeReduceSum(a, a, 64, 1, 1, 1, 8);
#else
    WholeReduceSum(legal, legal, 64, 1, 1, 1, 8);
#endif
}
