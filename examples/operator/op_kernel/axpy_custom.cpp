// SPDX-License-Identifier: Apache-2.0
// z = alpha * x + y, a tile at a time; the last tile of a block may be short.
#include "kernel_operator.h"

using namespace AscendC;

class KernelAxpy {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length, uint32_t share, uint32_t tile) {
        const uint32_t begin = GetBlockIdx() * share;
        length_ = begin < length ? (length - begin < share ? length - begin : share) : 0;
        tile_ = tile;
        x_.SetGlobalBuffer((__gm__ DTYPE_X*)x + begin, length_);
        y_.SetGlobalBuffer((__gm__ DTYPE_X*)y + begin, length_);
        z_.SetGlobalBuffer((__gm__ DTYPE_X*)z + begin, length_);
        pipe_.InitBuffer(in_, 2, 2 * tile * sizeof(DTYPE_X));
        pipe_.InitBuffer(out_, 2, tile * sizeof(DTYPE_X));
    }
    __aicore__ inline void Process(float alpha) {
        for (uint32_t at = 0; at < length_; at += tile_) {
            const uint32_t count = length_ - at < tile_ ? length_ - at : tile_;
            const DataCopyExtParams bytes{1, uint32_t(count * sizeof(DTYPE_X)), 0, 0, 0};
            const DataCopyPadExtParams<DTYPE_X> pad{false, 0, 0, 0};
            LocalTensor<DTYPE_X> in = in_.AllocTensor<DTYPE_X>();
            DataCopyPad(in, x_[at], bytes, pad);
            DataCopyPad(in[tile_], y_[at], bytes, pad);
            in_.EnQue(in);
            in = in_.DeQue<DTYPE_X>();
            LocalTensor<DTYPE_X> out = out_.AllocTensor<DTYPE_X>();
            Muls(out, in, DTYPE_X(alpha), count);
            Add(out, out, in[tile_], count);
            in_.FreeTensor(in);
            out_.EnQue(out);
            out = out_.DeQue<DTYPE_X>();
            DataCopyPad(z_[at], out, bytes);
            out_.FreeTensor(out);
        }
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 2> in_;
    TQue<TPosition::VECOUT, 2> out_;
    GlobalTensor<DTYPE_X> x_, y_, z_;
    uint32_t length_ = 0, tile_ = 0;
};

extern "C" __global__ __aicore__ void axpy_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(t, tiling);
    KernelAxpy op;
    op.Init(x, y, z, t.length, t.share, t.tile);
    op.Process(t.alpha);
}
