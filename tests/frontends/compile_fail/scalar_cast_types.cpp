// SPDX-License-Identifier: Apache-2.0
// ScalarCast of a pair the scalar unit does not have.
// expect: ScalarCast: float to half with CAST_ODD, or float to int32_t with CAST_ROUND, CAST_CEIL, CAST_FLOOR or CAST_RINT
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
#ifdef WRONG
    ScalarCast<float, half, RoundMode::CAST_RINT>(1.0f);
#else
    ScalarCast<float, half, RoundMode::CAST_ODD>(1.0f);
#endif
}
