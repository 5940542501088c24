// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
#include "pad_rows_tiling.h"

using namespace AscendC;
using T = DTYPE_X;

class Mover {
public:
    __aicore__ inline Mover(TPipe& pipe, uint32_t tile) { pipe.InitBuffer(queue_, 2, tile * sizeof(T)); }
    __aicore__ inline void Copy(GM_ADDR from, GM_ADDR to, uint32_t count) {
        Bind(from, to);
        auto tile = queue_.AllocTensor<T>();
        DataCopyPad(tile, from_, {1, (uint32_t)(count * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
        Store(tile, count);
    }
    __aicore__ inline void Fill(GM_ADDR to, T value, uint32_t count) {
        Bind(to, to);
        auto tile = fill_.AllocTensor<T>();
        Duplicate(tile, value, count);
        fill_.EnQue(tile);
        tile = fill_.DeQue<T>();
        DataCopyPad(to_, tile, {1, (uint32_t)(count * sizeof(T)), 0, 0, 0});
        fill_.FreeTensor(tile);
    }
    __aicore__ inline void WithFill(TPipe& pipe, uint32_t most) { pipe.InitBuffer(fill_, 1, most * sizeof(T)); }

private:
    __aicore__ inline void Bind(GM_ADDR from, GM_ADDR to) {
        from_.SetGlobalBuffer((__gm__ T*)from);
        to_.SetGlobalBuffer((__gm__ T*)to);
    }
    __aicore__ inline void Store(LocalTensor<T>& tile, uint32_t count) {
        queue_.EnQue(tile);
        tile = queue_.DeQue<T>();
        DataCopyPad(to_, tile, {1, (uint32_t)(count * sizeof(T)), 0, 0, 0});
        queue_.FreeTensor(tile);
    }
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue_;
    TQue<TPosition::VECOUT, 1> fill_;
    GlobalTensor<T> from_, to_;
};

__aicore__ inline void PadAll(GM_ADDR x, GM_ADDR y, const PadRowsPadTiling& t, bool inTiles) {
    TPipe pipe;
    Mover mover(pipe, inTiles ? t.tile : (t.width + 8) / 8 * 8);
    const int32_t pad = t.before > t.after ? t.before : t.after;
    mover.WithFill(pipe, (pad + 7) / 8 * 8);
    const int64_t out = t.before + t.width + t.after;
    for (int64_t row = GetBlockIdx(); row < t.rows; row += GetBlockNum()) {
        GM_ADDR to = y + row * out * sizeof(T);
        if (t.before > 0) mover.Fill(to, static_cast<T>(t.value), t.before);
        for (int32_t at = 0; at < t.width; at += t.tile) {
            const int32_t count = t.width - at < t.tile ? t.width - at : t.tile;
            mover.Copy(x + (row * t.width + at) * sizeof(T), to + (t.before + at) * sizeof(T), count);
        }
        if (t.after > 0) mover.Fill(to + (t.before + t.width) * sizeof(T), static_cast<T>(t.value), t.after);
    }
}

extern "C" __global__ __aicore__ void pad_rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(PadRowsNoTiling);
    REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 0", PadRowsCopyTiling);
    REGISTER_TILING_FOR_TILINGKEY("(TILING_KEY_VAR >= 10) && (TILING_KEY_VAR <= 11)", PadRowsPadTiling);
    if (TILING_KEY_IS(0)) {
        GET_TILING_DATA_WITH_STRUCT(PadRowsCopyTiling, t, tiling);
        TPipe pipe;
        Mover mover(pipe, t.tile);
        for (uint64_t at = GetBlockIdx() * t.tile; at < t.total; at += GetBlockNum() * t.tile) {
            mover.Copy(x + at * sizeof(T), y + at * sizeof(T), t.total - at < t.tile ? t.total - at : t.tile);
        }
    } else if (TILING_KEY_IS(10)) {
        GET_TILING_DATA_WITH_STRUCT(PadRowsPadTiling, t, tiling);
        PadAll(x, y, t, false);
    } else if (TILING_KEY_IS(11)) {
        GET_TILING_DATA_WITH_STRUCT(PadRowsPadTiling, t, tiling);
        PadAll(x, y, t, true);
    }
}
