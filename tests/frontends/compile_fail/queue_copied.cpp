// SPDX-License-Identifier: Apache-2.0
// A copy of a queue would have a state of its own.
// expect: deleted
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    TQue<TPosition::VECIN, 1> queue;
#ifdef WRONG
    auto copy = queue;
#else
    auto& same = queue;
#endif
}
