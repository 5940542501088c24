// SPDX-License-Identifier: Apache-2.0
// A kernel whose optimised twin does not compile.
#ifdef __OPTIMIZE__
#error "this source is for debug builds"
#endif
#include "work.h"

extern "C" __global__ __aicore__ void only_debug(GM_ADDR out, int32_t) { Work(0).Run(out); }
