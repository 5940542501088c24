// SPDX-License-Identifier: Apache-2.0
// A reduction with a pattern of a type it does not take.
// expect: ReduceSum: the element types are float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<half> halves;
    LocalTensor<float> legal;
    const uint32_t shape[] = {8, 16};
#ifdef WRONG
    ReduceSum<half, Pattern::Reduce::AR>(halves, halves, shape, true);
#else
    ReduceSum<float, Pattern::Reduce::AR>(legal, legal, shape, true);
#endif
}
