// SPDX-License-Identifier: Apache-2.0
// A struct by key needs the key.
// expect: GET_TILING_DATA: the struct depends on the tiling key, so the key is needed when the source is compiled
#include "tiling_structs.h"

__aicore__ void Kernel([[maybe_unused]] GM_ADDR tiling) {
#ifdef WRONG
    REGISTER_TILING_DEFAULT(Small);
    REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 1", Large);
    GET_TILING_DATA(data, tiling);
    (void)data;
#else
    REGISTER_TILING_DEFAULT(Small);
    GET_TILING_DATA(data, tiling);
    (void)data;
    REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 1", Large);
#endif
}
