// SPDX-License-Identifier: Apache-2.0
// framework.md 6.4 Y9.
// expect: REGISTER_NONE_TILING: no other tiling struct may be registered in the file
#include "tiling_structs.h"

__aicore__ void Kernel([[maybe_unused]] GM_ADDR tiling) {
#ifdef WRONG
    REGISTER_NONE_TILING;
    REGISTER_TILING_DEFAULT(Small);
#else
    REGISTER_NONE_TILING;
#endif
}
