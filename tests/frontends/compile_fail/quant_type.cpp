// SPDX-License-Identifier: Apache-2.0
// AscendQuant of a type it does not take.
// expect: AscendQuant: the source is of half or float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int8_t> bytes;
    LocalTensor<int32_t> integers;
    LocalTensor<float> legal;
#ifdef WRONG
    AscendQuant(bytes, integers, 1.0f, 0.0f, 64);
#else
    AscendQuant(bytes, legal, 1.0f, 0.0f, 64);
#endif
}
