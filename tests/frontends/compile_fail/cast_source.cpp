// SPDX-License-Identifier: Apache-2.0
// Cast from a type no chip converts.
// expect: Cast: no chip converts from uint16_t; the sources of Cast are int4b_t, int8_t, uint8_t, int16_t, half, bfloat16_t, int32_t, float, int64_t
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<uint16_t> src;
    LocalTensor<int16_t> legal;
    LocalTensor<half> dst;
#ifdef WRONG
    Cast(dst, src, RoundMode::CAST_NONE, 64);
#else
    Cast(dst, legal, RoundMode::CAST_NONE, 64);
#endif
}
