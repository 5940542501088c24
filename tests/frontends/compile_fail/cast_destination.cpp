// SPDX-License-Identifier: Apache-2.0
// Cast to a type no chip converts the source to.
// expect: Cast: no chip converts int64_t to this type; from int64_t it goes to int32_t, float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int64_t> src;
    LocalTensor<int32_t> legal;
    LocalTensor<half> dst;
#ifdef WRONG
    Cast(dst, src, RoundMode::CAST_NONE, 64);
#else
    Cast(legal, src, RoundMode::CAST_NONE, 64);
#endif
}
