// SPDX-License-Identifier: Apache-2.0
// A kernel that reads what its host's header defines.
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void host_tiled(__gm__ int64_t* out, GM_ADDR tiling) {
    GET_TILING_DATA(data, tiling);
    out[0] = data.count;
    GET_TILING_DATA_WITH_STRUCT(HostTilingOfSeven, seven, tiling);
    out[1] = seven.count;
}
