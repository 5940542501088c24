// SPDX-License-Identifier: Apache-2.0
// framework.md 6.4 Y8: a key has one struct.
// expect: GET_TILING_DATA: two REGISTER_TILING_FOR_TILINGKEY hold for this tiling key: a key has one struct
#include "tiling_structs.h"

__aicore__ void Kernel() {
    REGISTER_TILING_DEFAULT(Small);
    REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR > 2", Large);
#ifdef WRONG
    REGISTER_TILING_FOR_TILINGKEY("(TILING_KEY_VAR & 1) == 1", Small);
#else
    REGISTER_TILING_FOR_TILINGKEY("(TILING_KEY_VAR & 1) == 0", Small);
#endif
    using Chosen = sfumato::tiling::Chosen<__COUNTER__, true, 3>::Type;  // what GET_TILING_DATA of the key 3 is
    static_assert(sizeof(Chosen) == sizeof(Large));
}
