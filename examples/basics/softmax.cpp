// SPDX-License-Identifier: Apache-2.0
// Softmax of rows of float by basic calls: exp(x - max) / sum. The width is a multiple of 64, up to 4096.
// The high-level call does the same for any width: ../high_level/softmax.cpp.
//
//   sfumato run examples/basics/softmax.cpp --chip Ascend910B1 --blocks 4 --
//       x.npy 'out:float32[50,192]=y.npy' uint32:50 uint32:192
#include "kernel_operator.h"

using namespace AscendC;

namespace {

constexpr uint32_t kLanes = 64;  // elements of float in a repeat

class Softmax {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t width) {
        rows_ = rows;
        width_ = width;
        x_.SetGlobalBuffer((__gm__ float*)x, uint64_t{rows} * width);
        y_.SetGlobalBuffer((__gm__ float*)y, uint64_t{rows} * width);
        pipe_.InitBuffer(ins_, 2, width * sizeof(float));
        pipe_.InitBuffer(outs_, 2, width * sizeof(float));
        pipe_.InitBuffer(work_, width * sizeof(float));
        pipe_.InitBuffer(sum_, kLanes * sizeof(float));
    }

    // Block b has rows b, b + blocks, b + 2 blocks ...
    __aicore__ inline void Process() {
        for (uint32_t row = GetBlockIdx(); row < rows_; row += GetBlockNum()) {
            LocalTensor<float> in = ins_.AllocTensor<float>();
            DataCopy(in, x_[row * width_], width_);
            ins_.EnQue(in);
            Compute();
            LocalTensor<float> out = outs_.DeQue<float>();
            DataCopy(y_[row * width_], out, width_);
            outs_.FreeTensor(out);
        }
    }

private:
    __aicore__ inline void Compute() {
        const uint8_t repeats = width_ / kLanes;
        LocalTensor<float> in = ins_.DeQue<float>(), out = outs_.AllocTensor<float>();
        LocalTensor<float> work = work_.Get<float>(), sum = sum_.Get<float>();

        // One number goes to the scalar unit, which waits for it, and comes back as an immediate.
        ReduceMax(sum, in, work, width_);
        Adds(out, in, -sum.GetValue(0), width_);
        ins_.FreeTensor(in);
        Exp(out, out, width_);

        // A sum for each repeat, then their sum: up to 64 of them are one repeat again.
        WholeReduceSum(work, out, kLanes, repeats, 1, 1, 8);
        WholeReduceSum(sum, work, repeats, 1, 1, 1, 8);

        // The second source has repeat stride 0: the same 64 copies of the sum for every repeat.
        Duplicate(sum, sum.GetValue(0), kLanes);
        Div(out, out, sum, kLanes, repeats, {1, 1, 1, 8, 8, 0});
        outs_.EnQue(out);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 1> ins_;
    TQue<TPosition::VECOUT, 1> outs_;
    TBuf<TPosition::VECCALC> work_, sum_;
    GlobalTensor<float> x_, y_;
    uint32_t rows_ = 0, width_ = 0;
};

}  // namespace

extern "C" __global__ __aicore__ void softmax(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t width) {
    Softmax op;
    op.Init(x, y, rows, width);
    op.Process();
}
