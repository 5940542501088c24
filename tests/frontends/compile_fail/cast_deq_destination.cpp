// SPDX-License-Identifier: Apache-2.0
// CastDeq to a type it does not give.
// expect: CastDeq: no chip converts int16_t to this type; from int16_t it goes to int8_t, uint8_t
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int16_t> src;
    LocalTensor<int8_t> legal;
    LocalTensor<half> dst;
#ifdef WRONG
    CastDeq(dst, src, 64);
#else
    CastDeq(legal, src, 64);
#endif
}
