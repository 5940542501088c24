// SPDX-License-Identifier: Apache-2.0
// z = x + y of half, the first kernel of most people. A tile comes in, is added and goes out; with two buffers in each
// queue the moves of one tile run beside the addition of another. The count is a multiple of 16: moves take 32 bytes.
//
//   sfumato run examples/boards/add.cpp --chip Ascend310B4 --blocks 1 --
//       x.npy y.npy 'out:float16[10000]=z.npy' uint32:10000
#include "kernel_operator.h"

using namespace AscendC;

namespace {

constexpr uint32_t kTile = 2048;  // elements; a buffer has 4 KiB of the 248 KiB of UB
constexpr uint32_t kBuffers = 2;

class AddCustom {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t count) {
        count_ = count;
        x_.SetGlobalBuffer((__gm__ half*)x, count);
        y_.SetGlobalBuffer((__gm__ half*)y, count);
        z_.SetGlobalBuffer((__gm__ half*)z, count);
        pipe_.InitBuffer(xs_, kBuffers, kTile * sizeof(half));
        pipe_.InitBuffer(ys_, kBuffers, kTile * sizeof(half));
        pipe_.InitBuffer(zs_, kBuffers, kTile * sizeof(half));
    }

    // Block b has tiles b, b + blocks, b + 2 blocks ...
    __aicore__ inline void Process() {
        for (uint32_t first = GetBlockIdx() * kTile; first < count_; first += GetBlockNum() * kTile) {
            const uint32_t count = count_ - first < kTile ? count_ - first : kTile;
            CopyIn(first, count);
            Compute(count);
            CopyOut(first, count);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t first, uint32_t count) {
        LocalTensor<half> x = xs_.AllocTensor<half>(), y = ys_.AllocTensor<half>();
        DataCopy(x, x_[first], count);
        DataCopy(y, y_[first], count);
        xs_.EnQue(x);
        ys_.EnQue(y);
    }

    __aicore__ inline void Compute(uint32_t count) {
        LocalTensor<half> x = xs_.DeQue<half>(), y = ys_.DeQue<half>(), z = zs_.AllocTensor<half>();
        Add(z, x, y, count);
        zs_.EnQue(z);
        xs_.FreeTensor(x);
        ys_.FreeTensor(y);
    }

    __aicore__ inline void CopyOut(uint32_t first, uint32_t count) {
        LocalTensor<half> z = zs_.DeQue<half>();
        DataCopy(z_[first], z, count);
        zs_.FreeTensor(z);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, kBuffers> xs_, ys_;
    TQue<TPosition::VECOUT, kBuffers> zs_;
    GlobalTensor<half> x_, y_, z_;
    uint32_t count_ = 0;
};

}  // namespace

extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t count) {
    AddCustom op;
    op.Init(x, y, z, count);
    op.Process();
}
