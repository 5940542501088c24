// SPDX-License-Identifier: Apache-2.0
// A tensor of a type no chip has.
// expect: no tensor holds this type
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
#ifdef WRONG
    LocalTensor<long double> a;
    a.GetValue(0);
#else
    LocalTensor<double> a;
    a.GetValue(0);
#endif
}
