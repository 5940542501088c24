// SPDX-License-Identifier: Apache-2.0
// SelectWithBytesMask with a mask of a type it does not take.
// expect: SelectWithBytesMask: the mask is of bool or of integers up to 32 bits
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<float> legal;
    LocalTensor<uint8_t> mask;
#ifdef WRONG
    SelectWithBytesMask(legal, legal, 0.0f, legal, mask, SelectWithBytesMaskShapeInfo{1, 8, 32});
#else
    SelectWithBytesMask(legal, legal, 0.0f, mask, mask, SelectWithBytesMaskShapeInfo{1, 8, 32});
#endif
}
