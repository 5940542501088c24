// SPDX-License-Identifier: Apache-2.0
// GET_TILING_DATA needs a struct.
// expect: GET_TILING_DATA: no tiling struct is registered
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
    GET_TILING_DATA(data, tiling);
    (void)data;
#else
    REGISTER_TILING_DEFAULT(Small);
    GET_TILING_DATA(data, tiling);
    (void)data;
#endif
}
