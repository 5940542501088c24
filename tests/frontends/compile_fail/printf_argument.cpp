// SPDX-License-Identifier: Apache-2.0
// printf of a class.
// expect: printf: an argument must be a number, a string or a pointer
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<half> a;
#ifdef WRONG
    AscendC::printf("%d", a);
#else
    AscendC::printf("%d", a.GetSize());
#endif
}
