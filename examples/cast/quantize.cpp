// SPDX-License-Identifier: Apache-2.0
// Rounds float to int8 in two steps (float to half, half to int8), in tiles, with the work shared between blocks.
#include "kernel_operator.h"

using namespace AscendC;

namespace {

constexpr uint32_t kTile = 1024;  // elements in flight per buffer

class Quantizer {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t per_block) {
        const uint32_t first = GetBlockIdx() * per_block;
        count_ = per_block;
        x_.SetGlobalBuffer((__gm__ float*)x + first, count_);
        y_.SetGlobalBuffer((__gm__ int8_t*)y + first, count_);
        pipe_.InitBuffer(incoming_, 2, kTile * sizeof(float));
        pipe_.InitBuffer(outgoing_, 2, kTile * sizeof(int8_t));
        pipe_.InitBuffer(halves_, kTile * sizeof(half));
    }

    __aicore__ inline void Process() {
        for (uint32_t done = 0; done < count_; done += kTile) {
            const uint32_t n = count_ - done < kTile ? count_ - done : kTile;
            Load(done, n);
            Compute(n);
            Store(done, n);
        }
    }

private:
    __aicore__ inline void Load(uint32_t at, uint32_t n) {
        LocalTensor<float> tile = incoming_.AllocTensor<float>();
        DataCopy(tile, x_[at], n);
        incoming_.EnQue(tile);
    }

    __aicore__ inline void Compute(uint32_t n) {
        LocalTensor<float> tile = incoming_.DeQue<float>();
        LocalTensor<half> middle = halves_.Get<half>();
        LocalTensor<int8_t> result = outgoing_.AllocTensor<int8_t>();
        Cast(middle, tile, RoundMode::CAST_NONE, n);
        PipeBarrier<PIPE_V>();
        Cast(result, middle, RoundMode::CAST_ROUND, n);
        outgoing_.EnQue(result);
        incoming_.FreeTensor(tile);
    }

    __aicore__ inline void Store(uint32_t at, uint32_t n) {
        LocalTensor<int8_t> result = outgoing_.DeQue<int8_t>();
        DataCopy(y_[at], result, n);
        outgoing_.FreeTensor(result);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 2> incoming_;
    TQue<TPosition::VECOUT, 2> outgoing_;
    TBuf<TPosition::VECCALC> halves_;
    GlobalTensor<float> x_;
    GlobalTensor<int8_t> y_;
    uint32_t count_ = 0;
};

}  // namespace

// Each block takes per_block elements, a multiple of 32.
extern "C" __global__ __aicore__ void quantize(GM_ADDR x, GM_ADDR y, uint32_t per_block) {
    Quantizer op;
    op.Init(x, y, per_block);
    op.Process();
}
