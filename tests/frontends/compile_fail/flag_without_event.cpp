// SPDX-License-Identifier: Apache-2.0
// A flag between two pipes no event joins.
// expect: MTE1_MTE1
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
#ifdef WRONG
    SetFlag<HardEvent::MTE1_MTE1>(0);
#else
    SetFlag<HardEvent::MTE1_MTE2>(0);
#endif
}
