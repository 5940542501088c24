// SPDX-License-Identifier: Apache-2.0
// Sum of a type it does not take.
// expect: Sum, Mean: the elements are half or float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int32_t> integers;
    LocalTensor<float> legal;
#ifdef WRONG
    Sum(integers, integers, SumParams{1, 8, 8});
#else
    Sum(legal, legal, SumParams{1, 8, 8});
#endif
}
