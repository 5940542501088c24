// SPDX-License-Identifier: Apache-2.0
// GetPhyAddr of a local tensor is a number.
// expect: uint64_t
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<half> a;
#ifdef WRONG
    half* p = a.GetPhyAddr();
#else
    half* p = reinterpret_cast<half*>(a.GetPhyAddr());
#endif
}
