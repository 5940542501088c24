// SPDX-License-Identifier: Apache-2.0
// framework.md 6.4 Y6.
// expect: TILING_KEY_IS: a tiling key is not negative
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
    if (TILING_KEY_IS(-1)) Trap();
#else
    if (TILING_KEY_IS(1)) Trap();
#endif
}
