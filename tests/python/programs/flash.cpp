// SPDX-License-Identifier: Apache-2.0
// Attention by the high-level Matmul and SoftmaxFlashV2: a vector core takes tiles of queries, the keys come in blocks.
#include "linear.h"

using namespace programs;

struct FlashData {
    uint32_t heads, queries, keys, width;  // of q, k and v: [heads, queries or keys, width]
    uint32_t rows, columns;                // of a tile of scores
    float scale;
    TCubeTiling scores, values;  // of a tile
    SoftMaxTiling softmax;
};

class FlashAttention {
public:
    using Scores = Matmul<InGm<half>, InGm<half, true>, InGm<float>, InGm<float>, CFG_MDL>;
    using Values = Matmul<InGm<half>, InGm<half>, InGm<float>, InGm<float>, CFG_MDL>;

    __aicore__ inline FlashAttention(const FlashData& t) : t_(t) {}
    __aicore__ inline void Init(TPipe& pipe, GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR out, GM_ADDR workspace) {
        q_ = Gm<half>(q, t_.heads * t_.queries * t_.width);
        k_ = Gm<half>(k, t_.heads * t_.keys * t_.width);
        v_ = Gm<half>(v, t_.heads * t_.keys * t_.width);
        out_ = Gm<half>(out, t_.heads * t_.queries * t_.width);
        const uint32_t tile = t_.rows * t_.columns, result = t_.rows * t_.width;
        GM_ADDR slot = workspace + uint64_t(GetBlockIdx()) * (6 * tile + 4 * result);
        score_gm_ = Gm<float>(slot, tile);
        weight_gm_ = Gm<half>(slot + 4 * tile, tile);
        value_gm_ = Gm<float>(slot + 6 * tile, result);
        pipe.InitBuffer(ins_, 1, (tile > result ? tile : result) * sizeof(float));
        pipe.InitBuffer(weights_, 1, tile * sizeof(half));
        pipe.InitBuffer(outs_, 1, result * sizeof(half));
        pipe.InitBuffer(buffer_, (tile + result + 24 * t_.rows) * sizeof(float) + 16 * 1024);
        exponents_ = buffer_.Get<float>();
        sum_ = exponents_[tile], max_ = sum_[8 * t_.rows], factor_ = max_[8 * t_.rows];
        total_ = factor_[8 * t_.rows];
        tmp_ = total_[result].ReinterpretCast<uint8_t>();
    }

    __aicore__ inline void Process() {
        const uint32_t tiles = CeilDiv(t_.queries, t_.rows);
        for (uint32_t item = GetBlockIdx(); item < t_.heads * tiles; item += GetBlockNum() * GetTaskRatio()) {
            const uint32_t head = item / tiles, row = item % tiles * t_.rows;
            const uint32_t rows = Least(t_.rows, t_.queries - row);
            for (uint32_t key = 0; key < t_.keys; key += t_.columns) {
                Tile(head, row, rows, key, Least(t_.columns, t_.keys - key));
            }
            // Each row over its sum.
            PipeBarrier<PIPE_V>();
            Div(total_, total_, sum_, t_.width, rows, RowByBlock());
            auto out = outs_.AllocTensor<half>();
            PipeBarrier<PIPE_V>();
            Cast(out, total_, RoundMode::CAST_RINT, rows * t_.width);
            outs_.EnQue(out);
            out = outs_.DeQue<half>();
            DataCopy(out_[(head * t_.queries + row) * t_.width], out, rows * t_.width);
            outs_.FreeTensor(out);
        }
    }

    Scores scores;
    Values values;

private:
    // Rows of the width of the values, each with a block of one number.
    __aicore__ inline BinaryRepeatParams RowByBlock() const {
        const uint8_t stride = t_.width / 8;
        return {1, 1, 0, stride, stride, 1};
    }

    __aicore__ inline void Tile(uint32_t head, uint32_t row, uint32_t rows, uint32_t key, uint32_t columns) {
        const uint32_t keys = (head * t_.keys + key) * t_.width;
        scores.SetSingleShape(rows, columns, t_.width);
        scores.SetOrgShape(rows, columns, t_.width);
        scores.SetTensorA(q_[(head * t_.queries + row) * t_.width]);
        scores.SetTensorB(k_[keys], true);
        scores.template IterateAll<false>(score_gm_, 0, false, true);
        scores.WaitIterateAll();
        scores.End();
        auto in = ins_.AllocTensor<float>();
        DataCopy(in, score_gm_, rows * columns);
        ins_.EnQue(in);
        in = ins_.DeQue<float>();
        Muls(in, in, t_.scale, rows * columns);
        PipeBarrier<PIPE_V>();
        const SoftMaxShapeInfo shape{rows, columns, rows, columns};
        if (key == 0) {
            SoftmaxFlashV2<float, false>(exponents_, sum_, max_, in, factor_, sum_, max_, tmp_, t_.softmax, shape);
        } else {
            SoftmaxFlashV2<float, true>(exponents_, sum_, max_, in, factor_, sum_, max_, tmp_, t_.softmax, shape);
        }
        ins_.FreeTensor(in);
        auto weights = weights_.AllocTensor<half>();
        PipeBarrier<PIPE_V>();
        Cast(weights, exponents_, RoundMode::CAST_RINT, rows * columns);
        weights_.EnQue(weights);
        weights = weights_.DeQue<half>();
        DataCopy(weight_gm_, weights, rows * columns);
        weights_.FreeTensor(weights);
        Join<HardEvent::MTE3_S>();
        values.SetSingleShape(rows, t_.width, columns);
        values.SetOrgShape(rows, t_.width, columns);
        values.SetTensorA(weight_gm_);
        values.SetTensorB(v_[keys]);
        values.IterateAll(value_gm_);
        values.End();
        in = ins_.AllocTensor<float>();
        DataCopy(in, value_gm_, rows * t_.width);
        ins_.EnQue(in);
        in = ins_.DeQue<float>();
        PipeBarrier<PIPE_V>();
        if (key == 0) {
            Adds(total_, in, 0.0f, rows * t_.width);
        } else {
            Mul(total_, total_, factor_, t_.width, rows, RowByBlock());
            PipeBarrier<PIPE_V>();
            Add(total_, total_, in, rows * t_.width);
        }
        ins_.FreeTensor(in);
    }

    const FlashData& t_;
    GlobalTensor<half> q_, k_, v_, out_, weight_gm_;
    GlobalTensor<float> score_gm_, value_gm_;
    TQue<TPosition::VECIN, 1> ins_;
    TQue<TPosition::VECOUT, 1> weights_, outs_;
    TBuf<> buffer_;
    LocalTensor<float> exponents_, sum_, max_, factor_, total_;
    LocalTensor<uint8_t> tmp_;
};

__aicore__ inline void Attend(GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR out, GM_ADDR workspace, const FlashData& t) {
    TPipe pipe;
    FlashAttention attention(t);
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), attention.scores, &t.scores, attention.values, &t.values);
    attention.Init(pipe, q, k, v, out, workspace);
    attention.Process();
}

extern "C" __global__ __aicore__ void flash_attention_v2(GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR out,
                                                         GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GET_TILING_DATA_WITH_STRUCT(FlashData, t, tiling);
    Attend(q, k, v, out, workspace, t);
}
