// SPDX-License-Identifier: Apache-2.0
// Pad of a type it does not take.
// expect: Pad, UnPad: the element types are int16_t, uint16_t, half, int32_t, uint32_t and float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int8_t> bytes;
    LocalTensor<half> legal;
#ifdef WRONG
    Pad(bytes, bytes, PadParams{}, PadTiling{});
#else
    Pad(legal, legal, PadParams{}, PadTiling{});
#endif
}
