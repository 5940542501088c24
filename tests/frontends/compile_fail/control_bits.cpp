// SPDX-License-Identifier: Apache-2.0
// Bits the control register does not have.
// expect: SetCtrlSpr: bits startBit..endBit lie in 0..63
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
#ifdef WRONG
    SetCtrlSpr<48, 64>(1);
#else
    SetCtrlSpr<48, 48>(1);
#endif
}
