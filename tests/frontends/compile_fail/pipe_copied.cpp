// SPDX-License-Identifier: Apache-2.0
// There is one TPipe.
// expect: deleted
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    TPipe pipe;
#ifdef WRONG
    TPipe copy = pipe;
#else
    TPipe* same = &pipe;
#endif
}
