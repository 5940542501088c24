// SPDX-License-Identifier: Apache-2.0
// 1000 Adds of 64 repeats of floats at addresses that conflict, or do not (rows bank_s1 to bank_s5 of
// tests/timing/timing_fit.csv).
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void bank() {
    LocalTensor<float> src0(TPosition::VECIN, SRC0, 4096), src1(TPosition::VECIN, SRC1, 4096),
        dst(TPosition::VECOUT, DST, 4096);
    for (int i = 0; i < 1000; ++i) Add(dst, src0, src1, 64, 64, {1, 1, 1, 8, 8, 8});
}
