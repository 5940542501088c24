// SPDX-License-Identifier: Apache-2.0
// The form with a mask checks the pair too.
// expect: Cast: no chip converts bfloat16_t to this type; from bfloat16_t it goes to int32_t, float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<bfloat16_t> src;
    LocalTensor<float> legal;
    LocalTensor<half> dst;
#ifdef WRONG
    Cast(dst, src, RoundMode::CAST_NONE, uint64_t{64}, 1, UnaryRepeatParams());
#else
    Cast(legal, src, RoundMode::CAST_NONE, uint64_t{64}, 1, UnaryRepeatParams());
#endif
}
