// SPDX-License-Identifier: Apache-2.0
// framework.md 6.4 Y8.
// expect: REGISTER_TILING_FOR_TILINGKEY needs a REGISTER_TILING_DEFAULT(Struct) besides, for the other keys
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
    REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 1", Large);
    GET_TILING_DATA(data, tiling);
    (void)data;
#else
    REGISTER_TILING_DEFAULT(Small);
    GET_TILING_DATA(data, tiling);
    (void)data;
#endif
}
