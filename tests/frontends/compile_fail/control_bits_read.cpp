// SPDX-License-Identifier: Apache-2.0
// A field of the control register that ends before it starts.
// expect: GetCtrlSpr: bits startBit..endBit lie in 0..63
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
#ifdef WRONG
    GetCtrlSpr<48, 47>();
#else
    GetCtrlSpr<48, 48>();
#endif
}
