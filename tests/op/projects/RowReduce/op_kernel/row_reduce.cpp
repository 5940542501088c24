// SPDX-License-Identifier: Apache-2.0
// A row goes through in tiles; 64 lanes collect it, and the last step is one WholeReduce.
#include "kernel_operator.h"

namespace {
using namespace AscendC;
constexpr uint32_t LANES = 64;

enum class Mode { kSum, kMax };

template <typename T, Mode mode>
class RowReduce {
public:
    __aicore__ inline RowReduce(GM_ADDR x, GM_ADDR y, uint64_t rows, uint32_t cols, uint32_t tileCols)
        : rows_(rows), cols_(cols), tileCols_(tileCols) {
        x_.SetGlobalBuffer((__gm__ T*)x, rows * cols);
        y_.SetGlobalBuffer((__gm__ T*)y, rows);
        pipe_.InitBuffer(in_, 2, tileCols * sizeof(T));
        pipe_.InitBuffer(out_, 2, 32);
        pipe_.InitBuffer(wide_, tileCols * sizeof(float));
        pipe_.InitBuffer(acc_, LANES * sizeof(float));
        pipe_.InitBuffer(one_, 32);
    }
    __aicore__ inline void Process() {
        for (uint64_t row = GetBlockIdx(); row < rows_; row += GetBlockNum()) Row(row);
    }

private:
    __aicore__ inline void Row(uint64_t row) {
        LocalTensor<float> acc = acc_.Get<float>();
        Duplicate(acc, mode == Mode::kSum ? 0.0f : -3.402823466e+38f, LANES);
        for (uint32_t col = 0; col < cols_; col += tileCols_) {
            const uint32_t count = Std::min(tileCols_, cols_ - col);
            LocalTensor<T> in = in_.template AllocTensor<T>();
            DataCopyPad(in, x_[row * cols_ + col], DataCopyExtParams{1, uint32_t(count * sizeof(T)), 0, 0, 0},
                        DataCopyPadExtParams<T>{false, 0, 0, 0});
            in_.EnQue(in);
            in = in_.template DeQue<T>();
            Collect(acc, in, count);
            in_.FreeTensor(in);
        }
        LocalTensor<float> one = one_.Get<float>();
        if constexpr (mode == Mode::kSum) {
            WholeReduceSum(one, acc, LANES, 1, 1, 1, 8);
        } else {
            WholeReduceMax(one, acc, LANES, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
        }
        LocalTensor<T> out = out_.template AllocTensor<T>();
        if constexpr (sizeof(T) == 2) {
            Cast(out, one, RoundMode::CAST_RINT, 1);
        } else {
            Adds(out, one, 0.0f, 1);
        }
        out_.EnQue(out);
        out = out_.template DeQue<T>();
        DataCopyPad(y_[row], out, DataCopyExtParams{1, sizeof(T), 0, 0, 0});
        out_.FreeTensor(out);
    }
    __aicore__ inline void Collect(LocalTensor<float>& acc, LocalTensor<T>& in, uint32_t count) {
        LocalTensor<float> wide;
        if constexpr (sizeof(T) == 2) {
            wide = wide_.Get<float>();
            Cast(wide, in, RoundMode::CAST_NONE, count);
        } else {
            wide = in;
        }
        for (uint32_t i = 0; i < count; i += LANES) {
            const uint32_t lanes = Std::min(LANES, count - i);
            if constexpr (mode == Mode::kSum) {
                Add(acc, acc, wide[i], lanes);
            } else {
                Max(acc, acc, wide[i], lanes);
            }
        }
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 2> in_;
    TQue<TPosition::VECOUT, 2> out_;
    TBuf<TPosition::VECCALC> wide_, acc_, one_;
    GlobalTensor<T> x_, y_;
    uint64_t rows_;
    uint32_t cols_, tileCols_;
};
}  // namespace

extern "C" __global__ __aicore__ void row_reduce(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    GET_TILING_DATA(t, tiling);
    if (TILING_KEY_IS(1)) {
        RowReduce<float, Mode::kSum>(x, y, t.rows, t.cols, t.tileCols).Process();
    } else if (TILING_KEY_IS(2)) {
        RowReduce<float, Mode::kMax>(x, y, t.rows, t.cols, t.tileCols).Process();
    } else if (TILING_KEY_IS(11)) {
        RowReduce<half, Mode::kSum>(x, y, t.rows, t.cols, t.tileCols).Process();
    } else if (TILING_KEY_IS(12)) {
        RowReduce<half, Mode::kMax>(x, y, t.rows, t.cols, t.tileCols).Process();
    }
}
