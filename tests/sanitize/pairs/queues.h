// SPDX-License-Identifier: Apache-2.0
// What kernels with a queue on either side begin with.
#pragma once

#include "sanitize/pairs/tiles.h"

namespace sfumato::pairs {

// One tile in, one out, each with `blocks` blocks.
template <class T = float, TPosition in_position = TPosition::VECIN, TPosition out_position = TPosition::VECOUT>
struct Queues {
    explicit __aicore__ Queues(GM_ADDR* gm, uint8_t blocks = 1, uint32_t tiles = 1) {
        pipe.InitBuffer(in, blocks, kTile * sizeof(T));
        pipe.InitBuffer(out, blocks, kTile * sizeof(T));
        x = Gm<T>(gm[0], tiles * kTile), z = Gm<T>(gm[1], tiles * kTile);
    }
    // The tile that comes in next, and the one that goes out.
    __aicore__ LocalTensor<T> Load(uint32_t tile = 0) {
        LocalTensor<T> a = in.template AllocTensor<T>();
        DataCopy(a, x[tile * kTile], kTile);
        in.EnQue(a);
        return in.template DeQue<T>();
    }
    __aicore__ void Store(LocalTensor<T> b, uint32_t tile = 0) {
        out.EnQue(b);
        b = out.template DeQue<T>();
        DataCopy(z[tile * kTile], b, kTile);
        out.FreeTensor(b);
    }

    TPipe pipe;
    TQue<in_position, 1> in;
    TQue<out_position, 1> out;
    GlobalTensor<T> x, z;
};

}  // namespace sfumato::pairs
