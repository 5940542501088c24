// SPDX-License-Identifier: Apache-2.0
// framework.md 6.4 Y6.
// expect: TILING_KEY_IS: a tiling key is not negative
#include "tiling_structs.h"

__aicore__ void Kernel([[maybe_unused]] GM_ADDR tiling) {
#ifdef WRONG
    if (TILING_KEY_IS(-1)) Trap();
#else
    if (TILING_KEY_IS(1)) Trap();
#endif
}
