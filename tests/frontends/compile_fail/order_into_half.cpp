// SPDX-License-Identifier: Apache-2.0
// A comparison of tensors gives bits: no tensor of half.
// expect: a comparison of tensors gives a tensor of int8_t or uint8_t
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<half> a;
    LocalTensor<uint8_t> legal;
#ifdef WRONG
    a = a < a;
#else
    legal = a < a;
#endif
}
