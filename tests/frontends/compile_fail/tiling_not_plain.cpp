// SPDX-License-Identifier: Apache-2.0
// framework.md 4.6.
// expect: GET_TILING_DATA: a tiling struct holds plain values
#include "tiling_structs.h"

__aicore__ void Kernel([[maybe_unused]] GM_ADDR tiling) {
#ifdef WRONG
    struct Virtual {
        virtual void Do() {}
        int32_t count;
    };
    GET_TILING_DATA_WITH_STRUCT(Virtual, data, tiling);
    (void)data;
#else
    GET_TILING_DATA_WITH_STRUCT(Small, data, tiling);
    (void)data;
#endif
}
