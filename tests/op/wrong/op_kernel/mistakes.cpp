// SPDX-License-Identifier: Apache-2.0
// Never run: the mistakes of the operator are in its host code.
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void mistakes(GM_ADDR x, GM_ADDR bias, GM_ADDR y, GM_ADDR z, GM_ADDR workspace,
                                               GM_ADDR tiling) {}
