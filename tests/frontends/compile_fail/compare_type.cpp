// SPDX-License-Identifier: Apache-2.0
// Compare of a type no chip compares.
// expect: Compare: no chip has this type; it takes half, int32_t, float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<uint8_t> bits;
    LocalTensor<uint16_t> a;
    LocalTensor<float> legal;
#ifdef WRONG
    Compare(bits, a, a, CMPMODE::LT, 64);
#else
    Compare(bits, legal, legal, CMPMODE::LT, 64);
#endif
}
