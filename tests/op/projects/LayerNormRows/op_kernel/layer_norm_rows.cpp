// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
#include "lib/normalization/layernorm.h"

class LayerNormKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, const LayerNormRowsTilingData* data,
                                AscendC::TPipe* pipe) {
        data_ = data;
        const uint64_t total = static_cast<uint64_t>(data->rowNum) * data->hidden;
        xGm_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x), total);
        yGm_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(y), total);
        gammaGm_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(gamma), data->hidden);
        betaGm_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(beta), data->hidden);
        const uint32_t tile = data->tileRows * data->hiddenAlign * sizeof(float);
        pipe->InitBuffer(xQueue_, 2, tile);
        pipe->InitBuffer(yQueue_, 2, tile);
        pipe->InitBuffer(paramQueue_, 1, 2 * data->hiddenAlign * sizeof(float));
        pipe->InitBuffer(meanBuf_, 32);
        pipe->InitBuffer(varBuf_, 32);
        pipe->InitBuffer(tmpBuf_, data->tmpSize);
    }
    __aicore__ inline void Process() {
        const AscendC::DataCopyPadExtParams<float> zeros{true, 0,
                                                         static_cast<uint8_t>(data_->hiddenAlign - data_->hidden), 0};
        const uint32_t rowBytes = data_->hidden * sizeof(float);
        AscendC::LocalTensor<float> params = paramQueue_.AllocTensor<float>();
        AscendC::DataCopyPad(params, gammaGm_, {1, rowBytes, 0, 0, 0}, zeros);
        AscendC::DataCopyPad(params[data_->hiddenAlign], betaGm_, {1, rowBytes, 0, 0, 0}, zeros);
        paramQueue_.EnQue(params);
        params = paramQueue_.DeQue<float>();
        const uint32_t step = AscendC::GetBlockNum() * data_->tileRows;
        for (uint32_t row = AscendC::GetBlockIdx() * data_->tileRows; row < data_->rowNum; row += step) {
            const uint32_t left = data_->rowNum - row;
            const uint16_t rows = left < data_->tileRows ? left : data_->tileRows;
            const uint64_t at = static_cast<uint64_t>(row) * data_->hidden;
            AscendC::LocalTensor<float> x = xQueue_.AllocTensor<float>();
            AscendC::DataCopyPad(x, xGm_[at], {rows, rowBytes, 0, 0, 0}, zeros);
            xQueue_.EnQue(x);
            x = xQueue_.DeQue<float>();
            AscendC::LocalTensor<float> y = yQueue_.AllocTensor<float>();
            // A short tile leaves old rows behind its own: they are computed and not stored.
            if (rows < data_->tileRows) {
                AscendC::Duplicate(x[rows * data_->hiddenAlign], 0.0f, (data_->tileRows - rows) * data_->hiddenAlign);
            }
            LayerNormTiling shape = data_->layernormTiling;
            AscendC::LayerNorm<float, false>(y, meanBuf_.Get<float>(), varBuf_.Get<float>(), x, params,
                                             params[data_->hiddenAlign], tmpBuf_.Get<uint8_t>(), data_->epsilon, shape);
            xQueue_.FreeTensor(x);
            yQueue_.EnQue(y);
            y = yQueue_.DeQue<float>();
            AscendC::DataCopyPad(yGm_[at], y, {rows, rowBytes, 0, 0, 0});
            yQueue_.FreeTensor(y);
        }
        paramQueue_.FreeTensor(params);
    }

private:
    const LayerNormRowsTilingData* data_;
    AscendC::GlobalTensor<float> xGm_, yGm_, gammaGm_, betaGm_;
    AscendC::TQue<AscendC::TPosition::VECIN, 2> xQueue_;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> paramQueue_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 2> yQueue_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> meanBuf_, varBuf_, tmpBuf_;
};

extern "C" __global__ __aicore__ void layer_norm_rows(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y,
                                                      GM_ADDR workspace, GM_ADDR tiling) {
    AscendC::TPipe pipe;
    GET_TILING_DATA(tilingData, tiling);
    LayerNormKernel op;
    op.Init(x, gamma, beta, y, &tilingData, &pipe);
    op.Process();
}
