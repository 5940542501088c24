// SPDX-License-Identifier: Apache-2.0
// DataCopy between tensors of two types.
// expect: no matching function for call to
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<half> a;
    GlobalTensor<half> legal;
    GlobalTensor<float> src;
#ifdef WRONG
    DataCopy(a, src, 64);
#else
    DataCopy(a, legal, 64);
#endif
}
