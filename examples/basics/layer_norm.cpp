// SPDX-License-Identifier: Apache-2.0
// (x - mean) / sqrt(variance + epsilon) gamma + beta of rows of float by basic calls. The width is a multiple of 64, up
// to 4096. The high-level call: ../high_level/layer_norm.cpp.
//
//   sfumato run examples/basics/layer_norm.cpp --chip Ascend910B1 --blocks 4 --
//       x.npy gamma.npy beta.npy 'out:float32[50,192]=y.npy' uint32:50 uint32:192 float32:0.001
#include "kernel_operator.h"

using namespace AscendC;

namespace {

constexpr uint32_t kLanes = 64;  // elements of float in a repeat

class LayerNormRows {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t width, float epsilon) {
        rows_ = rows;
        width_ = width;
        epsilon_ = epsilon;
        x_.SetGlobalBuffer((__gm__ float*)x, uint64_t{rows} * width);
        y_.SetGlobalBuffer((__gm__ float*)y, uint64_t{rows} * width);
        pipe_.InitBuffer(ins_, 2, width * sizeof(float));
        pipe_.InitBuffer(outs_, 2, width * sizeof(float));
        pipe_.InitBuffer(weights_, 1, 2 * width * sizeof(float));
        pipe_.InitBuffer(work_, width * sizeof(float));
        pipe_.InitBuffer(number_, kLanes * sizeof(float));
    }

    __aicore__ inline void Process(GM_ADDR gamma_gm, GM_ADDR beta_gm) {
        GlobalTensor<float> from;
        LocalTensor<float> weights = weights_.AllocTensor<float>();
        from.SetGlobalBuffer((__gm__ float*)gamma_gm, width_);
        DataCopy(weights, from, width_);
        from.SetGlobalBuffer((__gm__ float*)beta_gm, width_);
        DataCopy(weights[width_], from, width_);
        weights_.EnQue(weights);
        weights = weights_.DeQue<float>();  // loaded once, used by every row
        for (uint32_t row = GetBlockIdx(); row < rows_; row += GetBlockNum()) {
            LocalTensor<float> in = ins_.AllocTensor<float>();
            DataCopy(in, x_[row * width_], width_);
            ins_.EnQue(in);
            Compute(weights, weights[width_]);
            LocalTensor<float> out = outs_.DeQue<float>();
            DataCopy(y_[row * width_], out, width_);
            outs_.FreeTensor(out);
        }
        weights_.FreeTensor(weights);
    }

private:
    // The mean of width elements, in the first element of the result.
    __aicore__ inline LocalTensor<float> Mean(const LocalTensor<float>& of) {
        const uint8_t repeats = width_ / kLanes;
        LocalTensor<float> work = work_.Get<float>(), number = number_.Get<float>();
        WholeReduceSum(work, of, kLanes, repeats, 1, 1, 8);
        WholeReduceSum(number, work, repeats, 1, 1, 1, 8);
        Muls(number, number, 1.0f / width_, 1);
        return number;
    }

    __aicore__ inline void Compute(const LocalTensor<float>& gamma, const LocalTensor<float>& beta) {
        const uint8_t repeats = width_ / kLanes;
        LocalTensor<float> in = ins_.DeQue<float>(), out = outs_.AllocTensor<float>();
        Adds(in, in, -Mean(in).GetValue(0), width_);
        Mul(out, in, in, width_);
        LocalTensor<float> deviation = Mean(out);
        Adds(deviation, deviation, epsilon_, 1);
        Sqrt(deviation, deviation, 1);
        Duplicate(deviation, deviation.GetValue(0), kLanes);
        Div(out, in, deviation, kLanes, repeats, {1, 1, 1, 8, 8, 0});
        ins_.FreeTensor(in);
        Mul(out, out, gamma, width_);
        Add(out, out, beta, width_);
        outs_.EnQue(out);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 1> ins_, weights_;
    TQue<TPosition::VECOUT, 1> outs_;
    TBuf<TPosition::VECCALC> work_, number_;
    GlobalTensor<float> x_, y_;
    uint32_t rows_ = 0, width_ = 0;
    float epsilon_ = 0;
};

}  // namespace

extern "C" __global__ __aicore__ void layer_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, uint32_t rows,
                                                 uint32_t width, float epsilon) {
    LayerNormRows op;
    op.Init(x, y, rows, width, epsilon);
    op.Process(gamma, beta);
}
