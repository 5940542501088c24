// SPDX-License-Identifier: Apache-2.0
// framework.md 6.4 Y9.
// expect: GET_TILING_DATA: after REGISTER_NONE_TILING only GET_TILING_DATA_WITH_STRUCT
#include "kernel_operator.h"

using namespace AscendC;

struct Small {
    int32_t count;
};
struct Large {
    int32_t counts[8];
};

__aicore__ void Kernel([[maybe_unused]] GM_ADDR tiling) {
#ifdef WRONG
    REGISTER_NONE_TILING;
    GET_TILING_DATA(data, tiling);
    (void)data;
#else
    REGISTER_NONE_TILING;
    GET_TILING_DATA_WITH_STRUCT(Small, data, tiling);
    (void)data;
#endif
}
