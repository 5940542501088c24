// SPDX-License-Identifier: Apache-2.0
// Kernels of one object that need other cores each.
#include "work.h"

extern "C" __global__ __aicore__ void on_vector(GM_ADDR out, int32_t) { Work(0).Run(out); }
extern "C" __global__ __aicore__ void on_both(GM_ADDR out, int32_t mode) { Work(mode).Run(out); }
extern "C" __global__ __aicore__ void declared_mixed(GM_ADDR out, int32_t) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    Work(0).Run(out);
}
extern "C" __global__ __aicore__ void declared_vector(GM_ADDR out, int32_t) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    Work(0).Run(out);
}
