// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
#include "templates_key.h"

template <int MODE>
__global__ __aicore__ void templates(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {}
