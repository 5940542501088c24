// SPDX-License-Identifier: Apache-2.0
// What kernels of one tile begin with.
#pragma once

#include "sanitize/pairs/pair.h"

namespace sfumato::pairs {

constexpr uint32_t kTile = 64;

// Three tiles of UB in buffers without flags, and as much of the first three allocations.
template <class T = float>
struct Tiles {
    explicit __aicore__ Tiles(GM_ADDR* gm, uint32_t tensors = 2) {
        pipe.InitBuffer(buffers[0], kTile * sizeof(T));
        pipe.InitBuffer(buffers[1], kTile * sizeof(T));
        pipe.InitBuffer(buffers[2], kTile * sizeof(T));
        a = buffers[0].template Get<T>(), b = buffers[1].template Get<T>(), c = buffers[2].template Get<T>();
        x = Gm<T>(gm[0], kTile);
        z = Gm<T>(gm[tensors - 1], kTile);
        if (tensors == 3) y = Gm<T>(gm[1], kTile);
    }

    TPipe pipe;
    TBuf<> buffers[3];
    LocalTensor<T> a, b, c;
    GlobalTensor<T> x, y, z;
};

}  // namespace sfumato::pairs
