// SPDX-License-Identifier: Apache-2.0
// Eight rows make one data block of results.
#include "kernel_operator.h"
using namespace AscendC;

class MaxWithIndex {
public:
    __aicore__ inline MaxWithIndex(GM_ADDR x, GM_ADDR value, GM_ADDR index, const MaxWithIndexTilingData* t) : t_(t) {
        xGm_.SetGlobalBuffer((__gm__ float*)x, t->rows * t->cols);
        valueGm_.SetGlobalBuffer((__gm__ float*)value, t->rows);
        indexGm_.SetGlobalBuffer((__gm__ int32_t*)index, t->rows);
        pipe_.InitBuffer(x_, 2, t->padded * sizeof(float));
        pipe_.InitBuffer(value_, 1, t->group * sizeof(float));
        pipe_.InitBuffer(index_, 1, t->group * sizeof(int32_t));
        pipe_.InitBuffer(pair_, 32);
        pipe_.InitBuffer(work_, t->padded * sizeof(float));
    }
    __aicore__ inline void Process() {
        const int64_t groups = (t_->rows + t_->group - 1) / t_->group;
        for (int64_t g = GetBlockIdx(); g < groups; g += GetBlockNum()) {
            const int64_t first = g * t_->group;
            const uint32_t rows = t_->rows - first < t_->group ? t_->rows - first : t_->group;
            Group(first, rows);
        }
    }

private:
    __aicore__ inline void Group(int64_t first, uint32_t rows) {
        LocalTensor<float> value = value_.AllocTensor<float>();
        LocalTensor<int32_t> index = index_.AllocTensor<int32_t>();
        for (uint32_t i = 0; i < rows; i++) {
            LocalTensor<float> x = x_.AllocTensor<float>();
            DataCopyPad(x, xGm_[(first + i) * t_->cols], {1, (uint32_t)(t_->cols * sizeof(float)), 0, 0, 0},
                        {false, 0, 0, 0});
            x_.EnQue(x);
            x = x_.DeQue<float>();
            LocalTensor<float> pair = pair_.Get<float>();
            ReduceMax(pair, x, work_.Get<float>(), t_->cols, true);
            x_.FreeTensor(x);
            SetFlag<HardEvent::V_S>(EVENT_ID0);
            WaitFlag<HardEvent::V_S>(EVENT_ID0);
            value.SetValue(i, pair.GetValue(0));
            float position = pair.GetValue(1);
            index.SetValue(i, *reinterpret_cast<int32_t*>(&position));
            SetFlag<HardEvent::S_V>(EVENT_ID0);
            WaitFlag<HardEvent::S_V>(EVENT_ID0);
        }
        SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
        value_.EnQue(value);
        index_.EnQue(index);
        value = value_.DeQue<float>();
        index = index_.DeQue<int32_t>();
        DataCopyPad(valueGm_[first], value, {1, (uint32_t)(rows * sizeof(float)), 0, 0, 0});
        DataCopyPad(indexGm_[first], index, {1, (uint32_t)(rows * sizeof(int32_t)), 0, 0, 0});
        value_.FreeTensor(value);
        index_.FreeTensor(index);
    }

    const MaxWithIndexTilingData* t_;
    TPipe pipe_;
    TQue<TPosition::VECIN, 2> x_;
    TQue<TPosition::VECOUT, 1> value_, index_;
    TBuf<TPosition::VECCALC> pair_, work_;
    GlobalTensor<float> xGm_, valueGm_;
    GlobalTensor<int32_t> indexGm_;
};

extern "C" __global__ __aicore__ void max_with_index(GM_ADDR x, GM_ADDR value, GM_ADDR index, GM_ADDR workspace,
                                                     GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(MaxWithIndexTilingData, t, tiling);
    MaxWithIndex op(x, value, index, &t);
    op.Process();
}
