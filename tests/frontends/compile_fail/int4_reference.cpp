// SPDX-License-Identifier: Apache-2.0
// A reference to half a byte.
// expect: operator(): an int4b_t element is half a byte and has no address
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int4b_t> a;
    LocalTensor<int8_t> legal;
#ifdef WRONG
    a(0);
#else
    legal(0) = 1;
#endif
}
