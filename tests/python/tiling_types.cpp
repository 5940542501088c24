// SPDX-License-Identifier: Apache-2.0
// A kernel whose types the build gives (framework.md 4.8).
#include "kernel_operator.h"

#if ORIG_DTYPE_X == DT_FLOAT16 || ORIG_DTYPE_X == DT_BF16
constexpr int kWords = 1;
#else
constexpr int kWords = 2;
#endif

extern "C" __global__ __aicore__ void typed(GM_ADDR x, __gm__ int64_t* out) {
    out[0] = sizeof(DTYPE_X) * 10 + kWords;
    out[1] = FORMAT_X == FORMAT_ND ? 1 : FORMAT_X == FORMAT_FRACTAL_NZ ? 2 : 3;
}
