// SPDX-License-Identifier: Apache-2.0
// A communication domain that does not exist.
// expect: GetHcclContext: the communication domain is 0 or 1
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
#ifdef WRONG
    GetHcclContext<2>();
#else
    GetHcclContext<1>();
#endif
}
