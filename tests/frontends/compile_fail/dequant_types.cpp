// SPDX-License-Identifier: Apache-2.0
// AscendDequant with a scale of another type than its result takes.
// expect: AscendDequant: half takes a tensor of uint64_t, float and bfloat16_t take float or bfloat16_t
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int32_t> integers;
    LocalTensor<half> halves;
    LocalTensor<float> legal;
#ifdef WRONG
    AscendDequant<half, float>(halves, integers, legal, DequantParams{1, 8, 8});
#else
    AscendDequant<float, float>(legal, integers, legal, DequantParams{1, 8, 8});
#endif
}
