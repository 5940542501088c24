// SPDX-License-Identifier: Apache-2.0
// Normalize with a gamma less precise than the data.
// expect: Normalize: gamma and beta have the type of inputX, or float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<half> narrow;
    LocalTensor<float> wide;
#ifdef WRONG
    Normalize<half, float>(wide, wide, wide, wide, wide, narrow, narrow, 1e-3f, NormalizePara{});
#else
    Normalize<float, half>(narrow, wide, wide, wide, narrow, wide, wide, 1e-3f, NormalizePara{});
#endif
}
