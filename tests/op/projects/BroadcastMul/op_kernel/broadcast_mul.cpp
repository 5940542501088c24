// SPDX-License-Identifier: Apache-2.0
#include "broadcast_mul_tiling_data.h"
#include "broadcast_mul_tiling_key.h"
#include "kernel_operator.h"

namespace NsBroadcastMul {
using namespace AscendC;

template <typename T, uint32_t BRC, bool HAS_TAIL>
class BroadcastMul {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const BroadcastMulTilingData* tiling, TPipe* pipe) {
        tiling_ = tiling;
        const uint64_t total = static_cast<uint64_t>(tiling->rows) * tiling->cols;
        xGm_.SetGlobalBuffer((__gm__ T*)x, total);
        yGm_.SetGlobalBuffer((__gm__ T*)y, BRC == BRC_NONE ? total : BRC == BRC_ROW ? tiling->cols : 1);
        zGm_.SetGlobalBuffer((__gm__ T*)z, total);
        pipe->InitBuffer(xQue_, 2, tiling->tileCols * sizeof(T));
        pipe->InitBuffer(yQue_, BRC == BRC_NONE ? 2 : 1, tiling->tileCols * sizeof(T));
        pipe->InitBuffer(zQue_, 2, tiling->tileCols * sizeof(T));
    }
    __aicore__ inline void Process() {
        if (tiling_->rows == 0 || tiling_->cols == 0) return;
        if constexpr (BRC == BRC_ROW) {
            LocalTensor<T> y = Load(yQue_, yGm_, 0, tiling_->cols);
            for (int64_t row = GetBlockIdx(); row < tiling_->rows; row += GetBlockNum()) {
                Tile(row * tiling_->cols, tiling_->cols, y);
            }
            yQue_.FreeTensor(y);
            return;
        }
        for (int64_t at = GetBlockIdx() * tiling_->tileCols; at < tiling_->cols;
             at += GetBlockNum() * tiling_->tileCols) {
            int64_t count = tiling_->tileCols;
            if constexpr (HAS_TAIL) {
                if (tiling_->cols - at < count) count = tiling_->cols - at;
            }
            if constexpr (BRC == BRC_NONE) {
                LocalTensor<T> y = Load(yQue_, yGm_, at, count);
                Tile(at, count, y);
                yQue_.FreeTensor(y);
            } else {
                LocalTensor<T> none;
                Tile(at, count, none);
            }
        }
    }

private:
    template <typename Queue>
    __aicore__ inline LocalTensor<T> Load(Queue& queue, GlobalTensor<T>& from, int64_t at, int64_t count) {
        LocalTensor<T> tensor = queue.template AllocTensor<T>();
        DataCopyPad(tensor, from[at], DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0},
                    DataCopyPadExtParams<T>{false, 0, 0, 0});
        queue.EnQue(tensor);
        return queue.template DeQue<T>();
    }
    __aicore__ inline void Tile(int64_t at, int64_t count, LocalTensor<T>& y) {
        LocalTensor<T> x = Load(xQue_, xGm_, at, count);
        LocalTensor<T> z = zQue_.template AllocTensor<T>();
        if constexpr (BRC == BRC_SCALAR) {
            Muls(z, x, yGm_.GetValue(0), count);
        } else {
            Mul(z, x, y, count);
        }
        xQue_.FreeTensor(x);
        zQue_.EnQue(z);
        z = zQue_.template DeQue<T>();
        DataCopyPad(zGm_[at], z, DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0});
        zQue_.FreeTensor(z);
    }

    const BroadcastMulTilingData* tiling_;
    GlobalTensor<T> xGm_, yGm_, zGm_;
    TQue<QuePosition::VECIN, 2> xQue_, yQue_;
    TQue<QuePosition::VECOUT, 2> zQue_;
};
}  // namespace NsBroadcastMul

template <typename D_T, uint32_t BRC, bool HAS_TAIL>
__global__ __aicore__ void broadcast_mul(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(BroadcastMulTilingData);
    GET_TILING_DATA_WITH_STRUCT(BroadcastMulTilingData, tilingData, tiling);
    AscendC::TPipe pipe;
    NsBroadcastMul::BroadcastMul<D_T, BRC, HAS_TAIL> op;
    op.Init(x, y, z, &tilingData, &pipe);
    op.Process();
}
