// SPDX-License-Identifier: Apache-2.0
// framework.md 6.4 Y8.
// expect: REGISTER_TILING_FOR_TILINGKEY needs a REGISTER_TILING_DEFAULT(Struct) besides, for the other keys
#include "tiling_structs.h"

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
