// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
using namespace AscendC;

class GlobalNormalize {
public:
    __aicore__ inline GlobalNormalize() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR userWorkspace, uint32_t length, uint32_t perCore,
                                uint32_t tile) {
        begin_ = GetBlockIdx() * perCore;
        count_ = begin_ >= length ? 0 : length - begin_ < perCore ? length - begin_ : perCore;
        tile_ = tile;
        xGm_.SetGlobalBuffer((__gm__ float*)x + begin_, count_);
        yGm_.SetGlobalBuffer((__gm__ float*)y + begin_, count_);
        partGm_.SetGlobalBuffer((__gm__ float*)userWorkspace, GetBlockNum() * 8);
        pipe_.InitBuffer(in_, 2, tile * sizeof(float));
        pipe_.InitBuffer(out_, 2, tile * sizeof(float));
        pipe_.InitBuffer(parts_, 1, 64 * 8 * sizeof(float));
        pipe_.InitBuffer(work_, tile * sizeof(float));
        pipe_.InitBuffer(max_, 32);
    }
    __aicore__ inline void Process() {
        FirstPass();
        SyncAll();
        SecondPass();
    }

private:
    __aicore__ inline LocalTensor<float> Load(uint32_t at, uint32_t count) {
        LocalTensor<float> x = in_.AllocTensor<float>();
        DataCopyPad(x, xGm_[at], {1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0});
        in_.EnQue(x);
        return in_.DeQue<float>();
    }
    __aicore__ inline void FirstPass() {
        LocalTensor<float> max = max_.Get<float>();
        Duplicate(max, 0.0f, 8);
        LocalTensor<float> work = work_.Get<float>();
        for (uint32_t at = 0; at < count_; at += tile_) {
            const uint32_t count = count_ - at < tile_ ? count_ - at : tile_;
            LocalTensor<float> x = Load(at, count);
            Abs(x, x, count);
            ReduceMax(work, x, work, count, false);
            Max(max, max, work, 1);
            in_.FreeTensor(x);
        }
        LocalTensor<float> out = out_.AllocTensor<float>();
        Adds(out, max, 0.0f, 8);
        out_.EnQue(out);
        out = out_.DeQue<float>();
        DataCopy(partGm_[GetBlockIdx() * 8], out, 8);
        out_.FreeTensor(out);
    }
    __aicore__ inline void SecondPass() {
        const uint32_t cores = GetBlockNum();
        LocalTensor<float> parts = parts_.AllocTensor<float>();
        DataCopy(parts, partGm_, cores * 8);
        parts_.EnQue(parts);
        parts = parts_.DeQue<float>();
        float max = 0;
        for (uint32_t i = 0; i < cores; i++) {
            const float part = parts.GetValue(i * 8);
            max = part > max ? part : max;
        }
        parts_.FreeTensor(parts);
        for (uint32_t at = 0; at < count_; at += tile_) {
            const uint32_t count = count_ - at < tile_ ? count_ - at : tile_;
            LocalTensor<float> x = Load(at, count);
            LocalTensor<float> y = out_.AllocTensor<float>();
            if (max > 0) {
                LocalTensor<float> divisor = work_.Get<float>();
                Duplicate(divisor, max, count);
                Div(y, x, divisor, count);
            } else {
                Adds(y, x, 0.0f, count);
            }
            in_.FreeTensor(x);
            out_.EnQue(y);
            y = out_.DeQue<float>();
            DataCopyPad(yGm_[at], y, {1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0});
            out_.FreeTensor(y);
        }
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 2> in_;
    TQue<TPosition::VECIN, 1> parts_;
    TQue<TPosition::VECOUT, 2> out_;
    TBuf<TPosition::VECCALC> work_, max_;
    GlobalTensor<float> xGm_, yGm_, partGm_;
    uint32_t begin_, count_, tile_;
};

extern "C" __global__ __aicore__ void global_normalize(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    GET_TILING_DATA(tilingData, tiling);
    GM_ADDR user = GetUserWorkspace(workspace);
    GlobalNormalize op;
    op.Init(x, y, user, tilingData.length, tilingData.lengthPerCore, tilingData.tile);
    op.Process();
}
