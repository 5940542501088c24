// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

#if ORIG_DTYPE_X == DT_BF16
#define ROUND_OUT AscendC::RoundMode::CAST_RINT
#else
#define ROUND_OUT AscendC::RoundMode::CAST_NONE
#endif

class BiasScaleOp {
    using T = DTYPE_X;

public:
    __aicore__ inline BiasScaleOp(AscendC::TPipe& pipe, GM_ADDR x, GM_ADDR bias, GM_ADDR scale, GM_ADDR y, int64_t rows,
                                  int64_t cols)
        : rows_(rows), cols_(cols) {
        xGm_.SetGlobalBuffer((__gm__ T*)x);
        yGm_.SetGlobalBuffer((__gm__ T*)y);
        const uint32_t wide = AscendC::AlignUp(cols * sizeof(float), 32),
                       narrow = AscendC::AlignUp(cols * sizeof(T), 32);
        pipe.InitBuffer(in_, 2, narrow);
        pipe.InitBuffer(out_, 2, narrow);
        pipe.InitBuffer(biasBuf_, wide);
        pipe.InitBuffer(scaleBuf_, wide);
        pipe.InitBuffer(xBuf_, wide);
        bias_ = biasBuf_.Get<float>();
        scale_ = scaleBuf_.Get<float>();
        LoadParameter(bias_, bias, 0.0f);
        LoadParameter(scale_, scale, 1.0f);
        const event_t loaded = static_cast<event_t>(GetTPipePtr()->FetchEventID(AscendC::HardEvent::MTE2_V));
        AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(loaded);
        AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(loaded);
    }
    __aicore__ inline void Run() {
        for (int64_t row = AscendC::GetBlockIdx(); row < rows_; row += AscendC::GetBlockNum()) {
            AscendC::LocalTensor<T> in = in_.AllocTensor<T>();
            AscendC::DataCopyPad(in, xGm_[row * cols_], {1, uint32_t(cols_ * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
            in_.EnQue(in);
            in = in_.DeQue<T>();
            AscendC::LocalTensor<float> x = xBuf_.Get<float>();
            AscendC::Cast(x, in, AscendC::RoundMode::CAST_NONE, cols_);
            in_.FreeTensor(in);
            AscendC::Mul(x, x, scale_, cols_);
            AscendC::Add(x, x, bias_, cols_);
            AscendC::LocalTensor<T> out = out_.AllocTensor<T>();
            AscendC::Cast(out, x, ROUND_OUT, cols_);
            out_.EnQue(out);
            out = out_.DeQue<T>();
            AscendC::DataCopyPad(yGm_[row * cols_], out, {1, uint32_t(cols_ * sizeof(T)), 0, 0, 0});
            out_.FreeTensor(out);
        }
    }

private:
    __aicore__ inline void LoadParameter(AscendC::LocalTensor<float>& to, GM_ADDR from, float otherwise) {
        if (from == nullptr) {
            AscendC::Duplicate(to, otherwise, cols_);
            return;
        }
        AscendC::GlobalTensor<float> gm;
        gm.SetGlobalBuffer((__gm__ float*)from, cols_);
        AscendC::DataCopyPad(to, gm, {1, uint32_t(cols_ * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0});
    }

    int64_t rows_, cols_;
    AscendC::GlobalTensor<T> xGm_, yGm_;
    AscendC::TQue<AscendC::TPosition::VECIN, 2> in_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 2> out_;
    AscendC::TBuf<> biasBuf_, scaleBuf_, xBuf_;
    AscendC::LocalTensor<float> bias_, scale_;
};

extern "C" __global__ __aicore__ void bias_scale(GM_ADDR x, GM_ADDR bias, GM_ADDR scale, GM_ADDR y, GM_ADDR workspace,
                                                 GM_ADDR tiling) {
    GET_TILING_DATA(t, tiling);
    if (TILING_KEY_IS(0)) {
        return;
    }
    if (TILING_KEY_IS(1)) {
        AscendC::TPipe pipe;
        BiasScaleOp op(pipe, x, t.hasBias ? bias : nullptr, t.hasScale ? scale : nullptr, y, t.rows, t.cols);
        op.Run();
    }
}
