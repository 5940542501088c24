// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void broken(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    DTYPE_X value = 1;
    value.Missing();
}
