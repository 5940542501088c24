// SPDX-License-Identifier: Apache-2.0
// GET_TILING_DATA needs a struct.
// expect: GET_TILING_DATA: no tiling struct is registered
#include "tiling_structs.h"

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
