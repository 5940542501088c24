// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void blend_custom(GM_ADDR x, GM_ADDR y, GM_ADDR shift, GM_ADDR z, GM_ADDR workspace,
                                                   GM_ADDR tiling) {
    GET_TILING_DATA(t, tiling);
    for (uint32_t i = 0; i < t.size; ++i) {
        const float sum = ((__gm__ float*)x)[i] * t.alpha + (y ? ((__gm__ float*)y)[i] : 0) + t.add;
        ((__gm__ float*)z)[i] = sum + STEP;
    }
}
