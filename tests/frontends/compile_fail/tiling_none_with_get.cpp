// SPDX-License-Identifier: Apache-2.0
// framework.md 6.4 Y9.
// expect: GET_TILING_DATA: after REGISTER_NONE_TILING only GET_TILING_DATA_WITH_STRUCT
#include "tiling_structs.h"

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
