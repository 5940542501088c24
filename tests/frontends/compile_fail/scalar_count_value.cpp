// SPDX-License-Identifier: Apache-2.0
// A count of bits that are neither 0 nor 1.
// expect: ScalarGetCountOfValue: countValue is 0 or 1
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
#ifdef WRONG
    ScalarGetCountOfValue<2>(7);
#else
    ScalarGetCountOfValue<1>(7);
#endif
}
